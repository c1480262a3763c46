//! Limits and skips that could as well stand further in front, behind what makes one document of each
//! (`src/mongo/db/pipeline/skip_and_limit.cpp`).

use crate::error::CommandPath;

use super::stage::Stage;
use super::whole::Placed;

/// Whether a stage gives one document for each, in their order (`canSwapWithSkippingOrLimitingStage`).
pub fn is_one_for_one(stage: &Stage) -> bool {
    match stage {
        Stage::Project(_) | Stage::AddFields(..) | Stage::ReplaceRoot(_) => true,
        Stage::Lookup(lookup) => !lookup.into.unwinds(),
        Stage::GraphLookup(lookup) => !lookup.into.unwinds(),
        _ => false,
    }
}

/// Two counts together, as long as the server can hold the sum.
fn sum(one: u64, other: u64) -> Option<u64> {
    one.checked_add(other).filter(|sum| i64::try_from(*sum).is_ok())
}

/// Takes away the limits that could stand at a place; gives the smallest of what they let through there
/// (`extractLimitForPushdown`).
pub fn take_limit(stages: &mut Vec<Placed>, from: usize) -> Option<u64> {
    let (mut at, mut skipped, mut smallest) = (from, 0, None::<u64>);
    while let Some(placed) = stages.get(at) {
        match placed.stage {
            Stage::Skip(skip) => {
                let Some(both) = sum(skipped, skip) else { break };
                skipped = both;
            }
            Stage::Limit(limit) => {
                let Some(reached) = sum(skipped, limit) else { break };
                smallest = Some(smallest.map_or(reached, |known| known.min(reached)));
                stages.remove(at);
                continue;
            }
            ref other if is_one_for_one(other) => {}
            _ => break,
        }
        at += 1;
    }
    smallest
}

/// Takes away the skips that could stand in front; gives their sum and the place of the first
/// (`extractSkipForPushdown`).
pub fn take_skip(stages: &mut Vec<Placed>) -> Option<(u64, CommandPath)> {
    let (mut at, mut all) = (0, None::<(u64, CommandPath)>);
    while let Some(placed) = stages.get(at) {
        match placed.stage {
            Stage::Skip(skip) => {
                let place = placed.place.clone();
                let Some(skipped) = sum(skip, all.as_ref().map_or(0, |(known, _)| *known)) else { break };
                all = Some((skipped, all.map_or(place, |(_, first)| first)));
                stages.remove(at);
            }
            ref other if is_one_for_one(other) => at += 1,
            _ => break,
        }
    }
    all
}
