//! What is looked for among stored bytes, made ready to be compared with them many at a time.

use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem::{Finder, FinderBuilder};

/// How many bytes are compared as one number.
const WORD: usize = size_of::<u64>();

/// The first eight bytes of something as a number, and which of them count.
#[derive(Debug, Clone, Copy)]
struct Head {
    word: u64,
    mask: u64,
}

impl Head {
    /// The head of bytes with zeros behind them, so many of which count.
    fn of(bytes: &[u8], counting: usize) -> Self {
        let mask = if counting < WORD { (1 << (8 * counting)) - 1 } else { u64::MAX };
        Self { word: word(bytes) & mask, mask }
    }

    #[inline]
    fn fits(self, word: u64) -> bool {
        (word ^ self.word) & self.mask == 0
    }
}

/// The first eight bytes as a number, zeros behind fewer.
#[inline]
pub(super) fn word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => short_word(bytes),
    }
}

#[cold]
fn short_word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// What makes a field name ready to be looked for; it belongs to the one name that it was made of.
#[derive(Debug, Clone, Copy)]
pub struct NameHead(Head);

impl NameHead {
    /// The head of a name.
    #[must_use]
    pub fn of(name: &str) -> Self {
        // The NUL byte behind a stored name ends it: a longer name does not fit.
        Self(Head::of(name.as_bytes(), name.len() + 1))
    }

    /// The name, ready to be looked for.
    #[must_use]
    #[inline]
    pub fn name(self, text: &str) -> Name<'_> {
        Name { text, head: self.0 }
    }
}

/// A field name, ready to be looked for.
#[derive(Debug, Clone, Copy)]
pub struct Name<'n> {
    pub(super) text: &'n str,
    head: Head,
}

impl Name<'_> {
    /// Whether a stored name, whose first bytes with the NUL byte behind them make a word, is this one.
    #[inline]
    pub(super) fn is(self, word: u64, stored: &[u8]) -> bool {
        self.head.fits(word) && (self.text.len() < WORD || stored == self.text.as_bytes())
    }
}

/// A field of text as it lies in stored bytes: type, name, length, text.
#[derive(Debug, Clone)]
pub struct TextField {
    bytes: Vec<u8>,
    /// How many bytes type and name take.
    named: usize,
    /// Type and name, as far as they are the first eight bytes.
    name: Head,
    /// The whole, as far as it is the first eight bytes.
    head: Head,
}

/// What a glance at the first field of something says of a field of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glance {
    /// The first field is this one, text and all.
    Same,
    /// The first field has this name and another text.
    Other,
    /// The first field says nothing.
    Unclear,
}

impl TextField {
    /// The field of a name with a text.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        let named = name.len() + 2;
        let mut bytes = Vec::with_capacity(named + text.len() + 5);
        bytes.push(0x02);
        bytes.extend_from_slice(name.as_bytes());
        bytes.push(0);
        put_text(&mut bytes, text);
        Self { name: Head::of(&bytes, named), head: Head::of(&bytes, bytes.len()), named, bytes }
    }

    /// What the first of some fields says of this one.
    #[inline]
    pub(super) fn glance(&self, fields: &[u8]) -> Glance {
        let word = word(fields);
        if !self.name.fits(word) {
            Glance::Unclear
        } else if self.named <= WORD && !self.head.fits(word) {
            // Most names and texts differ in the first eight bytes, or not at all.
            Glance::Other
        } else if fields.starts_with(&self.bytes) {
            Glance::Same
        } else if fields.starts_with(&self.bytes[..self.named]) {
            Glance::Other
        } else {
            Glance::Unclear
        }
    }
}

/// Appends a text as a value has it: its length with the NUL byte behind it, the text, the NUL byte.
fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(&u32::try_from(text.len() + 1).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
}

/// A text that is looked for in a whole document at once, wherever it may lie there as a value.
#[derive(Debug, Clone)]
pub struct TextAnywhere(Finder<'static>);

impl TextAnywhere {
    /// Makes a text ready to be looked for.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut bytes = Vec::new();
        put_text(&mut bytes, text);
        Self(FinderBuilder::new().build_forward_with_ranker(InDocuments, &bytes).into_owned())
    }

    /// Whether the bytes hold it; what holds it need not be a value, but every such value is held.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        self.0.find(bytes).is_some()
    }
}

/// How often bytes are met in documents: lengths, types and the ends of names and texts everywhere, so that a text is looked
/// for by its letters.
#[derive(Clone, Copy)]
struct InDocuments;

impl HeuristicFrequencyRank for InDocuments {
    fn rank(&self, byte: u8) -> u8 {
        match byte {
            0..32 => 255,
            b' ' | b'_' | b'a' | b'e' | b'i' | b'n' | b'o' | b'r' | b's' | b't' => 200,
            b'a'..=b'z' => 150,
            _ => 100,
        }
    }
}
