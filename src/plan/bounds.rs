//! Index bounds: sorted, disjoint intervals of values for each part of a key (`src/mongo/db/query/interval.h`).

use crate::value::Bson;

/// One interval of values; `start` is above `end` where the part is scanned downwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    /// Where the scan enters.
    pub start: Bson,
    /// Whether `start` itself belongs to it.
    pub start_inclusive: bool,
    /// Where the scan leaves.
    pub end: Bson,
    /// Whether `end` itself belongs to it.
    pub end_inclusive: bool,
}

/// Sorted and disjoint, in scan direction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OrderedIntervals(pub Vec<Interval>);

/// The intervals of each key part, by the part's field name as explain shows it (`$_path` included).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexBounds(pub Vec<(String, OrderedIntervals)>);

/// How well the bounds stand for the predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tightness {
    /// The document has to be fetched to know.
    InexactFetch,
    /// The index key is enough to know.
    InexactCovered,
    /// Every key inside the bounds matches.
    Exact,
}
