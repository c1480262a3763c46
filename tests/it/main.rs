//! All integration tests, one binary.

mod course;
mod design;
mod engine;
mod shell;
mod store;
mod tidy;
mod tui;
