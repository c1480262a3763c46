//! Judging answers by what they do, and telling people and tools.
//!
//! An answer runs on the shown data and on hidden variants made from a seed; checks look at results, plans, stored state,
//! indexes, findings and cost, never at text. One [`Report`] comes of it, and every export is made from that.

mod export;
mod report;

pub use export::{CSV_HEADER, Format, Surroundings, cell, csv_line, export};
pub use report::{CounterExample, Effort, Report, Row, SCHEMA, Status, Verdict};
