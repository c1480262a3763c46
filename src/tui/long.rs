//! A list too long to be written out: each item is one row until it is unfolded, and is written when it is looked at.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bson::Bson;

use crate::tui::page::Line;
use crate::tui::pages::one_line;
use crate::value::View;

/// Writes one item as one line.
type Write = Arc<dyn Fn(&Bson, usize) -> Line + Send + Sync>;

/// Items as lines.
#[derive(Clone)]
pub struct Long {
    items: Arc<Vec<Bson>>,
    write: Write,
    /// The lines of unfolded items.
    open: BTreeMap<usize, Vec<Line>>,
}

/// What stands at a line.
enum Place<'a> {
    /// A line of an unfolded item.
    Open(&'a Line),
    /// An item, by its number.
    Folded(usize),
}

impl fmt::Debug for Long {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Long").field("count", &self.items.len()).finish_non_exhaustive()
    }
}

impl Long {
    /// The items, those unfolded with their lines.
    #[must_use]
    pub fn new(
        items: &Arc<Vec<Bson>>,
        open: BTreeMap<usize, Vec<Line>>,
        write: impl Fn(&Bson, usize) -> Line + Send + Sync + 'static,
    ) -> Self {
        Self { items: Arc::clone(items), write: Arc::new(write), open }
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len() + self.open.values().map(|lines| lines.len().saturating_sub(1)).sum::<usize>()
    }

    /// A line by its number.
    #[must_use]
    pub fn line(&self, number: usize) -> Option<Cow<'_, Line>> {
        Some(match self.place(number)? {
            Place::Open(line) => Cow::Borrowed(line),
            Place::Folded(item) => Cow::Owned(self.folded(item)),
        })
    }

    /// The text that a line is found by: a folded item with all that is in it.
    #[must_use]
    pub fn whole(&self, number: usize) -> Option<String> {
        Some(match self.place(number)? {
            Place::Open(line) => line.text(),
            Place::Folded(item) => {
                let mut line = Line::new();
                one_line(&mut line, View::from(&self.items[item]));
                line.text()
            }
        })
    }

    fn place(&self, number: usize) -> Option<Place<'_>> {
        let mut more = 0;
        for (item, lines) in &self.open {
            let start = item + more;
            if number < start {
                break;
            }
            if let Some(line) = lines.get(number - start) {
                return Some(Place::Open(line));
            }
            more += lines.len().saturating_sub(1);
        }
        number.checked_sub(more).filter(|item| *item < self.items.len()).map(Place::Folded)
    }

    /// An item's one row; it is cut where the screen ends.
    fn folded(&self, item: usize) -> Line {
        Line { row: true, ..(self.write)(&self.items[item], item) }
    }

    /// How many rows each line takes at a width, in order.
    pub fn heights(&self, width: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.items.len()).flat_map(move |item| match self.open.get(&item) {
            Some(lines) => lines.iter().map(|line| line.height(width)).collect(),
            None => vec![1],
        })
    }
}
