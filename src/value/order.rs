//! MongoDB's total order over BSON values (manual: *Comparison/Sort Order*; server: `bsonobj.cpp`, `bsonelement.cpp`).

use std::cmp::Ordering;

use super::number::compare_numbers;
use super::view::{ArrayView, DocView, View};

/// The rank of a value's type in MongoDB's order; types of one rank are compared by value.
#[must_use]
pub fn canonical_type(value: View<'_>) -> i8 {
    match value {
        View::MinKey => -1,
        View::Undefined => 0,
        View::Null => 5,
        View::Int32(_) | View::Int64(_) | View::Double(_) | View::Decimal(_) => 10,
        View::String(_) | View::Symbol(_) => 15,
        View::Document(_) => 20,
        View::Array(_) => 25,
        View::Binary { .. } => 30,
        View::ObjectId(_) => 35,
        View::Boolean(_) => 40,
        View::DateTime(_) => 45,
        View::Timestamp { .. } => 47,
        View::Regex { .. } => 50,
        View::DbPointer { .. } => 55,
        View::Code(_) => 60,
        View::CodeWithScope(..) => 65,
        View::MaxKey => 127,
    }
}

/// Compares two values in MongoDB's total order; numbers by value whatever their type, NaN below every number.
#[must_use]
pub fn compare(left: View<'_>, right: View<'_>) -> Ordering {
    compare_with(left, right, &str::cmp)
}

/// Compares in MongoDB's total order with text, wherever it lies in the values, compared by the given function.
#[must_use]
pub fn compare_with(left: View<'_>, right: View<'_>, text: &impl Fn(&str, &str) -> Ordering) -> Ordering {
    let ranks = canonical_type(left).cmp(&canonical_type(right));
    if ranks.is_ne() {
        return ranks;
    }
    match (left, right) {
        (View::String(a) | View::Symbol(a), View::String(b) | View::Symbol(b)) => text(a, b),
        (View::Document(a), View::Document(b)) => compare_fields(a, b, text),
        (View::Array(a), View::Array(b)) => compare_items(a, b, text),
        (View::Binary { subtype: s, bytes: a }, View::Binary { subtype: t, bytes: b }) => {
            a.len().cmp(&b.len()).then(s.cmp(&t)).then_with(|| a.cmp(b))
        }
        (View::ObjectId(a), View::ObjectId(b)) => a.bytes().cmp(&b.bytes()),
        (View::DbPointer { namespace: n, id: a }, View::DbPointer { namespace: m, id: b }) => {
            n.len().cmp(&m.len()).then_with(|| n.cmp(m)).then_with(|| a.bytes().cmp(&b.bytes()))
        }
        (View::Boolean(a), View::Boolean(b)) => a.cmp(&b),
        (View::DateTime(a), View::DateTime(b)) => a.cmp(&b),
        (View::Timestamp { time: s, increment: a }, View::Timestamp { time: t, increment: b }) => {
            s.cmp(&t).then(a.cmp(&b))
        }
        (View::Regex { pattern: a, options: s }, View::Regex { pattern: b, options: t }) => a.cmp(b).then(s.cmp(t)),
        (View::Code(a), View::Code(b)) => a.cmp(b),
        (View::CodeWithScope(a, s), View::CodeWithScope(b, t)) => a.cmp(b).then_with(|| compare_documents(s, t)),
        _ => compare_numbers(left, right),
    }
}

/// Whether two values compare equal.
#[must_use]
pub fn equal(left: View<'_>, right: View<'_>) -> bool {
    compare(left, right).is_eq()
}

/// Compares field by field in stored order: type rank, then name, then value; the shorter of two equal beginnings is less.
#[must_use]
pub fn compare_documents(left: DocView<'_>, right: DocView<'_>) -> Ordering {
    compare_fields(left, right, &str::cmp)
}

fn compare_fields(left: DocView<'_>, right: DocView<'_>, text: &impl Fn(&str, &str) -> Ordering) -> Ordering {
    let (mut left, mut right) = (left.iter(), right.iter());
    in_step(&mut left, &mut right, |(name, value), (other_name, other)| {
        canonical_type(value)
            .cmp(&canonical_type(other))
            .then_with(|| name.cmp(other_name))
            .then_with(|| compare_with(value, other, text))
    })
}

fn compare_items(left: ArrayView<'_>, right: ArrayView<'_>, text: &impl Fn(&str, &str) -> Ordering) -> Ordering {
    let (mut left, mut right) = (left.iter(), right.iter());
    in_step(&mut left, &mut right, |value, other| compare_with(value, other, text))
}

/// The first difference of two sequences; the shorter of two equal beginnings is less.
fn in_step<T>(
    left: &mut impl Iterator<Item = T>,
    right: &mut impl Iterator<Item = T>,
    compare: impl Fn(T, T) -> Ordering,
) -> Ordering {
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(value), Some(other)) => {
                let order = compare(value, other);
                if order.is_ne() {
                    return order;
                }
            }
        }
    }
}
