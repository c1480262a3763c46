//! All integration tests, one binary.

mod course;
mod design;
mod engine;
mod query;
mod pipeline;
mod shell;
mod store;
mod tidy;
mod tui;
mod update;
mod value;
