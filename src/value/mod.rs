//! BSON values: one view over stored and computed documents, MongoDB's total order, dotted paths, Extended JSON, sizes.
//!
//! Documents are stored as bytes ([`bson::RawDocumentBuf`]) and decoded only as far as a statement needs; computed ones
//! are [`bson::Document`]. [`View`] reads both, so that matching, comparing and indexing are written once.

mod allowance;
mod along;
mod build;
pub mod calendar;
mod decimal;
mod decimal_functions;
mod decimal_math;
mod encode;
mod extended;
mod fixed;
mod identical;
mod keys;
mod limits;
mod name;
mod number;
mod order;
mod path;
mod raw;
mod shared;
mod show;
mod source;
mod splice;
mod traverse;
mod truth;
mod types;
mod view;

pub use allowance::Allowance;
pub use along::values_along;
pub use build::{ArrayBuilder, DocumentBuilder, Packed, type_byte};
pub use decimal::{Decimal, Finite};
pub use encode::{Encoded, encode};
pub use extended::{JsonMode, base64, from_json, regex, to_json};
pub use identical::{identical, identical_documents};
pub use keys::{NoKeys, Tuples, ambiguous_field, key_tuples};
pub use limits::{
    MAX_DOCUMENT_BYTES, check_insert, check_nesting_at, check_result, check_updated, document_bytes, value_bytes,
};
pub use name::{Glance, Name, NameHead, TextAnywhere, TextField};
pub use number::{PlainNumber, exact_long, is_below_zero, truncated_long, whole};
pub use order::{canonical_type, compare, compare_documents, compare_with, equal};
pub use path::{Path, field_path};
pub use raw::{PlaceInBytes, RawValue};
pub use shared::{AnyDocument, SharedDocument};
pub use show::{Shown, shown};
pub use source::{Source, Stopwatch};
pub use splice::{Inside, Splice, Spot};
pub use traverse::{ArrayStep, Followed, Found, Leaf, Trail, array_index, member, walk, walk_value};
pub use truth::{is_nan, is_number, is_true};
pub use types::{alias_of_type_code, is_type_code, type_alias, type_code, type_code_of_alias};
pub use view::{ArrayView, DocView, View};

pub use bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};
