//! Changing a document's bytes in places: the edits are gathered against bytes that stay as they are until the end.

use std::ops::Range;

use bson::{RawDocument, RawDocumentBuf};

use super::build::{document, write_field};
use super::raw::{Located, RawFields};
use super::view::View;

/// The bytes of the document without fields.
const EMPTY: [u8; 5] = [5, 0, 0, 0, 0];

/// A document or array among the bytes: where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inside(usize);

/// A field or element where it lies.
#[derive(Debug, Clone)]
pub struct Spot<'d> {
    /// Its name; of an element its position.
    pub name: &'d str,
    /// Its value.
    pub value: View<'d>,
    bytes: Range<usize>,
    value_at: usize,
}

impl<'d> Spot<'d> {
    fn new(located: Located<'d>, within: Inside) -> Self {
        let Located { name, value, bytes, value_at } = located;
        Self { name, value, bytes: bytes.start + within.0..bytes.end + within.0, value_at: value_at + within.0 }
    }

    /// What lies in the value, if it is a document or array.
    #[must_use]
    pub fn inside(&self) -> Inside {
        Inside(self.value_at)
    }
}

#[derive(Debug)]
struct Edit {
    /// Bytes of the document that go.
    old: Range<usize>,
    /// Bytes of the gathered ones that come.
    new: Range<usize>,
}

/// Edits of one document. Two edits may not be about the same field, but fields may be appended where others are edited.
#[derive(Debug)]
pub struct Splice<'d> {
    bytes: &'d [u8],
    edits: Vec<Edit>,
    new: Vec<u8>,
}

impl<'d> Splice<'d> {
    /// No edit yet.
    #[must_use]
    pub fn new(document: &'d RawDocument) -> Self {
        Self { bytes: document.as_bytes(), edits: Vec::new(), new: Vec::new() }
    }

    /// No edit yet of a document without fields.
    #[must_use]
    pub fn of_empty() -> Self {
        Self { bytes: &EMPTY, edits: Vec::new(), new: Vec::new() }
    }

    /// The whole document.
    #[must_use]
    pub fn whole(&self) -> Inside {
        Inside(0)
    }

    /// The fields or elements as they were.
    pub fn spots(&self, inside: Inside) -> impl Iterator<Item = Spot<'d>> + use<'d> {
        let mut fields = RawFields::new(&self.bytes[inside.0..]);
        std::iter::from_fn(move || fields.located().map(|located| Spot::new(located, inside)))
    }

    /// The field of a name as it was.
    #[must_use]
    pub fn find(&self, inside: Inside, name: &str) -> Option<Spot<'d>> {
        let fields = RawFields::new(&self.bytes[inside.0..]);
        fields.find_located(name).map(|located| Spot::new(located, inside))
    }

    /// Puts a value in the place of another one.
    pub fn replace(&mut self, spot: &Spot<'_>, value: View<'_>) {
        let start = self.new.len();
        write_field(&mut self.new, spot.name, value);
        self.edits.push(Edit { old: spot.bytes.clone(), new: start..self.new.len() });
    }

    /// Takes a field away; an array would be left with a gap.
    pub fn remove(&mut self, spot: &Spot<'_>) {
        self.edits.push(Edit { old: spot.bytes.clone(), new: 0..0 });
    }

    /// Adds a field behind the others.
    pub fn append(&mut self, inside: Inside, name: &str, value: View<'_>) {
        let start = self.new.len();
        write_field(&mut self.new, name, value);
        let end = inside.0 + self.length(inside) - 1;
        self.edits.push(Edit { old: end..end, new: start..self.new.len() });
    }

    fn length(&self, inside: Inside) -> usize {
        let prefix = self.bytes[inside.0..].first_chunk().map_or(0, |length| i32::from_le_bytes(*length));
        usize::try_from(prefix).unwrap_or_default()
    }

    /// How many edits there are.
    #[must_use]
    pub fn edits(&self) -> usize {
        self.edits.len()
    }

    /// Corrects the length of an embedded document or array, in which all edits from that one on lie.
    pub fn close(&mut self, inside: Inside, from: usize) {
        if self.edits.len() > from {
            let length = self.grown(self.length(inside), from);
            let start = self.new.len();
            self.new.extend_from_slice(&i32::try_from(length).unwrap_or(i32::MAX).to_le_bytes());
            self.edits.push(Edit { old: inside.0..inside.0 + 4, new: start..self.new.len() });
        }
    }

    /// A length after the edits from one on.
    fn grown(&self, length: usize, from: usize) -> usize {
        self.edits[from..].iter().fold(length, |length, edit| length + edit.new.len() - edit.old.len())
    }

    /// The document after the edits; none where there are none.
    #[must_use]
    pub fn finish(mut self) -> Option<RawDocumentBuf> {
        if self.edits.is_empty() {
            return None;
        }
        self.edits.sort_by_key(|edit| edit.old.start);
        let mut bytes = Vec::with_capacity(self.grown(self.bytes.len(), 0));
        let mut done = 0;
        for edit in &self.edits {
            bytes.extend_from_slice(&self.bytes[done..edit.old.start]);
            bytes.extend_from_slice(&self.new[edit.new.clone()]);
            done = edit.old.end;
        }
        bytes.extend_from_slice(&self.bytes[done..]);
        let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        bytes[..4].copy_from_slice(&length.to_le_bytes());
        Some(document(bytes))
    }
}
