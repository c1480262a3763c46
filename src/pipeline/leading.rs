//! The part of a pipeline that the planner answers.

use crate::query::Filter;
use crate::value::{Bson, Document};

/// What a pipeline asks of its collection before its own stages run.
#[derive(Debug, Clone, Default)]
pub struct Leading {
    /// The filter; an empty AND reads everything.
    pub filter: Option<Filter>,
    /// Whether the filter, where it asks for one `_id`, was typed as just that, so that the `_id` may be looked up at once.
    pub id_hack: bool,
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
    /// Whether that is a `$project` which computes: the planner tells of it as its own, the first stage behind runs it.
    pub computes: bool,
    /// Whether the later stages read no field, so that an empty document for each result will do.
    pub empty: bool,
    /// An index name or key pattern.
    pub hint: Option<Bson>,
    /// What only one document of each value is needed for.
    pub distinct: Option<OnePerValue>,
}

/// A `$group` that asks for one document of each value of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnePerValue {
    /// The path, dotted.
    pub path: String,
    /// Whether it asks for the last one in the order, not for the first.
    pub last: bool,
}
