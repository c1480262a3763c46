//! Aggregation expressions: parsed into a tree, folded, evaluated against a document and variables, written back.
//!
//! A path is read from the bytes of the document as it is; only what an operator makes is new.

mod accumulator;
mod arithmetic;
mod array;
mod convert;
mod date_math;
mod date_parse;
mod date_parts;
mod date_text;
mod date_zone;
mod env;
mod fold;
mod forms;
mod functions;
mod gather;
mod hash;
mod implied;
mod key;
mod logic;
mod meta;
mod misc;
mod node;
mod number;
mod object;
mod parse;
mod percentile;
mod regex;
mod set;
mod show;
mod sort_array;
mod string;
mod table;
mod value;
mod zone;

pub use accumulator::{Accumulator, Tally};
pub use date_math::Unit;
pub use env::{Context, Env, Fields, Root, Scope, check_variable_name};
pub use fold::Reads;
pub use gather::positive_n;
pub use implied::{Bound, Implied};
pub use key::{key_of, write_key, write_text_key};
pub(in crate::query) use meta::check_available;
pub use meta::{MetaField, Metadata};
pub use node::{Expression, path_value};
pub use number::{Number, Sum};
pub use parse::{REDACTIONS, check_field_name};
pub use percentile::parse_quantile;
pub use show::{show, show_stored, show_stored_value};
pub use table::{is_operator, operators};
pub use value::Value;
pub use zone::Zone;
