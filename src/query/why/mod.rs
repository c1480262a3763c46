//! Why a document matches a filter or not: the filter's tree with the elements and values that decided each part.
//!
//! The judgement is the matcher's own: every value is judged by the check that a search uses. Unlike a search it does not
//! stop early, so that a document that fails says everything it fails.

mod judge;
mod tree;

pub use tree::{Asked, Element, Origin, Seen, Why};
