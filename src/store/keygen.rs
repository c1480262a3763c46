//! Which keys a document has in an index (`src/mongo/db/index/btree_key_generator.cpp`).
//!
//! A missing path gives `null`, an empty array `undefined`, an array one key an element; two different arrays in one
//! compound key are refused. Equal keys of one document are one key.

use std::collections::BTreeSet;

use crate::error::{CommandError, ErrorCode, Result};
use crate::store::key::{KeyBuilder, KeyOrder, KeyRef, SortKey};
use crate::value::{DocView, NoKeys, Path, Tuples, View, ambiguous_field, key_tuples};

/// For each key part, the positions of path parts that hold an array in some document.
pub type MultikeyPaths = Vec<BTreeSet<usize>>;

/// The keys of one document, in order, each once.
#[derive(Debug, Clone, Default)]
pub struct KeySet {
    bytes: Vec<u8>,
    /// Start, end of the key, end of the type bits.
    spans: Vec<(u32, u32, u32)>,
    /// Where the document made the index multikey.
    pub(super) multikey: MultikeyPaths,
    /// Of a wildcard index, the paths that hold an array.
    pub(super) array_paths: BTreeSet<String>,
    /// The key under construction, kept for its memory.
    building: KeyBuilder,
}

impl KeySet {
    /// The keys in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = KeyRef<'_>> {
        self.spans.iter().map(|span| self.key(*span))
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether the document is not in the index.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Where the document's arrays lie, for each key part: the positions of path parts.
    #[must_use]
    pub fn multikey(&self) -> &MultikeyPaths {
        &self.multikey
    }

    /// Of a wildcard index, the paths of the document's arrays.
    #[must_use]
    pub fn array_paths(&self) -> &BTreeSet<String> {
        &self.array_paths
    }

    fn key(&self, (start, middle, end): (u32, u32, u32)) -> KeyRef<'_> {
        KeyRef::new(&self.bytes[start as usize..middle as usize], &self.bytes[middle as usize..end as usize])
    }

    pub(super) fn push(&mut self, key: KeyRef<'_>) {
        let here = |bytes: &Vec<u8>| u32::try_from(bytes.len()).expect("the keys of a 16 MiB document are below 4 GiB");
        let start = here(&self.bytes);
        self.bytes.extend_from_slice(key.bytes());
        let middle = here(&self.bytes);
        self.bytes.extend_from_slice(key.bits());
        self.spans.push((start, middle, here(&self.bytes)));
    }

    pub(super) fn clear(&mut self, parts: usize) {
        self.bytes.clear();
        self.spans.clear();
        self.array_paths.clear();
        self.multikey.iter_mut().for_each(BTreeSet::clear);
        self.multikey.resize_with(parts, BTreeSet::new);
    }

    /// Sorts the keys and keeps the first of equal ones.
    pub(super) fn settle(&mut self) {
        if self.spans.len() > 1 {
            let bytes = &self.bytes;
            let key = |span: &(u32, u32, u32)| &bytes[span.0 as usize..span.1 as usize];
            self.spans.sort_by(|left, right| key(left).cmp(key(right)));
            self.spans.dedup_by(|right, left| key(left) == key(right));
        }
    }
}

/// What the generator needs of an index that is no wildcard index.
pub(super) struct Generator<'i> {
    pub(super) paths: &'i [Path],
    pub(super) order: KeyOrder,
    pub(super) sparse: bool,
    pub(super) sort_key: Option<SortKey<'i>>,
}

impl Generator<'_> {
    /// Puts the document's keys into the set.
    ///
    /// # Errors
    /// `CannotIndexParallelArrays`; 16746 where a numeric path part fits both an array position and a field.
    pub(super) fn generate(&self, document: DocView<'_>, keys: &mut KeySet) -> Result<()> {
        keys.clear(self.paths.len());
        key_tuples(document, self.paths, &mut Gathering { generator: self, keys }).map_err(refusal)?;
        keys.settle();
        Ok(())
    }
}

/// Makes keys of tuples.
struct Gathering<'g, 'i> {
    generator: &'g Generator<'i>,
    keys: &'g mut KeySet,
}

impl<'a> Tuples<'a> for Gathering<'_, '_> {
    fn crossed(&mut self, part: usize, position: usize) {
        self.keys.multikey[part].insert(position);
    }

    fn found(&mut self, tuple: &[Option<View<'a>>]) {
        if self.generator.sparse && tuple.iter().all(Option::is_none) {
            return;
        }
        let mut key = std::mem::take(&mut self.keys.building);
        key.clear();
        for (part, value) in tuple.iter().enumerate() {
            let direction = self.generator.order.direction(part);
            key.push(value.unwrap_or(View::Null), direction, self.generator.sort_key);
        }
        self.keys.push(key.key());
        self.keys.building = key;
    }
}

fn refusal(reason: NoKeys) -> CommandError {
    match reason {
        NoKeys::ParallelArrays(name, first) => {
            let message = format!("cannot index parallel arrays [{name}] [{first}]");
            CommandError::new(ErrorCode::CannotIndexParallelArrays, message)
        }
        NoKeys::Ambiguous(name) => CommandError::new(16746, ambiguous_field(&name)),
    }
}
