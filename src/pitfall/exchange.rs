//! Filters with some of their parts exchanged.

use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Path};

/// The filter with those tests exchanged for which there is another; told apart by where they lie in the tree.
#[must_use]
pub fn exchanged(filter: &Filter, with: &dyn Fn(&Test) -> Option<Test>) -> Filter {
    replaced(filter, &|part| {
        let Filter::Field(predicate) = part else { return None };
        let test = with(&predicate.test)?;
        Some(Filter::Field(Predicate { path: predicate.path.clone(), test }))
    })
}

/// The filter with those parts exchanged for which there is another, outer ones first.
#[must_use]
pub fn replaced(filter: &Filter, with: &dyn Fn(&Filter) -> Option<Filter>) -> Filter {
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
#[must_use]
pub fn field(path: Path, test: Test) -> Filter {
    Filter::Field(Predicate { path, test })
}

/// An equality on a path.
#[must_use]
pub fn equals(path: &str, value: impl Into<Bson>) -> Filter {
    field(Path::new(path), Test::Compare(Comparison::Eq, value.into()))
}
