//! One collection: documents as BSON bytes by record id, and the indexes over them.

use std::sync::{Arc, Mutex};

use bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use crate::error::{CommandError, ErrorCode, Result};
use crate::store::Direction;
use crate::store::index::Index;
use crate::store::keygen::KeySet;
use crate::store::profile::Profile;
use crate::store::records::Records;
use crate::store::spec::{IndexSpec, Likeness};
use crate::update::Touched;
use crate::value::{SharedDocument, shown};

/// How many indexes a collection may have, `_id_` among them.
pub const MAX_INDEXES: usize = 64;

/// The place of a document in its collection; ascending in the order of insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RecordId(pub u64);

/// Keys added and removed, by the index's position in [`Collection::indexes`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyCounts(pub Vec<(u64, u64)>);

/// Documents and indexes of one collection. Cloning shares both.
#[derive(Debug, Clone)]
pub struct Collection {
    namespace: String,
    options: Document,
    records: Records,
    next: u64,
    bytes: u64,
    indexes: Vec<Index>,
    /// Shared by all clones: each brings it up to date with its own records.
    profile: Arc<Mutex<Arc<Profile>>>,
    spare: Spare,
}

/// Key sets of earlier writes, kept for their memory; a clone begins without.
#[derive(Debug, Default)]
struct Spare(Vec<Vec<KeySet>>);

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Collection {
    /// An empty collection with its `_id_` index. The namespace is `database.collection`.
    #[must_use]
    pub fn new(namespace: &str, options: Document) -> Self {
        let mut collection = Self {
            namespace: namespace.into(),
            options,
            records: Records::default(),
            next: 1,
            bytes: 0,
            indexes: Vec::new(),
            profile: Arc::default(),
            spare: Spare::default(),
        };
        let index = id_index(&collection.options);
        collection.indexes.push(index);
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
        self.records.len() == 0
    }

    /// Bytes of all documents.
    #[must_use]
    pub fn data_bytes(&self) -> u64 {
        self.bytes
    }

    /// What the data looks like. The first call counts all documents, a later one what has changed since.
    #[must_use]
    pub fn profile(&self) -> Arc<Profile> {
        // A profile left half counted by a panic is counted anew.
        let mut shared = self.profile.lock().unwrap_or_else(|poisoned| {
            let mut shared = poisoned.into_inner();
            *shared = Arc::default();
            shared
        });
        Arc::make_mut(&mut shared).catch_up(self);
        Arc::clone(&shared)
    }

    pub(super) fn records(&self) -> &Records {
        &self.records
    }

    /// The document at a record id.
    #[must_use]
    pub fn get(&self, id: RecordId) -> Option<&RawDocument> {
        self.stored(id).map(|record| &**record)
    }

    /// The document at a record id, to be shared.
    #[must_use]
    #[inline]
    pub fn stored(&self, id: RecordId) -> Option<&SharedDocument> {
        self.records.get(id)
    }

    /// All documents in record order, or its reverse.
    #[must_use]
    pub fn scan(&self, direction: Direction) -> Box<dyn Iterator<Item = (RecordId, &RawDocument)> + '_> {
        directed(self.records.iter().map(|(id, record)| (id, &**record)), direction)
    }

    /// All documents in record order, or its reverse, to be shared.
    #[must_use]
    pub fn scan_stored(&self, direction: Direction) -> Box<dyn Iterator<Item = (RecordId, &SharedDocument)> + '_> {
        directed(self.records.iter(), direction)
    }

    /// What differs from an earlier state of this collection: each document as it was then and as it is now. Parts that both
    /// states share are not looked at.
    pub fn changes_since<'c>(
        &'c self,
        before: &'c Self,
    ) -> impl Iterator<Item = (Option<&'c RawDocument>, Option<&'c RawDocument>)> {
        let changes = before.records.changes(&self.records);
        let document = |record: Option<&'c SharedDocument>| record.map(|record| &**record);
        changes.map(move |(was, is)| (document(was), document(is)))
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
        let new = self.keys(document, &Touched::All)?;
        self.check_unique(&new, None, &Touched::All)?;
        let id = RecordId(self.next);
        self.next += 1;
        let counts = self.indexes.iter_mut().zip(&new).map(|(index, new)| (index.add(id, new), 0));
        let counts = KeyCounts(counts.collect());
        self.bytes += document.as_bytes().len() as u64;
        self.records.insert(id, SharedDocument::new(document));
        self.spare.0.push(new);
        Ok((id, counts))
    }

    /// Puts another document in the place of one; only what was touched differs.
    ///
    /// # Errors
    /// Those of key generation, and `DuplicateKey`; then nothing has changed.
    pub fn update(&mut self, id: RecordId, document: &RawDocument, touched: &Touched) -> Result<KeyCounts> {
        let mut counts = KeyCounts(vec![(0, 0); self.indexes.len()]);
        if self.indexes.iter().any(|index| index.is_touched(touched)) {
            let Some(record) = self.records.get(id).cloned() else { return Ok(counts) };
            let old = self.keys(&record, touched)?;
            let new = self.keys(document, touched)?;
            self.check_unique(&new, Some(id), touched)?;
            let pairs = self.indexes.iter_mut().zip(old.iter().zip(&new)).zip(&mut counts.0);
            for ((index, (old, new)), counts) in pairs.filter(|((index, _), _)| index.is_touched(touched)) {
                *counts = index.replace(id, old, new);
            }
            self.spare.0.extend([old, new]);
        }
        if self.records.get(id).is_some() {
            let before = self.records.insert(id, SharedDocument::new(document));
            self.bytes =
                self.bytes - before.map_or(0, |before| before.size() as u64) + document.as_bytes().len() as u64;
        }
        Ok(counts)
    }

    /// Removes a document and gives it back.
    pub fn delete(&mut self, id: RecordId) -> Option<(RawDocumentBuf, KeyCounts)> {
        let record = self.records.remove(id)?;
        let document = (*record).to_owned();
        let old = self.keys(&document, &Touched::All).unwrap_or_default();
        let counts = self.indexes.iter_mut().zip(&old).map(|(index, old)| (0, index.remove(id, old)));
        let counts = KeyCounts(counts.collect());
        self.bytes -= record.size() as u64;
        self.spare.0.push(old);
        Some((document, counts))
    }

    /// The keys of a document, by index; of untouched indexes the sets say nothing.
    fn keys(&mut self, document: &RawDocument, touched: &Touched) -> Result<Vec<KeySet>> {
        let mut sets = self.spare.0.pop().unwrap_or_default();
        sets.resize_with(self.indexes.len(), KeySet::default);
        for (index, keys) in self.indexes.iter().zip(&mut sets).filter(|(index, _)| index.is_touched(touched)) {
            index.generate(document, keys)?;
        }
        Ok(sets)
    }

    fn check_unique(&self, sets: &[KeySet], own: Option<RecordId>, touched: &Touched) -> Result<()> {
        let touched = self.indexes.iter().zip(sets).filter(|(index, _)| index.is_touched(touched));
        touched.into_iter().try_for_each(|(index, keys)| index.check_unique(&self.namespace, keys, own))
    }

    /// Adds an index over all documents; false if the same one is there already.
    ///
    /// # Errors
    /// Conflicts with the indexes there are, the limit of 64, those of key generation, and `DuplicateKey` for repeats
    /// under a unique index; then nothing has changed.
    pub fn create_index(&mut self, spec: IndexSpec) -> Result<bool> {
        if self.has_same(&spec)? {
            return Ok(false);
        }
        spec.refuse_unknown_types()?;
        let mut index = Index::new(spec)?;
        let records = self.records.iter().map(|(id, record)| (id, &**record));
        index.build(&self.namespace, records)?;
        self.indexes.push(index);
        Ok(true)
    }

    /// `IndexCatalogImpl::_doesSpecConflictWithExisting`.
    fn has_same(&self, spec: &IndexSpec) -> Result<bool> {
        let likeness = |index: &Index| spec.likeness(index.info(), &index.specification());
        if let Some(index) = self.index(&spec.info.name) {
            return match likeness(index) {
                Likeness::Identical => Ok(true),
                likeness => Err(conflict(spec, index, likeness, true)),
            };
        }
        if let Some(index) = self.indexes.iter().find(|index| likeness(index) != Likeness::Different) {
            return Err(conflict(spec, index, likeness(index), false));
        }
        if self.indexes.len() >= MAX_INDEXES {
            let (namespace, keys) = (&self.namespace, Bson::Document(spec.info.key_pattern.clone()));
            let message = format!("add index fails, too many indexes for {namespace} key:{}", shown(&keys));
            return Err(CommandError::new(ErrorCode::CannotCreateIndex, message));
        }
        Ok(false)
    }

    /// Removes the index of a name; false if there is none.
    pub fn drop_index(&mut self, name: &str) -> bool {
        let before = self.indexes.len();
        self.indexes.retain(|index| index.name() != name);
        self.indexes.len() < before
    }

    /// Hides an index from the planner, or shows it again; gives what it was before, none if there is no such index.
    pub fn hide_index(&mut self, name: &str, hidden: bool) -> Option<bool> {
        let index = self.indexes.iter_mut().find(|index| index.name() == name)?;
        let before = index.info().hidden;
        if before != hidden {
            index.set_hidden(hidden);
        }
        Some(before)
    }

    /// The same collection under another name.
    #[must_use]
    pub fn renamed(mut self, namespace: &str) -> Self {
        namespace.clone_into(&mut self.namespace);
        self
    }
}

fn directed<'r, T>(
    records: impl DoubleEndedIterator<Item = T> + 'r,
    direction: Direction,
) -> Box<dyn Iterator<Item = T> + 'r> {
    match direction {
        Direction::Ascending => Box::new(records),
        Direction::Descending => Box::new(records.rev()),
    }
}

fn conflict(spec: &IndexSpec, index: &Index, likeness: Likeness, same_name: bool) -> CommandError {
    let (wanted, there) = (Bson::Document(spec.shown.clone()), Bson::Document(index.specification()));
    let both = format!("Requested index: {}, existing index: {}", shown(&wanted), shown(&there));
    let (code, message) = match (likeness, same_name) {
        (Likeness::Different, _) => (
            ErrorCode::IndexKeySpecsConflict,
            format!(
                "An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. {both}"
            ),
        ),
        (Likeness::Equivalent, true) => (
            ErrorCode::IndexOptionsConflict,
            format!("An equivalent index already exists with the same name but different options. {both}"),
        ),
        (Likeness::Equivalent, false) => (
            ErrorCode::IndexOptionsConflict,
            format!("An equivalent index already exists with a different name and options. {both}"),
        ),
        (Likeness::Identical, _) => {
            (ErrorCode::IndexOptionsConflict, format!("Index already exists with a different name: {}", index.name()))
        }
    };
    CommandError::new(code, message)
}

/// The index every collection has, with the collection's collation.
fn id_index(options: &Document) -> Index {
    let own: Document =
        options.get("collation").map(|collation| ("collation".to_owned(), collation.clone())).into_iter().collect();
    let spec =
        IndexSpec::parse(&doc! {"_id": 1}, &own).expect("the collation was checked when the collection was made");
    Index::new(spec).expect("the _id index has no filter, and its collation was checked")
}
