//! What the indexes of a collection hold: the entries of a few documents, or the first of all.

use std::sync::Arc;

use crate::shell::literal;
use crate::store::{Collection, Direction, IndexInfo, RecordId};
use crate::value::{Bson, DocView, View, equal};

/// One index with some of its entries.
#[derive(Debug, Clone)]
pub struct Holding {
    /// The index.
    pub index: Arc<IndexInfo>,
    /// An estimate of its bytes with MongoDB's prefix compression.
    pub estimated_bytes: u64,
    /// The entries looked for, in the order of the index.
    pub entries: Vec<HeldEntry>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldEntry {
    /// Its place in the index, from 0.
    pub place: usize,
    /// The key's values.
    pub key: Vec<Bson>,
    /// The `_id` of the document it leads to, as mongosh writes it.
    pub id: String,
}

/// Every index of a collection with the entries that lead to documents with these `_id`s, or, where none is given, with its
/// first entries; at most so many of each.
#[must_use]
pub fn holdings(collection: &Collection, ids: &[Bson], most: usize) -> Vec<Holding> {
    let records = records(collection, ids);
    let wanted = |record: &RecordId| ids.is_empty() || records.contains(record);
    let held = collection.indexes().iter().map(|index| {
        let entries = index.entries().enumerate().filter(|(_, entry)| wanted(&entry.id)).take(most);
        let held = entries.map(|(place, entry)| HeldEntry {
            place,
            key: entry.key.decode(index.order()),
            id: id(collection, entry.id).map_or_else(|| "?".into(), |id| literal(&id)),
        });
        let estimated_bytes = index.estimated_prefix_compressed_bytes();
        Holding { entries: held.collect(), index: Arc::clone(index.info()), estimated_bytes }
    });
    held.collect()
}

fn records(collection: &Collection, ids: &[Bson]) -> Vec<RecordId> {
    let is_one = |value: View<'_>| ids.iter().any(|id| equal(value, View::from(id)));
    let found =
        collection.scan(Direction::Ascending).filter(|(_, raw)| DocView::from(*raw).get("_id").is_some_and(is_one));
    if ids.is_empty() { Vec::new() } else { found.map(|(record, _)| record).take(ids.len()).collect() }
}

fn id(collection: &Collection, record: RecordId) -> Option<Bson> {
    DocView::from(collection.get(record)?).get("_id").map(|id| id.to_bson())
}
