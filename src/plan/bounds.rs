//! Index bounds: sorted, disjoint intervals of values for each part of a key (`src/mongo/db/query/interval.h`).

use std::cmp::Ordering;

use crate::value::{Bson, Document, Path, View, compare};

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

/// What of an index is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexBounds {
    /// The intervals of each key part, by the part's path as explain shows it (`$_path` included).
    pub parts: Vec<(Path, OrderedIntervals)>,
    /// The one range of whole keys that `min` and `max` ask for; `parts` is empty then.
    pub range: Option<Box<KeyRange>>,
}

/// A range of whole keys, from `min` and `max`: the start belongs to it, the end does not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeyRange {
    /// The first key, by key part.
    pub start: Document,
    /// The key behind the last one, by key part.
    pub end: Document,
}

/// How well the bounds stand for the predicate, loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tightness {
    /// The document has to be fetched to know.
    InexactFetch,
    /// As [`Tightness::InexactCovered`] where the projection needs no document, otherwise the document is fetched.
    InexactMaybeCovered,
    /// The index key is enough to know.
    InexactCovered,
    /// As [`Tightness::Exact`] where the projection needs no document, otherwise the document is fetched.
    ExactMaybeCovered,
    /// Every key inside the bounds matches.
    Exact,
}

/// Compares two bound values in MongoDB's order.
pub(super) fn order(left: &Bson, right: &Bson) -> Ordering {
    compare(View::from(left), View::from(right))
}

impl Interval {
    /// The interval of one value.
    #[must_use]
    pub fn point(value: Bson) -> Self {
        Self { start: value.clone(), start_inclusive: true, end: value, end_inclusive: true }
    }

    /// An interval between two values.
    #[must_use]
    pub fn range(start: Bson, start_inclusive: bool, end: Bson, end_inclusive: bool) -> Self {
        Self { start, start_inclusive, end, end_inclusive }
    }

    /// `[MinKey, MaxKey]`.
    #[must_use]
    pub fn all() -> Self {
        Self::range(Bson::MinKey, true, Bson::MaxKey, true)
    }

    /// Whether it holds exactly one value.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.start_inclusive && self.end_inclusive && self.ends_meet()
    }

    /// Whether it holds no value: an end that is also the start, one of them excluded.
    #[must_use]
    pub fn is_null(&self) -> bool {
        !(self.start_inclusive && self.end_inclusive) && self.ends_meet()
    }

    /// Whether start and end are one value; most such are alike to the byte.
    fn ends_meet(&self) -> bool {
        self.start == self.end || order(&self.start, &self.end).is_eq()
    }

    /// Whether it is `[MinKey, MaxKey]` or its reverse.
    #[must_use]
    pub fn is_all(&self) -> bool {
        let ends = matches!((&self.start, &self.end), (Bson::MinKey, Bson::MaxKey) | (Bson::MaxKey, Bson::MinKey));
        ends && self.start_inclusive && self.end_inclusive
    }

    /// The same values, entered from the other end.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self::range(self.end, self.end_inclusive, self.start, self.start_inclusive)
    }

    fn starts_before(&self, other: &Self) -> Ordering {
        order(&self.start, &other.start).then(other.start_inclusive.cmp(&self.start_inclusive))
    }

    fn ends_before(&self, other: &Self) -> Ordering {
        order(&self.end, &other.end).then(self.end_inclusive.cmp(&other.end_inclusive))
    }

    /// The values of both; none where they have none in common.
    fn intersection(&self, other: &Self) -> Option<Self> {
        let first = if self.starts_before(other).is_lt() { other } else { self };
        let last = if self.ends_before(other).is_gt() { other } else { self };
        let both = Self::range(first.start.clone(), first.start_inclusive, last.end.clone(), last.end_inclusive);
        let crossed = order(&both.start, &both.end).is_gt() || both.is_null();
        (!crossed).then_some(both)
    }

    /// Whether two ascending intervals, the other not starting earlier, overlap or touch without a gap.
    fn joins(&self, other: &Self) -> bool {
        match order(&self.end, &other.start) {
            Ordering::Less => false,
            Ordering::Equal => self.end_inclusive || other.start_inclusive,
            Ordering::Greater => true,
        }
    }
}

impl OrderedIntervals {
    /// `[MinKey, MaxKey]` alone.
    #[must_use]
    pub fn all() -> Self {
        Self(vec![Interval::all()])
    }

    /// Whether it is `[MinKey, MaxKey]` alone, or its reverse.
    #[must_use]
    pub fn is_all(&self) -> bool {
        matches!(self.0.as_slice(), [only] if only.is_all())
    }

    /// Whether it is one value alone.
    #[must_use]
    pub fn is_point(&self) -> bool {
        matches!(self.0.as_slice(), [only] if only.is_point())
    }

    /// The values of both lists, which ascend.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut both = Vec::new();
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            both.extend(a.intersection(b));
            if a.ends_before(b).is_le() {
                left.next();
            } else {
                right.next();
            }
        }
        Self(both)
    }

    /// Brings ascending intervals into order and joins those that overlap or touch.
    pub fn unite(&mut self) {
        self.0.sort_by(Interval::starts_before);
        let mut united: Vec<Interval> = Vec::with_capacity(self.0.len());
        for next in std::mem::take(&mut self.0) {
            match united.last_mut() {
                Some(last) if last.joins(&next) => {
                    if last.ends_before(&next).is_lt() {
                        last.end = next.end;
                        last.end_inclusive = next.end_inclusive;
                    }
                }
                _ => united.push(next),
            }
        }
        self.0 = united;
    }

    /// All values outside the ascending list. Between `undefined` and `null` there is nothing.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut outside = Vec::with_capacity(self.0.len() + 1);
        let (mut from, mut inclusive) = (Bson::MinKey, true);
        for interval in &self.0 {
            let gap = Interval::range(from, inclusive, interval.start.clone(), !interval.start_inclusive);
            let empty = matches!((&gap.start, &gap.end), (Bson::Undefined, Bson::Null));
            if !gap.is_null() && !empty {
                outside.push(gap);
            }
            (from, inclusive) = (interval.end.clone(), !interval.end_inclusive);
        }
        if from != Bson::MaxKey || inclusive {
            outside.push(Interval::range(from, inclusive, Bson::MaxKey, true));
        }
        Self(outside)
    }

    /// The same values in the opposite direction.
    pub fn reverse(&mut self) {
        let turned = std::mem::take(&mut self.0).into_iter().rev().map(Interval::reversed).collect();
        self.0 = turned;
    }

    /// The list in ascending order, whichever way it runs.
    #[must_use]
    pub fn ascending(&self) -> Self {
        let mut list = self.clone();
        if self.descends() {
            list.reverse();
        }
        list
    }

    fn descends(&self) -> bool {
        let first = self.0.first();
        let within = first.is_some_and(|only| order(&only.start, &only.end).is_gt());
        within || matches!(self.0.as_slice(), [one, two, ..] if order(&one.start, &two.start).is_gt())
    }

    /// Whether some value of the ascending list lies strictly between two values.
    #[must_use]
    pub fn overlaps_between(&self, low: &Bson, high: &Bson) -> bool {
        let window = Self(vec![Interval::range(low.clone(), false, high.clone(), false)]);
        !self.intersect(&window).0.is_empty()
    }
}

impl IndexBounds {
    /// Bounds by key part.
    #[must_use]
    pub fn of_parts(parts: Vec<(Path, OrderedIntervals)>) -> Self {
        Self { parts, range: None }
    }

    /// The intervals of the part with this dotted path.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&OrderedIntervals> {
        self.parts.iter().find(|(part, _)| part.is(name)).map(|(_, intervals)| intervals)
    }

    /// The intervals of the part over this path.
    pub(super) fn at(&self, path: &Path) -> Option<&OrderedIntervals> {
        self.parts.iter().find(|(part, _)| part == path).map(|(_, intervals)| intervals)
    }

    /// The same keys, read in the opposite direction.
    pub fn reverse(&mut self) {
        for (_, intervals) in &mut self.parts {
            intervals.reverse();
        }
        if let Some(range) = &mut self.range {
            std::mem::swap(&mut range.start, &mut range.end);
        }
    }
}
