//! Trees as BSON bytes, in one pass that also learns what has to be checked before they are stored.

use bson::{Bson, Document, RawDocumentBuf};

use super::build::{close, document, open, type_byte, write_name, write_number, write_value};
use super::view::View;

/// Room for a document of common size.
const ROOM: usize = 512;

/// A document's bytes and what was met while they were written.
#[derive(Debug)]
pub struct Encoded {
    /// The bytes.
    pub document: RawDocumentBuf,
    /// How many levels of documents and arrays there are, the document itself counted; what is empty is none.
    pub levels: usize,
    /// Whether a name was cut at its first NUL byte, which BSON cannot hold.
    pub cut: bool,
}

/// Fields as a document.
#[must_use]
pub fn encode<'a>(fields: impl Iterator<Item = (&'a str, &'a Bson)>) -> Encoded {
    let mut bytes = Vec::with_capacity(ROOM);
    let mut encoder = Encoder::new(&mut bytes);
    encoder.fields(fields);
    let (levels, cut) = (encoder.deepest, encoder.cut);
    Encoded { document: document(bytes), levels, cut }
}

/// Writes trees.
pub(super) struct Encoder<'o> {
    out: &'o mut Vec<u8>,
    level: usize,
    deepest: usize,
    cut: bool,
}

impl<'o> Encoder<'o> {
    pub(super) fn new(out: &'o mut Vec<u8>) -> Self {
        Self { out, level: 0, deepest: 0, cut: false }
    }

    pub(super) fn tree(&mut self, document: &Document) {
        self.fields(document.iter().map(|(name, value)| (name.as_str(), value)));
    }

    fn fields<'a>(&mut self, fields: impl Iterator<Item = (&'a str, &'a Bson)>) {
        self.inside(|encoder| {
            for (name, value) in fields {
                encoder.deepest = encoder.deepest.max(encoder.level);
                let kind = encoder.out.len();
                encoder.out.push(0);
                encoder.cut |= write_name(encoder.out, name);
                encoder.out[kind] = encoder.value(value);
            }
        });
    }

    pub(super) fn items(&mut self, items: &[Bson]) {
        self.inside(|encoder| {
            for (position, value) in items.iter().enumerate() {
                encoder.deepest = encoder.deepest.max(encoder.level);
                let kind = encoder.out.len();
                encoder.out.push(0);
                write_number(encoder.out, position);
                encoder.out[kind] = encoder.value(value);
            }
        });
    }

    fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.level += 1;
        let start = open(self.out);
        write(self);
        close(self.out, start);
        self.level -= 1;
    }

    /// The parts of a pointer are known to its own library alone, which writes them behind length, type and name.
    fn pointer(&mut self, value: &Bson) {
        let alone = RawDocumentBuf::try_from(&bson::doc! {"": value.clone()});
        let bytes = alone.as_ref().map_or(&[][..], |alone| alone.as_bytes());
        self.out.extend_from_slice(bytes.get(6..bytes.len().saturating_sub(1)).unwrap_or_default());
    }

    /// Writes a value and gives its type byte.
    fn value(&mut self, value: &Bson) -> u8 {
        let view = View::from(value);
        match value {
            Bson::Document(document) => self.tree(document),
            Bson::Array(items) => self.items(items),
            Bson::DbPointer(_) => self.pointer(value),
            _ => write_value(self.out, view),
        }
        type_byte(view)
    }
}
