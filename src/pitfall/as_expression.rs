//! What a filter asks of one element, as an expression on a variable.

use crate::pitfall::elements::conjuncts;
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, doc};

/// The filter as an expression on `$$name`; none where it asks for more than comparisons.
#[must_use]
pub fn as_expression(filter: &Filter, name: &str) -> Option<Bson> {
    if let Filter::Or(parts) = filter {
        let parts: Vec<Bson> = parts.iter().map(|part| as_expression(part, name)).collect::<Option<_>>()?;
        return Some(doc! {"$or": parts}.into());
    }
    let parts: Vec<Bson> = conjuncts(filter).iter().map(|part| comparison(part, name)).collect::<Option<_>>()?;
    match <[Bson; 1]>::try_from(parts) {
        Ok([one]) => Some(one),
        Err(parts) => (!parts.is_empty()).then(|| doc! {"$and": parts}.into()),
    }
}

fn comparison(part: &Filter, name: &str) -> Option<Bson> {
    let Filter::Field(Predicate { path, test }) = part else { return None };
    let field = format!("$${name}.{path}");
    match test {
        Test::Compare(comparison, value) => {
            Some(doc! {operator(*comparison): [field, {"$literal": value.clone()}]}.into())
        }
        Test::In(list) if list.regexes.is_empty() => {
            Some(doc! {"$in": [field, {"$literal": list.values.clone()}]}.into())
        }
        _ => None,
    }
    .map(plain)
}

fn operator(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Eq => "$eq",
        Comparison::Gt => "$gt",
        Comparison::Gte => "$gte",
        Comparison::Lt => "$lt",
        Comparison::Lte => "$lte",
    }
}

/// A literal that means itself needs no `$literal`.
fn plain(expression: Bson) -> Bson {
    let Bson::Document(document) = expression else { return expression };
    let operand = |value: &Bson| match value.as_document().and_then(|own| own.get("$literal")) {
        Some(Bson::String(text)) if text.starts_with('$') => value.clone(),
        Some(literal @ (Bson::String(_) | Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Boolean(_))) => {
            literal.clone()
        }
        _ => value.clone(),
    };
    let entry = |(name, value): (String, Bson)| match value {
        Bson::Array(operands) => (name, Bson::Array(operands.iter().map(operand).collect())),
        other => (name, other),
    };
    Bson::Document(document.into_iter().map(entry).collect())
}
