//! The ordered set of an index's entries: packed pages in chunks, so that a snapshot costs nothing.
//!
//! A page holds some hundred entries in one run of bytes, a chunk some hundred pages. What is changed, from the list of
//! chunks down to the page, is copied only while a snapshot shares it. No page and no chunk is empty.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::store::RecordId;
use crate::store::key::{Entry, KeyRef};
use crate::store::page::Page;

/// How many pages a chunk may have.
const CHUNK_PAGES: usize = 128;

/// Pages in order.
#[derive(Debug, Clone, Default)]
struct Chunk {
    /// The [`head`] of each page's first key, which decides most comparisons.
    heads: Vec<u128>,
    pages: Vec<Arc<Page>>,
}

/// A key's first sixteen bytes as a number: where two differ, their keys are in the same order.
pub(super) fn head(key: &[u8]) -> u128 {
    let mut head = [0; 16];
    let known = key.len().min(16);
    head[..known].copy_from_slice(&key[..known]);
    u128::from_be_bytes(head)
}

impl Chunk {
    fn insert(&mut self, at: usize, page: Page) {
        self.heads.insert(at, head(page.key(0).bytes()));
        self.pages.insert(at, Arc::new(page));
    }

    fn remove(&mut self, at: usize) {
        self.heads.remove(at);
        self.pages.remove(at);
    }

    /// Changes a page that may get another first entry.
    fn change<R>(&mut self, at: usize, change: impl FnOnce(&mut Page) -> R) -> R {
        let page = Arc::make_mut(&mut self.pages[at]);
        let result = change(page);
        self.heads[at] = head(page.key(0).bytes());
        result
    }

    fn split_off(&mut self, at: usize) -> Self {
        Self { heads: self.heads.split_off(at), pages: self.pages.split_off(at) }
    }

    /// Whether the first entry of a page lies behind the key and record id.
    fn is_behind(&self, page: usize, sought: &Sought<'_>) -> bool {
        let order = self.heads[page].cmp(&sought.head);
        order.then_with(|| self.pages[page].compare(0, sought.key, sought.id)) == Ordering::Greater
    }

    /// The last page that does not begin behind the key, or else the first.
    fn locate(&self, sought: &Sought<'_>) -> usize {
        let (mut low, mut high) = (0, self.pages.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.is_behind(middle, sought) { high = middle } else { low = middle + 1 }
        }
        low.saturating_sub(1)
    }
}

/// A key with its record id, and the number that decides most comparisons.
struct Sought<'k> {
    head: u128,
    key: &'k [u8],
    id: RecordId,
}

/// Where a page lies: its chunk, and its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PageAt {
    chunk: usize,
    page: usize,
}

/// An ordered set of entries that knows its size.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    chunks: Arc<Vec<Arc<Chunk>>>,
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

    /// Bytes of memory that the pages take and the lists they stand in.
    pub(super) fn memory(&self) -> usize {
        let listed = |chunk: &Chunk| {
            chunk.heads.capacity() * size_of::<u128>() + chunk.pages.capacity() * size_of::<Arc<Page>>()
        };
        let lists: usize = self.chunks.iter().map(|chunk| listed(chunk)).sum();
        lists + self.pages().map(Page::memory).sum::<usize>()
    }

    /// The page an entry belongs to; none in an empty tree.
    pub(super) fn locate(&self, key: &[u8], id: RecordId) -> Option<PageAt> {
        let sought = Sought { head: head(key), key, id };
        let behind = self.chunks.partition_point(|chunk| !chunk.is_behind(0, &sought));
        let chunk = behind.saturating_sub(1);
        Some(PageAt { chunk, page: self.chunks.get(chunk)?.locate(&sought) })
    }

    /// The page at a place.
    pub(super) fn page(&self, at: PageAt) -> &Page {
        &self.chunks[at.chunk].pages[at.page]
    }

    /// The first page.
    pub(super) fn first(&self) -> Option<PageAt> {
        (!self.chunks.is_empty()).then_some(PageAt { chunk: 0, page: 0 })
    }

    /// The last page.
    pub(super) fn last(&self) -> Option<PageAt> {
        let chunk = self.chunks.len().checked_sub(1)?;
        Some(PageAt { chunk, page: self.chunks[chunk].pages.len() - 1 })
    }

    /// The page behind a page.
    pub(super) fn after(&self, PageAt { chunk, page }: PageAt) -> Option<PageAt> {
        if page + 1 < self.chunks[chunk].pages.len() {
            return Some(PageAt { chunk, page: page + 1 });
        }
        (chunk + 1 < self.chunks.len()).then_some(PageAt { chunk: chunk + 1, page: 0 })
    }

    /// The page before a page.
    pub(super) fn before(&self, PageAt { chunk, page }: PageAt) -> Option<PageAt> {
        if page > 0 {
            return Some(PageAt { chunk, page: page - 1 });
        }
        let chunk = chunk.checked_sub(1)?;
        Some(PageAt { chunk, page: self.chunks[chunk].pages.len() - 1 })
    }

    fn chunk_mut(&mut self, chunk: usize) -> &mut Chunk {
        Arc::make_mut(&mut Arc::make_mut(&mut self.chunks)[chunk])
    }

    /// Whether the entry before a position, or that behind the one at it, has the key.
    fn is_known(&self, at: PageAt, position: usize, behind: usize, key: &[u8]) -> bool {
        let page = self.page(at);
        let left = match position.checked_sub(1) {
            Some(left) => Some(page.key(left)),
            None => self.before(at).map(|at| self.page(at)).map(|page| page.key(page.len() - 1)),
        };
        let right =
            if behind < page.len() { Some(page.key(behind)) } else { self.after(at).map(|at| self.page(at).key(0)) };
        [left, right].into_iter().flatten().any(|neighbour| neighbour.bytes() == key)
    }

    /// Adds an entry; false if it was there.
    pub(super) fn insert(&mut self, key: KeyRef<'_>, id: RecordId) -> bool {
        let Some(at) = self.locate(key.bytes(), id) else {
            let mut page = Page::default();
            page.insert(0, key, id);
            self.append(page);
            self.count(key, 1, true);
            return true;
        };
        let page = self.page(at);
        let position = page.position(key.bytes(), id);
        if page.holds(position, key.bytes(), id) {
            return false;
        }
        let seen = self.is_known(at, position, position, key.bytes());
        let full = self.chunk_mut(at.chunk).change(at.page, |page| {
            page.insert(position, key, id);
            page.full()
        });
        if full {
            self.split(at, position);
        }
        self.count(key, 1, !seen);
        true
    }

    /// Cuts a full page in two. Entries that come in order leave full pages behind: behind the last page, only the entry
    /// just added moves on.
    fn split(&mut self, at: PageAt, added: usize) {
        let length = self.page(at).len();
        let in_order = added + 1 == length && self.after(at).is_none();
        let chunk = self.chunk_mut(at.chunk);
        let tail = chunk.change(at.page, |page| page.split_off(if in_order { length - 1 } else { length / 2 }));
        chunk.insert(at.page + 1, tail);
        let pages = chunk.pages.len();
        if pages > CHUNK_PAGES {
            let tail = chunk.split_off(if in_order { pages - 1 } else { pages / 2 });
            Arc::make_mut(&mut self.chunks).insert(at.chunk + 1, Arc::new(tail));
        }
    }

    /// Removes an entry; false if it was not there.
    pub(super) fn remove(&mut self, key: KeyRef<'_>, id: RecordId) -> bool {
        let Some(at) = self.locate(key.bytes(), id) else { return false };
        let page = self.page(at);
        let position = page.position(key.bytes(), id);
        if !page.holds(position, key.bytes(), id) {
            return false;
        }
        let seen = self.is_known(at, position, position + 1, key.bytes());
        if page.len() == 1 {
            self.drop_page(at);
        } else {
            self.chunk_mut(at.chunk).change(at.page, |page| page.remove(position));
        }
        self.count(key, -1, !seen);
        true
    }

    fn drop_page(&mut self, at: PageAt) {
        let chunk = self.chunk_mut(at.chunk);
        chunk.remove(at.page);
        if chunk.pages.is_empty() {
            Arc::make_mut(&mut self.chunks).remove(at.chunk);
        }
    }

    fn count(&mut self, key: KeyRef<'_>, sign: i64, distinct: bool) {
        let bytes = (key.bytes().len() + key.bits().len() + 8) as u64;
        self.entries = self.entries.wrapping_add_signed(sign);
        self.bytes = self.bytes.wrapping_add_signed(sign * bytes.cast_signed());
        self.distinct = self.distinct.wrapping_add_signed(if distinct { sign } else { 0 });
    }

    /// Puts a page behind all others, unless it is empty.
    fn append(&mut self, page: Page) {
        if page.len() == 0 {
            return;
        }
        let chunks = Arc::make_mut(&mut self.chunks);
        if chunks.last().is_none_or(|chunk| chunk.pages.len() >= CHUNK_PAGES) {
            chunks.push(Arc::default());
        }
        if let Some(last) = chunks.last_mut().map(Arc::make_mut) {
            last.insert(last.pages.len(), page);
        }
    }

    fn pages(&self) -> impl Iterator<Item = &Page> {
        self.chunks.iter().flat_map(|chunk| chunk.pages.iter().map(|page| &**page))
    }

    /// All entries in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.pages().flat_map(|page| (0..page.len()).map(|at| page.entry(at)))
    }

    /// The entries from a key on, in order.
    pub(super) fn from(&self, key: &[u8]) -> impl Iterator<Item = Entry<'_>> {
        let start = self.locate(key, RecordId(0));
        let mut position = start.map_or(0, |at| self.page(at).lower_bound(key));
        let mut page = start;
        std::iter::from_fn(move || {
            if position >= self.page(page?).len() {
                page = self.after(page?);
                position = 0;
            }
            position += 1;
            Some(self.page(page?).entry(position - 1))
        })
    }

    /// Bytes that MongoDB's storage would need in each page beyond the prefix a key shares with the one before it.
    pub(super) fn prefix_compressed(&self) -> u64 {
        let shared = |left: &[u8], right: &[u8]| left.iter().zip(right).take_while(|(a, b)| a == b).count();
        let stored = |page: &Page, at: usize| {
            let key = page.key(at);
            let common = if at == 0 { 0 } else { shared(page.key(at - 1).bytes(), key.bytes()) };
            // WiredTiger keeps a cell header of two or three bytes and the record id behind the key.
            (key.bytes().len() - common + key.bits().len() + 5) as u64
        };
        self.pages().flat_map(|page| (0..page.len()).map(move |at| stored(page, at))).sum()
    }
}

/// A tree under construction, of entries that come in order, each once.
#[derive(Debug, Default)]
pub(super) struct Filling {
    tree: Tree,
    /// What is not in the tree yet; it keeps its memory.
    page: Page,
    /// The key last added.
    last: Vec<u8>,
}

impl Filling {
    /// Adds an entry behind all others; false if the one before it has the same key.
    pub(super) fn push(&mut self, entry: Entry<'_>) -> bool {
        let distinct = self.tree.entries == 0 || self.last != entry.key.bytes();
        if distinct {
            self.last.clear();
            self.last.extend_from_slice(entry.key.bytes());
        }
        if self.page.filled(entry) {
            self.tree.append(self.page.packed());
            self.page.clear();
        }
        self.page.push(entry);
        self.tree.count(entry.key, 1, distinct);
        distinct
    }

    /// The tree of all entries.
    pub(super) fn finish(mut self) -> Tree {
        self.tree.append(self.page.packed());
        self.tree
    }
}
