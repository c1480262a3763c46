//! All integration tests, one binary.

mod course;
mod shell;
mod store;
mod tidy;
mod tui;
