//! How a question is answered: index bounds, candidate plans, choice, execution, explain.
//!
//! The planner is a function of the query and the descriptions of indexes; only the executor sees documents. The
//! executor counts on the planner's own tree, so a plan exists once.

mod bounds;
mod build;
mod collated;
mod entry;
mod enumerate;
mod explain;
mod limits;
mod notation;
mod pushdown;
mod regex;
mod select;
mod subset;
mod tree;
mod wildcard;

pub use bounds::{IndexBounds, Interval, KeyRange, OrderedIntervals, Tightness};
pub use explain::{Explain, IndexScan, PipelineStage, PlanNode, Projection, Stage, Trial, Verbosity, Work};
pub use notation::value_notation;
