//! All integration tests, one binary.

mod course;
mod design;
mod engine;
mod pipeline;
mod plan;
mod query;
mod shell;
mod store;
mod tidy;
mod tui;
mod update;
mod value;
