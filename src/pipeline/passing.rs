//! Stages that pass in front of others, so that fewer documents go through these, or an index can do their work
//! (`doOptimizeAt` of each stage, `src/mongo/db/pipeline/document_source_*.cpp`).

use crate::value::Path;

use super::match_before::is_apart;
use super::sort::Sort;
use super::stage::Stage;
use super::whole::{Pipeline, Placed};

fn swapped(stages: &mut [Placed], at: usize) -> usize {
    stages.swap(at, at + 1);
    at.saturating_sub(1)
}

/// A skip passes what makes one document of each; a limit is fetched where something waits for it
/// (`DocumentSourceSingleDocumentTransformation::doOptimizeAt`).
pub fn skip_before_projection(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    match (&stages[at].stage, &stages[at + 1].stage) {
        (Stage::Project(_) | Stage::AddFields(..) | Stage::ReplaceRoot(_), Stage::Skip(_)) => Some(swapped(stages, at)),
        _ => None,
    }
}

/// A sort by fields that a join does not write passes it; not where the join unwinds.
pub fn sort_before_join(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let into = match &stages[at].stage {
        Stage::Lookup(lookup) => &lookup.into,
        Stage::GraphLookup(lookup) => &lookup.into,
        _ => return None,
    };
    let Stage::Sort(sort) = &stages[at + 1].stage else { return None };
    let passes = !into.unwinds() && is_by_fields_apart(sort, &into.writes());
    passes.then(|| swapped(stages, at))
}

/// A sort by fields that `$unwind` does not write passes it, as long as it keeps everything (`canPushSortBack`).
pub fn sort_before_unwind(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let (Stage::Unwind(unwind), Stage::Sort(sort)) = (&stages[at].stage, &stages[at + 1].stage) else { return None };
    let passes = sort.limit.is_none() && is_by_fields_apart(sort, &unwind.writes());
    passes.then(|| swapped(stages, at))
}

/// Where `$unwind` gives something of every document, no more of these are needed than the limit behind it lets through
/// (`canPushLimitBack`).
pub fn limit_also_before_unwind(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let Stage::Limit(limit) = stages[at + 1].stage else { return None };
    let place = stages[at + 1].place.clone();
    let Stage::Unwind(unwind) = &mut stages[at].stage else { return None };
    if !unwind.keep_empty || unwind.limit_before.is_some_and(|known| known <= limit) {
        return None;
    }
    unwind.limit_before = Some(limit);
    stages.insert(at, Placed { stage: Stage::Limit(limit), place });
    Some(at.saturating_sub(1))
}

/// What is done to each document of a union can be done to those of either side (`duplicateAcrossUnion`).
pub fn into_both_sides_of_union(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let (Stage::UnionWith(union), Stage::Match(_) | Stage::Project(_) | Stage::AddFields(..) | Stage::ReplaceRoot(_)) =
        (&stages[at].stage, &stages[at + 1].stage)
    else {
        return None;
    };
    stages[at].stage = Stage::UnionWith(Box::new(union.followed_by(&stages[at + 1].stage)));
    Some(swapped(stages, at))
}

fn is_by_fields_apart(sort: &Sort, written: &[&Path]) -> bool {
    let of_fields = sort.pattern.values().all(|direction| direction.as_document().is_none());
    of_fields && sort.pattern.keys().all(|path| is_apart(&Path::new(path), written))
}
