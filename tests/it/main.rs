//! All integration tests, one binary.

mod breaks;
mod cases;
mod conformance;
mod course;
mod covered;
mod design;
mod engine;
mod expectation;
mod expr;
mod grade;
mod index_keys;
mod made;
mod pipeline;
mod pitfalls;
mod plan;
mod profile;
mod proof;
mod query;
mod questions;
mod shell;
mod store;
mod tidy;
mod tui;
mod update;
mod value;
mod words;
