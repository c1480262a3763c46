//! Databases, collections, indexes and what they know about their data.

mod index_info;

pub use index_info::{Direction, IndexInfo, KeyPart};
