//! From a question and index descriptions to plans, from plans to results, and the explanation of both.
//!
//! The planner sees no document. The executor counts on the planner's own tree, so a plan exists once; explain document,
//! drawn tree, words and comparison only render it.

mod bounds;
mod explain;

pub use bounds::{IndexBounds, Interval, OrderedIntervals, Tightness};
pub use explain::{Explain, PipelineStage, PlanNode, Projection, Stage, Trial, Verbosity, Work};
