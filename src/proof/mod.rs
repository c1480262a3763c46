//! Proof by documents: why one matched a filter or not, in words; and the smallest set of documents, of the learner's own or
//! made, on which two statements differ.

mod address;
mod condition;
mod gave;
mod marks;
mod mutate;
mod plain;
mod said;
mod search;
mod stage;

pub use gave::{Gave, Measure};
pub use marks::{Marked, marked};
pub use mutate::Hint;
pub use plain::{plain, written};
pub use said::{Said, Sign, said, said_text};
pub use search::{Effort, Found, search, shrink};
pub use stage::{Stage, stopped};
