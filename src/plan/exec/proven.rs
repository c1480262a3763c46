//! What is left to ask of a document that an index scan found, where the scan's bounds have answered a part of the filter.
//!
//! The server asks `$elemMatch` of every document again, as its bounds are inexact: a key tells nothing of whether the field
//! is an array. It tells all the rest, so that this is all there is to ask, where a key holds every field asked for: of a field
//! that is an array, each key has its parts from one element.

use crate::error::Result;
use crate::plan::{IndexScan, Interval};
use crate::query::{Comparison, Filter, Matcher, Predicate, Test};
use crate::value::{
    Bson, Followed, NameHead, Path, RawValue, SharedDocument, View, array_index, canonical_type, compare, is_nan,
};

use super::stage::Context;

/// What a FETCH asks of a document.
pub(super) struct Asked<'f> {
    filter: Option<Matcher>,
    /// Fields that have to be arrays.
    arrays: Vec<(NameHead, &'f str)>,
}

impl<'f> Asked<'f> {
    /// What a filter asks of a document that was found by a scan.
    pub fn new(context: &Context<'_>, filter: Option<&'f Filter>, scan: Option<&IndexScan>) -> Result<Self> {
        let parts = filter.map_or(&[][..], conjuncts);
        let simple = context.query.collation.is_simple() && parts.iter().all(|part| matches!(part, Filter::Field(_)));
        let proven = |part: &&Filter| scan.is_some_and(|scan| simple && is_proven(part, scan));
        let (proven, left): (Vec<_>, Vec<_>) = parts.iter().partition(proven);
        let filter = match left.as_slice() {
            _ if proven.is_empty() => context.matcher(filter)?,
            [] => None,
            [only] => context.matcher(Some(only))?,
            _ => context.matcher(Some(&Filter::And(left.iter().copied().cloned().collect())))?,
        };
        let unasked = proven
            .into_iter()
            .filter_map(array_asked)
            .filter(|path| !left.iter().any(|part| array_asked(part) == Some(*path)));
        let arrays =
            unasked.filter_map(|path| path.parts().first()).map(|name| (NameHead::of(name), &**name)).collect();
        Ok(Self { filter, arrays })
    }

    /// Whether a document passes.
    pub fn passes(&self, document: &SharedDocument) -> bool {
        let is_array = |(head, name): &(NameHead, &str)| {
            RawValue::stored(document).named(head.name(name)).is_some_and(Followed::is_array)
        };
        self.filter.as_ref().is_none_or(|filter| filter.matches_stored(document)) && self.arrays.iter().all(is_array)
    }

    /// The first error of an expression.
    ///
    /// # Errors
    /// That error.
    pub fn check(&self) -> Result<()> {
        self.filter.as_ref().map_or(Ok(()), Matcher::check)
    }
}

fn conjuncts(filter: &Filter) -> &[Filter] {
    match filter {
        Filter::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

/// The path at which nothing but an array passes.
fn array_asked(filter: &Filter) -> Option<&Path> {
    match filter {
        Filter::Field(Predicate { path, test: Test::ElemMatchObject(_) }) => Some(path),
        _ => None,
    }
}

/// Whether every key inside the bounds is one of an element that passes, if the field is an array.
fn is_proven(filter: &Filter, scan: &IndexScan) -> bool {
    let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = filter else { return false };
    let [outer] = path.parts() else { return false };
    let wildcard = scan.index.parts.iter().any(|part| part.wildcard);
    let plain = scan.index.collation.is_none() && scan.bounds.range.is_none() && !wildcard;
    plain && conjuncts(inner).iter().all(|part| is_field_proven(part, outer, scan))
}

/// Whether every key inside the bounds is one of an element that passes a comparison of a field.
fn is_field_proven(filter: &Filter, outer: &str, scan: &IndexScan) -> bool {
    let Filter::Field(Predicate { path, test: Test::Compare(comparison, literal) }) = filter else { return false };
    let [name] = path.parts() else { return false };
    // A number may name a position of an array inside an array, which is no element of the outer one.
    if array_index(name).is_some() {
        return false;
    }
    scan.parts.iter().zip(&scan.bounds.parts).any(|(part, (_, intervals))| {
        let same = matches!(part.path.parts(), [first, second] if **first == *outer && second == name);
        same && intervals.0.iter().all(|interval| implies(interval, *comparison, literal))
    })
}

/// Whether all values of an interval are in the literal's type bracket and compare with it as asked. A missing value is not
/// among them, nor is null.
fn implies(interval: &Interval, comparison: Comparison, literal: &Bson) -> bool {
    let (start, end) = ((&interval.start, interval.start_inclusive), (&interval.end, interval.end_inclusive));
    let ordered = order(start.0, end.0).is_le();
    let ((low, low_inclusive), (high, high_inclusive)) = if ordered { (start, end) } else { (end, start) };
    let alike = [low, high].iter().all(|edge| canonical_type(View::from(*edge)) == canonical_type(literal.into()));
    let comparable = matches!(
        literal,
        Bson::Int32(_)
            | Bson::Int64(_)
            | Bson::Double(_)
            | Bson::Decimal128(_)
            | Bson::String(_)
            | Bson::Boolean(_)
            | Bson::DateTime(_)
            | Bson::ObjectId(_)
    );
    if !alike || !comparable || [low, high, literal].into_iter().any(|value| is_nan(value.into())) {
        return false;
    }
    let (low, high) = (order(low, literal), order(high, literal));
    match comparison {
        Comparison::Eq => low.is_eq() && high.is_eq(),
        Comparison::Gt => low.is_gt() || (low.is_eq() && !low_inclusive),
        Comparison::Gte => low.is_ge(),
        Comparison::Lt => high.is_lt() || (high.is_eq() && !high_inclusive),
        Comparison::Lte => high.is_le(),
    }
}

fn order(left: &Bson, right: &Bson) -> std::cmp::Ordering {
    compare(left.into(), right.into())
}
