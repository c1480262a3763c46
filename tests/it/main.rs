//! All integration tests, one binary.

mod course;
mod tidy;
