//! What a run answers to the question of a prediction.

use super::claims::{docs, index_names, keys, returned};
use super::trial::read_plans;
use crate::course::Asked;
use crate::shell::Outcome;

/// What is said where no index is scanned.
pub const NO_INDEX: &str = "none";

/// The answer of a run: a whole number, or the names of the scanned indexes, [`NO_INDEX`] where there are none.
///
/// None where the run failed or, unless results are counted, searched nothing.
#[must_use]
pub fn predicted(of: Asked, outcome: &Outcome) -> Option<String> {
    let value = outcome.value.as_ref().ok()?.to_bson();
    if of == Asked::Returned {
        return Some(returned(Some(&value)).to_string());
    }
    let explain = read_plans(outcome).last()?;
    Some(match of {
        Asked::Docs => docs(explain).to_string(),
        Asked::Keys | Asked::Returned => keys(explain).to_string(),
        Asked::Index => {
            let names = index_names(explain);
            if names.is_empty() { NO_INDEX.into() } else { names.join(" ") }
        }
    })
}

/// Whether a prediction is right; capitals and blanks around do not matter.
#[must_use]
pub fn is_right(answer: &str, actual: &str) -> bool {
    let bare = |text: &str| text.trim().to_lowercase();
    match (answer.trim().parse::<u64>(), actual.parse::<u64>()) {
        (Ok(answer), Ok(actual)) => answer == actual,
        _ => bare(answer) == bare(actual),
    }
}
