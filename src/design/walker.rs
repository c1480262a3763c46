//! The walk through an index: what the executor does, step by step, beside the index's own entries in order.
//!
//! The steps are the executor's own report of the same run whose plan is shown; at the last step the totals are the
//! plan's numbers.

use std::collections::HashMap;

use crate::engine::{Database, Find};
use crate::error::CommandError;
use crate::plan::{Explain, Steps, WalkStep};
use crate::store::RecordId;
use crate::value::Bson;
use crate::words::{Lang, Words};

use super::compare::walk;
use super::reshape::bytes_of;
use super::words::say;
use crate::shell::literal;

/// A run, step by step.
#[derive(Debug, Clone)]
pub struct Walk {
    explain: Box<Explain>,
    steps: Vec<WalkStep>,
    entries: Vec<IndexEntry>,
    places: HashMap<(Vec<u8>, u64), usize>,
    ids: HashMap<u64, String>,
    at: usize,
}

/// One entry of the index that is walked.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexEntry {
    /// The key's values.
    pub key: Vec<Bson>,
    /// The record it leads to.
    pub record: RecordId,
    /// Whether this run looks at it.
    pub scanned: bool,
}

/// What was done up to a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Times a scan was placed.
    pub seeks: u64,
    /// Keys looked at.
    pub keys: u64,
    /// Documents read.
    pub docs: u64,
    /// Duplicates dropped.
    pub dropped: u64,
    /// Documents that a filter refused.
    pub rejected: u64,
    /// Results.
    pub returned: u64,
}

/// A part of the index around the present entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Window<'a> {
    /// The position of the first entry shown.
    pub first: usize,
    /// The entries.
    pub entries: &'a [IndexEntry],
    /// The position of the entry looked at last.
    pub present: Option<usize>,
}

impl Walk {
    /// Runs a question and keeps its steps. A question that needs no index has steps too, but no entries.
    ///
    /// # Errors
    /// MongoDB's refusals of the question.
    pub fn of(database: &Database, find: &Find) -> Result<Self, CommandError> {
        let mut steps = Steps::default();
        let run = database.clone().reader().find_watched(find, &mut steps)?;
        let Some(explain) = run.explain else { return Err(no_plan()) };
        let mut walk =
            Self { explain, steps: steps.0, entries: Vec::new(), places: HashMap::new(), ids: HashMap::new(), at: 0 };
        walk.list_entries(database, &find.collection);
        walk.name_records(database, &find.collection);
        Ok(walk)
    }

    /// The plan that ran.
    #[must_use]
    pub fn explain(&self) -> &Explain {
        &self.explain
    }

    /// All steps.
    #[must_use]
    pub fn steps(&self) -> &[WalkStep] {
        &self.steps
    }

    /// How many steps are done.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Does so many steps, or takes them back where negative; stops at both ends.
    pub fn go(&mut self, steps: isize) {
        self.at = self.at.saturating_add_signed(steps).min(self.steps.len());
    }

    /// Goes back to the beginning.
    pub fn rewind(&mut self) {
        self.at = 0;
    }

    /// What the steps done so far come to.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for step in &self.steps[..self.at] {
            match step {
                WalkStep::Seek { .. } => totals.seeks += 1,
                WalkStep::KeyExamined { .. } => totals.keys += 1,
                WalkStep::Fetch { .. } => totals.docs += 1,
                WalkStep::DuplicateDropped { .. } => totals.dropped += 1,
                WalkStep::Rejected { .. } => totals.rejected += 1,
                WalkStep::Returned { .. } => totals.returned += 1,
                WalkStep::Sorted { .. } => {}
            }
        }
        totals
    }

    /// The index's entries around the one looked at last: so many before it, and so many from it on.
    #[must_use]
    pub fn window(&self, before: usize, from: usize) -> Window<'_> {
        let done = self.steps[..self.at].iter().rev();
        let coming = self.steps[self.at..].iter();
        let present = done.clone().find_map(|step| self.place(step));
        let centre = present.or_else(|| coming.into_iter().find_map(|step| self.place(step))).unwrap_or(0);
        let first = centre.saturating_sub(before);
        let end = (centre + from).min(self.entries.len());
        Window { first, entries: &self.entries[first.min(end)..end], present }
    }

    /// All entries of the index in order.
    #[must_use]
    pub fn entries(&self) -> &[IndexEntry] {
        &self.entries
    }

    /// The `_id` of a record, as mongosh text.
    #[must_use]
    pub fn id(&self, record: RecordId) -> &str {
        self.ids.get(&record.0).map_or("?", String::as_str)
    }

    /// A step in words.
    #[must_use]
    pub fn line(&self, step: &WalkStep, lang: Lang) -> String {
        let key = |values: &[Bson]| values.iter().map(literal).collect::<Vec<_>>().join(", ");
        let id = |record: &RecordId| self.id(*record).to_owned();
        match step {
            WalkStep::Seek { key: values, .. } => {
                say(Words::new("seek to ({key})", "springt zu ({key})"), lang, &[("key", key(values))])
            }
            WalkStep::KeyExamined { key: values, record, inside, .. } => {
                let words = if *inside {
                    Words::new("key ({key}) → _id {id}", "Schlüssel ({key}) → _id {id}")
                } else {
                    Words::new("key ({key}) lies outside", "Schlüssel ({key}) liegt außerhalb")
                };
                say(words, lang, &[("key", key(values)), ("id", id(record))])
            }
            WalkStep::DuplicateDropped { record, .. } => say(
                Words::new("_id {id} again: dropped", "_id {id} noch einmal: verworfen"),
                lang,
                &[("id", id(record))],
            ),
            WalkStep::Fetch { record, .. } => {
                say(Words::new("read document _id {id}", "liest Dokument _id {id}"), lang, &[("id", id(record))])
            }
            WalkStep::Rejected { record, .. } => {
                say(Words::new("filter refuses _id {id}", "Filter lehnt _id {id} ab"), lang, &[("id", id(record))])
            }
            WalkStep::Sorted { rows, .. } => {
                say(Words::new("sort {rows rows}", "sortiert {rows Zeilen}"), lang, &[("rows", rows.to_string())])
            }
            WalkStep::Returned { record } => {
                say(Words::new("return _id {id}", "gibt _id {id} zurück"), lang, &[("id", id(record))])
            }
        }
    }

    /// The whole walk as lines, with the totals at the end.
    #[must_use]
    pub fn listing(&self, lang: Lang) -> Vec<String> {
        let mut lines: Vec<_> = self
            .steps
            .iter()
            .enumerate()
            .map(|(at, step)| format!("{:>4}  {}", at + 1, self.line(step, lang)))
            .collect();
        let mut end = self.clone();
        end.at = self.steps.len();
        lines.push(totals_line(end.totals(), lang));
        lines
    }

    /// Where a step's key stands in the index.
    fn place(&self, step: &WalkStep) -> Option<usize> {
        match step {
            WalkStep::KeyExamined { key, record, .. } => self.places.get(&(key_bytes(key), record.0)).copied(),
            _ => None,
        }
    }

    fn list_entries(&mut self, database: &Database, collection: &str) {
        let scan = walk(&self.explain.winning).into_iter().find_map(|node| node.stage.scan());
        let name = scan.map(|scan| scan.index.name.clone());
        let index = name.and_then(|name| database.collection(collection)?.index(&name));
        if let Some(index) = index {
            for (at, entry) in index.entries().enumerate() {
                let key = entry.key.decode(index.order());
                self.places.insert((key_bytes(&key), entry.id.0), at);
                self.entries.push(IndexEntry { key, record: entry.id, scanned: false });
            }
        }
        let scanned: Vec<_> = self.steps.iter().filter_map(|step| self.place(step)).collect();
        for at in scanned {
            self.entries[at].scanned = true;
        }
    }

    fn name_records(&mut self, database: &Database, collection: &str) {
        let Some(collection) = database.collection(collection) else { return };
        let of_steps = self.steps.iter().filter_map(record_of);
        let records: Vec<_> = of_steps.chain(self.entries.iter().map(|entry| entry.record)).collect();
        for record in records {
            let id = collection.get(record).and_then(|raw| raw.get("_id").ok().flatten());
            let id = id.map(|id| literal(&crate::value::View::from(id).to_bson()));
            self.ids.entry(record.0).or_insert_with(|| id.unwrap_or_else(|| "?".into()));
        }
    }
}

fn record_of(step: &WalkStep) -> Option<RecordId> {
    match step {
        WalkStep::KeyExamined { record, .. }
        | WalkStep::DuplicateDropped { record, .. }
        | WalkStep::Fetch { record, .. }
        | WalkStep::Rejected { record, .. }
        | WalkStep::Returned { record } => Some(*record),
        WalkStep::Seek { .. } | WalkStep::Sorted { .. } => None,
    }
}

fn key_bytes(key: &[Bson]) -> Vec<u8> {
    bytes_of(&Bson::Array(key.to_vec()))
}

fn totals_line(totals: Totals, lang: Lang) -> String {
    let words = Words::new(
        "{seeks seeks}, {keys keys}, {docs documents}, {dropped duplicates} dropped, {rejected} filtered out, {returned} returned",
        "{seeks Sprünge}, {keys Schlüssel}, {docs Dokumente}, {dropped} Doppelte verworfen, {rejected} ausgefiltert, {returned} zurückgegeben",
    );
    let values = [
        ("seeks", totals.seeks),
        ("keys", totals.keys),
        ("docs", totals.docs),
        ("dropped", totals.dropped),
        ("rejected", totals.rejected),
        ("returned", totals.returned),
    ];
    let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.to_string())).collect();
    say(words, lang, &values)
}

fn no_plan() -> CommandError {
    CommandError::new(crate::error::ErrorCode::BadValue, "the question has no plan")
}
