//! A filter as a person would type it: no `$eq`, no `$and` where one document can say the same.

use super::condition::bare;
use crate::query::Filter;
use crate::value::{Bson, Document, alias_of_type_code};

/// The filter as short as it can be written.
#[must_use]
pub fn written(filter: &Filter) -> Document {
    plain(&filter.to_document())
}

/// The filter document with needless operators taken out; its meaning stays.
#[must_use]
pub fn plain(filter: &Document) -> Document {
    let mut plain = Document::new();
    for (name, value) in filter {
        if name == "$not" {
            let (name, value) = negated(value);
            plain.insert(name, value);
            continue;
        }
        if name == "$expr" || name == "$jsonSchema" {
            // What stands inside is no filter: an `$eq` there compares two operands.
            plain.insert(name.clone(), bare(value));
            continue;
        }
        if name == "$type" {
            plain.insert(name.clone(), types(value));
            continue;
        }
        let value = match value {
            // An object of tests stays one: a member is not compared with a bare value there.
            Bson::Document(tests) if name == "$elemMatch" => plain_tests(tests),
            other => plain_value(other),
        };
        match (name.as_str(), merged(&value)) {
            ("$and", Some(merged))
                if merged.keys().all(|key| !plain.contains_key(key) && !filter.contains_key(key)) =>
            {
                plain.extend(merged);
            }
            _ => drop(plain.insert(name.clone(), value)),
        }
    }
    plain
}

/// `$not` with its operand, or the operator that says the same without it.
fn negated(operand: &Bson) -> (&'static str, Bson) {
    let inner = operand.as_document().filter(|inner| inner.len() == 1);
    match inner.and_then(|inner| inner.iter().next()).map(|(name, value)| (name.as_str(), value)) {
        Some(("$eq", literal)) => ("$ne", literal.clone()),
        Some(("$in", list)) => ("$nin", list.clone()),
        Some(("$exists", _)) => ("$exists", Bson::Boolean(false)),
        _ => ("$not", operand.as_document().map_or_else(|| operand.clone(), |inner| Bson::Document(plain(inner)))),
    }
}

fn plain_tests(tests: &Document) -> Bson {
    Bson::Document(plain(tests))
}

fn plain_value(value: &Bson) -> Bson {
    match value {
        Bson::Document(document) => {
            let document = plain(document);
            match document.get("$eq") {
                Some(literal) if document.len() == 1 && is_plain_literal(literal) => literal.clone(),
                _ => Bson::Document(document),
            }
        }
        Bson::Array(items) => Bson::Array(items.iter().map(plain_value).collect()),
        other => other.clone(),
    }
}

/// The operand of `$type` with the names of its types; one alone without the list around it.
fn types(operand: &Bson) -> Bson {
    let alias = |one: &Bson| one.as_i32().and_then(alias_of_type_code).map_or_else(|| one.clone(), Bson::from);
    match operand.as_array().map(Vec::as_slice) {
        Some([one]) => alias(one),
        Some(list) => Bson::Array(list.iter().map(alias).collect()),
        None => alias(operand),
    }
}

/// Whether a literal means the same without its `$eq`: a regex would become a match, a `$`-name an operator.
fn is_plain_literal(literal: &Bson) -> bool {
    match literal {
        Bson::RegularExpression(_) => false,
        Bson::Document(document) => !document.keys().any(|name| name.starts_with('$')),
        _ => true,
    }
}

/// The parts of a conjunction in one document, where no two of them name the same field.
fn merged(parts: &Bson) -> Option<Document> {
    let mut merged = Document::new();
    for (name, value) in parts.as_array()?.iter().filter_map(Bson::as_document).flatten() {
        match (merged.get_mut(name).map(operators), operators(&mut value.clone())) {
            (None, _) => drop(merged.insert(name.clone(), value.clone())),
            (Some(Some(held)), Some(more)) if more.keys().all(|key| !held.contains_key(key)) => {
                held.extend(more.clone());
            }
            _ => return None,
        }
    }
    Some(merged)
}

/// The operators on one path; none for a literal.
fn operators(value: &mut Bson) -> Option<&mut Document> {
    let Bson::Document(document) = value else { return None };
    (!document.is_empty() && document.keys().all(|key| key.starts_with('$'))).then_some(document)
}
