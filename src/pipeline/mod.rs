//! Aggregation: a list of stages, each a stream over the stream before it, one file per stage.
//!
//! Collections are read through a [`Reader`], which the engine answers with the planner. Documents pass as [`Row`]s:
//! bytes that are borrowed as long as no stage needs to change them.

mod accumulate;
mod flow;
mod group;
mod group_key;
mod leading;
mod matching;
mod optimise;
mod pipeline;
mod row;
mod shape;
mod slice;
mod sort;
mod stage;
mod unwind;

pub use flow::{Flow, Listed, Reader, Run, Stream, drain, each, listed};
pub use leading::Leading;
pub use pipeline::Pipeline;
pub use row::Row;

use crate::error::{CommandError, ErrorCode};

/// An error of a numbered check.
fn refuse(number: i32, message: impl Into<String>) -> CommandError {
    CommandError::new(ErrorCode::Location(number), message)
}
