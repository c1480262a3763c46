//! Rewriting a pipeline before it runs: every pair of neighbours is offered to the moves until none applies
//! (`Pipeline::optimizeContainer`, `src/mongo/db/pipeline/pipeline.cpp`).

use super::stage::Stage;
use super::whole::Pipeline;
use super::{match_before, merging, passing};

/// Changes a stage and the one behind it, where it applies; gives the place to look on from.
type Move = fn(&mut Pipeline, usize) -> Option<usize>;

/// Every move; the server's rule stands at each. What a stage lets pass goes before what it takes over.
const MOVES: [Move; 14] = [
    merging::matches,
    merging::limits,
    merging::skips,
    merging::limit_into_sort,
    merging::sorts,
    passing::skip_before_projection,
    passing::sort_before_join,
    passing::sort_before_unwind,
    passing::limit_also_before_unwind,
    passing::into_both_sides_of_union,
    match_before::pass_sort,
    match_before::pass_stage,
    match_before::ask_before_redact,
    merging::into_join,
];

impl Pipeline {
    /// Merges and moves stages until nothing changes.
    #[must_use]
    pub fn optimised(mut self) -> Self {
        let mut at = 0;
        while at + 1 < self.stages.len() {
            let moved = MOVES.iter().find_map(|try_move| try_move(&mut self, at));
            at = moved.unwrap_or(at + 1);
        }
        self.stages.retain(|placed| !matches!(&placed.stage, Stage::Match(stage) if stage.is_empty()));
        for placed in &mut self.stages {
            if let Stage::Facet(facet) = &mut placed.stage {
                facet.optimise();
            }
        }
        self
    }
}
