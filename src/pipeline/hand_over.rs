//! What the planner can answer is taken off the front of a pipeline (`PipelineD`, `src/mongo/db/pipeline/pipeline_d.cpp`).

use crate::query::expr::Accumulator;

use super::early::{take_limit, take_skip};
use super::leading::{Leading, OnePerValue};
use super::reads::as_inclusion;
use super::shape::Policy;
use super::stage::Stage;
use super::whole::{Pipeline, Placed};

impl Pipeline {
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

    /// `$skip` and `$limit`, as far as they could stand in front; a limit counts before the skip, that of the sort as well.
    fn take_window(&mut self, leading: &mut Leading) {
        let long = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let limit = take_limit(&mut self.stages, 0).map(long).into_iter().chain(leading.limit).min();
        let skip = take_skip(&mut self.stages);
        leading.limit = limit;
        if let Some((skip, place)) = skip {
            match limit.map(|limit| limit.saturating_sub(long(skip))) {
                // Zero would mean no limit to the planner.
                Some(..=0) => self.stages.insert(0, Placed { stage: Stage::Skip(skip), place }),
                rest => (leading.skip, leading.limit) = (Some(long(skip)), rest),
            }
        }
        if limit.is_some() || leading.skip.is_some() {
            *self = Self { stages: std::mem::take(&mut self.stages) }.optimised();
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
