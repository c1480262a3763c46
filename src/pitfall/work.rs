//! What a command costs: its plan, run to its end.

use crate::engine::Command;
use crate::pitfall::memo::State;
use crate::pitfall::{Case, Level};
use crate::plan::{Explain, Stage, Verbosity};

/// The plan of a command on the data in one state, run to its end.
#[must_use]
pub fn explained(case: &Case<'_>, state: State, command: Command) -> Option<Explain> {
    let explain = Command::Explain { command: Box::new(command), verbosity: Verbosity::ExecutionStats };
    case.run_on(state, &explain)?.explain.as_deref().cloned()
}

/// What a cure is worth by keys and documents examined: a cost where it examines fewer of both together, a hint where it
/// examines fewer documents or no more of either; none where it examines more.
#[must_use]
pub fn gain(learner: [u64; 3], cured: [u64; 3]) -> Option<Level> {
    let [keys, docs, _] = cured;
    if keys + docs < learner[0] + learner[1] {
        return Some(Level::Cost);
    }
    (docs < learner[1] || (keys <= learner[0] && docs <= learner[1])).then_some(Level::Hint)
}

/// Keys examined, documents examined, documents found.
#[must_use]
pub fn cost(explain: &Explain) -> [u64; 3] {
    let nodes = || explain.winning.all();
    let ends = |stage: &Stage| matches!(stage, Stage::Count | Stage::Update | Stage::Delete);
    let below = nodes().position(|node| ends(&node.stage)).map_or(0, |at| at + 1);
    let found = nodes().nth(below).map_or(0, |node| node.work.advanced);
    [nodes().map(|node| node.work.keys_examined).sum(), nodes().map(|node| node.work.docs_examined).sum(), found]
}

/// The bounds of the first scan, part by part.
#[must_use]
pub fn bounds(explain: &Explain) -> Vec<(String, Vec<String>)> {
    let scan = explain.winning.all().find_map(|node| node.stage.scan());
    let parts = scan.map(|scan| &scan.bounds.parts).into_iter().flatten();
    parts.map(|(path, intervals)| (path.dotted(), intervals.notation())).collect()
}
