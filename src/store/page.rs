//! A run of index entries, packed in one run of bytes.

use std::cmp::Ordering;

use crate::store::RecordId;
use crate::store::key::{Entry, KeyRef};

/// Where a page is split.
const PAGE_BYTES: usize = 2048;
const PAGE_ENTRIES: usize = 128;

/// Type bits longer than this have their length in four bytes of its own.
const LONG_BITS: u8 = 0xff;

/// A run of entries in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Page {
    /// Key, type bits and their length, entry after entry.
    bytes: Vec<u8>,
    /// Where each entry ends.
    ends: Vec<u32>,
    pub(super) ids: Vec<RecordId>,
}

impl Page {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    fn start(&self, at: usize) -> usize {
        if at == 0 { 0 } else { self.ends[at - 1] as usize }
    }

    pub(super) fn key(&self, at: usize) -> KeyRef<'_> {
        let entry = &self.bytes[self.start(at)..self.ends[at] as usize];
        let (length, rest) = entry.split_last().expect("an entry ends with the length of its type bits");
        let (bits, rest) = match *length {
            LONG_BITS => {
                let (rest, long) = rest.split_last_chunk::<4>().expect("four bytes hold a long length");
                (u32::from_le_bytes(*long) as usize, rest)
            }
            short => (usize::from(short), rest),
        };
        let (key, bits) = rest.split_at(rest.len() - bits);
        KeyRef::new(key, bits)
    }

    /// Whether the entry at a position is that of the key and record id.
    pub(super) fn holds(&self, at: usize, key: &[u8], id: RecordId) -> bool {
        at < self.len() && self.ids[at] == id && self.key(at).bytes() == key
    }

    /// How the entry at a position compares with a key and record id.
    pub(super) fn compare(&self, at: usize, key: &[u8], id: RecordId) -> Ordering {
        self.key(at).bytes().cmp(key).then(self.ids[at].cmp(&id))
    }

    pub(super) fn entry(&self, at: usize) -> Entry<'_> {
        Entry { key: self.key(at), id: self.ids[at] }
    }

    /// The first position whose entry is not below the key and record id.
    pub(super) fn position(&self, key: &[u8], id: RecordId) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.compare(middle, key, id).is_lt() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The first position whose key is not below the bytes.
    pub(super) fn lower_bound(&self, bytes: &[u8]) -> usize {
        self.position(bytes, RecordId(0))
    }

    /// How many entries lie below an edge, when it is known that so many do.
    pub(super) fn below(&self, edge: &[u8], known: usize) -> usize {
        let is_below = |at: usize| self.key(at).bytes() < edge;
        let (mut low, mut high) = (known, self.len());
        // Most walks end on the page they begin on, or take all of it.
        if low < high && is_below(high - 1) {
            return high;
        }
        while low < high {
            let middle = usize::midpoint(low, high);
            if is_below(middle) { low = middle + 1 } else { high = middle }
        }
        low
    }

    pub(super) fn insert(&mut self, at: usize, key: KeyRef<'_>, id: RecordId) {
        let start = self.start(at);
        let old = self.bytes.len();
        let added = key.bytes().len() + key.bits().len() + tail(key.bits()).1;
        reserve(&mut self.bytes, added, PAGE_BYTES / 4);
        self.bytes.resize(old + added, 0);
        self.bytes.copy_within(start..old, start + added);
        write_entry(&mut self.bytes[start..start + added], key);
        reserve(&mut self.ends, 1, PAGE_ENTRIES / 8);
        reserve(&mut self.ids, 1, PAGE_ENTRIES / 8);
        let added = u32::try_from(added).expect("a document, and so a key, is below 4 GiB");
        self.ends[at..].iter_mut().for_each(|end| *end += added);
        self.ends.insert(at, u32::try_from(start).expect("a page is below 4 GiB") + added);
        self.ids.insert(at, id);
    }

    pub(super) fn remove(&mut self, at: usize) {
        let (start, end) = (self.start(at), self.ends[at] as usize);
        self.bytes.drain(start..end);
        let removed = u32::try_from(end - start).expect("a page is below 4 GiB");
        self.ends.remove(at);
        self.ids.remove(at);
        self.ends[at..].iter_mut().for_each(|end| *end -= removed);
    }

    /// Whether the page is to be cut in two.
    pub(super) fn full(&self) -> bool {
        self.len() > 1 && (self.bytes.len() > PAGE_BYTES || self.len() > PAGE_ENTRIES)
    }

    /// Takes the entries from a position on into a page of their own; neither half keeps room to spare.
    pub(super) fn split_off(&mut self, at: usize) -> Self {
        let start = self.start(at);
        let bytes = self.bytes.split_off(start);
        let cut = u32::try_from(start).expect("a page is below 4 GiB");
        let ends = self.ends.split_off(at).into_iter().map(|end| end - cut).collect();
        let ids = self.ids.split_off(at);
        *self = self.packed();
        Self { bytes, ends, ids }
    }

    /// Bytes of memory, room to spare and the reference counts among them.
    pub(super) fn memory(&self) -> usize {
        let lists = self.bytes.capacity() + self.ends.capacity() * size_of::<u32>();
        lists + self.ids.capacity() * size_of::<RecordId>() + size_of::<Self>() + 2 * size_of::<usize>()
    }
}

/// Makes room for more with little to spare: many pages are never touched again.
fn reserve<T>(vector: &mut Vec<T>, more: usize, spare: usize) {
    if vector.capacity() - vector.len() < more {
        vector.reserve_exact(more + spare);
    }
}

/// The byte that tells the length of the type bits, and how many bytes that takes.
fn tail(bits: &[u8]) -> (u8, usize) {
    match u8::try_from(bits.len()) {
        Ok(length) if length < LONG_BITS => (length, 1),
        _ => (LONG_BITS, 5),
    }
}

fn long(bits: &[u8]) -> [u8; 4] {
    u32::try_from(bits.len()).expect("type bits are below 4 GiB").to_le_bytes()
}

fn write_entry(place: &mut [u8], key: KeyRef<'_>) {
    let (length, size) = tail(key.bits());
    let (bytes, rest) = place.split_at_mut(key.bytes().len());
    bytes.copy_from_slice(key.bytes());
    let (bits, rest) = rest.split_at_mut(key.bits().len());
    bits.copy_from_slice(key.bits());
    if size > 1 {
        rest[..4].copy_from_slice(&long(key.bits()));
    }
    rest[size - 1] = length;
}

impl Page {
    /// Whether a page that is filled in order should end before the entry.
    pub(super) fn filled(&self, entry: Entry<'_>) -> bool {
        self.len() > 0 && (self.bytes.len() + entry.key.bytes().len() > PAGE_BYTES || self.len() >= PAGE_ENTRIES)
    }

    /// Adds an entry behind all others.
    pub(super) fn push(&mut self, entry: Entry<'_>) {
        let (length, _) = tail(entry.key.bits());
        self.bytes.extend_from_slice(entry.key.bytes());
        self.bytes.extend_from_slice(entry.key.bits());
        if length == LONG_BITS {
            self.bytes.extend_from_slice(&long(entry.key.bits()));
        }
        self.bytes.push(length);
        self.ends.push(u32::try_from(self.bytes.len()).expect("a page is below 4 GiB"));
        self.ids.push(entry.id);
    }

    /// A copy that takes no more room than it needs.
    pub(super) fn packed(&self) -> Self {
        Self { bytes: self.bytes.as_slice().into(), ends: self.ends.as_slice().into(), ids: self.ids.as_slice().into() }
    }

    /// Takes all entries out and keeps the room.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.ids.clear();
    }
}
