//! The detector's findings of an answer, each with the number of the statement it stands in.

use crate::engine::Database;
use crate::pitfall::Detector;
use crate::shell::Outcome;
use crate::words::Lang;

/// The ids of what is reported of an outcome.
pub(super) fn of(outcome: &Outcome, before: &Database, after: &Database) -> Vec<(usize, String)> {
    let statements = outcome.script.statements();
    let number = |byte: usize| {
        let at = outcome.script.statement_at(byte);
        at.and_then(|id| statements.iter().position(|known| *known == id)).unwrap_or_default()
    };
    let found = Detector::new(Lang::En).detect(outcome, before, after);
    found.into_iter().map(|finding| (number(finding.span.start), finding.id.to_owned())).collect()
}
