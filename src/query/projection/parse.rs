//! From a projection document to its tree.

use super::slice::Slice;
use super::tree::{Branch, Node};
use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::query::expr::{Context, Expression, Scope};
use crate::query::{Filter, Matcher};
use crate::value::{self, Bson, Document, Path, doc, field_path, shown, type_alias};

/// The tree, with `_id` settled, and whether it excludes.
pub(super) fn parse(spec: &Document, context: &Context) -> Result<(Branch, bool)> {
    let scope = context.scope().with_metadata();
    let mut reader = Reader { context, scope, root: Branch::default(), seen: Seen::default(), exclusion: None };
    for (name, value) in spec {
        reader.element(name, value, &Path::default()).map_err(|error| error.inside_field(name))?;
    }
    let exclusion = reader.exclusion.unwrap_or_else(|| reader.seen.excludes());
    let Reader { mut root, seen, .. } = reader;
    if !exclusion && !seen.id {
        root.insert(&Path::new("_id"), Path::new("_id").parts(), Node::Keep)?;
    }
    if exclusion && seen.id_included {
        root.remove("_id");
    }
    Ok((root, exclusion))
}

/// What was met, where it bears on what an ambiguous projection means.
#[derive(Debug, Default)]
struct Seen {
    id: bool,
    id_included: bool,
    positional: bool,
    element: bool,
    slice: bool,
}

impl Seen {
    /// Whether a projection without a plain inclusion or exclusion excludes (`computeProjectionType`).
    fn excludes(&self) -> bool {
        match (self.slice, self.element) {
            (true, _) => !self.id_included,
            (false, true) => false,
            (false, false) => !self.id_included,
        }
    }
}

struct Reader<'r> {
    context: &'r Context,
    scope: Scope,
    root: Branch,
    seen: Seen,
    exclusion: Option<bool>,
}

impl Reader<'_> {
    fn element(&mut self, name: &str, value: &Bson, outer: &Path) -> Result<()> {
        if outer.is_empty() && (name == "_id" || name.starts_with("_id.")) {
            self.seen.id = true;
        }
        if name.contains(".$.") {
            return refuse(
                31394,
                "As of 4.4, it's illegal to specify positional operator in the middle of a path.Positional projection may \
                 only be used at the end, for example: a.b.$. If the query previously used a form like a.b.$.d, remove \
                 the parts following the '$' and the results will be equivalent.",
            );
        }
        let positional = name.strip_suffix(".$");
        match value {
            Bson::Document(_) if positional.is_some() => {
                refuse(31271, "positional projection cannot be used with an expression or sub object")
            }
            Bson::Document(inner) => self.document(name, inner, outer),
            Bson::Boolean(_) | Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => {
                match (value::is_true(value.into()), positional) {
                    (true, None) => self.include(name, outer),
                    (true, Some(array)) => self.matched(name, array, outer),
                    (false, None) => self.exclude(name, outer),
                    (false, Some(_)) => refuse(31395, "positional projection cannot be used with exclusion"),
                }
            }
            _ if positional.is_some() => refuse(31308, "positional projection cannot be used with a literal"),
            _ => self.literal(name, value, outer),
        }
    }

    fn put(&mut self, name: &str, outer: &Path, node: Node) -> Result<()> {
        let path = outer.join(&field_path(name)?);
        self.root.insert(&path, path.parts(), node)
    }

    fn include(&mut self, name: &str, outer: &Path) -> Result<()> {
        self.put(name, outer, Node::Keep)?;
        if name == "_id" && outer.is_empty() {
            self.seen.id_included = true;
            return Ok(());
        }
        self.settle(name, false)
    }

    fn settle(&mut self, name: &str, exclusion: bool) -> Result<()> {
        match self.exclusion {
            Some(true) if !exclusion => {
                refuse(31253, format!("Cannot do inclusion on field {name} in exclusion projection"))
            }
            Some(false) if exclusion => {
                refuse(31254, format!("Cannot do exclusion on field {name} in inclusion projection"))
            }
            _ => {
                self.exclusion = Some(exclusion);
                Ok(())
            }
        }
    }

    fn exclude(&mut self, name: &str, outer: &Path) -> Result<()> {
        self.put(name, outer, Node::Drop)?;
        if name == "_id" && outer.is_empty() {
            return Ok(());
        }
        self.settle(name, true)
    }

    /// `path.$`: the first array on the path is cut down to the element that the filter met.
    fn matched(&mut self, name: &str, array: &str, outer: &Path) -> Result<()> {
        if self.seen.positional {
            return refuse(31276, "Cannot specify more than one positional projection per query.");
        }
        if self.seen.element {
            return refuse(31256, "Cannot specify positional operator and $elemMatch.");
        }
        if array.is_empty() {
            return refuse(5_392_900, format!("Projection on field {name} is invalid"));
        }
        self.put(array, outer, Node::Matched)?;
        self.seen.positional = true;
        self.settle(name, false)
    }

    fn literal(&mut self, name: &str, value: &Bson, outer: &Path) -> Result<()> {
        let expression = Expression::parse(value, &self.scope)?;
        self.put(name, outer, Node::Computed(Box::new(expression)))?;
        if self.exclusion == Some(true) {
            let element = format!("{name}: {}", shown(value));
            return refuse(31310, format!("Cannot use an expression {element} in an exclusion projection"));
        }
        self.exclusion = Some(false);
        Ok(())
    }

    fn document(&mut self, name: &str, inner: &Document, outer: &Path) -> Result<()> {
        let path = outer.join(&field_path(name)?);
        match inner.iter().next() {
            None => {
                let message = "An empty sub-projection is not a valid value. Found empty object at path";
                refuse(51270, format!("{message} {path}"))
            }
            Some((operator, operand)) if inner.len() == 1 && operator.starts_with('$') => {
                self.operator(name, inner, (operator, operand), outer)
            }
            Some(_) => inner.iter().try_for_each(|(inner_name, value)| {
                self.element(inner_name, value, &path).map_err(|error| error.inside_field(inner_name))
            }),
        }
    }

    fn operator(&mut self, name: &str, whole: &Document, operator: (&str, &Bson), outer: &Path) -> Result<()> {
        match operator.0 {
            "$slice" => match Slice::parse(operator.1) {
                Ok(slice) => {
                    self.seen.slice = true;
                    self.put(name, outer, Node::Slice(slice))
                }
                Err(error) => self.aggregation_slice(name, whole, outer, &error),
            },
            "$elemMatch" => self.elem_match(name, whole, operator.1, outer),
            "$meta" => self.meta(name, whole, outer),
            _ => self.expression(name, whole, outer),
        }
    }

    /// What is no `$slice` of `find` may be the expression of that name.
    fn aggregation_slice(&mut self, name: &str, whole: &Document, outer: &Path, own: &CommandError) -> Result<()> {
        self.expression(name, whole, outer).map_err(|error| CommandError {
            message: format!(
                "Invalid $slice syntax. The given syntax {} did not match the find() syntax because :: Location{}: {} :: \
                 The given syntax did not match the expression $slice syntax. :: caused by :: {}",
                shown(&Bson::Document(whole.clone())),
                own.code.number(),
                own.message,
                error.message
            ),
            ..error
        })
    }

    fn elem_match(&mut self, name: &str, whole: &Document, operand: &Bson, outer: &Path) -> Result<()> {
        if !matches!(operand, Bson::Document(_)) {
            let kind = type_alias(operand.into());
            return refuse(31274, format!("elemMatch: Invalid argument, object required, but got {kind}"));
        }
        if self.seen.positional {
            return refuse(31255, "Cannot specify positional operator and $elemMatch.");
        }
        if !outer.is_empty() || name.contains('.') {
            return refuse(31275, "Cannot use $elemMatch projection on a nested field.");
        }
        let filter = Filter::parse(&doc! {name: whole.clone()})?;
        let matcher = Matcher::new(&filter, self.context.collation().clone())?;
        self.put(name, outer, Node::Element(Box::new(matcher)))?;
        self.seen.element = true;
        Ok(())
    }

    /// `$meta` alone stands in inclusions and exclusions, and makes a projection neither.
    fn meta(&mut self, name: &str, whole: &Document, outer: &Path) -> Result<()> {
        let expression = Expression::parse(&Bson::Document(whole.clone()), &self.scope)?;
        self.put(name, outer, Node::Computed(Box::new(expression)))
    }

    fn expression(&mut self, name: &str, whole: &Document, outer: &Path) -> Result<()> {
        if self.exclusion == Some(true) {
            return refuse(31252, "Cannot use expression other than $meta in exclusion projection");
        }
        self.exclusion = Some(false);
        let expression = match Expression::parse(&Bson::Document(whole.clone()), &self.scope) {
            Err(error) if error.code == ErrorCode::InvalidPipelineOperator && error.at.0.len() <= 1 => {
                let operator = whole.keys().next().map_or("", String::as_str);
                return refuse(31325, format!("Unknown expression {operator}"));
            }
            parsed => parsed?,
        };
        self.put(name, outer, Node::Computed(Box::new(expression)))
    }
}
