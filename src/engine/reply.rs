//! What a command gives back.

use std::sync::Arc;

use bson::{Bson, Document, RawDocumentBuf};

use crate::error::CommandError;
use crate::plan::Explain;
use crate::value::AnyDocument;

/// A command's result with everything the run knows about itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The answer.
    pub reply: Reply,
    /// How documents were found, of commands that look for some.
    pub explain: Option<Box<Explain>>,
    /// What was written.
    pub writes: Writes,
}

/// The answer of a command.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Documents of a cursor: `find`, `aggregate`, `listIndexes`, `listCollections`, plan cache entries.
    Documents(Vec<AnyDocument>),
    /// Values of `distinct`.
    Values(Vec<Bson>),
    /// A count.
    Count(u64),
    /// Ids by position of the documents that went in, and the failures of the others.
    Inserted {
        /// Position and `_id` of each inserted document.
        ids: Vec<(usize, Bson)>,
        /// Refused documents.
        failures: Vec<WriteFailure>,
    },
    /// Counts of an update.
    Updated(UpdateReply),
    /// How many were deleted.
    Deleted(u64),
    /// The document of a findAndModify.
    Document(Option<Document>),
    /// Sums of a bulk write.
    Bulk {
        /// Position and `_id` of each inserted document.
        inserted: Vec<(usize, Bson)>,
        /// Documents matched.
        matched: u64,
        /// Documents changed.
        modified: u64,
        /// Documents deleted.
        deleted: u64,
        /// Position and `_id` of each upserted document.
        upserted: Vec<(usize, Bson)>,
        /// Refused operations.
        failures: Vec<WriteFailure>,
    },
    /// A bare result document: statistics, explain, `{ok: 1, …}` of administrative commands.
    Result(Document),
    /// A yes or no, of `drop`.
    Boolean(bool),
}

/// Counts of an update.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UpdateReply {
    /// Documents matched.
    pub matched: u64,
    /// Documents changed.
    pub modified: u64,
    /// The `_id` of the document made by an upsert.
    pub upserted: Option<Bson>,
}

/// One refused document or operation of a bulk.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteFailure {
    /// Its position.
    pub index: usize,
    /// The refusal.
    pub error: CommandError,
}

/// What a command wrote: documents before and after, and the index keys touched.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Writes {
    /// Each document written.
    pub documents: Vec<WrittenDocument>,
    /// Keys added and removed, by index name.
    pub keys: Vec<(String, u64, u64)>,
}

/// A document before and after a write; `before` is none for an insert, `after` for a delete.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenDocument {
    /// The collection.
    pub collection: Arc<str>,
    /// As it was.
    pub before: Option<RawDocumentBuf>,
    /// As it is.
    pub after: Option<RawDocumentBuf>,
}
