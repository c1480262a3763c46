//! Walking a dotted path through documents and arrays (`src/mongo/db/matcher/path.cpp`).

use std::ops::ControlFlow;

use super::view::{ArrayView, View};

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

/// What a walk calls for each value found; `None` stands for a missing one.
pub trait Found: FnMut(Option<View<'_>>, &Trail<'_>) -> ControlFlow<()> {}

impl<F: FnMut(Option<View<'_>>, &Trail<'_>) -> ControlFlow<()>> Found for F {}

/// Calls `found` for every value that the path leads to from a document, in the server's order, until it breaks.
///
/// Arrays on the way are gone through element by element, documents in them only; a numeric part also names a position.
/// A missing value is reported once per document in which the path ends early; an empty array on the way reports nothing.
/// An array given as the root is read as a document with the names `0`, `1` …, as inside `$elemMatch`.
pub fn walk(root: View<'_>, parts: &[Box<str>], leaf: Leaf, found: &mut impl Found) -> ControlFlow<()> {
    Walk { leaf, found, length: parts.len() }.document(root, parts, &Trail::default())
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

impl<F: Found> Walk<'_, F> {
    fn document(&mut self, root: View<'_>, parts: &[Box<str>], trail: &Trail<'_>) -> ControlFlow<()> {
        let mut current = root;
        for (at, part) in parts.iter().enumerate() {
            match member(current, part) {
                Some(View::Array(array)) => return self.array(array, &parts[at + 1..], trail),
                Some(value) => current = value,
                None => return (self.found)(None, trail),
            }
        }
        (self.found)(Some(current), trail)
    }

    fn array(&mut self, array: ArrayView<'_>, rest: &[Box<str>], trail: &Trail<'_>) -> ControlFlow<()> {
        let Some(next) = rest.first() else {
            return self.leaf(array, trail);
        };
        let named_index = array_index(next);
        let depth = self.length - rest.len();
        for (index, element) in array.iter().enumerate() {
            if matches!(element, View::Document(_)) {
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
    fn named(&mut self, element: View<'_>, rest: &[Box<str>], trail: &Trail<'_>) -> ControlFlow<()> {
        match element {
            _ if rest.is_empty() => (self.found)(Some(element), trail),
            View::Document(_) => self.document(element, rest, trail),
            View::Array(inner) => self.array(inner, rest, trail),
            _ => ControlFlow::Continue(()),
        }
    }

    fn leaf(&mut self, array: ArrayView<'_>, trail: &Trail<'_>) -> ControlFlow<()> {
        if self.leaf == Leaf::Elements {
            for (index, element) in array.iter().enumerate() {
                let step = ArrayStep { depth: self.length, index, named: false };
                (self.found)(Some(element), &Trail { last: Some((step, trail)) })?;
            }
        }
        (self.found)(Some(View::Array(array)), trail)
    }
}
