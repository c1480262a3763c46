//! Proof by documents: why one matched a filter or not, in words.

mod condition;
mod marks;
mod plain;
mod said;

pub use marks::{Marked, marked};
pub use plain::{plain, written};
pub use said::{Said, Sign, said, said_text};
