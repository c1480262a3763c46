//! A matcher written apart from the real one: straight from the manual's sentences, on trees, without any speed. It knows the
//! operators and types that the generators write.

use std::cmp::Ordering;

use pegboard::value::{Bson, Document};

/// Whether the document matches the filter as it was written.
pub fn matches(filter: &Document, document: &Bson) -> bool {
    filter.iter().all(|(name, condition)| match (name.as_str(), condition) {
        ("$and", Bson::Array(parts)) => parts.iter().all(|part| matches(inner(part), document)),
        ("$or", Bson::Array(parts)) => parts.iter().any(|part| matches(inner(part), document)),
        ("$nor", Bson::Array(parts)) => !parts.iter().any(|part| matches(inner(part), document)),
        ("$expr", comparison) => expression(inner(comparison), document),
        _ => field(name, condition, document),
    })
}

/// `{$eq: ["$path", number]}` or the like, in the order of all values: only a missing value, null and `MinKey` lie below the
/// numbers, and NaN below all other numbers.
fn expression(comparison: &Document, document: &Bson) -> bool {
    let (name, operands) = comparison.iter().next().expect("the generator writes one comparison");
    let [Bson::String(path), Bson::Int32(wanted)] = operands.as_array().expect("two operands").as_slice() else {
        panic!("the generator writes a path and a number")
    };
    let parts: Vec<&str> = path.trim_start_matches('$').split('.').collect();
    let order = match value_at(document, &parts) {
        None | Some(Bson::Null | Bson::MinKey) => Ordering::Less,
        Some(value) if matches!(type_name(&value), "int" | "long" | "double" | "decimal") => {
            number(&value).partial_cmp(&f64::from(*wanted)).unwrap_or(Ordering::Less)
        }
        Some(_) => Ordering::Greater,
    };
    match name.as_str() {
        "$eq" => order.is_eq(),
        "$lt" => order.is_lt(),
        _ => order.is_ge(),
    }
}

/// The value of a field path: of an array those of its documents, as an array.
fn value_at(value: &Bson, parts: &[&str]) -> Option<Bson> {
    let Some((first, rest)) = parts.split_first() else { return Some(value.clone()) };
    match value {
        Bson::Document(document) => value_at(document.get(first)?, rest),
        Bson::Array(items) => {
            let documents = items.iter().filter(|item| item.as_document().is_some());
            Some(Bson::Array(documents.filter_map(|item| value_at(item, parts)).collect()))
        }
        _ => None,
    }
}

fn inner(part: &Bson) -> &Document {
    part.as_document().expect("the generator writes documents here")
}

fn operators(condition: &Bson) -> Option<&Document> {
    condition.as_document().filter(|document| document.keys().next().is_some_and(|name| name.starts_with('$')))
}

fn field(path: &str, condition: &Bson, document: &Bson) -> bool {
    let parts: Vec<&str> = path.split('.').collect();
    let ends = ends(document, &parts);
    match operators(condition) {
        Some(operators) => operators.iter().all(|(name, operand)| operator(name, operand, &ends)),
        None => operator("$eq", condition, &ends),
    }
}

/// Where a path ends: a value or none, and whether an array there also stands for its elements.
#[derive(Clone)]
struct End {
    value: Option<Bson>,
    spread: bool,
}

fn ends(container: &Bson, parts: &[&str]) -> Vec<End> {
    let (first, rest) = parts.split_first().expect("paths have parts");
    let found = match container {
        Bson::Document(document) => document.get(first).cloned(),
        Bson::Array(items) => first.parse::<usize>().ok().and_then(|at| items.get(at)).cloned(),
        _ => None,
    };
    match found {
        Some(Bson::Array(items)) if !rest.is_empty() => through(&items, rest),
        Some(value) if rest.is_empty() => vec![End { value: Some(value), spread: true }],
        Some(value) if matches!(value, Bson::Document(_)) => ends(&value, rest),
        _ => vec![End { value: None, spread: true }],
    }
}

fn through(items: &[Bson], rest: &[&str]) -> Vec<End> {
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if matches!(item, Bson::Document(_)) {
            found.extend(ends(item, rest));
        }
        if rest[0] != at.to_string() {
            continue;
        }
        match (item, &rest[1..]) {
            (item, []) => found.push(End { value: Some(item.clone()), spread: false }),
            (Bson::Document(_), behind) => found.extend(ends(item, behind)),
            (Bson::Array(inner), behind) => found.extend(through(inner, behind)),
            _ => {}
        }
    }
    found
}

fn operator(name: &str, operand: &Bson, ends: &[End]) -> bool {
    let some = |test: &dyn Fn(Option<&Bson>) -> bool| {
        ends.iter().any(|end| match &end.value {
            Some(whole @ Bson::Array(items)) if end.spread => {
                items.iter().any(|item| test(Some(item))) || test(Some(whole))
            }
            value => test(value.as_ref()),
        })
    };
    let whole = |test: &dyn Fn(&[Bson]) -> bool| {
        ends.iter().any(|end| matches!(&end.value, Some(Bson::Array(items)) if test(items)))
    };
    match name {
        "$eq" => some(&|value| equals(value, operand)),
        "$ne" => !operator("$eq", operand, ends),
        "$gt" => some(&|value| ordered(value, operand, Ordering::is_gt)),
        "$gte" => some(&|value| equals(value, operand) || ordered(value, operand, Ordering::is_gt)),
        "$lt" => some(&|value| ordered(value, operand, Ordering::is_lt)),
        "$lte" => some(&|value| equals(value, operand) || ordered(value, operand, Ordering::is_lt)),
        "$in" => list(operand).iter().any(|item| operator("$eq", item, ends)),
        "$nin" => !operator("$in", operand, ends),
        "$all" => !list(operand).is_empty() && list(operand).iter().all(|item| meets(item, ends)),
        "$mod" => some(&|value| value.is_some_and(|value| leaves(value, list(operand)))),
        "$regex" => {
            let regex =
                fancy_regex::Regex::new(operand.as_str().expect("a pattern")).expect("a pattern of the generator");
            some(&|value| {
                let text = value.and_then(Bson::as_str);
                text.is_some_and(|text| regex.is_match(text).expect("a small pattern"))
            })
        }
        "$exists" => some(&|value| value.is_some()) == (operand == &Bson::Boolean(true)),
        "$type" => some(&|value| value.is_some_and(|value| is_of_type(value, operand.as_str().expect("a name")))),
        "$size" => whole(&|items| operand.as_i32().and_then(|size| usize::try_from(size).ok()) == Some(items.len())),
        "$not" => {
            !operand.as_document().expect("operators").iter().all(|(name, operand)| operator(name, operand, ends))
        }
        "$elemMatch" => whole(&|items| items.iter().any(|item| element(item, operand))),
        _ => panic!("the generator does not write {name}"),
    }
}

/// Whether an entry of `$all` is met: a value, or an `$elemMatch`.
fn meets(item: &Bson, ends: &[End]) -> bool {
    match operators(item) {
        Some(operators) => operators.iter().all(|(name, operand)| operator(name, operand, ends)),
        None => operator("$eq", item, ends),
    }
}

fn list(operand: &Bson) -> &[Bson] {
    operand.as_array().map(Vec::as_slice).expect("the generator writes an array here")
}

/// The object form looks into documents and arrays, the value form at anything, an array only as a whole.
fn element(item: &Bson, condition: &Bson) -> bool {
    match operators(condition) {
        Some(operators) => {
            let alone = [End { value: Some(item.clone()), spread: false }];
            operators.iter().all(|(name, operand)| operator(name, operand, &alone))
        }
        None => matches!(item, Bson::Document(_) | Bson::Array(_)) && matches(inner(condition), item),
    }
}

/// Whether the integer part leaves the remainder; what has none leaves nothing.
#[expect(clippy::float_cmp, reason = "whole numbers")]
fn leaves(value: &Bson, operands: &[Bson]) -> bool {
    let whole = |value: &Bson| number(value).trunc();
    let [divisor, remainder] = operands else { panic!("a divisor and a remainder") };
    bracket(value) == bracket(divisor) && number(value).is_finite() && whole(value) % whole(divisor) == whole(remainder)
}

fn is_of_type(value: &Bson, name: &str) -> bool {
    let own = type_name(value);
    own == name || (name == "number" && matches!(own, "int" | "long" | "double" | "decimal"))
}

fn type_name(value: &Bson) -> &'static str {
    match value {
        Bson::MinKey => "minKey",
        Bson::MaxKey => "maxKey",
        Bson::Null => "null",
        Bson::Int32(_) => "int",
        Bson::Int64(_) => "long",
        Bson::Double(_) => "double",
        Bson::Decimal128(_) => "decimal",
        Bson::DateTime(_) => "date",
        Bson::String(_) => "string",
        Bson::Boolean(_) => "bool",
        Bson::Array(_) => "array",
        _ => "object",
    }
}

fn equals(value: Option<&Bson>, operand: &Bson) -> bool {
    match value {
        None => operand == &Bson::Null,
        Some(value) => order(value, operand).is_eq(),
    }
}

/// Values of one type are compared, and whatever there is or is not lies between `MinKey` and `MaxKey`. NaN is beside order.
fn ordered(value: Option<&Bson>, operand: &Bson, wanted: fn(Ordering) -> bool) -> bool {
    let own = value.map(bracket);
    match operand {
        Bson::MinKey if own != Some(bracket(operand)) => wanted(Ordering::Greater),
        Bson::MaxKey if own != Some(bracket(operand)) => wanted(Ordering::Less),
        _ => value.is_some_and(|value| {
            own == Some(bracket(operand)) && !is_nan(value) && !is_nan(operand) && wanted(order(value, operand))
        }),
    }
}

fn bracket(value: &Bson) -> usize {
    let brackets = ["minKey", "null", "number", "string", "object", "array", "bool", "date", "maxKey"];
    let name = match type_name(value) {
        "int" | "long" | "double" | "decimal" => "number",
        name => name,
    };
    brackets.iter().position(|known| *known == name).expect("every generated type is known")
}

fn order(left: &Bson, right: &Bson) -> Ordering {
    bracket(left).cmp(&bracket(right)).then_with(|| match (left, right) {
        (Bson::String(a), Bson::String(b)) => a.cmp(b),
        (Bson::Boolean(a), Bson::Boolean(b)) => a.cmp(b),
        (Bson::Array(a), Bson::Array(b)) => {
            a.iter().zip(b).map(|(x, y)| order(x, y)).find(|order| order.is_ne()).unwrap_or(a.len().cmp(&b.len()))
        }
        (Bson::Document(a), Bson::Document(b)) => a
            .iter()
            .zip(b)
            .map(|((n, x), (m, y))| bracket(x).cmp(&bracket(y)).then(n.cmp(m)).then_with(|| order(x, y)))
            .find(|order| order.is_ne())
            .unwrap_or(a.len().cmp(&b.len())),
        (Bson::Null, Bson::Null) | (Bson::MinKey, Bson::MinKey) | (Bson::MaxKey, Bson::MaxKey) => Ordering::Equal,
        (Bson::DateTime(a), Bson::DateTime(b)) => a.cmp(b),
        (a, b) => match (is_nan(a), is_nan(b)) {
            // NaN is below all numbers, and 0 is -0.
            (false, false) => number(a).partial_cmp(&number(b)).expect("no NaN"),
            (a, b) => b.cmp(&a),
        },
    })
}

fn is_nan(value: &Bson) -> bool {
    matches!(type_name(value), "double" | "decimal") && number(value).is_nan()
}

fn number(value: &Bson) -> f64 {
    match value {
        Bson::Int32(number) => f64::from(*number),
        Bson::Double(number) => *number,
        #[expect(clippy::cast_precision_loss, reason = "the generators write small numbers")]
        Bson::Int64(number) => *number as f64,
        Bson::Decimal128(number) => number.to_string().parse().expect("a decimal is a number"),
        other => panic!("{other} is no number"),
    }
}
