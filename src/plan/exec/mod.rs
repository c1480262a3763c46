//! The executor: one machine per plan stage, asked for one unit of work at a time, as the classic engine is.
//!
//! A unit gives a row, nothing yet, or the end. The machines count what they do; those counts are explain's. Whoever watches
//! is told each step; watching costs nothing where nobody does.

mod bounds;
mod merge;
mod proven;
mod row;
mod scan;
mod sort;
mod stage;
mod watch;

pub(super) use row::{Row, key_document, key_order};
pub(super) use stage::{Context, Machine, Outcome};
pub use watch::{Steps, WalkStep, Watcher};
