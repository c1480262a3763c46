//! How a question is answered: index bounds, candidate plans, choice, execution, explain.
//!
//! The planner is a function of the query and the descriptions of indexes; only the executor sees documents. One question is
//! put to the executor while planning, as in the server: which plan is best for each branch of a rooted `$or`. The executor
//! counts on the planner's own tree, so a plan exists once.

mod access;
mod analyse;
mod bounds;
mod build;
mod cache;
mod collated;
mod count;
mod distinct;
mod document;
mod entry;
mod enumerate;
mod exec;
mod explain;
mod limits;
mod notation;
mod planner;
mod projection;
mod pushdown;
mod query;
mod rank;
mod regex;
mod run;
mod select;
mod shape;
mod solution;
mod sorts;
mod subplan;
mod subset;
mod tree;
mod wildcard;

pub use bounds::{IndexBounds, Interval, KeyRange, OrderedIntervals, Tightness};
pub use cache::PlanCache;
pub use exec::{Steps, WalkStep, Watcher};
pub use explain::{Explain, IndexScan, Limits, PipelineStage, PlanNode, Projection, Stage, Trial, Verbosity, Work};
pub use notation::value_notation;
pub use query::{CanonicalQuery, Gives, Purpose, Writing, is_simple_id};
pub use run::{Hit, Hits, Mode, answer, candidates, run_plan};
