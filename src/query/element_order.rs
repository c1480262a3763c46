//! The order of an array's elements among themselves: `$sort` of `$push` and `$sortArray`
//! (`src/mongo/db/update/pattern_cmp.cpp`: `PatternElementCmp`, `PatternValueCmp`).

use std::cmp::Ordering;

use super::collation::Collation;
use crate::value::{Bson, Document, View, member, truncated_long};

/// What elements are ordered by.
#[derive(Debug, Clone)]
pub enum ElementOrder {
    /// The elements themselves; `true` from the greatest down.
    Whole(bool),
    /// Fields by dotted name, each with its direction; an array there is one value, and what is missing is null.
    Fields(Vec<(String, bool)>),
}

impl ElementOrder {
    /// The order by the fields of a pattern that was checked.
    #[must_use]
    pub fn of(pattern: &Document) -> Self {
        let descending = |value: &Bson| truncated_long(value.into()).is_some_and(i64::is_negative);
        Self::Fields(pattern.iter().map(|(name, value)| (name.clone(), descending(value))).collect())
    }

    /// Compares two elements.
    #[must_use]
    pub fn compare(&self, left: View<'_>, right: View<'_>, collation: &Collation) -> Ordering {
        let directed = |order: Ordering, descending: bool| if descending { order.reverse() } else { order };
        match self {
            Self::Whole(descending) => directed(collation.compare(left, right), *descending),
            Self::Fields(fields) => {
                let by = |(name, descending): &(String, bool)| {
                    directed(collation.compare(field(left, name), field(right, name)), *descending)
                };
                fields.iter().map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            }
        }
    }
}

/// The value under a dotted name; an element that is no document has none (`extractElementsBasedOnTemplate`).
fn field<'a>(element: View<'a>, name: &str) -> View<'a> {
    match element {
        View::Document(_) => along(element, name).unwrap_or(View::Null),
        _ => View::Null,
    }
}

/// A name with dots in it is taken whole before it is taken for a path; an array is read by position only.
fn along<'a>(container: View<'a>, name: &str) -> Option<View<'a>> {
    member(container, name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        along(member(container, first)?, rest)
    })
}
