//! The keys that a document gives for a compound pattern, as indexes and sorts take them
//! (`src/mongo/db/index/btree_key_generator.cpp`).

use super::path::Path;
use super::traverse::{array_index, member};
use super::view::{ArrayView, View};

/// Two different arrays would have to be multiplied for one key: the paths, as far as the arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParallelArrays(pub Path, pub Path);

/// Calls `found` with one tuple of values for each key; a missing value is `None`.
///
/// An array gives one tuple per element, an empty one `undefined` at its own path and a missing value behind it.
/// `crossed` learns which part of the pattern went through an array after how many path parts.
///
/// # Errors
/// Two parts of the pattern that lead through different arrays of one document.
pub fn key_tuples<'a>(
    document: View<'a>,
    paths: &[&Path],
    crossed: &mut impl FnMut(usize, usize),
    found: &mut impl FnMut(&[Option<View<'a>>]),
) -> Result<(), ParallelArrays> {
    let slots = paths.iter().map(|path| Slot { path: path.parts(), at: 0, value: None, open: true }).collect();
    Expansion { crossed, found }.document(Some(document), slots)
}

/// One part of the pattern under way.
#[derive(Debug, Clone, Copy)]
struct Slot<'p, 'a> {
    path: &'p [Box<str>],
    /// How many parts have been gone.
    at: usize,
    value: Option<View<'a>>,
    /// Whether an array still has to be expanded.
    open: bool,
}

struct Expansion<'f, C, F> {
    crossed: &'f mut C,
    found: &'f mut F,
}

impl<'a, C: FnMut(usize, usize), F: FnMut(&[Option<View<'a>>])> Expansion<'_, C, F> {
    fn document(&mut self, document: Option<View<'a>>, mut slots: Vec<Slot<'_, 'a>>) -> Result<(), ParallelArrays> {
        let mut shared: Option<(usize, ArrayView<'a>)> = None;
        for which in 0..slots.len() {
            if !slots[which].open {
                continue;
            }
            if let Some(array) = slots[which].descend(document) {
                match shared {
                    None => shared = Some((which, array)),
                    Some((first, _)) if slots[first].gone() != slots[which].gone() => {
                        return Err(ParallelArrays(slots[which].place(), slots[first].place()));
                    }
                    Some(_) => {}
                }
            }
        }
        match shared {
            None => {
                let values: Vec<_> = slots.iter().map(|slot| slot.value).collect();
                (self.found)(&values);
                Ok(())
            }
            Some((_, array)) => self.array(array, &slots),
        }
    }

    fn array(&mut self, array: ArrayView<'a>, slots: &[Slot<'_, 'a>]) -> Result<(), ParallelArrays> {
        for (which, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.open) {
            (self.crossed)(which, slot.at);
        }
        if array.is_empty() {
            return self.element(View::Undefined, slots);
        }
        array.iter().try_for_each(|element| self.element(element, slots))
    }

    fn element(&mut self, element: View<'a>, slots: &[Slot<'_, 'a>]) -> Result<(), ParallelArrays> {
        let mut slots = slots.to_vec();
        for slot in slots.iter_mut().filter(|slot| slot.open && slot.at == slot.path.len()) {
            slot.value = Some(element);
            slot.open = false;
        }
        let document = matches!(element, View::Document(_)).then_some(element);
        self.document(document, slots)
    }
}

impl<'p, 'a> Slot<'p, 'a> {
    fn gone(&self) -> &'p [Box<str>] {
        &self.path[..self.at]
    }

    fn place(&self) -> Path {
        Path::from_parts(self.gone().to_vec())
    }

    /// Goes down to a value, which closes the slot, or to an array that has to be expanded.
    fn descend(&mut self, document: Option<View<'a>>) -> Option<ArrayView<'a>> {
        let mut current = document;
        while let (Some(container), Some(part)) = (current, self.path.get(self.at)) {
            if let View::Array(array) = container
                && !names_element(array, part)
            {
                return Some(array);
            }
            current = member(container, part);
            self.at += 1;
        }
        match current {
            Some(View::Array(array)) => Some(array),
            value => {
                self.value = value.filter(|_| self.at == self.path.len());
                self.open = false;
                None
            }
        }
    }
}

/// Whether a path part is the position of an element that is there.
fn names_element(array: ArrayView<'_>, part: &str) -> bool {
    array_index(part).is_some_and(|index| array.get(index).is_some())
}
