//! Walking a dotted path through documents and arrays (`src/mongo/db/matcher/path.cpp`).

use std::ops::ControlFlow;

use super::name::{Glance, Name, TextAnywhere, TextField};
use super::number::PlainNumber;
use super::truth::is_number;
use super::view::View;

/// What an array at the end of a path gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// Its elements one by one, then itself.
    Elements,
    /// Itself only.
    Whole,
}

/// The array elements that a walk went through, innermost first; it lives on the stack and costs nothing to extend.
#[derive(Debug, Clone, Copy, Default)]
pub struct Trail<'t> {
    last: Option<(ArrayStep, &'t Trail<'t>)>,
}

/// One array element that was gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArrayStep {
    /// How many parts of the path lie before the array.
    pub depth: usize,
    /// The element's position.
    pub index: usize,
    /// Whether the path names the position itself, as `specs.0` does.
    pub named: bool,
}

impl Trail<'_> {
    /// The steps, outermost first.
    #[must_use]
    pub fn steps(&self) -> Vec<ArrayStep> {
        let mut steps = Vec::new();
        let mut trail = self;
        while let Some((step, outer)) = &trail.last {
            steps.push(*step);
            trail = outer;
        }
        steps.reverse();
        steps
    }

    /// Whether no array was gone through.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }
}

/// A value that a path is followed through: decoded, or bytes that are decoded only where they are looked at.
pub trait Followed<'a>: Copy {
    /// The value under a name; an array is read as a document with the names `0`, `1` ….
    fn member(self, name: &str) -> Option<Self>;
    /// The value under a name that was made ready.
    fn named(self, name: Name<'_>) -> Option<Self>;
    /// The elements of an array; none of any other value.
    fn elements(self) -> Option<impl Iterator<Item = Self>>;
    /// Whether it is a document.
    fn is_document(self) -> bool;
    /// Whether it is an array.
    fn is_array(self) -> bool;
    /// The position of the first element of an array that passes; none of any other value.
    fn find_element(self, passes: impl FnMut(Self) -> bool) -> Option<usize>;
    /// What the first field of a document says of a field of text; a glance, which need not see anything.
    fn glance(self, field: &TextField) -> Glance;
    /// Whether it is seen at once that a document holds a text nowhere.
    fn lacks(self, text: &TextAnywhere) -> bool;
    /// The bytes of text.
    fn text(self) -> Option<&'a [u8]>;
    /// The value, if it is a number.
    fn number(self) -> Option<View<'a>>;
    /// The value, if it is a number other than a decimal.
    fn plain_number(self) -> Option<PlainNumber>;
    /// The value; none of bytes that are no BSON.
    fn view(self) -> Option<View<'a>>;
}

impl<'a> Followed<'a> for View<'a> {
    fn member(self, name: &str) -> Option<Self> {
        member(self, name)
    }

    fn elements(self) -> Option<impl Iterator<Item = Self>> {
        if let View::Array(array) = self { Some(array.iter()) } else { None }
    }

    fn is_document(self) -> bool {
        matches!(self, View::Document(_))
    }

    fn is_array(self) -> bool {
        matches!(self, View::Array(_))
    }

    fn named(self, name: Name<'_>) -> Option<Self> {
        member(self, name.text)
    }

    fn find_element(self, passes: impl FnMut(Self) -> bool) -> Option<usize> {
        self.elements()?.position(passes)
    }

    fn glance(self, _: &TextField) -> Glance {
        Glance::Unclear
    }

    fn lacks(self, _: &TextAnywhere) -> bool {
        false
    }

    fn text(self) -> Option<&'a [u8]> {
        if let View::String(text) | View::Symbol(text) = self { Some(text.as_bytes()) } else { None }
    }

    fn number(self) -> Option<View<'a>> {
        is_number(self).then_some(self)
    }

    fn plain_number(self) -> Option<PlainNumber> {
        PlainNumber::of(self)
    }

    fn view(self) -> Option<View<'a>> {
        Some(self)
    }
}

/// What a walk calls for each value found; `None` stands for a missing one.
pub trait Found<V>: FnMut(Option<V>, &Trail<'_>) -> ControlFlow<()> {}

impl<V, F: FnMut(Option<V>, &Trail<'_>) -> ControlFlow<()>> Found<V> for F {}

/// Calls `found` for every value that the path leads to from a document, in the server's order, until it breaks.
///
/// Arrays on the way are gone through element by element, documents in them only; a numeric part also names a position.
/// A missing value is reported once per document in which the path ends early; an empty array on the way reports nothing.
/// An array given as the root is read as a document with the names `0`, `1` …, as inside `$elemMatch`.
pub fn walk<'a, V: Followed<'a>>(
    root: V,
    parts: &[Box<str>],
    leaf: Leaf,
    found: &mut impl Found<V>,
) -> ControlFlow<()> {
    Walk { leaf, found, length: parts.len() }.document(root, parts, &Trail::default())
}

/// Calls `found` for a value as a path that ends in it does, until it breaks: for the elements of an array, then itself.
pub fn walk_value<'a, V: Followed<'a>>(value: V, leaf: Leaf, found: &mut impl Found<V>) -> ControlFlow<()> {
    if value.is_array() {
        return Walk { leaf, found, length: 0 }.leaf(value, &Trail::default());
    }
    found(Some(value), &Trail::default())
}

/// The position that a path part names: decimal digits without leading zeros.
#[must_use]
pub fn array_index(part: &str) -> Option<usize> {
    let bytes = part.as_bytes();
    let plain = bytes.first().is_some_and(u8::is_ascii_digit)
        && bytes.iter().all(u8::is_ascii_digit)
        && (bytes.len() == 1 || bytes[0] != b'0');
    if plain { part.parse().ok() } else { None }
}

/// The value under a name; an array is read as a document with the names `0`, `1` ….
#[must_use]
pub fn member<'a>(container: View<'a>, name: &str) -> Option<View<'a>> {
    match container {
        View::Document(document) => document.get(name),
        View::Array(array) => array.get(array_index(name)?),
        _ => None,
    }
}

struct Walk<'f, F> {
    leaf: Leaf,
    found: &'f mut F,
    length: usize,
}

impl<F> Walk<'_, F> {
    fn document<'a, V: Followed<'a>>(&mut self, root: V, parts: &[Box<str>], trail: &Trail<'_>) -> ControlFlow<()>
    where
        F: Found<V>,
    {
        let mut current = root;
        for (at, part) in parts.iter().enumerate() {
            match current.member(part) {
                Some(array) if array.is_array() => return self.array(array, &parts[at + 1..], trail),
                Some(value) => current = value,
                None => return (self.found)(None, trail),
            }
        }
        (self.found)(Some(current), trail)
    }

    fn array<'a, V: Followed<'a>>(&mut self, array: V, rest: &[Box<str>], trail: &Trail<'_>) -> ControlFlow<()>
    where
        F: Found<V>,
    {
        let Some(next) = rest.first() else {
            return self.leaf(array, trail);
        };
        let named_index = array_index(next);
        let depth = self.length - rest.len();
        for (index, element) in array.elements().into_iter().flatten().enumerate() {
            if element.is_document() {
                let step = ArrayStep { depth, index, named: false };
                self.document(element, rest, &Trail { last: Some((step, trail)) })?;
            }
            if named_index == Some(index) {
                let step = ArrayStep { depth, index, named: true };
                self.named(element, &rest[1..], &Trail { last: Some((step, trail)) })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Goes on from an element whose position the path names; a scalar ends the walk without a report.
    fn named<'a, V: Followed<'a>>(&mut self, element: V, rest: &[Box<str>], trail: &Trail<'_>) -> ControlFlow<()>
    where
        F: Found<V>,
    {
        if rest.is_empty() {
            (self.found)(Some(element), trail)
        } else if element.is_document() {
            self.document(element, rest, trail)
        } else if element.is_array() {
            self.array(element, rest, trail)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn leaf<'a, V: Followed<'a>>(&mut self, array: V, trail: &Trail<'_>) -> ControlFlow<()>
    where
        F: Found<V>,
    {
        if self.leaf == Leaf::Elements {
            for (index, element) in array.elements().into_iter().flatten().enumerate() {
                let step = ArrayStep { depth: self.length, index, named: false };
                (self.found)(Some(element), &Trail { last: Some((step, trail)) })?;
            }
        }
        (self.found)(Some(array), trail)
    }
}
