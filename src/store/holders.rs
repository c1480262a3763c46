//! Which records an index has one key of.

use std::ops::RangeInclusive;

use crate::store::RecordId;
use crate::store::tree::{PageAt, Tree};

/// The records that an index has one whole key of.
#[derive(Debug, Clone)]
pub struct Holders<'a> {
    tree: &'a Tree,
    key: Vec<u8>,
    /// Behind all entries with the key.
    edge: Vec<u8>,
    /// The page looked at last.
    page: Option<PageAt>,
    /// The records with the key there.
    ids: &'a [RecordId],
    /// The records that this page tells of: they have the key if they are among those.
    told: RangeInclusive<RecordId>,
}

impl<'a> Holders<'a> {
    pub(super) fn new(tree: &'a Tree, key: Vec<u8>) -> Self {
        // No part begins with 0xff.
        let edge = [&key[..], &[0xff]].concat();
        let nothing = RecordId(1)..=RecordId(0);
        Self { tree, key, edge, page: None, ids: &[], told: nothing }
    }

    /// Whether the index has the key of this record. Asked of ids that ascend, it looks at each page once.
    #[must_use]
    #[inline]
    pub fn has(&mut self, id: RecordId) -> bool {
        if !self.told.contains(&id) {
            self.look(id);
        }
        self.ids.binary_search(&id).is_ok()
    }

    /// Looks at the page that an entry of the record would lie on.
    fn look(&mut self, id: RecordId) {
        self.page = self.next(id).or_else(|| self.tree.locate(&self.key, id));
        let Some(page) = self.page.map(|at| self.tree.page(at)) else { return };
        let start = if page.compare(0, &self.key, RecordId(0)).is_ge() { 0 } else { page.lower_bound(&self.key) };
        let end = page.below(&self.edge, start);
        self.ids = &page.ids[start..end];
        // Before the first of them, and behind the last, other pages may have some.
        let first = if start > 0 { RecordId(0) } else { self.ids.first().map_or(id, |first| id.min(*first)) };
        let last = if end < page.len() { RecordId(u64::MAX) } else { self.ids.last().map_or(id, |last| id.max(*last)) };
        self.told = first..=last;
    }

    /// The page behind the one looked at last, where an entry of the record would lie there.
    fn next(&self, id: RecordId) -> Option<PageAt> {
        let at = self.page.filter(|_| *self.told.end() < id).and_then(|at| self.tree.after(at))?;
        let page = self.tree.page(at);
        let reached = page.compare(page.len() - 1, &self.key, id).is_ge();
        reached.then_some(at)
    }
}
