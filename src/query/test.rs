//! The test of one value, made ready to run (`src/mongo/db/matcher/expression_leaf.cpp`, `expression_array.cpp`).

use std::cell::OnceCell;
use std::cmp::Ordering;

use super::collation::Collation;
use super::filter::{Bits, Comparison, Filter, InList, Test, TypeSet};
use super::matcher::{Judge, Node};
use super::regex::CompiledRegex;
use crate::error::Result;
use crate::value::{
    self, ArrayStep, Bson, Followed, Glance, PlainNumber, TextAnywhere, TextField, View, canonical_type,
};

/// A [`Test`] with its regular expressions compiled and its inner filters made ready.
#[derive(Debug, Clone)]
pub(super) enum Check {
    Compare(Comparison, Bson),
    In(InList, Vec<CompiledRegex>),
    Exists,
    Type(TypeSet),
    Mod(i64, i64),
    Regex(super::filter::Regex, Box<CompiledRegex>),
    Size(i64),
    Bits(Bits, Vec<u32>),
    Object(Box<Element>),
    Value(Vec<Node>),
}

/// What is asked of an array's elements that are documents.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) node: Node,
    /// The first part that asks for a text by name, and the field that meets it: most elements hold another text there or
    /// this one, which a glance tells.
    first: Option<(usize, TextField)>,
    /// The text asked for by the last such part, as that of a value stands behind its name: most documents without an
    /// element that passes have it nowhere.
    last: OnceCell<TextAnywhere>,
}

impl Element {
    fn new(filter: &Filter) -> Result<Self> {
        let node = Node::new(filter)?;
        let texts = node.conjuncts().iter().enumerate().filter_map(|(at, part)| Some((at, part.equal_text()?)));
        let first = texts.clone().next().map(|(at, (name, text))| (at, TextField::new(name, text)));
        Ok(Self { node, first, last: OnceCell::new() })
    }

    /// A text without which no document holds an element that passes, where text goes byte by byte.
    pub(super) fn text(&self) -> Option<&TextAnywhere> {
        self.first.as_ref()?;
        if let known @ Some(_) = self.last.get() {
            return known;
        }
        let (_, text) = self.node.conjuncts().iter().rev().find_map(Node::equal_text)?;
        Some(self.last.get_or_init(|| TextAnywhere::new(text)))
    }
}

/// A value passed; of an array that was asked for an element, which one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Passed {
    Itself,
    Element(usize),
}

impl Passed {
    /// The element as a step behind so many path parts.
    pub(super) fn step(self, depth: usize) -> Option<ArrayStep> {
        match self {
            Self::Itself => None,
            Self::Element(index) => Some(ArrayStep { depth, index, named: false }),
        }
    }
}

impl Check {
    pub(super) fn new(test: &Test) -> Result<Self> {
        Ok(match test {
            Test::Compare(comparison, literal) => Self::Compare(*comparison, literal.clone()),
            Test::In(list) => {
                let regexes = list.regexes.iter().map(super::filter::Regex::compile).collect::<Result<_>>()?;
                Self::In(list.clone(), regexes)
            }
            Test::Exists => Self::Exists,
            Test::Type(set) => Self::Type(set.clone()),
            Test::Mod(divisor, remainder) => Self::Mod(*divisor, *remainder),
            Test::Regex(regex) => Self::Regex(regex.clone(), Box::new(regex.compile()?)),
            Test::Size(size) => Self::Size(*size),
            Test::Bits(bits, positions) => Self::Bits(*bits, positions.clone()),
            Test::ElemMatchObject(filter) => Self::Object(Box::new(Element::new(filter)?)),
            Test::ElemMatchValue(parts) => Self::Value(parts.iter().map(Node::new).collect::<Result<_>>()?),
        })
    }
}

impl Check {
    /// The test it was made from.
    pub(super) fn test(&self) -> Test {
        match self {
            Self::Compare(comparison, literal) => Test::Compare(*comparison, literal.clone()),
            Self::In(list, _) => Test::In(list.clone()),
            Self::Exists => Test::Exists,
            Self::Type(set) => Test::Type(set.clone()),
            Self::Mod(divisor, remainder) => Test::Mod(*divisor, *remainder),
            Self::Regex(regex, _) => Test::Regex(regex.clone()),
            Self::Size(size) => Test::Size(*size),
            Self::Bits(bits, positions) => Test::Bits(*bits, positions.clone()),
            Self::Object(element) => Test::ElemMatchObject(Box::new(element.node.filter())),
            Self::Value(nodes) => Test::ElemMatchValue(nodes.iter().map(Node::filter).collect()),
        }
    }
}

impl Judge<'_> {
    /// Whether a value, or its absence, passes, and by which element.
    pub(super) fn check<'a, V: Followed<'a>>(self, check: &Check, value: Option<V>) -> Option<Passed> {
        match (check, value) {
            (Check::Object(_) | Check::Value(_), None) => None,
            (Check::Object(wanted), Some(value)) => self.passing(wanted, value).map(Passed::Element),
            (Check::Value(nodes), Some(value)) => {
                let passes = |element| nodes.iter().all(|node| self.element(node, element));
                value.elements()?.position(passes).map(Passed::Element)
            }
            (Check::Compare(comparison, literal), Some(value)) => {
                self.compares(*comparison, value, literal).then_some(Passed::Itself)
            }
            (Check::Exists, Some(_)) => Some(Passed::Itself),
            _ => self.decoded(check, value.and_then(V::view)).then_some(Passed::Itself),
        }
    }

    fn decoded(self, check: &Check, value: Option<View<'_>>) -> bool {
        match (check, value) {
            (Check::Compare(comparison, literal), _) => compare(*comparison, value, literal.into(), self.collation),
            (Check::In(list, _), None) => holds_null(list),
            (_, None) => false,
            (Check::In(list, regexes), Some(value)) => self.within(list, regexes, value),
            (Check::Exists, Some(_)) => true,
            (Check::Type(set), Some(value)) => has_type(set, value),
            (Check::Mod(divisor, remainder), Some(value)) => leaves_remainder(value, *divisor, *remainder),
            (Check::Regex(regex, compiled), Some(value)) => fits_regex(regex, compiled, value),
            (Check::Size(size), Some(View::Array(array))) => usize::try_from(*size) == Ok(array.len()),
            (Check::Bits(bits, positions), Some(value)) => has_bits(*bits, positions, value),
            (Check::Size(_) | Check::Object(_) | Check::Value(_), Some(_)) => false,
        }
    }

    /// The first element of an array that is a document and passes.
    fn passing<'a, V: Followed<'a>>(self, wanted: &Element, array: V) -> Option<usize> {
        match &wanted.first {
            Some((at, field)) if self.collation.is_simple() => {
                array.find_element(|element| match element.glance(field) {
                    Glance::Other => false,
                    Glance::Same => self.others(wanted.node.conjuncts(), *at, element),
                    Glance::Unclear => self.object(&wanted.node, element),
                })
            }
            _ => array.find_element(|element| self.object(&wanted.node, element)),
        }
    }

    /// Whether a document passes all parts but one.
    fn others<'a, V: Followed<'a>>(self, parts: &[Node], known: usize, document: V) -> bool {
        parts.iter().enumerate().all(|(at, part)| at == known || self.part(part, document))
    }

    /// A value that is there, compared with a literal: text by its bytes, numbers as such, whatever lies in another type
    /// bracket not even decoded.
    #[inline]
    fn compares<'a, V: Followed<'a>>(self, comparison: Comparison, value: V, literal: &Bson) -> bool {
        let number = match literal {
            Bson::String(text) if self.collation.is_simple() => {
                return value.text().is_some_and(|own| holds_of_text(comparison, own, text.as_bytes()));
            }
            Bson::Int32(number) => Some(PlainNumber::Whole(i64::from(*number))),
            Bson::Int64(number) => Some(PlainNumber::Whole(*number)),
            Bson::Double(number) => Some(PlainNumber::Double(*number)),
            _ => None,
        };
        if let Some(order) = number.and_then(|number| value.plain_number()?.compare(number)) {
            return holds(comparison, order);
        }
        let value = match literal {
            Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => value.number(),
            _ => value.view(),
        };
        value.is_some() && compare(comparison, value, literal.into(), self.collation)
    }

    fn within(self, list: &InList, regexes: &[CompiledRegex], value: View<'_>) -> bool {
        let compare = |literal: &Bson| self.collation.compare(literal.into(), value);
        // The literals lie in simple order, which says nothing about another one.
        let found = if self.collation.is_simple() {
            list.values.binary_search_by(compare).is_ok()
        } else {
            list.values.iter().any(|literal| compare(literal).is_eq())
        };
        found || list.regexes.iter().zip(regexes).any(|(regex, compiled)| fits_regex(regex, compiled, value))
    }
}

fn holds_null(list: &InList) -> bool {
    list.values.contains(&Bson::Null)
}

/// A comparison keeps to the literal's type bracket; null also stands for a missing value and for undefined.
fn compare(comparison: Comparison, value: Option<View<'_>>, literal: View<'_>, collation: &Collation) -> bool {
    let rank = value.map_or(0, canonical_type);
    let with_equality = matches!(comparison, Comparison::Eq | Comparison::Lte | Comparison::Gte);
    if rank != canonical_type(literal) {
        return match literal {
            View::Null => rank == 0 && with_equality,
            View::Undefined => matches!(value, Some(View::Null)) && with_equality,
            View::MinKey => matches!(comparison, Comparison::Gt | Comparison::Gte),
            View::MaxKey => matches!(comparison, Comparison::Lt | Comparison::Lte),
            _ => false,
        };
    }
    let Some(value) = value else {
        return with_equality;
    };
    match (value::is_nan(value), value::is_nan(literal)) {
        (false, false) => holds(comparison, collation.compare(value, literal)),
        (both, other) => both && other && with_equality,
    }
}

#[inline]
fn holds_of_text(comparison: Comparison, own: &[u8], text: &[u8]) -> bool {
    match comparison {
        Comparison::Eq => own == text,
        _ => holds(comparison, own.cmp(text)),
    }
}

fn holds(comparison: Comparison, order: Ordering) -> bool {
    match comparison {
        Comparison::Eq => order.is_eq(),
        Comparison::Lt => order.is_lt(),
        Comparison::Lte => order.is_le(),
        Comparison::Gt => order.is_gt(),
        Comparison::Gte => order.is_ge(),
    }
}

pub(super) fn has_type(set: &TypeSet, value: View<'_>) -> bool {
    let code = value::type_code(value);
    set.all_numbers && canonical_type(value) == canonical_type(View::Int32(0)) || set.codes.contains(&code)
}

fn leaves_remainder(value: View<'_>, divisor: i64, remainder: i64) -> bool {
    value::truncated_long(value).is_some_and(|number| number.wrapping_rem(divisor) == remainder)
}

fn fits_regex(regex: &super::filter::Regex, compiled: &CompiledRegex, value: View<'_>) -> bool {
    match value {
        View::String(text) | View::Symbol(text) => compiled.is_match(text),
        View::Regex { pattern, options } => regex.pattern == pattern && regex.options == options,
        _ => false,
    }
}

fn has_bits(bits: Bits, positions: &[u32], value: View<'_>) -> bool {
    let set = |position: u32| match value {
        View::Binary { bytes, .. } => {
            let byte = usize::try_from(position / 8).ok().and_then(|at| bytes.get(at));
            byte.is_some_and(|byte| byte >> (position % 8) & 1 == 1)
        }
        // The sign bit goes on for ever, as in two's complement.
        _ => value::exact_long(value).is_some_and(|number| number >> position.min(63) & 1 == 1),
    };
    let readable = matches!(value, View::Binary { .. }) || value::exact_long(value).is_some();
    readable
        && match bits {
            Bits::AllSet => positions.iter().all(|at| set(*at)),
            Bits::AllClear => !positions.iter().any(|at| set(*at)),
            Bits::AnySet => positions.iter().any(|at| set(*at)),
            Bits::AnyClear => !positions.iter().all(|at| set(*at)),
        }
}
