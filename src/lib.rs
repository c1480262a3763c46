//! Pegboard teaches how MongoDB documents should be shaped: the Attribute Pattern and its counter-image, values as keys.
//!
//! Each folder is a room with one door, its `mod.rs`. A room imports only from the rooms listed above it here;
//! `tests/it/tidy.rs` reads this list and proves it.

#![forbid(unsafe_code)]

pub mod words;

pub mod error;

pub mod value;

pub mod query;

pub mod update;

pub mod store;

pub mod plan;

pub mod pipeline;

pub mod engine;

pub mod shell;

pub mod design;

pub mod proof;

pub mod pitfall;

pub mod course;

pub mod grade;

pub mod tui;

pub mod cli;
