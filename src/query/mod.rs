//! Questions about one document: filters and why they match, projections, sort keys, expressions.

mod filter;

pub use filter::{Bits, Comparison, Filter, InList, Predicate, Regex, Test, TypeSet};
