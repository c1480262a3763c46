//! What is left to ask of a document that an index scan found, where the index has answered a part of the filter.
//!
//! The server asks `$elemMatch` of every document again, as its bounds are inexact: a key tells nothing of whether the field
//! is an array. It tells all the rest, so that this is all there is to ask, where a key holds every field asked for: of a field
//! that is an array, each key has its parts from one element. What the scan's bounds do not answer, another key of the same
//! index may: an element that equals what is asked for has one certain key there. And where every document of the index has
//! an array in the field, it is not asked for either.

use crate::error::Result;
use crate::plan::{IndexScan, Interval};
use crate::query::{Comparison, Filter, Matcher, Predicate, Test};
use crate::store::{Holders, Index, KeyPart, RecordId};
use crate::value::{
    Bson, Followed, NameHead, Path, RawValue, SharedDocument, View, array_index, canonical_type, compare, is_nan,
};

use super::stage::Context;

/// What a FETCH asks of a document.
#[derive(Default)]
pub(super) struct Asked<'c> {
    filter: Option<Matcher>,
    /// Keys that the index has to have of the document.
    keys: Vec<Holders<'c>>,
    /// Fields that have to be arrays.
    arrays: Vec<(NameHead, &'c str)>,
}

/// A scan that found documents, and its index.
struct Read<'s, 'c> {
    scan: &'s IndexScan,
    index: &'c Index,
}

/// What a part of a filter that the index answers leaves to be asked.
struct Open<'c> {
    /// Whether the index has a key of the document that the scan did not find it by.
    key: Option<Holders<'c>>,
    /// Whether a field is an array.
    array: Option<&'c str>,
}

impl<'c> Asked<'c> {
    /// What a filter asks of a document that was found by a scan.
    pub fn new(context: &Context<'c>, filter: Option<&'c Filter>, scan: Option<&IndexScan>) -> Result<Self> {
        let parts = filter.map_or(&[][..], conjuncts);
        let simple = context.query.collation.is_simple() && parts.iter().all(|part| matches!(part, Filter::Field(_)));
        let read = match scan.filter(|scan| simple && is_plain(scan)) {
            Some(scan) => Some(Read { scan, index: context.index(&scan.index.name)? }),
            None => None,
        };
        let mut this = Self::default();
        let mut left = Vec::new();
        for part in parts {
            match read.as_ref().and_then(|read| read.open(part)) {
                None => left.push(part),
                Some(open) => this.ask(open),
            }
        }
        this.arrays.retain(|(_, name)| !left.iter().any(|part| array_asked(part) == Some(*name)));
        this.filter = match left.as_slice() {
            all if all.len() == parts.len() => context.matcher(filter)?,
            [] => None,
            [only] => context.matcher(Some(only))?,
            _ => context.matcher(Some(&Filter::And(left.into_iter().cloned().collect())))?,
        };
        Ok(this)
    }

    fn ask(&mut self, open: Open<'c>) {
        self.keys.extend(open.key);
        if let Some(name) = open.array.filter(|name| self.arrays.iter().all(|(_, known)| known != name)) {
            self.arrays.push((NameHead::of(name), name));
        }
    }

    /// Whether a document passes, which is that of the record.
    pub fn passes(&mut self, record: RecordId, document: &SharedDocument) -> bool {
        let is_array = |(head, name): &(NameHead, &str)| {
            RawValue::stored(document).named(head.name(name)).is_some_and(Followed::is_array)
        };
        self.keys.iter_mut().all(|holders| holders.has(record))
            && self.filter.as_ref().is_none_or(|filter| filter.matches_stored(document))
            && self.arrays.iter().all(is_array)
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

/// The field at which nothing but an array passes.
fn array_asked(filter: &Filter) -> Option<&str> {
    array_of(filter).map(|(name, _)| name)
}

/// A field that is to be an array, and what is asked of an element.
fn array_of(filter: &Filter) -> Option<(&str, &Filter)> {
    match filter {
        Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) => match path.parts() {
            [name] => Some((name, inner)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the keys of a scan hold values as the documents do, each part within its own bounds.
fn is_plain(scan: &IndexScan) -> bool {
    let wildcard = scan.index.parts.iter().any(|part| part.wildcard);
    scan.index.collation.is_none() && scan.bounds.range.is_none() && !wildcard
}

impl<'c> Read<'_, 'c> {
    /// What a part of the filter leaves to be asked; none where the index does not answer it.
    fn open(&self, part: &'c Filter) -> Option<Open<'c>> {
        let (name, _) = array_of(part)?;
        let key = if is_proven(part, self.scan) { None } else { Some(self.key(part)?) };
        Some(Open { key, array: (!self.has_arrays(name)).then_some(name) })
    }

    /// The records with the key of an element that passes.
    fn key(&self, part: &Filter) -> Option<Holders<'c>> {
        let values = key_asked(part, self.scan)?;
        Some(self.index.holders(self.index.key_of(values.into_iter().map(View::from)).into_bytes()))
    }

    /// Whether the field is an array in every document that the index has a key of.
    fn has_arrays(&self, name: &str) -> bool {
        let first = self.scan.parts.first().and_then(|part| part.path.parts().first());
        first.is_some_and(|first| **first == *name) && self.index.begins_with_arrays()
    }
}

/// The values of the key that the index has of an element which passes, and of no other.
fn key_asked<'f>(filter: &'f Filter, scan: &IndexScan) -> Option<Vec<&'f Bson>> {
    let (outer, inner) = array_of(filter)?;
    let asked = conjuncts(inner);
    let value_of = |part: &KeyPart| asked.iter().find_map(|condition| equal_to(condition, outer, part));
    if asked.len() == scan.parts.len() { scan.parts.iter().map(value_of).collect() } else { None }
}

/// The value that a condition wants a part of the key to equal.
fn equal_to<'f>(condition: &'f Filter, outer: &str, part: &KeyPart) -> Option<&'f Bson> {
    match compared(condition)? {
        (path, Comparison::Eq, value) if is_inside(part, outer, path) && is_comparable(value) => Some(value),
        _ => None,
    }
}

/// The comparison that a condition is, of a field that is no position: a number may name one of an array inside an array,
/// which is no element of the outer one.
fn compared(condition: &Filter) -> Option<(&Path, Comparison, &Bson)> {
    let Filter::Field(Predicate { path, test: Test::Compare(comparison, literal) }) = condition else { return None };
    let position = matches!(path.parts(), [name] if array_index(name).is_some());
    (!position).then_some((path, *comparison, literal))
}

/// Whether a value is compared within its type bracket alone, and equals itself.
fn is_comparable(value: &Bson) -> bool {
    let comparable = matches!(
        value,
        Bson::Int32(_)
            | Bson::Int64(_)
            | Bson::Double(_)
            | Bson::Decimal128(_)
            | Bson::String(_)
            | Bson::Boolean(_)
            | Bson::DateTime(_)
            | Bson::ObjectId(_)
    );
    comparable && !is_nan(value.into())
}

/// Whether every key of the index inside the bounds is one of an element that passes, if the field is an array.
fn is_proven(filter: &Filter, scan: &IndexScan) -> bool {
    let Some((outer, inner)) = array_of(filter) else { return false };
    conjuncts(inner).iter().all(|condition| is_field_proven(condition, outer, scan))
}

/// Whether every key inside the bounds is one of an element that passes a comparison of a field.
fn is_field_proven(condition: &Filter, outer: &str, scan: &IndexScan) -> bool {
    let Some((path, comparison, literal)) = compared(condition) else { return false };
    scan.parts.iter().zip(&scan.bounds.parts).any(|(part, (_, intervals))| {
        is_inside(part, outer, path) && intervals.0.iter().all(|interval| implies(interval, comparison, literal))
    })
}

/// Whether a part of a key is over a field inside another one.
fn is_inside(part: &KeyPart, outer: &str, inner: &Path) -> bool {
    matches!((part.path.parts(), inner.parts()), ([first, second], [name]) if **first == *outer && second == name)
}

/// Whether all values of an interval are in the literal's type bracket and compare with it as asked. A missing value is not
/// among them, nor is null.
fn implies(interval: &Interval, comparison: Comparison, literal: &Bson) -> bool {
    let (start, end) = ((&interval.start, interval.start_inclusive), (&interval.end, interval.end_inclusive));
    let ordered = order(start.0, end.0).is_le();
    let ((low, low_inclusive), (high, high_inclusive)) = if ordered { (start, end) } else { (end, start) };
    let alike =
        |edge: &Bson| is_comparable(edge) && canonical_type(View::from(edge)) == canonical_type(View::from(literal));
    if !is_comparable(literal) || !alike(low) || !alike(high) {
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
