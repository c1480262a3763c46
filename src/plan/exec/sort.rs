//! SORT: takes everything, then gives it in order.

use std::cmp::Ordering;

use crate::error::Result;
use crate::plan::Work;
use crate::query::{SortKey, SortPattern};
use crate::value::SharedDocument;

use super::row::{Row, key_document};

/// What a sort holds besides the document, per row, as the server counts it.
const ROW_OVERHEAD: u64 = 32;

/// Rows with their sort keys.
pub(super) struct Sorting<'c> {
    pattern: SortPattern,
    limit: Option<usize>,
    rows: Vec<(SortKey, Row<'c>)>,
    /// Bytes held by the rows.
    held: u64,
    sorted: Option<std::vec::IntoIter<(SortKey, Row<'c>)>>,
}

/// The bytes of a row, as the server counts them.
fn size(row: &Row<'_>) -> u64 {
    let document = row.document.map_or(0, SharedDocument::size);
    (document + row.key().map_or(0, |(key, _)| key.bytes().len())) as u64 + ROW_OVERHEAD
}

/// The sort key of a row, from its document or else from its index key.
pub(super) fn sort_key(pattern: &SortPattern, row: &Row<'_>) -> Result<SortKey> {
    match (row.document, row.key()) {
        (Some(document), _) => pattern.key(document),
        (None, Some((key, scan))) => pattern.key(&key_document(key, scan)),
        (None, None) => pattern.key(&bson::Document::new()),
    }
}

impl<'c> Sorting<'c> {
    pub fn new(pattern: SortPattern, limit: Option<u64>) -> Self {
        let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Self { pattern, limit, rows: Vec::new(), held: 0, sorted: None }
    }

    pub fn is_sorted(&self) -> bool {
        self.sorted.is_some()
    }

    pub fn add(&mut self, row: Row<'c>, work: &mut Work) -> Result<()> {
        let key = sort_key(&self.pattern, &row)?;
        let size = size(&row);
        work.bytes_sorted += size;
        self.held += size;
        work.memory = work.memory.max(self.held);
        self.rows.push((key, row));
        // With a limit twice as many rows as wanted are held at most.
        if let Some(limit) = self.limit
            && self.rows.len() >= limit.saturating_mul(2).max(64)
        {
            self.order();
        }
        Ok(())
    }

    fn order(&mut self) {
        let pattern = &self.pattern;
        self.rows.sort_by(|left, right| -> Ordering { pattern.compare(&left.0, &right.0) });
        if let Some(limit) = self.limit {
            self.rows.truncate(limit);
            self.held = self.rows.iter().map(|(_, row)| size(row)).sum();
        }
    }

    /// Everything is there.
    pub fn finish(&mut self) -> u64 {
        self.order();
        let rows = std::mem::take(&mut self.rows);
        let count = rows.len() as u64;
        self.sorted = Some(rows.into_iter());
        count
    }

    /// Whether everything has been given.
    pub fn is_exhausted(&self) -> bool {
        self.sorted.as_ref().is_some_and(|rows| rows.len() == 0)
    }

    pub fn next(&mut self) -> Option<Row<'c>> {
        self.sorted.as_mut()?.next().map(|(_, row)| row)
    }
}
