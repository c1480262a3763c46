//! Walking the entries of an index, either way.

use crate::store::key::{Entry, KeyRef};
use crate::store::page::Page;
use crate::store::tree::{PageAt, Tree};
use crate::store::{Direction, RecordId};

/// An entry where it lies, not yet read.
#[derive(Debug, Clone, Copy)]
pub struct EntryPlace<'a> {
    page: &'a Page,
    at: usize,
}

impl<'a> EntryPlace<'a> {
    /// The record the entry leads to.
    #[must_use]
    #[inline]
    pub fn id(self) -> RecordId {
        self.page.ids[self.at]
    }

    /// The entry's key.
    #[must_use]
    pub fn key(self) -> KeyRef<'a> {
        self.page.key(self.at)
    }
}

/// A place among the entries of an index, and a direction to go on in.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    tree: &'a Tree,
    direction: Direction,
    page: Option<(PageAt, &'a Page)>,
    /// The entry's position in the page.
    at: usize,
    scratch: Vec<u8>,
    /// Where the walk ends, in the cursor's direction.
    edge: Option<Vec<u8>>,
    /// How many entries of the page lie below the edge; all of them without one.
    below: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tree: &'a Tree, direction: Direction) -> Self {
        Self { tree, direction, page: None, at: 0, scratch: Vec::new(), edge: None, below: 0 }
    }

    /// Lets the walk end at an edge: an ascending one takes the entries below it, a descending one the others.
    pub fn end_at(&mut self, edge: Vec<u8>) {
        self.edge = Some(edge);
    }

    /// Enters a page to walk it from a position.
    fn enter(&mut self, page: Option<PageAt>, position: impl FnOnce(&Page) -> usize) {
        self.page = page.map(|at| (at, self.tree.page(at)));
        let Some((_, page)) = self.page else { return };
        self.at = position(page);
        let ascending = self.direction == Direction::Ascending;
        self.below = match &self.edge {
            Some(edge) => page.below(edge, if ascending { self.at } else { 0 }),
            None if ascending => page.len(),
            None => 0,
        };
    }

    /// Goes to the first entry in the cursor's direction.
    pub fn start(&mut self) {
        let ascending = self.direction == Direction::Ascending;
        let first = if ascending { self.tree.first() } else { self.tree.last() };
        self.enter(first, |page| if ascending { 0 } else { page.len() - 1 });
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
        let place = std::mem::take(&mut self.scratch);
        self.enter(self.tree.locate(&place, RecordId(0)), |page| page.lower_bound(&place));
        self.scratch = place;
        if self.page.is_none() {
            return;
        }
        if ascending {
            self.settle_forward();
        } else {
            self.step_back();
        }
    }

    /// The entry the cursor stands on; none behind the last one.
    #[must_use]
    pub fn current(&self) -> Option<Entry<'a>> {
        self.place().map(|place| Entry { key: place.key(), id: place.id() })
    }

    /// Where the entry lies that the cursor stands on; none behind the last one.
    #[must_use]
    #[inline]
    pub fn place(&self) -> Option<EntryPlace<'a>> {
        let (_, page) = self.page?;
        let inside = (self.at < self.below) == (self.direction == Direction::Ascending);
        inside.then_some(EntryPlace { page, at: self.at })
    }

    /// Goes to the next entry in the cursor's direction.
    #[inline]
    pub fn advance(&mut self) {
        if self.direction == Direction::Ascending {
            self.at += 1;
            if self.at >= self.below {
                self.settle_forward();
            }
        } else {
            self.step_back();
        }
    }

    fn settle_forward(&mut self) {
        if let Some((at, page)) = self.page
            && self.at >= page.len()
        {
            self.enter(self.tree.after(at), |_| 0);
        }
    }

    fn step_back(&mut self) {
        let Some((at, _)) = self.page else { return };
        if self.at == 0 {
            self.enter(self.tree.before(at), Page::len);
        }
        self.at = self.at.saturating_sub(1);
    }
}
