//! A right text broken in one realistic way, run on the same data, and the question what will give it away.
//!
//! A break changes the tree of the text, never its letters by pattern. What a question offers and which choice is right
//! comes from the two runs; a break that changes nothing on the data asks nothing.

mod filters;
mod quiz;
mod stages;
mod table;
mod writes;

pub use quiz::{Choice, Quiz, quizzes};
pub use table::{Break, breaks};
