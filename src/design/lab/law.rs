//! The law behind the measured rows: where the line leads beyond them, and which design is cheapest for which mix.

use super::measure::float;
use super::{Contender, LabRow};

/// Where another design becomes the cheapest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// From this share of questions on, in percent.
    pub reads: u8,
    /// The cheapest below it.
    pub from: Contender,
    /// The cheapest from there on.
    pub to: Contender,
}

/// A row on the straight line through the last two built ones; where only one was built, through it and nothing.
pub(super) fn extended(built: &[LabRow], size: u64) -> Option<LabRow> {
    let last = built.last()?;
    let before = built.len().checked_sub(2).map(|at| &built[at]);
    (size > last.entities).then_some(())?;
    let line = |figure: fn(&LabRow) -> f64| {
        let (x0, y0) = before.map_or((0.0, 0.0), |row| (float(row.entities), figure(row)));
        let (x1, y1) = (float(last.entities), figure(last));
        y1 + (y1 - y0) / (x1 - x0) * (float(size) - x1)
    };
    Some(LabRow {
        contender: last.contender,
        entities: size,
        computed: true,
        data_bytes: line(|row| row.data_bytes),
        index_bytes: line(|row| row.index_bytes),
        estimated_index_bytes: line(|row| row.estimated_index_bytes),
        entries: line(|row| row.entries),
        indexes: last.indexes,
        unserved: last.unserved,
        insert_entries: last.insert_entries,
        keys: line(|row| row.keys),
        docs: line(|row| row.docs),
    })
}

pub(super) fn cheapest(rows: &[&LabRow], reads: u8) -> Option<Contender> {
    let dearer = |a: &&&LabRow, b: &&&LabRow| {
        a.cost(reads).total_cmp(&b.cost(reads)).then(a.index_bytes.total_cmp(&b.index_bytes))
    };
    rows.iter().min_by(dearer).map(|row| row.contender)
}

pub(super) fn changes(rows: &[&LabRow]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut present = cheapest(rows, 0);
    for reads in 1..=100 {
        let next = cheapest(rows, reads);
        if let (Some(from), Some(to)) = (present, next)
            && from != to
        {
            found.push(Change { reads, from, to });
        }
        present = next;
    }
    found
}
