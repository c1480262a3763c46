//! The keys that a document gives for a compound pattern, as indexes and sorts take them
//! (`src/mongo/db/index/btree_key_generator.cpp`).
//!
//! An array on the way gives one tuple an element; two different arrays in one document are refused. A path part that is
//! a number picks an element of an array by its position, unless the array's documents have a field of that name.

use std::borrow::Borrow;

use super::path::Path;
use super::traverse::array_index;
use super::view::{ArrayView, DocView, View};

/// Why a document has no keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoKeys {
    /// Two different arrays would have to be multiplied: the names of both, the one met later first.
    ParallelArrays(String, String),
    /// A number in a path is both a position in an array and a field of one of its documents.
    Ambiguous(String),
}

/// The server's words for an ambiguous number in a path.
#[must_use]
pub fn ambiguous_field(name: &str) -> String {
    format!(
        "Ambiguous field name found in array (do not use numeric field names in embedded elements in an array), field: '{name}'"
    )
}

/// Who takes the keys.
pub trait Tuples<'a> {
    /// A part of the pattern went through an array that lies at the path part of this position.
    fn crossed(&mut self, part: usize, position: usize);

    /// One tuple of values, `None` for a missing one.
    fn found(&mut self, tuple: &[Option<View<'a>>]);
}

/// Gives the tuples of a document; an empty array gives `undefined` at its own path and a missing value behind it.
///
/// # Errors
/// Parallel arrays and ambiguous numbers.
pub fn key_tuples<'a, P: Borrow<Path>>(
    document: DocView<'a>,
    paths: &[P],
    tuples: &mut impl Tuples<'a>,
) -> Result<(), NoKeys> {
    let object = Container::Document(document);
    if let [path] = paths {
        let reached = walk(object, path.borrow(), 0).map(|(value, _)| value);
        if !matches!(reached, Some(View::Array(_))) {
            tuples.found(&[reached]);
            return Ok(());
        }
    }
    let mut plain = Vec::with_capacity(paths.len());
    for path in paths {
        match walk(object, path.borrow(), 0) {
            Some((View::Array(_), _)) => {
                let mut level = Level { from: vec![Some(0); paths.len()], fixed: vec![None; paths.len()] };
                let positional = vec![Positional::default(); paths.len()];
                return Expansion { paths, tuples }.expand(&mut level, object, &positional);
            }
            reached => plain.push(reached.map(|(value, _)| value)),
        }
    }
    tuples.found(&plain);
    Ok(())
}

/// What a document or array gives by a name; an array by its positions.
#[derive(Clone, Copy)]
enum Container<'a> {
    Nothing,
    Document(DocView<'a>),
    Array(ArrayView<'a>),
}

impl<'a> Container<'a> {
    fn get(self, name: &str) -> Option<View<'a>> {
        match self {
            Self::Nothing => None,
            Self::Document(document) => document.get(name),
            Self::Array(array) => array.get(array_index(name)?),
        }
    }

    fn of(value: View<'a>) -> Self {
        match value {
            View::Document(document) => Self::Document(document),
            _ => Self::Nothing,
        }
    }
}

/// Goes along the path from one of its parts to its end or to the first array; gives the value and the next part.
fn walk<'a>(mut container: Container<'a>, path: &Path, from: usize) -> Option<(View<'a>, Option<usize>)> {
    let parts = path.parts();
    for (at, part) in parts.iter().enumerate().skip(from) {
        let value = container.get(part)?;
        let next = (at + 1 < parts.len()).then_some(at + 1);
        match value {
            View::Array(_) => return Some((value, next)),
            _ if next.is_none() => return Some((value, None)),
            View::Document(document) => container = Container::Document(document),
            _ => return None,
        }
    }
    None
}

fn same_array(left: ArrayView<'_>, right: ArrayView<'_>) -> bool {
    match (left, right) {
        (ArrayView::Raw(a), ArrayView::Raw(b)) => std::ptr::eq(a.as_bytes(), b.as_bytes()),
        (ArrayView::Owned(a), ArrayView::Owned(b)) => std::ptr::eq(a, b),
        _ => false,
    }
}

/// A part's element picked by its position in the array now expanded, looked up once for all elements.
#[derive(Clone, Copy, Default)]
struct Positional<'a> {
    element: Option<View<'a>>,
    /// What lies at the rest of the path, and from which path part on the path goes on behind it.
    reached: Option<View<'a>>,
    from: usize,
}

/// One level of expansion: for each part the path part to go on from (none where its value is fixed) and its value.
#[derive(Clone)]
struct Level<'a> {
    from: Vec<Option<usize>>,
    fixed: Vec<Option<View<'a>>>,
}

/// The array that a level expands, and which parts go through it.
struct Met<'a> {
    array: ArrayView<'a>,
    through: Vec<usize>,
    /// Whether elements are taken one by one; not where a part names an element that is itself an array.
    one_by_one: bool,
}

/// A value, and the path part to go on from behind it.
type Reached<'a> = Option<(View<'a>, Option<usize>)>;

struct Expansion<'p, 't, P, T> {
    paths: &'p [P],
    tuples: &'t mut T,
}

impl<'a, P: Borrow<Path>, T: Tuples<'a>> Expansion<'_, '_, P, T> {
    fn parts(&self, part: usize) -> &[Box<str>] {
        self.paths[part].borrow().parts()
    }

    fn expand(
        &mut self,
        level: &mut Level<'a>,
        object: Container<'a>,
        positional: &[Positional<'a>],
    ) -> Result<(), NoKeys> {
        let Some(met) = self.advance(level, object, positional)? else {
            self.tuples.found(&level.fixed);
            return Ok(());
        };
        let mut inner = level.clone();
        if met.array.is_empty() {
            self.mark_empty(level, &met);
            let nothing = vec![Positional::default(); self.paths.len()];
            self.enter(level, &mut inner, &met.through, View::Undefined);
            return self.expand(&mut inner, Container::Nothing, &nothing);
        }
        let below = self.look_ahead(level, &met);
        let simple = met.one_by_one && below.iter().all(|positional| positional.element.is_none());
        for element in met.array.iter() {
            if simple && self.plain(level, &mut inner, element) {
                self.tuples.found(&inner.fixed);
                continue;
            }
            let whole = if met.one_by_one { element } else { View::Array(met.array) };
            self.enter(level, &mut inner, &met.through, whole);
            self.expand(&mut inner, Container::of(element), &below)?;
        }
        Ok(())
    }

    /// Puts the values of an element in which no path meets another array into the level inside; false where one does.
    fn plain(&self, level: &Level<'a>, inner: &mut Level<'a>, element: View<'a>) -> bool {
        let container = Container::of(element);
        level.from.iter().enumerate().all(|(part, from)| {
            let value = match *from {
                None => level.fixed[part],
                Some(from) if from == self.parts(part).len() => Some(element),
                Some(from) => match walk(container, self.paths[part].borrow(), from) {
                    Some((View::Array(_), _)) => return false,
                    reached => reached.map(|(value, _)| value),
                },
            };
            inner.fixed[part] = value;
            true
        })
    }

    /// Moves every open part on to its value or to an array; gives the one array met.
    fn advance(
        &self,
        level: &mut Level<'a>,
        object: Container<'a>,
        positional: &[Positional<'a>],
    ) -> Result<Option<Met<'a>>, NoKeys> {
        let mut met: Option<(Met<'a>, &str)> = None;
        for (part, place) in positional.iter().enumerate().take(self.paths.len()) {
            let Some(from) = level.from[part] else { continue };
            let (found, nested) = self.next_value(part, from, object, *place)?;
            let Some((View::Array(array), next)) = found else {
                level.fixed[part] = found.map(|(value, _)| value);
                level.from[part] = None;
                continue;
            };
            let next = next.unwrap_or(self.parts(part).len());
            let name = &*self.parts(part)[next - 1];
            let (met, first) = met.get_or_insert_with(|| (Met { array, through: Vec::new(), one_by_one: true }, name));
            if !same_array(met.array, array) {
                return Err(NoKeys::ParallelArrays(name.to_owned(), (*first).to_owned()));
            }
            met.through.push(part);
            met.one_by_one &= !nested;
            // A path that ends here is told from one that goes on by its place behind the last part.
            level.from[part] = Some(next);
        }
        Ok(met.map(|(met, _)| met))
    }

    /// The next value of a part, and whether it was an array inside the array now expanded.
    fn next_value(
        &self,
        part: usize,
        from: usize,
        object: Container<'a>,
        positional: Positional<'a>,
    ) -> Result<(Reached<'a>, bool), NoKeys> {
        let path = self.paths[part].borrow();
        let Some(element) = positional.element else { return Ok((walk(object, path, from), false)) };
        let name = &path.parts()[from];
        if object.get(name).is_some() {
            return Err(NoKeys::Ambiguous(name.to_string()));
        }
        let next = (positional.from < path.parts().len()).then_some(positional.from);
        Ok((positional.reached.map(|value| (value, next)), matches!(element, View::Array(_))))
    }

    /// The rest of each path that picks an element by position, and the marks of those that do not.
    fn look_ahead(&mut self, level: &Level<'a>, met: &Met<'a>) -> Vec<Positional<'a>> {
        let mut below = vec![Positional::default(); self.paths.len()];
        for part in met.through.iter().copied() {
            let length = self.parts(part).len();
            let from = level.from[part].unwrap_or(length);
            if from == length {
                if met.one_by_one {
                    self.tuples.crossed(part, from - 1);
                }
                continue;
            }
            let array = Container::Array(met.array);
            let Some(element) = array.get(&self.parts(part)[from]) else {
                self.tuples.crossed(part, from - 1);
                continue;
            };
            let reached = walk(array, self.paths[part].borrow(), from);
            below[part] = Positional {
                element: Some(element),
                reached: reached.map(|(value, _)| value),
                from: reached.and_then(|(_, next)| next).unwrap_or(length),
            };
        }
        below
    }

    fn mark_empty(&mut self, level: &Level<'_>, met: &Met<'_>) {
        for part in met.through.iter().copied().filter(|_| met.one_by_one) {
            let from = level.from[part].unwrap_or(self.parts(part).len());
            self.tuples.crossed(part, from - 1);
        }
    }

    /// Makes the level inside an array: a path that ended at it takes the element.
    fn enter(&self, level: &Level<'a>, inner: &mut Level<'a>, through: &[usize], element: View<'a>) {
        inner.from.clone_from(&level.from);
        inner.fixed.clone_from(&level.fixed);
        for part in through.iter().copied() {
            if inner.from[part] == Some(self.parts(part).len()) {
                inner.fixed[part] = Some(element);
                inner.from[part] = None;
            }
        }
    }
}
