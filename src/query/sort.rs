//! Sort patterns and the keys documents get from them (`src/mongo/db/query/sort_pattern.cpp`, `sort_key_generator.cpp`).

use std::borrow::Borrow;
use std::cmp::Ordering;

use super::collation::Collation;
use super::expr::{check_available, show_stored_value};
use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::value::{self, Bson, DocView, Document, NoKeys, Path, Tuples, View, key_tuples};

/// How many fields a pattern may have.
const MAX_PARTS: usize = 32;

/// An order of documents.
#[derive(Debug, Clone, Default)]
pub struct SortPattern {
    /// The keys in order of weight; empty for the natural order.
    pub parts: Vec<SortPart>,
    /// `{$natural: 1}` or `{$natural: -1}`; `true` runs backwards.
    pub natural: Option<bool>,
    collation: Collation,
}

/// One key of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortPart {
    /// The path.
    pub path: Path,
    /// From the greatest value down.
    pub descending: bool,
}

impl Borrow<Path> for SortPart {
    fn borrow(&self) -> &Path {
        &self.path
    }
}

/// The values a document is sorted by, a missing one as null.
#[derive(Debug, Clone, PartialEq)]
pub struct SortKey(pub Vec<Bson>);

impl SortPattern {
    /// Reads a sort document; error places are counted from it.
    ///
    /// # Errors
    /// 15974 and 15975 for what is no direction, 13103 for too many fields, 17312, 31138, 31218, 31219 and 40218 for `$meta`
    /// of what no sort can go by.
    pub fn parse(pattern: &Document, collation: Collation) -> Result<Self> {
        if pattern.contains_key("$natural") {
            return natural(pattern);
        }
        if pattern.len() > MAX_PARTS {
            return refuse(13103, format!("too many compound keys: {pattern}"));
        }
        let part = |(name, value): (&String, &Bson)| sort_part(name, value).map_err(|error| error.inside_field(name));
        let parts = pattern.iter().map(part).collect::<Result<Vec<_>>>()?;
        Ok(Self { parts: parts.into_iter().flatten().collect(), natural: None, collation })
    }

    /// The same order with text compared by a collation.
    #[must_use]
    pub fn collated(&self, collation: &Collation) -> Self {
        Self { collation: collation.clone(), ..self.clone() }
    }

    /// The key a document is sorted by: of an array the least element, or the greatest for a descending part.
    ///
    /// # Errors
    /// `BadValue` where two parts lead through different arrays.
    pub fn key<'a>(&self, document: impl Into<DocView<'a>>) -> Result<SortKey> {
        if self.parts.is_empty() {
            return Ok(SortKey(Vec::new()));
        }
        let mut least = Least { pattern: self, best: None };
        match key_tuples(document.into(), &self.parts, &mut least) {
            Ok(()) => Ok(SortKey(least.best.unwrap_or_default().iter().map(View::to_bson).collect())),
            Err(NoKeys::ParallelArrays(..)) => {
                Err(CommandError::new(ErrorCode::BadValue, "cannot sort with keys that are parallel arrays"))
            }
            Err(NoKeys::Ambiguous(name)) => refuse(16746, value::ambiguous_field(&name)),
        }
    }

    /// Compares two keys of this pattern.
    #[must_use]
    pub fn compare(&self, left: &SortKey, right: &SortKey) -> Ordering {
        let pairs = self.parts.iter().zip(left.0.iter().zip(&right.0));
        first_difference(pairs.map(|(part, (a, b))| self.directed(part, a.into(), b.into())))
    }

    fn compare_views(&self, left: &[View<'_>], right: &[View<'_>]) -> Ordering {
        let pairs = self.parts.iter().zip(left.iter().zip(right));
        first_difference(pairs.map(|(part, (a, b))| self.directed(part, *a, *b)))
    }

    fn directed(&self, part: &SortPart, left: View<'_>, right: View<'_>) -> Ordering {
        let order = self.collation.compare(left, right);
        if part.descending { order.reverse() } else { order }
    }
}

/// Keeps the first of a document's keys in the order of a pattern.
struct Least<'p, 'a> {
    pattern: &'p SortPattern,
    best: Option<Vec<View<'a>>>,
}

impl<'a> Tuples<'a> for Least<'_, 'a> {
    fn crossed(&mut self, _: usize, _: usize) {}

    fn found(&mut self, tuple: &[Option<View<'a>>]) {
        let tuple: Vec<_> = tuple.iter().map(|value| value.unwrap_or(View::Null)).collect();
        if self.best.as_ref().is_none_or(|best| self.pattern.compare_views(&tuple, best).is_lt()) {
            self.best = Some(tuple);
        }
    }
}

fn first_difference(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn natural(pattern: &Document) -> Result<SortPattern> {
    let refuse = |message: &str| Err(CommandError::new(ErrorCode::BadValue, message).inside_field("$natural"));
    if pattern.len() > 1 {
        return refuse("Cannot include '$natural' in compound sort");
    }
    let direction = pattern.get("$natural").and_then(|value| value::exact_long(value.into()));
    match direction {
        Some(direction @ (1 | -1)) => {
            Ok(SortPattern { parts: Vec::new(), natural: Some(direction == -1), collation: Collation::simple() })
        }
        _ => refuse("$natural sort cannot be set to a value other than -1 or 1."),
    }
}

/// None for a part that orders nothing.
fn sort_part(name: &str, value: &Bson) -> Result<Option<SortPart>> {
    match value {
        Bson::Document(meta) => check_meta(meta).map(|()| None),
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => {
            let descending = match value::truncated_long(value.into()) {
                Some(1) => false,
                Some(-1) => true,
                _ => {
                    let message = "$sort key ordering must be 1 (for ascending) or -1 (for descending)";
                    return refuse(15975, message);
                }
            };
            Ok(Some(SortPart { path: value::field_path(name)?, descending }))
        }
        _ => refuse(15974, format!("Illegal key in $sort specification: {name}: {value}")),
    }
}

/// `$meta` of a sort: no document has a random number unless `$sample` gave it one, so that ordering by it leaves all as
/// it is; the rest is of searches, which there are none of here.
fn check_meta(meta: &Document) -> Result<()> {
    let value = match meta.iter().next() {
        Some((name, value)) if name == "$meta" => value,
        _ => return refuse(17312, "$meta is the only expression supported by $sort right now"),
    };
    if meta.len() > 1 {
        let message = "Cannot have additional keys in a $meta sort specification";
        return Err(CommandError::new(ErrorCode::FailedToParse, message));
    }
    match value.as_str().unwrap_or_default() {
        "randVal" => Ok(()),
        kind @ ("textScore" | "geoNearDistance") => check_available(kind),
        "searchScore" => refuse(31218, "$meta sort by 'searchScore' metadata is not supported"),
        "searchHighlights" => refuse(31219, "$meta sort by 'searchHighlights' metadata is not supported"),
        _ => refuse(31138, format!("Illegal $meta sort: $meta: {}", show_stored_value(value.into()))),
    }
}
