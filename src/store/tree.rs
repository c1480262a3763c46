//! The ordered set of an index's entries: packed pages under a persistent map, so that a snapshot costs nothing.
//!
//! A page holds some hundred entries in one run of bytes. The map leads from a *fence*, not above the page's first entry
//! and above every entry of the page before, to the page. A changed page is copied only while a snapshot shares it.

use std::ops::Bound;
use std::sync::Arc;

use imbl::OrdMap;

use crate::store::key::{Entry, KeyRef};
use crate::store::{Direction, RecordId};

/// Where a page is split.
const PAGE_BYTES: usize = 2048;
const PAGE_ENTRIES: usize = 128;

/// Type bits longer than this have their length in four bytes of its own.
const LONG_BITS: u8 = 0xff;

/// A run of entries in order.
#[derive(Debug, Clone, Default)]
struct Page {
    /// Key, type bits and their length, entry after entry.
    bytes: Vec<u8>,
    /// Where each entry ends.
    ends: Vec<u32>,
    ids: Vec<RecordId>,
}

impl Page {
    fn len(&self) -> usize {
        self.ids.len()
    }

    fn start(&self, at: usize) -> usize {
        if at == 0 { 0 } else { self.ends[at - 1] as usize }
    }

    fn key(&self, at: usize) -> KeyRef<'_> {
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

    fn entry(&self, at: usize) -> Entry<'_> {
        Entry { key: self.key(at), id: self.ids[at] }
    }

    /// The first position whose entry is not below the key and record id.
    fn position(&self, key: &[u8], id: RecordId) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.key(middle).bytes().cmp(key).then(self.ids[middle].cmp(&id)).is_lt() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The first position whose key is not below the bytes.
    fn lower_bound(&self, bytes: &[u8]) -> usize {
        self.position(bytes, RecordId(0))
    }

    fn insert(&mut self, at: usize, key: KeyRef<'_>, id: RecordId) {
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

    fn remove(&mut self, at: usize) {
        let (start, end) = (self.start(at), self.ends[at] as usize);
        self.bytes.drain(start..end);
        let removed = u32::try_from(end - start).expect("a page is below 4 GiB");
        self.ends.remove(at);
        self.ids.remove(at);
        self.ends[at..].iter_mut().for_each(|end| *end -= removed);
    }

    fn full(&self) -> bool {
        self.len() > 1 && (self.bytes.len() > PAGE_BYTES || self.len() > PAGE_ENTRIES)
    }

    /// Takes the entries from a position on into a page of their own.
    fn split_off(&mut self, at: usize) -> Self {
        let start = self.start(at);
        let bytes = self.bytes.split_off(start);
        let cut = u32::try_from(start).expect("a page is below 4 GiB");
        let ends = self.ends.split_off(at).into_iter().map(|end| end - cut).collect();
        let ids = self.ids.split_off(at);
        Self { bytes, ends, ids }
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

fn write_entry(place: &mut [u8], key: KeyRef<'_>) {
    let (length, size) = tail(key.bits());
    let (bytes, rest) = place.split_at_mut(key.bytes().len());
    bytes.copy_from_slice(key.bytes());
    let (bits, rest) = rest.split_at_mut(key.bits().len());
    bits.copy_from_slice(key.bits());
    if size > 1 {
        let long = u32::try_from(key.bits().len()).expect("type bits are below 4 GiB");
        rest[..4].copy_from_slice(&long.to_le_bytes());
    }
    rest[size - 1] = length;
}

type Fence = Arc<[u8]>;

/// The bytes a fence compares by: the key and the record id behind it.
fn fence(key: &[u8], id: RecordId) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(key.len() + 8);
    bytes.extend_from_slice(key);
    bytes.extend_from_slice(&id.0.to_be_bytes());
    bytes
}

/// An ordered set of entries that knows its size.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    pages: OrdMap<Fence, Arc<Page>>,
    entries: u64,
    distinct: u64,
    bytes: u64,
}

impl Tree {
    /// Number of entries.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    /// Number of different keys.
    pub(super) fn distinct(&self) -> u64 {
        self.distinct
    }

    /// Bytes of keys, type bits and record ids.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The page a key belongs to; the first page's fence is below every key.
    fn page_for(&self, bytes: &[u8]) -> Option<(&Fence, &Arc<Page>)> {
        self.pages.get_prev(bytes)
    }

    fn page_after(&self, fence: &[u8]) -> Option<(&Fence, &Arc<Page>)> {
        self.pages.range::<_, [u8]>((Bound::Excluded(fence), Bound::Unbounded)).next()
    }

    fn page_before(&self, fence: &[u8]) -> Option<(&Fence, &Arc<Page>)> {
        self.pages.range::<_, [u8]>((Bound::Unbounded, Bound::Excluded(fence))).next_back()
    }

    /// Whether an entry next to a position, other than that at it, has the key.
    fn has_neighbour(&self, key: &[u8], id: RecordId) -> bool {
        let mut cursor = Cursor::new(self, Direction::Ascending);
        cursor.seek(key, true);
        let mut same = std::iter::from_fn(|| {
            let entry = cursor.current()?;
            cursor.advance();
            (entry.key.bytes() == key).then_some(entry.id)
        });
        same.find(|other| *other != id).is_some()
    }

    /// Adds an entry; false if it was there.
    pub(super) fn insert(&mut self, key: KeyRef<'_>, id: RecordId) -> bool {
        let place = fence(key.bytes(), id);
        let Some((bound, page)) = self.pages.get_prev_mut::<[u8]>(&place) else {
            let mut page = Page::default();
            page.insert(0, key, id);
            self.pages.insert(Fence::from([]), Arc::new(page));
            self.count(key, 1, true);
            return true;
        };
        let page = Arc::make_mut(page);
        let at = page.position(key.bytes(), id);
        if at < page.len() && page.ids[at] == id && page.key(at).bytes() == key.bytes() {
            return false;
        }
        // Only at the rim of a page must another page be asked whether the key is new.
        let inside = (at > 0 && page.key(at - 1).bytes() == key.bytes())
            || (at < page.len() && page.key(at).bytes() == key.bytes());
        let (first, last) = (at == 0, at == page.len());
        page.insert(at, key, id);
        if page.full() {
            let bound = Arc::clone(bound);
            self.split(&bound, last);
        }
        let seen = inside || ((first || last) && self.has_neighbour(key.bytes(), id));
        self.count(key, 1, !seen);
        true
    }

    /// Cuts a full page in two. Entries that come in order leave full pages behind: behind the last page, only the entry
    /// just added moves on.
    fn split(&mut self, bound: &Fence, appended: bool) {
        let in_order = appended && self.page_after(bound).is_none();
        let Some(page) = self.pages.get_mut::<[u8]>(bound) else { return };
        let page = Arc::make_mut(page);
        let tail = page.split_off(if in_order { page.len() - 1 } else { page.len() / 2 });
        self.pages.insert(fence(tail.key(0).bytes(), tail.ids[0]).into(), Arc::new(tail));
    }

    /// Removes an entry; false if it was not there.
    pub(super) fn remove(&mut self, key: KeyRef<'_>, id: RecordId) -> bool {
        let place = fence(key.bytes(), id);
        let Some((bound, page)) = self.pages.get_prev_mut::<[u8]>(&place) else { return false };
        let at = page.position(key.bytes(), id);
        if at >= page.len() || page.ids[at] != id || page.key(at).bytes() != key.bytes() {
            return false;
        }
        if page.len() == 1 {
            let bound = Arc::clone(bound);
            self.drop_page(&bound);
        } else {
            Arc::make_mut(page).remove(at);
        }
        let seen = self.has_neighbour(key.bytes(), id);
        self.count(key, -1, !seen);
        true
    }

    /// Takes a page out; where it was the first, the next one gets its fence, below every key.
    fn drop_page(&mut self, bound: &Fence) {
        let next = if bound.is_empty() { self.page_after(bound).map(|(next, _)| Arc::clone(next)) } else { None };
        self.pages.remove(bound);
        if let Some(page) = next.and_then(|next| self.pages.remove(&next)) {
            self.pages.insert(Arc::clone(bound), page);
        }
    }

    fn count(&mut self, key: KeyRef<'_>, sign: i64, distinct: bool) {
        let bytes = (key.bytes().len() + key.bits().len() + 8) as u64;
        self.entries = self.entries.wrapping_add_signed(sign);
        self.bytes = self.bytes.wrapping_add_signed(sign * bytes.cast_signed());
        self.distinct = self.distinct.wrapping_add_signed(if distinct { sign } else { 0 });
    }

    /// A tree of entries that come in order, each once.
    pub(super) fn build<'a>(entries: impl Iterator<Item = Entry<'a>>) -> Self {
        let mut tree = Self::default();
        let mut page = Page::default();
        let mut last: Option<&[u8]> = None;
        for entry in entries {
            tree.count(entry.key, 1, last != Some(entry.key.bytes()));
            last = Some(entry.key.bytes());
            if page.bytes.len() + entry.key.bytes().len() > PAGE_BYTES || page.len() >= PAGE_ENTRIES {
                tree.append(std::mem::take(&mut page));
            }
            if page.len() == 0 {
                page.bytes.reserve(PAGE_BYTES);
            }
            page.push(entry);
        }
        tree.append(page);
        tree
    }

    fn append(&mut self, mut page: Page) {
        if page.len() > 0 {
            page.shrink();
            let bound = if self.pages.is_empty() { Vec::new() } else { fence(page.key(0).bytes(), page.ids[0]) };
            self.pages.insert(bound.into(), Arc::new(page));
        }
    }

    /// All entries in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.pages.values().flat_map(|page| (0..page.len()).map(|at| page.entry(at)))
    }

    /// Bytes that MongoDB's storage would need in each page beyond the prefix a key shares with the one before it.
    pub(super) fn prefix_compressed(&self) -> u64 {
        let shared = |left: &[u8], right: &[u8]| left.iter().zip(right).take_while(|(a, b)| a == b).count();
        self.pages
            .values()
            .flat_map(|page| {
                (0..page.len()).map(move |at| {
                    let key = page.key(at);
                    let common = if at == 0 { 0 } else { shared(page.key(at - 1).bytes(), key.bytes()) };
                    // WiredTiger keeps a cell header of two or three bytes and the record id behind the key.
                    (key.bytes().len() - common + key.bits().len() + 5) as u64
                })
            })
            .sum()
    }
}

impl Page {
    fn push(&mut self, entry: Entry<'_>) {
        let start = self.bytes.len();
        let added = entry.key.bytes().len() + entry.key.bits().len() + tail(entry.key.bits()).1;
        self.bytes.resize(start + added, 0);
        write_entry(&mut self.bytes[start..], entry.key);
        self.ends.push(u32::try_from(self.bytes.len()).expect("a page is below 4 GiB"));
        self.ids.push(entry.id);
    }

    fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.ids.shrink_to_fit();
    }
}

/// A place among the entries of an index, and a direction to go on in.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    tree: &'a Tree,
    direction: Direction,
    page: Option<(&'a Fence, &'a Page)>,
    /// The entry's position in the page.
    at: usize,
    scratch: Vec<u8>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tree: &'a Tree, direction: Direction) -> Self {
        Self { tree, direction, page: None, at: 0, scratch: Vec::new() }
    }

    /// Goes to the first entry in the cursor's direction.
    pub fn start(&mut self) {
        let edge =
            if self.direction == Direction::Ascending { self.tree.pages.get_min() } else { self.tree.pages.get_max() };
        self.page = edge.map(|(fence, page)| (fence, &**page));
        self.at = match (self.page, self.direction) {
            (Some((_, page)), Direction::Descending) => page.len() - 1,
            _ => 0,
        };
    }

    /// Goes to the first entry, in the cursor's direction, that is at the key or beyond it; with `inclusive` false,
    /// beyond every entry that begins with the key. The key may have fewer parts than the index.
    pub fn seek(&mut self, key: &[u8], inclusive: bool) {
        self.scratch.clear();
        self.scratch.extend_from_slice(key);
        let ascending = self.direction == Direction::Ascending;
        // No part begins with 0xff, so this lies behind all entries that begin with the key.
        if inclusive != ascending {
            self.scratch.push(0xff);
        }
        self.page = self.tree.page_for(&self.scratch).map(|(fence, page)| (fence, &**page));
        let Some((_, page)) = self.page else { return };
        self.at = page.lower_bound(&self.scratch);
        if ascending {
            self.settle_forward();
        } else {
            self.step_back();
        }
    }

    /// The entry the cursor stands on; none behind the last one.
    #[must_use]
    pub fn current(&self) -> Option<Entry<'a>> {
        self.page.map(|(_, page)| page.entry(self.at))
    }

    /// Goes to the next entry in the cursor's direction.
    pub fn advance(&mut self) {
        if self.direction == Direction::Ascending {
            self.at += 1;
            self.settle_forward();
        } else {
            self.step_back();
        }
    }

    fn settle_forward(&mut self) {
        if let Some((fence, page)) = self.page
            && self.at >= page.len()
        {
            self.page = self.tree.page_after(fence).map(|(fence, page)| (fence, &**page));
            self.at = 0;
        }
    }

    fn step_back(&mut self) {
        let Some((fence, _)) = self.page else { return };
        if self.at == 0 {
            self.page = self.tree.page_before(fence).map(|(fence, page)| (fence, &**page));
            self.at = self.page.map_or(0, |(_, page)| page.len());
        }
        self.at = self.at.saturating_sub(1);
    }
}
