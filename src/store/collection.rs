//! One collection: documents as BSON bytes by record id, and the indexes over them.

use std::sync::Arc;

use bson::{Document, RawDocument, RawDocumentBuf, doc};
use imbl::OrdMap;

use crate::error::Result;
use crate::store::index::Index;
use crate::store::keygen::KeySet;
use crate::store::{Direction, IndexInfo, KeyPart};
use crate::value::Path;

/// The place of a document in its collection; ascending in the order of insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RecordId(pub u64);

/// A stored document.
#[derive(Debug, Clone, PartialEq)]
struct Record(Arc<[u8]>);

impl Record {
    fn new(document: &RawDocument) -> Self {
        Self(document.as_bytes().into())
    }

    fn document(&self) -> &RawDocument {
        RawDocument::from_bytes(&self.0).expect("a record was made from a document")
    }
}

/// Keys added and removed, by the index's position in [`Collection::indexes`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyCounts(pub Vec<(u64, u64)>);

/// Documents and indexes of one collection. Cloning shares both.
#[derive(Debug, Clone)]
pub struct Collection {
    namespace: String,
    options: Document,
    records: OrdMap<RecordId, Record>,
    next: u64,
    bytes: u64,
    indexes: Vec<Index>,
}

impl Collection {
    /// An empty collection with its `_id_` index. The namespace is `database.collection`.
    #[must_use]
    pub fn new(namespace: &str, options: Document) -> Self {
        let mut collection = Self {
            namespace: namespace.into(),
            options,
            records: OrdMap::new(),
            next: 1,
            bytes: 0,
            indexes: Vec::new(),
        };
        collection.indexes.push(Index::new(id_index()));
        collection
    }

    /// `database.collection`.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The options it was created with.
    #[must_use]
    pub fn options(&self) -> &Document {
        &self.options
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Bytes of all documents.
    #[must_use]
    pub fn data_bytes(&self) -> u64 {
        self.bytes
    }

    /// The document at a record id.
    #[must_use]
    pub fn get(&self, id: RecordId) -> Option<&RawDocument> {
        self.records.get(&id).map(Record::document)
    }

    /// All documents in record order, or its reverse.
    pub fn scan(&self, direction: Direction) -> Box<dyn Iterator<Item = (RecordId, &RawDocument)> + '_> {
        let records = self.records.iter().map(|(id, record)| (*id, record.document()));
        match direction {
            Direction::Ascending => Box::new(records),
            Direction::Descending => Box::new(records.rev()),
        }
    }

    /// The indexes in the order of their creation, `_id_` first.
    #[must_use]
    pub fn indexes(&self) -> &[Index] {
        &self.indexes
    }

    /// The index of a name.
    #[must_use]
    pub fn index(&self, name: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| index.name() == name)
    }

    /// Adds a document, which begins with its `_id`.
    ///
    /// # Errors
    /// Those of key generation, and `DuplicateKey`; then nothing has changed.
    pub fn insert(&mut self, document: &RawDocument) -> Result<(RecordId, KeyCounts)> {
        let new = self.checked_keys(document, None)?;
        let id = RecordId(self.next);
        self.next += 1;
        let counts = self.indexes.iter_mut().zip(&new).map(|(index, new)| index.replace(id, None, Some(new)));
        let counts = KeyCounts(counts.collect());
        self.bytes += document.as_bytes().len() as u64;
        self.records.insert(id, Record::new(document));
        Ok((id, counts))
    }

    /// Puts another document in the place of one.
    ///
    /// # Errors
    /// Those of key generation, and `DuplicateKey`; then nothing has changed.
    pub fn update(&mut self, id: RecordId, document: &RawDocument) -> Result<KeyCounts> {
        let Some(record) = self.records.get(&id).cloned() else { return Ok(KeyCounts::default()) };
        let old = self.keys(record.document())?;
        let new = self.checked_keys(document, Some(id))?;
        let pairs = self.indexes.iter_mut().zip(old.iter().zip(&new));
        let counts = KeyCounts(pairs.map(|(index, (old, new))| index.replace(id, Some(old), Some(new))).collect());
        self.bytes = self.bytes - record.0.len() as u64 + document.as_bytes().len() as u64;
        self.records.insert(id, Record::new(document));
        Ok(counts)
    }

    /// Removes a document and gives it back.
    pub fn delete(&mut self, id: RecordId) -> Option<(RawDocumentBuf, KeyCounts)> {
        let record = self.records.remove(&id)?;
        let document = record.document().to_owned();
        let old = self.keys(&document).unwrap_or_default();
        let counts = self.indexes.iter_mut().zip(&old).map(|(index, old)| index.replace(id, Some(old), None));
        let counts = KeyCounts(counts.collect());
        self.bytes -= record.0.len() as u64;
        Some((document, counts))
    }

    fn keys(&self, document: &RawDocument) -> Result<Vec<KeySet>> {
        self.indexes.iter().map(|index| index.keys(document)).collect()
    }

    fn checked_keys(&self, document: &RawDocument, own: Option<RecordId>) -> Result<Vec<KeySet>> {
        let check = |index: &Index| {
            let keys = index.keys(document)?;
            index.check_unique(&self.namespace, &keys, own)?;
            Ok(keys)
        };
        self.indexes.iter().map(check).collect()
    }

    /// Adds an index over all documents.
    ///
    /// # Errors
    /// Those of key generation, and `DuplicateKey` for repeats under a unique index; then nothing has changed.
    pub fn add_index(&mut self, info: IndexInfo) -> Result<()> {
        let mut index = Index::new(info);
        let records = self.records.iter().map(|(id, record)| (*id, record.document()));
        index.build(&self.namespace, records)?;
        self.indexes.push(index);
        Ok(())
    }

    /// Removes the index of a name; false if there is none.
    pub fn drop_index(&mut self, name: &str) -> bool {
        let before = self.indexes.len();
        self.indexes.retain(|index| index.name() != name);
        self.indexes.len() < before
    }
}

fn id_index() -> IndexInfo {
    IndexInfo {
        name: "_id_".into(),
        key_pattern: doc! {"_id": 1},
        parts: vec![KeyPart {
            path: Path::new("_id"),
            direction: Direction::Ascending,
            multikey_at: Vec::new(),
            wildcard: false,
        }],
        multikey: false,
        unique: true,
        sparse: false,
        hidden: false,
        partial_filter: None,
        collation: None,
        wildcard_projection: None,
        entries: 0,
        distinct_keys: 0,
        bytes: 0,
    }
}
