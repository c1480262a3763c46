//! From a predicate to bounds on one key part (`src/mongo/db/query/index_bounds_builder.cpp`, 7.0).

use crate::query::expr::Bound;
use crate::query::{Comparison, InList, Regex, Test, TypeSet};
use crate::value::{Bson, Path, View, canonical_type, is_nan, is_number};

use super::bounds::{Interval, OrderedIntervals, Tightness};
use super::collated::collated;
use super::entry::Entry;
use super::limits::{max_of, min_of, same_type, sample};
use super::regex::{literal_prefix, successor};
use super::tree::{Kind, Node};

/// Bounds of one predicate, and how well they stand for it.
pub(super) type Translated = (OrderedIntervals, Tightness);

/// Builds bounds for predicates on one part of one index.
#[derive(Clone, Copy)]
pub(super) struct Builder<'a> {
    pub entry: &'a Entry,
    /// The path of the key part.
    pub path: &'a Path,
}

fn exact(intervals: Vec<Interval>) -> Translated {
    (OrderedIntervals(intervals), Tightness::Exact)
}

fn loose(intervals: Vec<Interval>) -> Translated {
    (OrderedIntervals(intervals), Tightness::InexactFetch)
}

impl Builder<'_> {
    /// Translates a node that gives bounds.
    pub fn translate(&self, node: &Node<'_>) -> Translated {
        let (bounds, tightness) = self.predicate(node);
        if self.entry.wildcard.is_some_and(|part| self.entry.parts[part].path == *self.path) {
            return super::wildcard::widen(self.entry, bounds, tightness);
        }
        (bounds, tightness)
    }

    fn predicate(&self, node: &Node<'_>) -> Translated {
        match &node.kind {
            Kind::Not => self.negation(&node.children[0]),
            Kind::ElemMatchValue(_) => self.elem_match(&node.children),
            Kind::Implied(implied) => self.implied(implied),
            Kind::Test(predicate) => self.test(&predicate.test),
            _ => loose(vec![Interval::all()]),
        }
    }

    fn test(&self, test: &Test) -> Translated {
        match test {
            Test::Compare(operator, value) => self.comparison(*operator, value),
            Test::In(list) => self.membership(list),
            Test::Exists => self.existence(),
            Test::Type(types) => self.types(types),
            Test::Mod(..) => {
                let numbers = Bson::Int32(0);
                let interval = Interval::range(min_of(&numbers), true, max_of(&numbers), true);
                (OrderedIntervals(vec![interval]), Tightness::InexactCovered)
            }
            Test::Regex(regex) => self.regex(regex),
            _ => loose(vec![Interval::all()]),
        }
    }

    /// The operators inside `$elemMatch` speak of one element, so their bounds are intersected. That the element stands
    /// in an array the key cannot tell.
    fn elem_match(&self, operators: &[Node<'_>]) -> Translated {
        let mut bounds = operators.iter().map(|operator| self.predicate(operator).0);
        let first = bounds.next().unwrap_or_else(OrderedIntervals::all);
        (bounds.fold(first, |all, next| all.intersect(&next)), Tightness::InexactFetch)
    }

    fn negation(&self, inside: &Node<'_>) -> Translated {
        if matches!(inside.test(), Some(Test::Exists)) {
            return loose(vec![Interval::point(Bson::Null)]);
        }
        if let Some(Test::In(list)) = inside.test()
            && is_null_and_empty_array(list)
        {
            let mut bounds = OrderedIntervals(vec![
                Interval::range(Bson::Undefined, true, Bson::Null, true),
                Interval::point(Bson::Array(Vec::new())),
            ]);
            bounds.unite();
            return (bounds.complement(), Tightness::InexactFetch);
        }
        let (bounds, tightness) = self.predicate(inside);
        let multikey = self.entry.part_is_multikey(self.path);
        let tightness = match tightness {
            _ if multikey => Tightness::InexactFetch,
            _ if asks_null(inside) => Tightness::Exact,
            inner => inner,
        };
        (bounds.complement(), tightness)
    }

    /// A sparse index of one part holds exactly the documents that have the field.
    fn existence(&self) -> Translated {
        let exact = self.entry.is_sparse() && self.entry.parts.len() == 1;
        let tightness = if exact { Tightness::Exact } else { Tightness::InexactFetch };
        (OrderedIntervals::all(), tightness)
    }

    fn key(&self, value: &Bson) -> Bson {
        if self.entry.has_collation() { collated(value, &self.entry.collation) } else { value.clone() }
    }

    fn comparison(&self, operator: Comparison, value: &Bson) -> Translated {
        match (operator, value) {
            (Comparison::Eq, _) => self.equality(value),
            (Comparison::Lte | Comparison::Gte, Bson::Null) => self.null(),
            (Comparison::Lt, Bson::MaxKey) => {
                self.beside_the_rim(Interval::range(Bson::MinKey, true, Bson::MaxKey, self.entry.multikey))
            }
            (Comparison::Gt, Bson::MinKey) => {
                self.beside_the_rim(Interval::range(Bson::MinKey, self.entry.multikey, Bson::MaxKey, true))
            }
            (Comparison::Lte, Bson::MaxKey) | (Comparison::Gte, Bson::MinKey) => {
                (OrderedIntervals::all(), self.unless_collated())
            }
            (Comparison::Lt | Comparison::Gt, _) if is_nan(value.into()) => exact(Vec::new()),
            (Comparison::Lte | Comparison::Gte, _) if is_nan(value.into()) => {
                exact(vec![Interval::point(value.clone())])
            }
            (Comparison::Lt | Comparison::Lte, _) => self.below(value, operator == Comparison::Lte),
            (Comparison::Gt | Comparison::Gte, _) => self.above(value, operator == Comparison::Gte),
        }
    }

    fn unless_collated(&self) -> Tightness {
        if self.entry.has_collation() { Tightness::InexactFetch } else { Tightness::Exact }
    }

    /// Everything is below `MaxKey` but itself; an array that holds it is below too, so a multikey index is not exact.
    fn beside_the_rim(&self, interval: Interval) -> Translated {
        let tightness = if self.entry.multikey { Tightness::InexactFetch } else { self.unless_collated() };
        (OrderedIntervals(vec![interval]), tightness)
    }

    fn below(&self, value: &Bson, inclusive: bool) -> Translated {
        if let Bson::Array(items) = value {
            let end = self.array_end(value, items);
            return loose(vec![Interval::range(Bson::MinKey, true, end, true)]);
        }
        let number = is_number(value.into());
        let low = if number { Bson::Double(f64::NEG_INFINITY) } else { min_of(value) };
        let same = same_type(&low, value);
        one_sided(Interval::range(low, same, self.key(value), inclusive), value)
    }

    fn above(&self, value: &Bson, inclusive: bool) -> Translated {
        if let Bson::Array(items) = value {
            let start = self.array_start(value, items);
            return loose(vec![Interval::range(start, true, Bson::MaxKey, true)]);
        }
        let high = max_of(value);
        let same = same_type(&high, value);
        one_sided(Interval::range(self.key(value), inclusive, high, same), value)
    }

    /// Arrays are compared element by element, but the keys are the elements: whatever may be first has to be read.
    fn array_end(&self, value: &Bson, items: &[Bson]) -> Bson {
        match items.first() {
            None => Bson::Array(Vec::new()),
            Some(first) if above_array(first, value) => self.key(first),
            Some(_) => self.key(value),
        }
    }

    fn array_start(&self, value: &Bson, items: &[Bson]) -> Bson {
        match items.first() {
            None => Bson::MinKey,
            Some(first) if above_array(first, value) => self.key(value),
            Some(first) => self.key(first),
        }
    }

    fn null(&self) -> Translated {
        let points = vec![Interval::point(Bson::Undefined), Interval::point(Bson::Null)];
        let nested = self.entry.multikey && self.path.parts().len() > 1;
        // An empty array has `undefined` for its key.
        let unsure = self.entry.is_sparse() || nested || self.entry.multikey;
        let tightness = if unsure { Tightness::InexactFetch } else { Tightness::ExactMaybeCovered };
        (OrderedIntervals(points), tightness)
    }

    fn equality(&self, value: &Bson) -> Translated {
        match value {
            Bson::Null => self.null(),
            Bson::Array(items) => {
                // The whole array is a key where it lies inside another one; otherwise its first element is.
                let first = items.first().map_or(Bson::Undefined, |first| self.key(first));
                let mut bounds = OrderedIntervals(vec![Interval::point(self.key(value)), Interval::point(first)]);
                bounds.unite();
                (bounds, Tightness::InexactFetch)
            }
            _ => exact(vec![Interval::point(self.key(value))]),
        }
    }

    fn membership(&self, list: &InList) -> Translated {
        let mut tightness = Tightness::Exact;
        let mut bounds = OrderedIntervals::default();
        for value in &list.values {
            let (points, each) = self.equality(value);
            bounds.0.extend(points.0);
            tightness = merged(each, tightness);
        }
        for regex in &list.regexes {
            let (ranges, each) = self.regex(regex);
            bounds.0.extend(ranges.0);
            tightness = merged(each, tightness);
        }
        bounds.unite();
        (bounds, tightness)
    }

    fn types(&self, types: &TypeSet) -> Translated {
        if types.codes.contains(&4) {
            return loose(vec![Interval::all()]);
        }
        let numbers = types.all_numbers.then_some(1);
        let mut bounds = OrderedIntervals::default();
        for kind in numbers.iter().chain(&types.codes).filter_map(|code| sample(*code)) {
            let (low, high) = (min_of(&kind), max_of(&kind));
            let same = same_type(&low, &high);
            bounds.0.push(Interval::range(low, true, high, same));
        }
        bounds.unite();
        (bounds, self.tightness_of(types))
    }

    fn tightness_of(&self, types: &TypeSet) -> Tightness {
        let has = |code: i32| types.codes.contains(&code);
        let numbers = [1, 16, 18, 19].iter().filter(|code| has(**code)).count();
        if has(10) || has(6) || (self.entry.has_collation() && (has(2) || has(3))) {
            Tightness::InexactFetch
        } else if (numbers > 0 && numbers < 4 && !types.all_numbers) || has(2) != has(14) {
            Tightness::InexactCovered
        } else {
            Tightness::Exact
        }
    }

    fn regex(&self, regex: &Regex) -> Translated {
        let itself = View::Regex { pattern: &regex.pattern, options: &regex.options }.to_bson();
        let any = || Interval::range(Bson::String(String::new()), true, Bson::Document(bson::Document::new()), false);
        let (interval, tightness) = match literal_prefix(regex) {
            _ if self.entry.has_collation() => (any(), Tightness::InexactFetch),
            None => (any(), Tightness::InexactCovered),
            Some((prefix, whole)) => {
                let interval = match successor(&prefix) {
                    Some(end) => Interval::range(prefix.into(), true, end.into(), false),
                    None => Interval::range(prefix.into(), true, Bson::Document(bson::Document::new()), false),
                };
                (interval, if whole { Tightness::Exact } else { Tightness::InexactCovered })
            }
        };
        (OrderedIntervals(vec![interval, Interval::point(itself)]), tightness)
    }

    /// Comparisons of the expression language know no type brackets, and null and missing are two values there.
    fn implied(&self, implied: &Bound) -> Translated {
        let value = self.key(&implied.value);
        let null = implied.value == Bson::Null;
        let (interval, inexact) = match implied.comparison {
            Comparison::Eq if null => return loose(self.null().0.0),
            Comparison::Eq => (Interval::point(value), false),
            Comparison::Lt => (Interval::range(Bson::MinKey, true, value, null), null),
            Comparison::Lte => (Interval::range(Bson::MinKey, true, value, true), false),
            Comparison::Gt => (Interval::range(value, false, Bson::MaxKey, true), false),
            Comparison::Gte => (Interval::range(value, true, Bson::MaxKey, true), null),
        };
        if interval.is_null() {
            return exact(Vec::new());
        }
        let tightness =
            if inexact || !(is_exact(&implied.value) || null) { Tightness::InexactFetch } else { Tightness::Exact };
        (OrderedIntervals(vec![interval]), tightness)
    }
}

fn one_sided(interval: Interval, value: &Bson) -> Translated {
    if interval.is_null() {
        return exact(Vec::new());
    }
    let tightness = if is_exact(value) { Tightness::Exact } else { Tightness::InexactFetch };
    (OrderedIntervals(vec![interval]), tightness)
}

/// The looser of two, where one that depends on the projection meets one that needs a filter.
fn merged(one: Tightness, other: Tightness) -> Tightness {
    match (one, other) {
        (Tightness::ExactMaybeCovered, Tightness::InexactCovered)
        | (Tightness::InexactCovered, Tightness::ExactMaybeCovered) => Tightness::InexactMaybeCovered,
        _ => one.min(other),
    }
}

fn asks_null(node: &Node<'_>) -> bool {
    match node.test() {
        Some(Test::Compare(Comparison::Eq | Comparison::Gte | Comparison::Lte, Bson::Null)) => true,
        Some(Test::In(list)) => list.values.contains(&Bson::Null),
        _ => false,
    }
}

/// `$in: [null, []]`, the one negated list with an array that an index can serve.
pub(super) fn is_null_and_empty_array(list: &InList) -> bool {
    let empty = |value: &Bson| matches!(value, Bson::Array(items) if items.is_empty());
    list.regexes.is_empty()
        && list.values.len() == 2
        && list.values.contains(&Bson::Null)
        && list.values.iter().any(empty)
}

fn above_array(first: &Bson, array: &Bson) -> bool {
    let rank = |value| canonical_type(View::from(value));
    rank(first).cmp(&rank(array)).then_with(|| super::bounds::order(first, array)).is_ge()
}

/// Whether bounds on a value of this type are exact (`Indexability::isExactBoundsGenerating`).
fn is_exact(value: &Bson) -> bool {
    !matches!(value, Bson::Array(_) | Bson::Null | Bson::Undefined)
}
