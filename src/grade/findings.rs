//! The detector's findings of an answer, each with the number of the statement it stands in.

use crate::engine::Database;
use crate::pitfall::{Detector, Level};
use crate::shell::Outcome;
use crate::words::Lang;

/// One finding of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Noted {
    /// The number of the statement, from 0.
    pub(super) statement: usize,
    pub(super) id: String,
    pub(super) level: Level,
    /// What is to be said of it.
    pub(super) message: String,
}

/// What is reported of an outcome.
pub(super) fn of(outcome: &Outcome, before: &Database, after: &Database, lang: Lang) -> Vec<Noted> {
    let statements = outcome.script.statements();
    let number = |byte: usize| {
        let at = outcome.script.statement_at(byte);
        at.and_then(|id| statements.iter().position(|known| *known == id)).unwrap_or_default()
    };
    let noted = Detector::new(lang).detect(outcome, before, after).into_iter().map(|finding| Noted {
        statement: number(finding.span.start),
        id: finding.id.to_owned(),
        level: finding.level,
        message: finding.message,
    });
    noted.collect()
}
