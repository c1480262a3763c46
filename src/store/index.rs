//! One index: its description, its key generator and its entries.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use bson::{Bson, RawDocument};

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::expr::show_stored;
use crate::query::{Collation, Filter, Matcher};
use crate::store::cursor::Cursor;
use crate::store::holders::Holders;
use crate::store::key::{Entry, KeyBuilder, KeyOrder, KeyRef, SortKey};
use crate::store::keygen::{Generator, KeySet};
use crate::store::runs::Runs;
use crate::store::spec::IndexSpec;
use crate::store::tree::{Filling, Tree};
use crate::store::wildcard::{self, WildcardPaths};
use crate::store::{Direction, IndexInfo, RecordId};
use crate::update::Touched;
use crate::value::{DocView, Document, Path, View, shown};

/// An index with its entries. Cloning shares them.
#[derive(Debug, Clone)]
pub struct Index {
    info: Arc<IndexInfo>,
    shape: Arc<Shape>,
    tree: Tree,
    array_paths: Arc<BTreeSet<Path>>,
    /// How many records with keys have no array where the path of the first part begins.
    without_array: u64,
}

/// What never changes about an index.
#[derive(Debug)]
struct Shape {
    shown: Document,
    paths: Vec<Path>,
    order: KeyOrder,
    partial: Option<Filter>,
    collation: Collation,
    wildcard: Option<WildcardPaths>,
    /// The paths whose values decide on the keys.
    reads: Vec<Path>,
}

impl Index {
    /// An empty index.
    ///
    /// # Errors
    /// Those of reading its filter and collation; a checked specification has none.
    pub fn new(spec: IndexSpec) -> Result<Self> {
        let IndexSpec { info, shown } = spec;
        let wildcard = info.parts.iter().find(|part| part.wildcard);
        let partial = info.partial_filter.as_ref().map(Filter::parse).transpose()?;
        let indexed = info.parts.iter().map(|part| &part.path);
        let filtered = partial.iter().flat_map(Filter::paths);
        let shape = Shape {
            shown,
            reads: indexed.chain(filtered).cloned().collect(),
            paths: info.parts.iter().map(|part| part.path.clone()).collect(),
            order: KeyOrder::new(key_directions(&info)),
            partial,
            collation: Collation::parse(info.collation.as_ref())?,
            wildcard: wildcard.map(|part| WildcardPaths::new(&part.path, info.wildcard_projection.as_ref())),
        };
        let (info, shape) = (Arc::new(info), Arc::new(shape));
        Ok(Self { info, shape, tree: Tree::default(), array_paths: Arc::default(), without_array: 0 })
    }

    /// The index described, with its counts as they are now.
    #[must_use]
    pub fn info(&self) -> &Arc<IndexInfo> {
        &self.info
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The specification as `listIndexes` shows it.
    #[must_use]
    pub fn specification(&self) -> Document {
        let mut shown = self.shape.shown.clone();
        shown.remove("hidden");
        if self.info.hidden {
            shown.insert("hidden", true);
        }
        shown
    }

    /// How text is compared in the keys.
    #[must_use]
    pub fn collation(&self) -> &Collation {
        &self.shape.collation
    }

    /// The `partialFilterExpression`, parsed.
    #[must_use]
    pub fn partial_filter(&self) -> Option<&Filter> {
        self.shape.partial.as_ref()
    }

    /// Of a wildcard index, the paths it covers.
    #[must_use]
    pub fn wildcard_paths(&self) -> Option<&WildcardPaths> {
        self.shape.wildcard.as_ref()
    }

    /// Of a wildcard index, the paths that hold an array in some document.
    #[must_use]
    pub fn array_paths(&self) -> &BTreeSet<Path> {
        &self.array_paths
    }

    /// Whether every record with a key has an array where the path of the first part begins.
    #[must_use]
    pub fn begins_with_arrays(&self) -> bool {
        self.without_array == 0
    }

    pub(super) fn set_hidden(&mut self, hidden: bool) {
        Arc::make_mut(&mut self.info).hidden = hidden;
    }

    /// The directions of the key parts; a wildcard part is two of them, the path (always ascending) and the value.
    #[must_use]
    pub fn order(&self) -> KeyOrder {
        self.shape.order
    }

    /// A cursor that stands nowhere yet.
    #[must_use]
    pub fn cursor(&self, direction: Direction) -> Cursor<'_> {
        Cursor::new(&self.tree, direction)
    }

    /// The records that the index has a key of, which is given as bytes with all its parts.
    #[must_use]
    pub fn holders(&self, key: Vec<u8>) -> Holders<'_> {
        Holders::new(&self.tree, key)
    }

    /// All entries in order.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.tree.iter()
    }

    /// The entries around a place: up to so many below it, and from it on up to so many.
    #[must_use]
    pub fn window(&self, around: &[u8], before: usize, from: usize) -> (Vec<Entry<'_>>, Vec<Entry<'_>>) {
        let mut below = gather(self.cursor(Direction::Descending), around, before, false);
        below.reverse();
        (below, gather(self.cursor(Direction::Ascending), around, from, true))
    }

    /// The keys a document has here.
    ///
    /// # Errors
    /// `CannotIndexParallelArrays`, and 16746 for an ambiguous numeric path part.
    pub fn keys(&self, document: &RawDocument) -> Result<KeySet> {
        let mut keys = KeySet::default();
        self.generate(document, &mut keys)?;
        Ok(keys)
    }

    /// Whether a change of these paths may change keys.
    pub(super) fn is_touched(&self, touched: &Touched) -> bool {
        self.shape.reads.iter().any(|path| touched.touches(path))
    }

    /// The key of these values, text in them as the index's collation compares it.
    #[must_use]
    pub fn key_of<'v>(&self, values: impl IntoIterator<Item = View<'v>>) -> KeyBuilder {
        let collated = |text: &str| self.shape.collation.sort_key(text);
        let sort_key = (!self.shape.collation.is_simple()).then_some(&collated as SortKey<'_>);
        let mut key = KeyBuilder::default();
        for (part, value) in values.into_iter().enumerate() {
            key.push(value, self.shape.order.direction(part), sort_key);
        }
        key
    }

    /// Puts the keys of a document into a set that held others.
    pub(super) fn generate(&self, document: &RawDocument, keys: &mut KeySet) -> Result<()> {
        self.generate_if(self.partial_matcher()?.as_ref(), document, keys)
    }

    /// The `partialFilterExpression`, ready to judge documents.
    fn partial_matcher(&self) -> Result<Option<Matcher>> {
        let matcher = |filter| Matcher::new(filter, self.shape.collation.clone());
        self.shape.partial.as_ref().map(matcher).transpose()
    }

    /// The keys of a document, none where it does not match.
    fn generate_if(&self, matcher: Option<&Matcher>, document: &RawDocument, keys: &mut KeySet) -> Result<()> {
        let shape = &*self.shape;
        if matcher.is_some_and(|matcher| !matcher.matches(document)) {
            keys.clear(self.info.parts.len());
            return Ok(());
        }
        let collated = |text: &str| shape.collation.sort_key(text);
        let sort_key = (!shape.collation.is_simple()).then_some(&collated as SortKey<'_>);
        if let Some(covered) = &shape.wildcard {
            let generator = wildcard::Generator { parts: &self.info.parts, covered, order: shape.order, sort_key };
            return generator.generate(DocView::Raw(document), keys);
        }
        let generator = Generator { paths: &shape.paths, order: shape.order, sparse: self.info.sparse, sort_key };
        generator.generate(DocView::Raw(document), keys)
    }

    /// The first record, other than the given one, that has the key.
    pub(super) fn holder(&self, key: KeyRef<'_>, except: Option<RecordId>) -> Option<RecordId> {
        let same = self.tree.from(key.bytes()).take_while(|entry| entry.key.bytes() == key.bytes());
        same.map(|entry| entry.id).find(|id| Some(*id) != except)
    }

    /// Refuses keys that a unique index has from another record.
    pub(super) fn check_unique(&self, namespace: &str, keys: &KeySet, own: Option<RecordId>) -> Result<()> {
        if !self.info.unique {
            return Ok(());
        }
        match keys.iter().find(|key| self.holder(*key, own).is_some()) {
            Some(key) => Err(self.duplicate(namespace, key)),
            None => Ok(()),
        }
    }

    pub(super) fn duplicate(&self, namespace: &str, key: KeyRef<'_>) -> CommandError {
        let collation = self.shape.collation.to_document();
        let order = self.shape.order;
        let values = if collation.is_some() { key.decode_collated(order) } else { key.decode(order) };
        let names = self.info.key_pattern.keys().cloned();
        let values: Bson = Bson::Document(names.zip(values).collect());
        let (name, shown) = (&self.info.name, shown(&values));
        let collation = collation.map_or_else(String::new, |options| format!(" collation: {}", show_stored(options)));
        let message =
            format!("E11000 duplicate key error collection: {namespace} index: {name}{collation} dup key: {shown}");
        CommandError::new(ErrorCode::DuplicateKey, message)
    }

    /// Adds the keys of a new record; gives how many.
    pub(super) fn add(&mut self, id: RecordId, keys: &KeySet) -> u64 {
        let added = keys.iter().map(|key| u64::from(self.tree.insert(key, id))).sum();
        self.without_array += lacks_array(keys);
        self.remember_arrays(keys);
        self.refresh();
        added
    }

    /// Removes the keys of a record that goes; gives how many.
    pub(super) fn remove(&mut self, id: RecordId, keys: &KeySet) -> u64 {
        let removed = keys.iter().map(|key| u64::from(self.tree.remove(key, id))).sum();
        self.without_array -= lacks_array(keys);
        self.refresh();
        removed
    }

    /// Exchanges the keys of a record; gives how many were added and removed. Keys that stay are not touched, unless
    /// their values differ in type.
    pub(super) fn replace(&mut self, id: RecordId, old: &KeySet, new: &KeySet) -> (u64, u64) {
        let (mut added, mut removed) = (0, 0);
        let (mut left, mut right) = (old.iter().peekable(), new.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.bytes().cmp(new.bytes()),
            };
            let gone = if order.is_le() { left.next() } else { None };
            let come = if order.is_ge() { right.next() } else { None };
            if gone == come {
                continue;
            }
            removed += gone.map_or(0, |key| u64::from(self.tree.remove(key, id)));
            added += come.map_or(0, |key| u64::from(self.tree.insert(key, id)));
        }
        self.without_array = self.without_array + lacks_array(new) - lacks_array(old);
        self.remember_arrays(new);
        if (added, removed) != (0, 0) {
            self.refresh();
        }
        (added, removed)
    }

    /// Multikey paths only ever grow, as in MongoDB.
    fn remember_arrays(&mut self, keys: &KeySet) {
        if self.shape.wildcard.is_some() {
            self.remember_array_paths(keys);
            return;
        }
        let known = keys
            .multikey
            .iter()
            .zip(self.info.parts.iter())
            .all(|(new, part)| new.iter().all(|at| part.multikey_at.contains(at)));
        let multikey = keys.len() > 1 || keys.multikey.iter().any(|positions| !positions.is_empty());
        if known && (self.info.multikey || !multikey) {
            return;
        }
        let info = Arc::make_mut(&mut self.info);
        info.multikey |= multikey;
        for (part, new) in Arc::make_mut(&mut info.parts).iter_mut().zip(&keys.multikey) {
            part.multikey_at.extend(new);
            part.multikey_at.sort_unstable();
            part.multikey_at.dedup();
        }
    }

    fn remember_array_paths(&mut self, keys: &KeySet) {
        let new: Vec<Path> =
            wildcard::paths_of(&keys.array_paths).filter(|path| !self.array_paths.contains(path)).collect();
        if !new.is_empty() {
            Arc::make_mut(&mut self.array_paths).extend(new);
            Arc::make_mut(&mut self.info).multikey = true;
        }
    }

    fn refresh(&mut self) {
        let info = Arc::make_mut(&mut self.info);
        info.entries = self.tree.entries();
        info.distinct_keys = self.tree.distinct();
        info.bytes = self.tree.bytes();
    }

    /// Fills an empty index with the keys of all records.
    ///
    /// # Errors
    /// Those of key generation, and `DuplicateKey`.
    pub(super) fn build<'a>(
        &mut self,
        namespace: &str,
        records: impl Iterator<Item = (RecordId, &'a RawDocument)>,
    ) -> Result<()> {
        let mut runs = Runs::default();
        let mut keys = KeySet::default();
        let matcher = self.partial_matcher()?;
        for (id, document) in records {
            self.generate_if(matcher.as_ref(), document, &mut keys)?;
            self.remember_arrays(&keys);
            self.without_array += lacks_array(&keys);
            keys.iter().for_each(|key| runs.push(key, id));
        }
        let mut filling = Filling::default();
        runs.merge(|entry| {
            let is_new = filling.push(entry);
            if self.info.unique && !is_new { Err(self.duplicate(namespace, entry.key)) } else { Ok(()) }
        })?;
        self.tree = filling.finish();
        self.refresh();
        Ok(())
    }

    /// Bytes of memory that the entries take here, with all that it needs to find them; snapshots may share them.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.tree.memory() as u64
    }

    /// An estimate of the bytes MongoDB's storage would need, which leaves out the prefix a key shares with the one
    /// before it; the index as stored here takes [`IndexInfo::bytes`].
    #[must_use]
    pub fn estimated_prefix_compressed_bytes(&self) -> u64 {
        self.tree.prefix_compressed()
    }
}

/// 1 for a document that has keys and no array where the path of the first part begins.
fn lacks_array(keys: &KeySet) -> u64 {
    let array = keys.multikey.first().is_some_and(|positions| positions.contains(&0));
    u64::from(!keys.is_empty() && !array)
}

/// The directions of the values in a key.
fn key_directions(info: &IndexInfo) -> impl Iterator<Item = Direction> {
    info.parts.iter().flat_map(|part| {
        let path = part.wildcard.then_some(Direction::Ascending);
        path.into_iter().chain([part.direction])
    })
}

/// Up to so many entries from a place on.
fn gather<'a>(mut cursor: Cursor<'a>, place: &[u8], count: usize, inclusive: bool) -> Vec<Entry<'a>> {
    cursor.seek(place, inclusive);
    let next = || {
        let entry = cursor.current()?;
        cursor.advance();
        Some(entry)
    };
    std::iter::from_fn(next).take(count).collect()
}
