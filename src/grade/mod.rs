//! Judging answers by what they do, and telling people and tools.
//!
//! An answer runs on the shown data and on hidden variants made from a seed; checks look at results, plans, stored state,
//! indexes, findings and cost, never at text. One [`Report`] comes of it, and every export is made from that.

mod check;
mod claims;
mod class;
mod compare;
mod counter;
mod export;
mod facts;
mod findings;
mod judge;
mod lesson;
mod predicted;
mod prove;
mod report;
mod signed;
mod submission;
mod trial;

pub use class::{
    Alike, ClassRow, ClassTable, Submission, Total, class_csv, grade_all, left_in, left_out, submission, submissions,
};
pub use export::{CSV_HEADER, Format, Surroundings, cell, csv_line, examined, export};
pub use judge::{Judge, Settings, data_text, limits};
pub use lesson::lesson_store;
pub use predicted::{NO_INDEX, is_right, predicted};
pub use prove::prove;
pub use report::{CounterExample, Effort, Report, Row, SCHEMA, Status, Verdict};
pub use signed::{ClassProgress, Done, NotSigned, Signed, merge, merged_csv, merged_json, merged_text};
pub use submission::{MAX_ANSWER_BYTES, NoAnswer, read_answer};
