//! Neighbours that become one stage (`doOptimizeAt` of each stage, `src/mongo/db/pipeline/document_source_*.cpp`).

use super::early::take_limit;
use super::stage::Stage;
use super::whole::{Pipeline, Placed};

/// Puts a stage in place of two; gives where to look on.
fn one(stages: &mut Vec<Placed>, at: usize, stage: Stage) -> usize {
    stages[at].stage = stage;
    stages.remove(at + 1);
    at.saturating_sub(1)
}

/// Two filters are one AND.
pub fn matches(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let (Stage::Match(first), Stage::Match(second)) = (&stages[at].stage, &stages[at + 1].stage) else { return None };
    let merged = first.merged(second);
    Some(one(stages, at, Stage::Match(merged)))
}

/// The smaller limit counts.
pub fn limits(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let (Stage::Limit(first), Stage::Limit(second)) = (&stages[at].stage, &stages[at + 1].stage) else { return None };
    let smaller = *first.min(second);
    Some(one(stages, at, Stage::Limit(smaller)))
}

/// Skips add up.
pub fn skips(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let (Stage::Skip(first), Stage::Skip(second)) = (&stages[at].stage, &stages[at + 1].stage) else { return None };
    let sum = first.saturating_add(*second);
    Some(one(stages, at, Stage::Skip(sum)))
}

/// A sort need only keep what a limit lets through that could stand behind it.
pub fn limit_into_sort(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let Stage::Sort(sort) = &pipeline.stages[at].stage else { return None };
    let mut sort = sort.clone();
    let limit = take_limit(&mut pipeline.stages, at + 1)?;
    sort.limit = Some(sort.limit.map_or(limit, |known| known.min(limit)));
    pipeline.stages[at].stage = Stage::Sort(sort);
    Some(at.saturating_sub(1))
}

/// Of two sorts the last decides. One that keeps only the first few decides which these are, so that only another by the
/// same keys is needless behind it.
pub fn sorts(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let (Stage::Sort(first), Stage::Sort(second)) = (&stages[at].stage, &stages[at + 1].stage) else { return None };
    let same = first.pattern.iter().eq(second.pattern.iter());
    if first.limit.is_some() && !same {
        return None;
    }
    let mut sort = second.clone();
    sort.limit = first.limit.into_iter().chain(second.limit).min();
    Some(one(stages, at, Stage::Sort(sort)))
}

/// A join takes over the unwinding of what it brings, and a filter of that.
pub fn into_join(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let wider = match (&stages[at].stage, &stages[at + 1].stage) {
        (Stage::Lookup(lookup), Stage::Unwind(unwind)) => lookup.with_unwind(unwind).map(Box::new).map(Stage::Lookup),
        (Stage::Lookup(lookup), Stage::Match(stage)) => {
            lookup.with_match(&stage.filter).map(Box::new).map(Stage::Lookup)
        }
        (Stage::GraphLookup(lookup), Stage::Unwind(unwind)) => {
            lookup.with_unwind(unwind).map(Box::new).map(Stage::GraphLookup)
        }
        _ => None,
    };
    Some(one(stages, at, wider?))
}
