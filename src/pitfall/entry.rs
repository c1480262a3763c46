//! One pitfall: its id, its words, and how it is noticed; and the table of all of them.

use std::ops::Range;

use crate::pitfall::{Case, Evidence, Finding, Level};
use crate::pitfall::{aggregating, indexing, migrating, modelling, querying, updating};
use crate::words::{Lang, Words};

/// A mistake that can be noticed.
#[derive(Debug, Clone, Copy)]
pub struct Pitfall {
    /// The stable id, such as `cross-element-match`.
    pub id: &'static str,
    /// The level, unless the data says otherwise.
    pub level: Level,
    /// How often it is met; 25 is the highest.
    pub weight: u8,
    /// The name in a few words.
    pub title: Words,
    /// Why it happens, in general.
    pub explanation: Words,
    /// What is said of the learner's own data; `{name}`s are filled from the sighting.
    pub message: Words,
    /// What to do about it.
    pub cure: Words,
    /// A statement that shows it.
    pub example: &'static str,
    /// Notices it.
    pub detect: fn(&Case<'_>) -> Vec<Sighting>,
}

/// A pitfall met in a statement, before its words are put together.
#[derive(Debug, Clone, Default)]
pub struct Sighting {
    /// Bytes of the learner's text.
    pub span: Range<usize>,
    /// Values for the message's names.
    pub values: Vec<(&'static str, String)>,
    /// The proof.
    pub evidence: Vec<Evidence>,
    /// The learner's whole text, cured.
    pub fix: Option<String>,
    /// Another level than the pitfall's own, where the present data makes it milder.
    pub level: Option<Level>,
    /// Other words than the pitfall's message, for what is said in another way on such data.
    pub words: Option<Words>,
    /// A text that gives what is meant, where none is offered as a fix: a document is proof where the two differ.
    pub reading: Option<String>,
}

impl Pitfall {
    /// The finding that a sighting makes.
    #[must_use]
    pub fn finding(&self, sighting: Sighting, lang: Lang) -> Finding {
        let values: Vec<(&str, &str)> = sighting.values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut message = sighting.words.unwrap_or(self.message).fill(lang, &values);
        if self.level == Level::WrongResult && sighting.level == Some(Level::Risk) {
            message.push(' ');
            message.push_str(RIGHT_HERE.get(lang));
        }
        Finding {
            id: self.id,
            level: sighting.level.unwrap_or(self.level),
            weight: self.weight,
            span: sighting.span,
            message,
            evidence: sighting.evidence,
            fix: sighting.fix,
        }
    }
}

/// Said when a wrong form happens to give the right answer.
const RIGHT_HERE: Words = Words::new(
    "On the present data the answer happens to be right.",
    "Mit den jetzigen Daten stimmt das Ergebnis zufällig.",
);

/// Whether a pitfall lies in the shape of the data, so that no statement and no index cures it.
#[must_use]
pub fn is_of_shape(id: &str) -> bool {
    modelling::TABLE.iter().any(|pitfall| pitfall.id == id)
}

/// Every pitfall, group by group.
pub fn table() -> impl Iterator<Item = &'static Pitfall> {
    let groups =
        [querying::TABLE, indexing::TABLE, modelling::TABLE, updating::TABLE, aggregating::TABLE, migrating::TABLE];
    groups.into_iter().flatten()
}
