//! What an index is built from: entries gathered in runs of bounded size, each sorted and packed, then merged in order.
//!
//! A run is given back page by page while it is read, so that a build takes little more memory than the index it makes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use crate::store::RecordId;
use crate::store::key::{Entry, KeyRef};
use crate::store::page::Page;
use crate::store::tree::head;

/// A run is packed when it holds so many entries, or so many bytes of keys.
const RUN_ENTRIES: usize = 1 << 15;
const RUN_BYTES: usize = 1 << 20;

/// Entries in any order, on their way to an index.
#[derive(Default)]
pub(super) struct Runs {
    loose: Loose,
    packed: Vec<Run>,
}

impl Runs {
    pub(super) fn push(&mut self, key: KeyRef<'_>, id: RecordId) {
        self.loose.push(key, id);
        if self.loose.spans.len() >= RUN_ENTRIES || self.loose.bytes.len() >= RUN_BYTES {
            self.packed.extend(self.loose.pack());
        }
    }

    /// Gives all entries in order. What it hands them to may stop it with an error.
    pub(super) fn merge<E>(mut self, mut take: impl FnMut(Entry<'_>) -> Result<(), E>) -> Result<(), E> {
        self.packed.extend(self.loose.pack());
        self.loose = Loose::default();
        let mut heads = BinaryHeap::from(self.packed);
        while let Some(mut least) = heads.peek_mut() {
            take(least.entry())?;
            if !least.advance() {
                PeekMut::pop(least);
            }
        }
        Ok(())
    }
}

/// The entries of a run that is not sorted yet: keys in one piece, and where each lies.
#[derive(Default)]
struct Loose {
    bytes: Vec<u8>,
    spans: Vec<Span>,
}

#[derive(Clone, Copy)]
struct Span {
    /// The key's [`head`], which decides most comparisons.
    head: u128,
    start: u32,
    key: u32,
    bits: u32,
    id: RecordId,
}

impl Loose {
    fn push(&mut self, key: KeyRef<'_>, id: RecordId) {
        let size =
            |bytes: &[u8]| u32::try_from(bytes.len()).expect("a run and a key of a 16 MiB document are below 4 GiB");
        let head = head(key.bytes());
        self.spans.push(Span { head, start: size(&self.bytes), key: size(key.bytes()), bits: size(key.bits()), id });
        self.bytes.extend_from_slice(key.bytes());
        self.bytes.extend_from_slice(key.bits());
    }

    fn key(&self, span: &Span) -> &[u8] {
        &self.bytes[span.start as usize..][..span.key as usize]
    }

    fn entry(&self, span: &Span) -> Entry<'_> {
        let bits = &self.bytes[(span.start + span.key) as usize..][..span.bits as usize];
        Entry { key: KeyRef::new(self.key(span), bits), id: span.id }
    }

    fn sort(&mut self) {
        let mut spans = std::mem::take(&mut self.spans);
        spans.sort_unstable_by(|left, right| {
            let keys = || self.key(left).cmp(self.key(right));
            left.head.cmp(&right.head).then_with(keys).then_with(|| left.id.cmp(&right.id))
        });
        self.spans = spans;
    }

    /// Sorts and packs the entries, none of which stay; no run of none.
    fn pack(&mut self) -> Option<Run> {
        self.sort();
        let (mut pages, mut page) = (Vec::new(), Page::default());
        for span in &self.spans {
            let entry = self.entry(span);
            if page.filled(entry) {
                pages.push(page.packed());
                page.clear();
            }
            page.push(entry);
        }
        self.bytes.clear();
        self.spans.clear();
        pages.push(page);
        Run::new(pages)
    }
}

/// A sorted run that is being read: the page it has come to, and those behind it.
struct Run {
    page: Page,
    at: usize,
    head: u128,
    rest: std::vec::IntoIter<Page>,
}

impl Run {
    /// A run of pages, none of them empty but the last.
    fn new(pages: Vec<Page>) -> Option<Self> {
        let mut run = Self { page: Page::default(), at: 0, head: 0, rest: pages.into_iter() };
        run.settle().then_some(run)
    }

    fn entry(&self) -> Entry<'_> {
        self.page.entry(self.at)
    }

    /// Goes to the next entry; false behind the last.
    fn advance(&mut self) -> bool {
        self.at += 1;
        self.settle()
    }

    fn settle(&mut self) -> bool {
        if self.at >= self.page.len() {
            self.page = self.rest.next().unwrap_or_default();
            self.at = 0;
        }
        let some = self.page.len() > 0;
        if some {
            self.head = head(self.entry().key.bytes());
        }
        some
    }
}

/// The run with the least entry is the greatest, as a heap wants it.
impl Ord for Run {
    fn cmp(&self, other: &Self) -> Ordering {
        let entries = || {
            let (mine, others) = (self.entry(), other.entry());
            others.key.bytes().cmp(mine.key.bytes()).then(others.id.cmp(&mine.id))
        };
        other.head.cmp(&self.head).then_with(entries)
    }
}

impl PartialOrd for Run {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Run {}
