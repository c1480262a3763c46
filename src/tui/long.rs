//! A list too long to be written out: each item is one row until it is unfolded, and is written when it is looked at.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::tui::page::Line;

/// Writes one item as one line.
type Write = Arc<dyn Fn(usize) -> Line + Send + Sync>;

/// Items as lines.
#[derive(Clone)]
pub struct Long {
    count: usize,
    write: Write,
    /// The lines of unfolded items.
    open: BTreeMap<usize, Vec<Line>>,
}

impl fmt::Debug for Long {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Long").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Long {
    /// So many items, those unfolded with their lines.
    #[must_use]
    pub fn new(
        count: usize,
        open: BTreeMap<usize, Vec<Line>>,
        write: impl Fn(usize) -> Line + Send + Sync + 'static,
    ) -> Self {
        Self { count, write: Arc::new(write), open }
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count + self.open.values().map(|lines| lines.len().saturating_sub(1)).sum::<usize>()
    }

    /// A line by its number.
    #[must_use]
    pub fn line(&self, number: usize) -> Option<Cow<'_, Line>> {
        let mut more = 0;
        for (item, lines) in &self.open {
            let start = item + more;
            if number < start {
                break;
            }
            if let Some(line) = lines.get(number - start) {
                return Some(Cow::Borrowed(line));
            }
            more += lines.len().saturating_sub(1);
        }
        let item = number.checked_sub(more).filter(|item| *item < self.count)?;
        Some(Cow::Owned(self.folded(item)))
    }

    /// An item's one row; it is cut where the screen ends.
    fn folded(&self, item: usize) -> Line {
        Line { row: true, ..(self.write)(item) }
    }

    /// How many rows each line takes at a width, in order.
    pub fn heights(&self, width: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.count).flat_map(move |item| match self.open.get(&item) {
            Some(lines) => lines.iter().map(|line| line.height(width)).collect(),
            None => vec![1],
        })
    }
}
