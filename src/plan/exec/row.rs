//! What passes between stages: a record, as its document or as the index key that led to it.

use crate::plan::IndexScan;
use crate::store::{EntryPlace, KeyOrder, KeyRef, RecordId};
use crate::value::{Bson, Document, SharedDocument};

/// A row.
#[derive(Debug, Clone, Copy)]
pub(in crate::plan) struct Row<'c> {
    pub record: RecordId,
    /// The document, once it is read.
    pub document: Option<&'c SharedDocument>,
    /// The index entry it was found by.
    pub entry: Option<(EntryPlace<'c>, &'c IndexScan)>,
}

impl<'c> Row<'c> {
    /// The key it was found by.
    pub fn key(&self) -> Option<(KeyRef<'c>, &'c IndexScan)> {
        self.entry.map(|(place, scan)| (place.key(), scan))
    }
}

/// The directions of a scan's key parts.
pub(in crate::plan) fn key_order(scan: &IndexScan) -> KeyOrder {
    KeyOrder::new(scan.parts.iter().map(|part| part.direction))
}

/// A document with the key's values at their paths, as far as the key tells.
pub(in crate::plan) fn key_document(key: KeyRef<'_>, scan: &IndexScan) -> Document {
    let mut document = Document::new();
    for (part, value) in scan.parts.iter().zip(key.decode(key_order(scan))) {
        put(&mut document, part.path.parts(), value);
    }
    document
}

fn put(document: &mut Document, path: &[Box<str>], value: Bson) {
    match path {
        [] => {}
        [last] => {
            document.insert(last.to_string(), value);
        }
        [first, rest @ ..] => {
            let inner = document.entry(first.to_string()).or_insert_with(|| Bson::Document(Document::new()));
            if let Bson::Document(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}
