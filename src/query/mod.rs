//! Questions about one document: filters and why they match, projections, sort keys, expressions.

mod collation;
mod collation_options;
mod element_order;
pub mod expr;
mod filter;
mod kind;
mod matcher;
mod normal;
mod operand;
mod outline;
mod parse;
mod pcre;
mod projection;
mod regex;
mod render;
mod schema;
mod sink;
mod sort;
mod test;
mod unavailable;
mod why;

pub use collation::Collation;
pub use element_order::ElementOrder;
pub use filter::{Bits, Comparison, Filter, InList, Predicate, Regex, Test, TypeSet};
pub use kind::MatchType;
pub use matcher::Matcher;
pub use parse::{ROOT_OPERATORS, field_operators};
pub use projection::{Projection, Slice};
pub use regex::CompiledRegex;
pub use sink::{Decision, Reason, Sink, Witness};
pub use sort::{SortKey, SortPart, SortPattern};
pub use why::{Asked, Element, Origin, Seen, Why};
