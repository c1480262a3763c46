//! A filter as a person writes it, and filters with some tests exchanged.

use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Document, Path, doc};

/// The filter as short as it can be written: equalities bare, conditions on different paths side by side.
pub(super) fn written(filter: &Filter) -> Document {
    match filter {
        Filter::And(parts) => side_by_side(parts.iter().map(written).collect()),
        Filter::Or(parts) => doc! {"$or": branches(parts)},
        Filter::Nor(parts) => doc! {"$nor": branches(parts)},
        Filter::Field(predicate) => doc! {predicate.path.to_string(): test(&predicate.test)},
        Filter::Not(inner) => negation(inner).unwrap_or_else(|| filter.to_document()),
        other => other.to_document(),
    }
}

fn branches(parts: &[Filter]) -> Vec<Bson> {
    parts.iter().map(|part| Bson::Document(written(part))).collect()
}

/// One document of all, where operators of one path can stand together; else an `$and`.
fn side_by_side(parts: Vec<Document>) -> Document {
    let mut whole = Document::new();
    for (path, value) in parts.iter().flatten() {
        match (whole.get_mut(path), value) {
            (None, _) => {
                whole.insert(path, value.clone());
            }
            (Some(Bson::Document(known)), Bson::Document(more)) if joinable(known, more) => {
                known.extend(more.clone());
            }
            _ => return doc! {"$and": parts},
        }
    }
    whole
}

fn joinable(known: &Document, more: &Document) -> bool {
    let operators = |document: &Document| document.keys().all(|name| name.starts_with('$'));
    operators(known) && operators(more) && more.keys().all(|name| !known.contains_key(name))
}

fn test(test: &Test) -> Bson {
    match test {
        Test::Compare(Comparison::Eq, literal) if is_bare(literal) => literal.clone(),
        Test::ElemMatchObject(inner) => doc! {"$elemMatch": written(inner)}.into(),
        other => other.to_document().into(),
    }
}

/// Whether a literal means an equality without `$eq`.
fn is_bare(literal: &Bson) -> bool {
    match literal {
        Bson::RegularExpression(_) => false,
        Bson::Document(document) => document.keys().next().is_none_or(|name| !name.starts_with('$')),
        _ => true,
    }
}

fn negation(inner: &Filter) -> Option<Document> {
    let Filter::Field(Predicate { path, test: inner }) = inner else { return None };
    let negated = match inner {
        Test::Compare(Comparison::Eq, literal) => doc! {"$ne": literal.clone()},
        Test::In(list) if list.regexes.is_empty() => doc! {"$nin": list.values.clone()},
        Test::Exists => doc! {"$exists": false},
        other => doc! {"$not": test(other)},
    };
    Some(doc! {path.to_string(): negated})
}

/// The filter with those tests exchanged for which there is another; told apart by where they lie in the tree.
pub(super) fn exchanged(filter: &Filter, with: &dyn Fn(&Test) -> Option<Test>) -> Filter {
    replaced(filter, &|part| {
        let Filter::Field(predicate) = part else { return None };
        let test = with(&predicate.test)?;
        Some(Filter::Field(Predicate { path: predicate.path.clone(), test }))
    })
}

/// The filter with those parts exchanged for which there is another, outer ones first.
pub(super) fn replaced(filter: &Filter, with: &dyn Fn(&Filter) -> Option<Filter>) -> Filter {
    if let Some(other) = with(filter) {
        return other;
    }
    let all = |parts: &[Filter]| parts.iter().map(|part| replaced(part, with)).collect();
    match filter {
        Filter::And(parts) => Filter::And(all(parts)),
        Filter::Or(parts) => Filter::Or(all(parts)),
        Filter::Nor(parts) => Filter::Nor(all(parts)),
        Filter::Not(inner) => Filter::Not(Box::new(replaced(inner, with))),
        Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) => {
            field(path.clone(), Test::ElemMatchObject(Box::new(replaced(inner, with))))
        }
        other => other.clone(),
    }
}

/// A test on a path.
pub(super) fn field(path: Path, test: Test) -> Filter {
    Filter::Field(Predicate { path, test })
}

/// An equality on a path.
pub(super) fn equals(path: &str, value: impl Into<Bson>) -> Filter {
    field(Path::new(path), Test::Compare(Comparison::Eq, value.into()))
}
