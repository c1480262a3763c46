//! What a command costs: its plan, run to its end.

use crate::engine::Command;
use crate::pitfall::Case;
use crate::plan::{Explain, Stage, Verbosity};

/// The plan of a command, run to its end.
#[must_use]
pub fn explained(case: &Case<'_>, command: Command) -> Option<Explain> {
    let explain = Command::Explain { command: Box::new(command), verbosity: Verbosity::ExecutionStats };
    case.run(&explain)?.explain.as_deref().cloned()
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
