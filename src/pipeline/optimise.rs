//! Rewriting a pipeline before it runs (`src/mongo/db/pipeline/document_source*.cpp`, `doOptimizeAt`): filters move to the
//! front, neighbours merge, and what the planner can answer is handed to it.

use crate::query::Filter;
use crate::query::expr::{Accumulator, Reads};
use crate::value::Path;

use super::leading::{Leading, OnePerValue};
use super::matching::Match;
use super::reads::{as_inclusion, filter_reads};
use super::shape::Policy;
use super::stage::Stage;
use super::whole::{Pipeline, Placed};

impl Pipeline {
    /// Merges and moves stages until nothing changes.
    #[must_use]
    pub fn optimised(mut self) -> Self {
        let mut at = 0;
        while at + 1 < self.stages.len() {
            if improve(&mut self.stages, at) {
                at = at.saturating_sub(1);
            } else {
                at += 1;
            }
        }
        self.stages.retain(|placed| !matches!(&placed.stage, Stage::Match(stage) if stage.is_empty()));
        for placed in &mut self.stages {
            if let Stage::Facet(facet) = &mut placed.stage {
                facet.optimise();
            }
        }
        self
    }

    /// Takes the part off the front that the planner answers.
    #[must_use]
    pub fn take_leading(&mut self) -> Leading {
        let mut leading = Leading::default();
        self.take_match(&mut leading);
        self.take_sort(&mut leading);
        self.take_window(&mut leading);
        let reads = self.reads();
        leading.empty = reads.as_ref().is_some_and(|reads| !reads.whole && reads.paths.is_empty());
        if !leading.empty && !self.take_projection(&mut leading) {
            leading.distinct = self.distinct(&leading);
            leading.projection = reads.and_then(|reads| as_inclusion(&reads));
        }
        leading
    }

    fn take_match(&mut self, leading: &mut Leading) {
        if let Some(Placed { stage: Stage::Match(stage), .. }) = self.stages.first() {
            leading.filter = Some(stage.filter.clone());
            leading.id_hack = stage.simple_id;
            self.stages.remove(0);
        }
    }

    fn take_sort(&mut self, leading: &mut Leading) {
        if let Some(Placed { stage: Stage::Sort(sort), .. }) = self.stages.first() {
            leading.sort = Some(sort.pattern.clone());
            leading.limit = sort.limit.and_then(|limit| i64::try_from(limit).ok());
            self.stages.remove(0);
        }
    }

    /// `$skip` and `$limit`; a limit that was taken with the sort counts before the skip.
    fn take_window(&mut self, leading: &mut Leading) {
        if let Some(Placed { stage: Stage::Skip(skip), .. }) = self.stages.first() {
            let skip = i64::try_from(*skip).unwrap_or(i64::MAX);
            leading.skip = Some(skip);
            leading.limit = leading.limit.map(|limit| limit.saturating_sub(skip).max(0));
            if leading.limit == Some(0) {
                // Zero would mean no limit to the planner.
                (leading.skip, leading.limit) = (None, leading.limit.map(|_| skip));
                return;
            }
            self.stages.remove(0);
        }
        if let (None, Some(Placed { stage: Stage::Limit(limit), .. })) = (leading.limit, self.stages.first()) {
            leading.limit = i64::try_from(*limit).ok();
            self.stages.remove(0);
        }
    }

    /// An inclusion goes to the planner as it is (`buildProjectionForPushdown`, `pipeline_d.cpp`): one that computes only
    /// where nothing was taken before it that may leave documents out, and the stage stays to do the computing.
    fn take_projection(&mut self, leading: &mut Leading) -> bool {
        let Some(Placed { stage: Stage::Project(shape), .. }) = self.stages.first() else {
            return false;
        };
        let all = leading.sort.is_none() && leading.skip.is_none() && leading.limit.is_none();
        if shape.policy != Policy::Include || !(shape.is_simple() || all) {
            return false;
        }
        leading.projection = Some(shape.to_document());
        leading.projects = shape.is_simple();
        leading.computes = !leading.projects;
        if leading.projects {
            self.stages.remove(0);
        }
        true
    }

    /// What a `$group` in front asks for, where one document of each value is enough.
    fn distinct(&self, leading: &Leading) -> Option<OnePerValue> {
        let Some(Placed { stage: Stage::Group(group), .. }) = self.stages.first() else {
            return None;
        };
        let (path, which) = group.one_per_key()?;
        let all = leading.limit.is_none() && leading.skip.is_none();
        let asked = OnePerValue { path: path.to_string(), last: which == Accumulator::Last };
        (all && !path.is_empty()).then_some(asked)
    }
}

/// Tries to improve a pair of neighbours.
fn improve(stages: &mut Vec<Placed>, at: usize) -> bool {
    match (&stages[at].stage, &stages[at + 1].stage) {
        (Stage::Match(first), Stage::Match(second)) => {
            let merged = first.merged(second);
            stages[at].stage = Stage::Match(merged);
            stages.remove(at + 1);
            true
        }
        (Stage::Limit(a), Stage::Limit(b)) => {
            stages[at].stage = Stage::Limit(*a.min(b));
            stages.remove(at + 1);
            true
        }
        (Stage::Skip(a), Stage::Skip(b)) => {
            stages[at].stage = Stage::Skip(a.saturating_add(*b));
            stages.remove(at + 1);
            true
        }
        (Stage::Sort(sort), Stage::Limit(limit)) => {
            let mut sort = sort.clone();
            sort.limit = Some(sort.limit.map_or(*limit, |known| known.min(*limit)));
            stages[at].stage = Stage::Sort(sort);
            stages.remove(at + 1);
            true
        }
        (Stage::Skip(skip), Stage::Limit(limit)) => {
            let limit = Stage::Limit(limit.saturating_add(*skip));
            let wanted = at > 0 && matches!(stages[at - 1].stage, Stage::Sort(_));
            if wanted {
                stages[at + 1].stage = limit;
                stages.swap(at, at + 1);
            }
            wanted
        }
        (Stage::Sort(sort), Stage::Match(_)) if sort.limit.is_none() => swap(stages, at),
        (Stage::Project(_) | Stage::AddFields(..), Stage::Limit(_) | Stage::Skip(_)) => swap(stages, at),
        (Stage::Project(_) | Stage::AddFields(..) | Stage::Unwind(_), Stage::Match(_)) => move_match(stages, at),
        (Stage::Lookup(_) | Stage::GraphLookup(_), _) => improve_join(stages, at),
        _ => false,
    }
}

/// What may pass a `$lookup` or `$graphLookup`, and what these take over (`document_source_lookup.cpp` and
/// `document_source_graph_lookup.cpp`, `doOptimizeAt`).
fn improve_join(stages: &mut Vec<Placed>, at: usize) -> bool {
    let into = match &stages[at].stage {
        Stage::Lookup(lookup) => &lookup.into,
        Stage::GraphLookup(lookup) => &lookup.into,
        _ => return false,
    };
    match &stages[at + 1].stage {
        Stage::Sort(sort) if !into.unwinds() => {
            let of_fields = sort.pattern.values().all(|direction| direction.as_document().is_none());
            let paths = sort.pattern.keys().map(|path| Path::new(path)).collect();
            of_fields && is_apart(&Reads { paths, whole: false }, &into.writes()) && swap(stages, at)
        }
        Stage::Limit(_) | Stage::Skip(_) if !into.unwinds() => swap(stages, at),
        Stage::Match(_) => move_match(stages, at) || absorb(stages, at),
        Stage::Unwind(_) => absorb(stages, at),
        _ => false,
    }
}

/// Lets a join do the work of the stage behind it.
fn absorb(stages: &mut Vec<Placed>, at: usize) -> bool {
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
    let Some(wider) = wider else { return false };
    stages[at].stage = wider;
    stages.remove(at + 1);
    true
}

fn swap(stages: &mut [Placed], at: usize) -> bool {
    stages.swap(at, at + 1);
    true
}

/// Moves the parts of a filter that do not depend on the stage in front of it.
fn move_match(stages: &mut Vec<Placed>, at: usize) -> bool {
    let Stage::Match(stage) = &stages[at + 1].stage else {
        return false;
    };
    let parts = match &stage.filter {
        Filter::And(parts) => parts.clone(),
        other => vec![other.clone()],
    };
    let before = &stages[at].stage;
    let (free, bound): (Vec<Filter>, Vec<Filter>) = parts.into_iter().partition(|part| is_independent(part, before));
    if free.is_empty() {
        return false;
    }
    let place = stages[at + 1].place.clone();
    if bound.is_empty() {
        stages.remove(at + 1);
    } else {
        stages[at + 1].stage = Stage::Match(Match::of(bound));
    }
    stages.insert(at, Placed { stage: Stage::Match(Match::of(free)), place });
    true
}

/// Whether a filter reads nothing that the stage writes.
fn is_independent(filter: &Filter, stage: &Stage) -> bool {
    let mut reads = Reads::default();
    filter_reads(filter, &mut reads);
    if reads.whole {
        return false;
    }
    match stage {
        Stage::Project(shape) | Stage::AddFields(shape, _) => reads.paths.iter().all(|path| shape.passes(path)),
        Stage::Unwind(unwind) => is_apart(&reads, &unwind.writes()),
        Stage::Lookup(lookup) => is_apart(&reads, &lookup.into.writes()),
        Stage::GraphLookup(lookup) => is_apart(&reads, &lookup.into.writes()),
        _ => false,
    }
}

/// Whether no path that is read touches one that is written.
fn is_apart(reads: &Reads, written: &[&Path]) -> bool {
    let touches = |path: &Path| written.iter().any(|written| written.is_prefix_of(path) || path.is_prefix_of(written));
    !reads.paths.iter().any(touches)
}

impl Match {
    /// A match of several parts, written as the filter in normal form.
    fn of(mut parts: Vec<Filter>) -> Self {
        let filter = if parts.len() == 1 { parts.remove(0) } else { Filter::And(parts) };
        Self { filter, simple_id: false }
    }

    /// Both matches as one.
    fn merged(&self, other: &Self) -> Self {
        let filter = Filter::And(vec![self.filter.clone(), other.filter.clone()]).normalised();
        Self { filter, simple_id: false }
    }

    fn is_empty(&self) -> bool {
        matches!(&self.filter, Filter::And(parts) if parts.is_empty())
    }
}
