//! From a filter document to the tree, with the server's refusals (`src/mongo/db/matcher/expression_parser.cpp`).

use std::cmp::Ordering;

use super::expr::{Expression, Scope};
use super::filter::{Comparison, Filter, Predicate, Regex, Test};
use super::operand;
use super::schema::Schema;
use super::unavailable;
use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::value::{self, Bson, Document, Path, View, doc, is_number};

/// How deep operators may lie inside each other (`internalQueryMaxDepth` of the server's parser).
const MAX_DEPTH: usize = 100;

/// Where a part of a filter lies: how deep, and which variables `$expr` may name.
#[derive(Clone, Copy)]
pub(super) struct Nest<'s> {
    depth: usize,
    scope: &'s Scope,
    in_element: bool,
}

impl Nest<'_> {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn element(self) -> Self {
        Self { in_element: true, ..self.deeper() }
    }
}

/// Parses a whole filter; the result is as it was written, not yet in normal form.
pub(super) fn filter(document: &Document, nest: Nest<'_>) -> Result<Filter> {
    if nest.depth > MAX_DEPTH {
        return refuse(ErrorCode::BadValue, format!("exceeded maximum query tree depth of {MAX_DEPTH}"));
    }
    let mut parts = Vec::new();
    for (name, value) in document {
        let placed = |error: CommandError| error.inside_field(name);
        if name.starts_with('$') {
            parts.extend(top_level(name, value, nest).map_err(placed)?);
        } else {
            field(&Path::new(name), value, nest, &mut parts).map_err(placed)?;
        }
    }
    Ok(all_of(parts))
}

/// An AND, unless there is exactly one part.
fn all_of(mut parts: Vec<Filter>) -> Filter {
    if parts.len() == 1 { parts.remove(0) } else { Filter::And(parts) }
}

/// Operators at the root of a filter and inside `$and` and its like (manual: Query Predicates), those aside that are refused.
pub const ROOT_OPERATORS: [&str; 9] =
    ["$alwaysFalse", "$alwaysTrue", "$and", "$comment", "$expr", "$jsonSchema", "$nor", "$or", "$sampleRate"];

fn top_level(name: &str, value: &Bson, nest: Nest<'_>) -> Result<Option<Filter>> {
    match name {
        "$and" => branches(name, value, nest).map(|parts| Some(Filter::And(parts))),
        "$or" => branches(name, value, nest).map(|parts| Some(Filter::Or(parts))),
        "$nor" => branches(name, value, nest).map(|parts| Some(Filter::Nor(parts))),
        "$expr" if nest.in_element => {
            refuse(ErrorCode::BadValue, "$expr can only be applied to the top-level document")
        }
        "$expr" => Expression::parse(value, nest.scope).map(|expression| Some(Filter::Expr(Box::new(expression)))),
        "$alwaysTrue" | "$alwaysFalse" => constant(name, value).map(Some),
        "$jsonSchema" => json_schema(value).map(Some),
        "$sampleRate" => sample_rate(value, nest.scope).map(Some),
        "$where" | "$text" => unavailable::refuse(name),
        "$comment" => Ok(None),
        _ => refuse(
            ErrorCode::BadValue,
            format!(
                "unknown top level operator: {name}. If you have a field name that starts with a '$' symbol, consider \
             using $getField or $setField."
            ),
        ),
    }
}

fn branches(name: &str, value: &Bson, nest: Nest<'_>) -> Result<Vec<Filter>> {
    let Bson::Array(items) = value else {
        return refuse(ErrorCode::BadValue, format!("{name} must be an array"));
    };
    if items.is_empty() {
        return refuse(ErrorCode::BadValue, "$and/$or/$nor must be a nonempty array");
    }
    let branch = |(at, item): (usize, &Bson)| match item {
        Bson::Document(document) => filter(document, nest.deeper()).map_err(|error| error.inside_index(at)),
        _ => refuse(ErrorCode::BadValue, "$or/$and/$nor entries need to be full objects")
            .map_err(|error| error.inside_index(at)),
    };
    items.iter().enumerate().map(branch).collect()
}

fn constant(name: &str, value: &Bson) -> Result<Filter> {
    match operand::whole_number(name, value) {
        Ok(1) => Ok(Filter::Constant(name == "$alwaysTrue")),
        _ => Err(CommandError::new(ErrorCode::FailedToParse, format!("{name} must be an integer value of 1"))),
    }
}

fn json_schema(value: &Bson) -> Result<Filter> {
    match value {
        Bson::Document(schema) => Schema::parse(schema).map(|_| Filter::JsonSchema(schema.clone())),
        _ => Err(CommandError::new(ErrorCode::TypeMismatch, "$jsonSchema must be an object")),
    }
}

/// A share of the documents, by chance: `$expr` with `$rand`, as on the server.
fn sample_rate(value: &Bson, scope: &Scope) -> Result<Filter> {
    if !is_number(value.into()) {
        return refuse(ErrorCode::BadValue, "argument to $sampleRate must be a numeric type");
    }
    let (zero, one) = (View::Int32(0), View::Int32(1));
    match (value::compare(value.into(), zero), value::compare(value.into(), one)) {
        (Ordering::Less, _) | (_, Ordering::Greater) => {
            refuse(ErrorCode::BadValue, "numeric argument to $sampleRate must be in [0, 1]")
        }
        (Ordering::Equal, _) => Ok(Filter::Constant(false)),
        (_, Ordering::Equal) => Ok(Filter::Constant(true)),
        _ => {
            let expression = doc! {"$lt": [{"$rand": {}}, value.clone()]};
            Ok(Filter::Expr(Box::new(Expression::parse(&Bson::Document(expression), scope)?)))
        }
    }
}

/// Whether a value beside a field name holds operators: a non-empty document whose first name begins with `$`, and no
/// database reference.
pub(super) fn is_expression(document: &Document) -> bool {
    let first_is_operator = document.keys().next().is_some_and(|name| name.starts_with('$'));
    first_is_operator && !(document.contains_key("$ref") && document.contains_key("$id"))
}

fn field(path: &Path, value: &Bson, nest: Nest<'_>, parts: &mut Vec<Filter>) -> Result<()> {
    match value {
        Bson::Document(operators) if is_expression(operators) => operators_on(path, operators, nest, parts),
        _ => {
            parts.push(predicate(path, equality_or_regex(value)?));
            Ok(())
        }
    }
}

pub(super) fn predicate(path: &Path, test: Test) -> Filter {
    Filter::Field(Predicate { path: path.clone(), test })
}

fn negated(path: &Path, test: Test) -> Filter {
    Filter::Not(Box::new(predicate(path, test)))
}

fn equality_or_regex(value: &Bson) -> Result<Test> {
    match value {
        Bson::RegularExpression(regex) => {
            Ok(Test::Regex(Regex::checked(regex.pattern.as_str(), regex.options.as_str())?))
        }
        Bson::Undefined => refuse(ErrorCode::BadValue, "cannot compare to undefined"),
        _ => Ok(Test::Compare(Comparison::Eq, value.clone())),
    }
}

fn operators_on(path: &Path, operators: &Document, nest: Nest<'_>, parts: &mut Vec<Filter>) -> Result<()> {
    for (name, value) in operators {
        let placed = |error: CommandError| error.inside_field(name);
        parts.extend(operator(path, name, value, operators, nest).map_err(placed)?);
    }
    Ok(())
}

/// Operators that stand beside a path, as [`operator`] reads them; `$comment` may stand there too, but does not make an
/// operator document.
const PATH_OPERATORS: [&str; 25] = [
    "$eq",
    "$gt",
    "$gte",
    "$lt",
    "$lte",
    "$ne",
    "$in",
    "$nin",
    "$not",
    "$exists",
    "$type",
    "$mod",
    "$size",
    "$regex",
    "$options",
    "$elemMatch",
    "$all",
    "$bitsAllSet",
    "$bitsAllClear",
    "$bitsAnySet",
    "$bitsAnyClear",
    "$near",
    "$nearSphere",
    "$geoWithin",
    "$geoIntersects",
];

/// Operators on a field (manual: Query Predicates), those aside that are refused.
pub fn field_operators() -> impl Iterator<Item = &'static str> {
    PATH_OPERATORS.into_iter().filter(|name| !unavailable::is(name))
}

/// One operator beside a path; `siblings` are all operators there, since `$regex` looks for `$options`.
fn operator(path: &Path, name: &str, value: &Bson, siblings: &Document, nest: Nest<'_>) -> Result<Option<Filter>> {
    let test = match name {
        "$eq" | "$gt" | "$gte" | "$lt" | "$lte" => comparison(path, name, value)?,
        "$ne" => return not_equal(path, value).map(Some),
        "$in" => Test::In(operand::in_list(name, value)?),
        "$nin" => return Ok(Some(negated(path, Test::In(operand::in_list(name, value)?)))),
        "$not" => return not(path, value, nest).map(Some),
        "$exists" if value::is_true(value.into()) => Test::Exists,
        "$exists" => return Ok(Some(negated(path, Test::Exists))),
        "$type" => Test::Type(operand::type_set(value)?),
        "$mod" => operand::modulus(value)?,
        "$size" => operand::size(value)?,
        "$regex" => operand::regex(value, siblings)?,
        "$options" if siblings.contains_key("$regex") => return Ok(None),
        "$options" => return refuse(ErrorCode::BadValue, "$options needs a $regex"),
        "$elemMatch" => elem_match(value, nest)?,
        "$all" => return all(path, value, nest).map(Some),
        "$bitsAllSet" | "$bitsAllClear" | "$bitsAnySet" | "$bitsAnyClear" => operand::bits(name, value)?,
        "$comment" => return Ok(None),
        _ if unavailable::is(name) => return unavailable::refuse(name),
        _ => return refuse(ErrorCode::BadValue, format!("unknown operator: {name}")),
    };
    Ok(Some(predicate(path, test)))
}

fn comparison(path: &Path, name: &str, value: &Bson) -> Result<Test> {
    let comparison = match name {
        "$gt" => Comparison::Gt,
        "$gte" => Comparison::Gte,
        "$lt" => Comparison::Lt,
        "$lte" => Comparison::Lte,
        _ => Comparison::Eq,
    };
    match value {
        Bson::RegularExpression(_) if comparison != Comparison::Eq => {
            refuse(ErrorCode::BadValue, format!("Can't have RegEx as arg to predicate over field '{path}'."))
        }
        Bson::Undefined => refuse(ErrorCode::BadValue, "cannot compare to undefined"),
        _ => Ok(Test::Compare(comparison, value.clone())),
    }
}

fn not_equal(path: &Path, value: &Bson) -> Result<Filter> {
    match value {
        Bson::RegularExpression(_) => refuse(ErrorCode::BadValue, "Can't have regex as arg to $ne."),
        _ => Ok(negated(path, comparison(path, "$eq", value)?)),
    }
}

fn not(path: &Path, value: &Bson, nest: Nest<'_>) -> Result<Filter> {
    if nest.depth > MAX_DEPTH {
        return refuse(ErrorCode::BadValue, format!("exceeded maximum query tree depth of {MAX_DEPTH}"));
    }
    match value {
        Bson::RegularExpression(_) => Ok(negated(path, equality_or_regex(value)?)),
        Bson::Document(operators) if operators.is_empty() => refuse(ErrorCode::BadValue, "$not cannot be empty"),
        Bson::Document(operators) => {
            let mut parts = Vec::new();
            operators_on(path, operators, nest.deeper(), &mut parts)?;
            // The server keeps the AND even around one part; its optimiser unwraps it.
            Ok(Filter::Not(Box::new(all_of(parts))))
        }
        _ => refuse(ErrorCode::BadValue, "$not needs a regex or a document"),
    }
}

fn elem_match(value: &Bson, nest: Nest<'_>) -> Result<Test> {
    let Bson::Document(document) = value else {
        return refuse(ErrorCode::BadValue, "$elemMatch needs an Object");
    };
    if document.contains_key("$where") {
        return refuse(ErrorCode::BadValue, "$elemMatch cannot contain $where expression");
    }
    if !holds_operators(document) {
        return Ok(Test::ElemMatchObject(Box::new(filter(document, nest.element())?)));
    }
    let mut parts = Vec::new();
    operators_on(&Path::default(), document, nest.element(), &mut parts)?;
    Ok(Test::ElemMatchValue(parts))
}

/// Whether `$elemMatch` takes the value form: operators in front that are not logical ones of a whole document.
fn holds_operators(document: &Document) -> bool {
    let first = document.keys().next().map_or("", String::as_str);
    is_expression(document) && !matches!(first, "$and" | "$nor" | "$or" | "$where")
}

fn all(path: &Path, value: &Bson, nest: Nest<'_>) -> Result<Filter> {
    let Bson::Array(items) = value else {
        return refuse(ErrorCode::BadValue, "$all needs an array");
    };
    if items.is_empty() {
        return Ok(Filter::Constant(false));
    }
    let wants_elements = is_elem_match(&items[0]);
    let part =
        |(at, item): (usize, &Bson)| all_item(path, item, wants_elements, nest).map_err(|error| error.inside_index(at));
    items.iter().enumerate().map(part).collect::<Result<Vec<_>>>().map(all_of)
}

fn is_elem_match(item: &Bson) -> bool {
    matches!(item, Bson::Document(document) if document.keys().next().is_some_and(|name| name == "$elemMatch"))
}

fn all_item(path: &Path, item: &Bson, wants_elements: bool, nest: Nest<'_>) -> Result<Filter> {
    match item {
        Bson::Document(document) if wants_elements => match document.iter().next() {
            Some((name, value)) if name == "$elemMatch" && document.len() == 1 => {
                let placed = |error: CommandError| error.inside_field(name);
                Ok(predicate(path, elem_match(value, nest).map_err(placed)?))
            }
            _ => refuse(ErrorCode::BadValue, "$all/$elemMatch has to be consistent"),
        },
        _ if wants_elements => refuse(ErrorCode::BadValue, "$all/$elemMatch has to be consistent"),
        Bson::Document(document) if is_expression(document) => refuse(ErrorCode::BadValue, "no $ expressions in $all"),
        _ => Ok(predicate(path, equality_or_regex(item)?)),
    }
}

impl Filter {
    /// Tells whether `document` begins with an operator that stands beside a path: `{$gt: 5}` does, `{k: 5}`,
    /// `{$or: […]}` and `{$ref: …}` do not (`MatchExpressionParser::parsePathAcceptingKeyword`).
    #[must_use]
    pub fn begins_with_path_operator(document: &Document) -> bool {
        document.keys().next().is_some_and(|name| PATH_OPERATORS.contains(&name.as_str()))
    }

    /// Reads a filter document and brings it into normal form; error places are counted from the filter's root.
    ///
    /// # Errors
    /// MongoDB's refusals of unknown operators and wrong operands.
    pub fn parse(document: &Document) -> Result<Self> {
        Self::parse_with(document, &Scope::default())
    }

    /// Reads a filter document and leaves its parts as they were written, in their order.
    ///
    /// # Errors
    /// MongoDB's refusals of unknown operators and wrong operands.
    pub fn as_written(document: &Document, scope: &Scope) -> Result<Self> {
        filter(document, Nest { depth: 0, scope, in_element: false })
    }

    /// Reads a filter document whose `$expr` may name variables.
    ///
    /// # Errors
    /// MongoDB's refusals of unknown operators and wrong operands.
    pub fn parse_with(document: &Document, scope: &Scope) -> Result<Self> {
        filter(document, Nest { depth: 0, scope, in_element: false }).map(Self::normalised)
    }
}
