//! Walking the entries of an index, either way.

use crate::store::key::Entry;
use crate::store::page::Page;
use crate::store::tree::{PageAt, Tree};
use crate::store::{Direction, RecordId};

/// A place among the entries of an index, and a direction to go on in.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    tree: &'a Tree,
    direction: Direction,
    page: Option<(PageAt, &'a Page)>,
    /// The entry's position in the page.
    at: usize,
    scratch: Vec<u8>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tree: &'a Tree, direction: Direction) -> Self {
        Self { tree, direction, page: None, at: 0, scratch: Vec::new() }
    }

    fn enter(&mut self, page: Option<PageAt>) {
        self.page = page.map(|at| (at, self.tree.page(at)));
    }

    /// Goes to the first entry in the cursor's direction.
    pub fn start(&mut self) {
        let ascending = self.direction == Direction::Ascending;
        self.enter(if ascending { self.tree.first() } else { self.tree.last() });
        self.at = match self.page {
            Some((_, page)) if !ascending => page.len() - 1,
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
        self.enter(self.tree.locate(&self.scratch, RecordId(0)));
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
        if let Some((at, page)) = self.page
            && self.at >= page.len()
        {
            self.enter(self.tree.after(at));
            self.at = 0;
        }
    }

    fn step_back(&mut self) {
        let Some((at, _)) = self.page else { return };
        if self.at == 0 {
            self.enter(self.tree.before(at));
            self.at = self.page.map_or(0, |(_, page)| page.len());
        }
        self.at = self.at.saturating_sub(1);
    }
}
