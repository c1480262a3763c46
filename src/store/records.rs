//! The documents of a collection by record id, in chunks that snapshots share.
//!
//! Record ids count up and are never given twice, so that an id says where its record lies.

use std::sync::Arc;

use crate::store::RecordId;
use crate::value::SharedDocument;

/// How many records a chunk has room for.
const CHUNK: usize = 32;

type Chunk = [Option<SharedDocument>; CHUNK];

/// Records in the order of their ids. Cloning shares them.
#[derive(Debug, Clone, Default)]
pub(super) struct Records {
    /// None where a chunk has no record.
    chunks: Arc<Vec<Option<Arc<Chunk>>>>,
    len: usize,
}

/// The chunk of an id, and the place there.
#[inline]
fn place(id: RecordId) -> (usize, usize) {
    let number = usize::try_from(id.0).unwrap_or(usize::MAX);
    (number / CHUNK, number % CHUNK)
}

fn id_at(chunk: usize, at: usize) -> RecordId {
    RecordId((chunk * CHUNK + at) as u64)
}

impl Records {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn get(&self, id: RecordId) -> Option<&SharedDocument> {
        let (chunk, at) = place(id);
        self.chunks.get(chunk)?.as_ref()?[at].as_ref()
    }

    /// Puts a record at an id; gives the one that was there.
    pub(super) fn insert(&mut self, id: RecordId, record: SharedDocument) -> Option<SharedDocument> {
        let (chunk, at) = place(id);
        let chunks = Arc::make_mut(&mut self.chunks);
        if chunks.len() <= chunk {
            chunks.resize_with(chunk + 1, || None);
        }
        let slots = chunks[chunk].get_or_insert_with(|| Arc::new([const { None }; CHUNK]));
        let before = Arc::make_mut(slots)[at].replace(record);
        self.len += usize::from(before.is_none());
        before
    }

    pub(super) fn remove(&mut self, id: RecordId) -> Option<SharedDocument> {
        let (chunk, at) = place(id);
        self.get(id)?;
        let chunks = Arc::make_mut(&mut self.chunks);
        let slots = Arc::make_mut(chunks[chunk].as_mut()?);
        let gone = slots[at].take();
        if slots.iter().all(Option::is_none) {
            chunks[chunk] = None;
        }
        self.len -= usize::from(gone.is_some());
        gone
    }

    /// All records in the order of their ids.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (RecordId, &SharedDocument)> {
        let filled = self.chunks.iter().enumerate().filter_map(|(chunk, slots)| Some((chunk, slots.as_ref()?)));
        filled.flat_map(|(chunk, slots)| {
            let there = slots.iter().enumerate();
            there.filter_map(move |(at, record)| Some((id_at(chunk, at), record.as_ref()?)))
        })
    }

    /// Whether both are the same snapshot.
    pub(super) fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.chunks, &other.chunks)
    }

    /// What differs between two states: at each id what was there before, and what is there after.
    pub(super) fn changes<'r>(
        &'r self,
        after: &'r Self,
    ) -> impl Iterator<Item = (Option<&'r SharedDocument>, Option<&'r SharedDocument>)> {
        let chunk = |records: &'r Self, at: usize| records.chunks.get(at).and_then(Option::as_ref);
        let chunks = (0..self.chunks.len().max(after.chunks.len())).map(move |at| (chunk(self, at), chunk(after, at)));
        let changed = chunks.filter(|(before, after)| before.map(Arc::as_ptr) != after.map(Arc::as_ptr));
        let slots = changed.flat_map(|(before, after)| {
            (0..CHUNK).map(move |at| {
                (before.and_then(|slots| slots[at].as_ref()), after.and_then(|slots| slots[at].as_ref()))
            })
        });
        slots.filter(|(before, after)| match (before, after) {
            (Some(before), Some(after)) => !before.is(after),
            (before, after) => before.is_some() || after.is_some(),
        })
    }
}
