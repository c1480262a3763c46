//! BSON values: one view over stored and computed documents, MongoDB's total order, dotted paths, Extended JSON, sizes.
//!
//! Documents are stored as bytes ([`bson::RawDocumentBuf`]) and decoded only as far as a statement needs; computed ones
//! are [`bson::Document`]. [`View`] reads both, so that matching, comparing and indexing are written once.

mod order;
mod path;
mod source;
mod view;

pub use order::{canonical_type, compare, compare_documents, equal};
pub use path::Path;
pub use source::Source;
pub use view::{ArrayView, DocView, View};

pub use bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};
