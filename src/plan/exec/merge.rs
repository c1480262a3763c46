//! `SORT_MERGE`: the least of several inputs that come in order.

use std::collections::VecDeque;

use crate::error::Result;
use crate::query::{SortKey, SortPattern};

use super::row::Row;
use super::scan::Seen;
use super::sort::sort_key;

/// The front rows of all inputs.
pub(super) struct Merging<'c> {
    pattern: SortPattern,
    /// Inputs whose front row is not known.
    pub waiting: VecDeque<usize>,
    /// Front rows, greatest first.
    fronts: Vec<(SortKey, usize, Row<'c>)>,
    pub seen: Seen,
}

impl<'c> Merging<'c> {
    pub fn new(pattern: SortPattern, inputs: usize) -> Self {
        Self { pattern, waiting: (0..inputs).collect(), fronts: Vec::new(), seen: Seen::default() }
    }

    /// Takes an input's front row in.
    pub fn offer(&mut self, input: usize, row: Row<'c>) -> Result<()> {
        let key = sort_key(&self.pattern, &row)?;
        let pattern = &self.pattern;
        let at = self
            .fronts
            .partition_point(|(other, before, _)| pattern.compare(other, &key).then(before.cmp(&input)).is_gt());
        self.fronts.insert(at, (key, input, row));
        Ok(())
    }

    /// Gives the least row; its input's next is not known then.
    pub fn take(&mut self) -> Option<Row<'c>> {
        let (_, input, row) = self.fronts.pop()?;
        self.waiting.push_back(input);
        Some(row)
    }
}
