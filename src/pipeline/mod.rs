//! Aggregation: a list of stages, each a stream over the stream before it, one file per stage.
//!
//! Collections are read through a [`Reader`], which the engine answers with the planner. Documents pass as [`Row`]s:
//! bytes that are borrowed as long as no stage needs to change them.

mod accumulate;
mod added;
mod bucket;
mod densify;
mod early;
mod facet;
mod fill;
mod flow;
mod granularity;
mod graph_lookup;
mod group;
mod hand_over;
mod landing;
mod leading;
mod lookup;
mod match_before;
mod matching;
mod merging;
mod meter;
mod optimise;
mod passing;
mod reads;
mod redact;
mod row;
mod shape;
mod slice;
mod sort;
mod stage;
mod sub;
mod target;
mod unwind;
mod whole;
mod window;
mod window_bounds;
mod window_function;

pub use accumulate::accumulators;
pub use facet::{Facet, TEE, UnionWith};
pub use flow::{Flow, Listed, Reader, Run, Stream, drain, each, listed};
pub use leading::{Leading, OnePerValue};
pub use meter::{Cost, Meter};
pub use row::Row;
pub use stage::{STAGES, Stage};
pub use target::{Destination, Merge, Target, WhenMatched, WhenNotMatched};
pub use whole::{Pipeline, Placed};
pub use window_function::window_functions;
