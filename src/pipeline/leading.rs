//! The part of a pipeline that the planner answers.

use crate::query::Filter;
use crate::value::{Bson, Document};

/// What a pipeline asks of its collection before its own stages run.
#[derive(Debug, Clone, Default)]
pub struct Leading {
    /// The filter; an empty AND reads everything.
    pub filter: Option<Filter>,
    /// The sort pattern.
    pub sort: Option<Document>,
    /// How many to pass over.
    pub skip: Option<i64>,
    /// How many to give.
    pub limit: Option<i64>,
    /// The fields that later stages read, as an inclusion; none reads whole documents.
    pub projection: Option<Document>,
    /// Whether that is a `$project` of the pipeline, which shapes the documents, and not only what is read.
    pub projects: bool,
    /// An index name or key pattern.
    pub hint: Option<Bson>,
    /// The path of which only the first document per value is wanted, as a `$group` on an index prefix asks.
    pub distinct: Option<String>,
}
