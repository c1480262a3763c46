//! Reading stored bytes without decoding more than is asked for (specification *BSON*).
//!
//! Bytes that are no BSON end a walk early; nothing here panics on them.

use std::ops::Range;

use bson::oid::ObjectId;
use bson::{Decimal128, RawDocument};

use super::name::{Glance, Name, TextAnywhere, TextField, word};
use super::number::PlainNumber;
use super::shared::SharedDocument;
use super::traverse::{Followed, array_index};
use super::view::{ArrayView, DocView, View};

/// The fields of a document's or an array's bytes.
#[derive(Debug, Clone)]
pub struct RawFields<'a> {
    bytes: &'a [u8],
    /// What lies behind the fields gone through.
    rest: &'a [u8],
}

impl<'a> RawFields<'a> {
    #[inline]
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, rest: bytes.get(4..).unwrap_or_default() }
    }

    /// Where the next field begins.
    fn at(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    /// The next field: its name, and its value not yet decoded.
    #[inline]
    fn step(&mut self) -> Option<(&'a [u8], RawValue<'a>)> {
        let (_, name, value) = self.step_with_word()?;
        Some((name, value))
    }

    /// The next field: its name's first bytes as a number, its name, and its value not yet decoded.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a walk is this over and over; called, it takes twice as long")]
    fn step_with_word(&mut self) -> Option<(u64, &'a [u8], RawValue<'a>)> {
        let (&kind, rest) = self.rest.split_first()?;
        if kind == 0 {
            return None;
        }
        let word = word(rest);
        let end = match first_nul(word) {
            Some(end) => end,
            None => text_length(rest)?,
        };
        let (name, behind) = rest.split_at_checked(end)?;
        let bytes = behind.get(1..)?;
        self.rest = bytes.get(size(kind, bytes)?..)?;
        Some((word, name, RawValue { kind, bytes }))
    }

    /// The next element of an array. Most are documents with a position of one digit: their type, name and length are read
    /// at once.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a walk is this over and over; called, it takes twice as long")]
    fn element(&mut self) -> Option<RawValue<'a>> {
        if let Some((head, _)) = self.rest.split_first_chunk() {
            let word = u64::from_le_bytes(*head);
            if word & 0x00ff_00ff == 0x03 && word & 0xff00 != 0 {
                let (bytes, length) = (self.rest.get(3..)?, word >> 24 & 0xffff_ffff);
                self.rest = bytes.get(usize::try_from(length).ok()?..)?;
                return Some(RawValue { kind: 0x03, bytes });
            }
        }
        self.step().map(|(_, value)| value)
    }

    /// The value under a name that was made ready.
    pub(super) fn find_name(mut self, name: Name<'_>) -> Option<RawValue<'a>> {
        loop {
            let (word, own, value) = self.step_with_word()?;
            if name.is(word, own) {
                return Some(value);
            }
        }
    }

    /// The value under a name.
    pub(super) fn find(mut self, name: &str) -> Option<RawValue<'a>> {
        loop {
            let (_, own, value) = self.step_with_word()?;
            // Names are short: a call to compare them would cost more than it saves.
            if own.len() == name.len() && own.iter().eq(name.as_bytes()) {
                return Some(value);
            }
        }
    }

    /// The next field with where it lies.
    pub(super) fn located(&mut self) -> Option<Located<'a>> {
        let start = self.at();
        let (name, value) = self.step()?;
        self.locate(start, name, value)
    }

    /// The field of a name with where it lies.
    pub(super) fn find_located(mut self, name: &str) -> Option<Located<'a>> {
        loop {
            let start = self.at();
            let (own, value) = self.step()?;
            if own == name.as_bytes() {
                return self.locate(start, own, value);
            }
        }
    }

    fn locate(&self, start: usize, name: &'a [u8], value: RawValue<'a>) -> Option<Located<'a>> {
        let (value_at, value) = (start + name.len() + 2, value.view()?);
        Some(Located { name: std::str::from_utf8(name).ok()?, value, bytes: start..self.at(), value_at })
    }

    /// The value at a position; the fields of an array lie in order.
    pub(super) fn nth_value(mut self, position: usize) -> Option<RawValue<'a>> {
        for _ in 0..position {
            self.step()?;
        }
        self.step().map(|(_, value)| value)
    }

    /// How many fields there are.
    pub(super) fn len(mut self) -> usize {
        std::iter::from_fn(|| self.step()).count()
    }

    /// The values, of an array whose names say nothing.
    #[inline]
    pub(super) fn values(mut self) -> impl Iterator<Item = RawValue<'a>> {
        std::iter::from_fn(move || self.element())
    }
}

/// Where a value lies among the bytes of a document.
#[derive(Debug, Clone, Copy)]
pub struct PlaceInBytes {
    kind: u8,
    at: usize,
}

/// A value in stored bytes, not yet decoded: its type byte and the bytes from it on.
#[derive(Debug, Clone, Copy)]
pub struct RawValue<'a> {
    kind: u8,
    bytes: &'a [u8],
}

impl<'a> RawValue<'a> {
    /// A stored document.
    #[must_use]
    pub fn document(document: &'a RawDocument) -> Self {
        Self { kind: 0x03, bytes: document.as_bytes() }
    }

    /// A document that is kept.
    #[must_use]
    pub fn stored(document: &'a SharedDocument) -> Self {
        Self { kind: 0x03, bytes: document.bytes() }
    }

    /// Where the value lies in a document; none if it lies elsewhere.
    #[must_use]
    pub fn place_in(self, document: &RawDocument) -> Option<PlaceInBytes> {
        let at = (self.bytes.as_ptr() as usize).checked_sub(document.as_bytes().as_ptr() as usize)?;
        (at + self.bytes.len() <= document.as_bytes().len()).then_some(PlaceInBytes { kind: self.kind, at })
    }

    /// The value that lies at a place of a document; none behind its end.
    #[must_use]
    #[inline]
    pub fn at_place(document: &'a RawDocument, place: PlaceInBytes) -> Option<Self> {
        Some(Self { kind: place.kind, bytes: document.as_bytes().get(place.at..)? })
    }

    #[inline]
    fn fields(self) -> RawFields<'a> {
        RawFields::new(self.bytes)
    }
}

impl<'a> Followed<'a> for RawValue<'a> {
    #[inline]
    fn member(self, name: &str) -> Option<Self> {
        match self.kind {
            0x03 => self.fields().find(name),
            0x04 => self.fields().nth_value(array_index(name)?),
            _ => None,
        }
    }

    #[inline]
    fn elements(self) -> Option<impl Iterator<Item = Self>> {
        (self.kind == 0x04).then(|| self.fields().values())
    }

    #[inline]
    fn is_document(self) -> bool {
        self.kind == 0x03
    }

    #[inline]
    fn is_array(self) -> bool {
        self.kind == 0x04
    }

    #[inline]
    fn named(self, name: Name<'_>) -> Option<Self> {
        match self.kind {
            0x03 => self.fields().find_name(name),
            _ => self.member(name.text),
        }
    }

    #[inline]
    fn find_element(self, mut passes: impl FnMut(Self) -> bool) -> Option<usize> {
        if self.kind != 0x04 {
            return None;
        }
        let mut elements = self.fields();
        let mut index = 0;
        while let Some(element) = elements.element() {
            if passes(element) {
                return Some(index);
            }
            index += 1;
        }
        None
    }

    #[inline]
    fn glance(self, field: &TextField) -> Glance {
        match self.bytes.get(4..) {
            Some(fields) if self.kind == 0x03 => field.glance(fields),
            _ => Glance::Unclear,
        }
    }

    fn lacks(self, text: &TextAnywhere) -> bool {
        let own = if self.kind == 0x03 { length(self.bytes) } else { None };
        own.and_then(|own| self.bytes.get(..own)).is_some_and(|own| !text.is_in(own))
    }

    #[inline]
    fn text(self) -> Option<&'a [u8]> {
        matches!(self.kind, 0x02 | 0x0e).then(|| text_bytes(self.bytes))?
    }

    #[inline]
    fn number(self) -> Option<View<'a>> {
        if matches!(self.kind, 0x01 | 0x10 | 0x12 | 0x13) { self.view() } else { None }
    }

    #[inline]
    fn plain_number(self) -> Option<PlainNumber> {
        Some(match self.kind {
            0x01 => PlainNumber::Double(f64::from_le_bytes(*self.bytes.first_chunk()?)),
            0x10 => PlainNumber::Whole(i64::from(i32::from_le_bytes(*self.bytes.first_chunk()?))),
            0x12 => PlainNumber::Whole(i64::from_le_bytes(*self.bytes.first_chunk()?)),
            _ => return None,
        })
    }

    #[inline]
    fn view(self) -> Option<View<'a>> {
        view(self.kind, self.bytes)
    }
}

impl<'a> Iterator for RawFields<'a> {
    type Item = (&'a str, View<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.step()?;
        Some((std::str::from_utf8(name).ok()?, value.view()?))
    }
}

/// A field and where it lies among the bytes of its document.
pub(super) struct Located<'a> {
    pub(super) name: &'a str,
    pub(super) value: View<'a>,
    /// Type byte, name and value.
    pub(super) bytes: Range<usize>,
    pub(super) value_at: usize,
}

#[inline]
fn length(bytes: &[u8]) -> Option<usize> {
    usize::try_from(i32::from_le_bytes(*bytes.first_chunk()?)).ok()
}

/// The place of the first NUL among eight bytes, the lowest first: most names are that short.
#[inline]
fn first_nul(word: u64) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const TOPS: u64 = u64::from_ne_bytes([0x80; 8]);
    // Below the first NUL no byte borrows, so its top bit is the lowest that is set.
    let found = word.wrapping_sub(ONES) & !word & TOPS;
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

fn text_length(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == 0)
}

/// Marks a type whose values begin with a length that counts what lies behind it.
const LENGTH: u8 = 0x40;
/// Marks a type whose values say in another way how long they are.
const OTHER: u8 = 0x80;
/// How many bytes a value takes by its type, beside its own length where it begins with one.
const SIZES: [u8; 20] = [
    OTHER,
    8,
    LENGTH + 4,
    LENGTH,
    LENGTH,
    LENGTH + 5,
    0,
    12,
    1,
    8,
    0,
    OTHER,
    LENGTH + 16,
    LENGTH + 4,
    LENGTH + 4,
    LENGTH,
    4,
    8,
    8,
    16,
];

/// How many bytes a value takes.
#[inline]
fn size(kind: u8, bytes: &[u8]) -> Option<usize> {
    let own = SIZES.get(usize::from(kind)).copied().unwrap_or(OTHER);
    match own & (LENGTH | OTHER) {
        0 => Some(usize::from(own)),
        LENGTH => Some(length(bytes)? + usize::from(own - LENGTH)),
        _ => other_size(kind, bytes),
    }
}

/// The size of a value that is neither fixed nor told by a length.
fn other_size(kind: u8, bytes: &[u8]) -> Option<usize> {
    match kind {
        0x0b => {
            let pattern = text_length(bytes)? + 1;
            Some(pattern + text_length(bytes.get(pattern..)?)? + 1)
        }
        0x7f | 0xff => Some(0),
        _ => None,
    }
}

/// Decodes a value; documents and arrays stay bytes.
fn view(kind: u8, bytes: &[u8]) -> Option<View<'_>> {
    Some(match kind {
        0x01 => View::Double(f64::from_le_bytes(*bytes.first_chunk()?)),
        0x02 => View::String(text(bytes)?),
        0x03 => View::Document(DocView::Raw(document(bytes)?)),
        0x04 => View::Array(ArrayView::Raw(document(bytes)?)),
        0x05 => binary(bytes)?,
        0x06 => View::Undefined,
        0x07 => View::ObjectId(ObjectId::from_bytes(*bytes.first_chunk()?)),
        0x08 => View::Boolean(*bytes.first()? != 0),
        0x09 => View::DateTime(i64::from_le_bytes(*bytes.first_chunk()?)),
        0x0a => View::Null,
        0x0b => regex(bytes)?,
        0x0c => View::DbPointer {
            namespace: text(bytes)?,
            id: ObjectId::from_bytes(*bytes.get(length(bytes)? + 4..)?.first_chunk()?),
        },
        0x0d => View::Code(text(bytes)?),
        0x0e => View::Symbol(text(bytes)?),
        0x0f => {
            let code = bytes.get(4..)?;
            View::CodeWithScope(text(code)?, DocView::Raw(document(code.get(length(code)? + 4..)?)?))
        }
        0x10 => View::Int32(i32::from_le_bytes(*bytes.first_chunk()?)),
        0x11 => {
            let stamp = u64::from_le_bytes(*bytes.first_chunk()?);
            let half = |part: u64| u32::try_from(part).unwrap_or_default();
            View::Timestamp { time: half(stamp >> 32), increment: half(stamp & 0xffff_ffff) }
        }
        0x12 => View::Int64(i64::from_le_bytes(*bytes.first_chunk()?)),
        0x13 => View::Decimal(Decimal128::from_bytes(*bytes.first_chunk()?)),
        0x7f => View::MaxKey,
        0xff => View::MinKey,
        _ => return None,
    })
}

#[inline]
fn text_bytes(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(4..length(bytes)?.checked_add(3)?)
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(text_bytes(bytes)?).ok()
}

fn document(bytes: &[u8]) -> Option<&RawDocument> {
    RawDocument::from_bytes(bytes.get(..length(bytes)?)?).ok()
}

fn binary(bytes: &[u8]) -> Option<View<'_>> {
    let end = length(bytes)?.checked_add(5)?;
    let subtype = *bytes.get(4)?;
    // The old subtype repeats the length inside.
    let start = if subtype == 2 { 9 } else { 5 };
    Some(View::Binary { subtype, bytes: bytes.get(start..end)? })
}

fn regex(bytes: &[u8]) -> Option<View<'_>> {
    let end = text_length(bytes)?;
    let options = bytes.get(end + 1..)?;
    Some(View::Regex {
        pattern: std::str::from_utf8(&bytes[..end]).ok()?,
        options: std::str::from_utf8(&options[..text_length(options)?]).ok()?,
    })
}
