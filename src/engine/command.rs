//! Every command the engine answers, as plain values named after MongoDB's command fields.

use bson::{Bson, Document};

use crate::plan::Verbosity;

/// A collation as the learner wrote it.
pub type Collation = Document;

/// A command.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// `find`
    Find(Find),
    /// `aggregate`
    Aggregate(Aggregate),
    /// `countDocuments`, and `count` of a cursor
    Count(Count),
    /// `estimatedDocumentCount`: the collection's own figure
    EstimatedCount {
        /// The collection.
        collection: String,
    },
    /// `distinct`
    Distinct(Distinct),
    /// `insertOne`, `insertMany`
    Insert(Insert),
    /// `updateOne`, `updateMany`, `replaceOne`
    Update(Update),
    /// `deleteOne`, `deleteMany`
    Delete(Delete),
    /// `findOneAndUpdate`, `findOneAndReplace`, `findOneAndDelete`
    FindAndModify(FindAndModify),
    /// `bulkWrite`
    BulkWrite(BulkWrite),
    /// `createIndex`, `createIndexes`
    CreateIndexes(CreateIndexes),
    /// `dropIndex`, `dropIndexes`: by name, key pattern, list of names or `"*"`
    DropIndexes {
        /// The collection.
        collection: String,
        /// What to drop.
        index: Bson,
    },
    /// `getIndexes`
    ListIndexes {
        /// The collection.
        collection: String,
    },
    /// `hideIndex`, `unhideIndex`: by name or key pattern
    HideIndex {
        /// The collection.
        collection: String,
        /// Which index.
        index: Bson,
        /// Hidden or shown.
        hidden: bool,
    },
    /// `createCollection`
    CreateCollection {
        /// The collection.
        collection: String,
        /// Options as given.
        options: Document,
    },
    /// `drop`
    DropCollection {
        /// The collection.
        collection: String,
    },
    /// `renameCollection`
    RenameCollection {
        /// The collection.
        collection: String,
        /// The new name.
        to: String,
        /// Whether an existing target is dropped.
        drop_target: bool,
    },
    /// `dropDatabase`
    DropDatabase,
    /// `getCollectionNames`, `getCollectionInfos`
    ListCollections,
    /// `collStats`
    CollStats {
        /// The collection.
        collection: String,
        /// Bytes per unit shown.
        scale: i64,
    },
    /// `dbStats`
    DbStats {
        /// Bytes per unit shown.
        scale: i64,
    },
    /// `getPlanCache().list()`
    PlanCacheList {
        /// The collection.
        collection: String,
    },
    /// `getPlanCache().clear()`, `getPlanCache().clearPlansByQuery(…)`
    PlanCacheClear(PlanCacheClear),
    /// `explain` of another command
    Explain {
        /// The command.
        command: Box<Command>,
        /// How much to tell.
        verbosity: Verbosity,
    },
}

/// `find`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Find {
    /// The collection.
    pub collection: String,
    /// The filter.
    pub filter: Document,
    /// The projection.
    pub projection: Option<Document>,
    /// The sort pattern.
    pub sort: Option<Document>,
    /// How many results to pass over.
    pub skip: Option<i64>,
    /// How many results to give; 0 gives all, a negative number its absolute value.
    pub limit: Option<i64>,
    /// An index name, a key pattern, or `{$natural: ±1}`.
    pub hint: Option<Bson>,
    /// Inclusive lower index bound.
    pub min: Option<Document>,
    /// Exclusive upper index bound.
    pub max: Option<Document>,
    /// `returnKey`: give index keys instead of documents.
    pub return_key: bool,
    /// `showRecordId`
    pub show_record_id: bool,
    /// The collation.
    pub collation: Option<Collation>,
    /// `let`
    pub variables: Option<Document>,
    /// The comment.
    pub comment: Option<Bson>,
}

/// `aggregate`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Aggregate {
    /// The collection; none for `db.aggregate`, which begins with `$documents`.
    pub collection: Option<String>,
    /// The stages.
    pub pipeline: Vec<Document>,
    /// An index name or key pattern.
    pub hint: Option<Bson>,
    /// The collation.
    pub collation: Option<Collation>,
    /// `let`
    pub variables: Option<Document>,
    /// The comment.
    pub comment: Option<Bson>,
}

/// `countDocuments` and `cursor.count()`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Count {
    /// The collection.
    pub collection: String,
    /// The filter.
    pub filter: Document,
    /// How many matches to pass over.
    pub skip: Option<i64>,
    /// Where to stop counting.
    pub limit: Option<i64>,
    /// An index name or key pattern.
    pub hint: Option<Bson>,
    /// The collation.
    pub collation: Option<Collation>,
    /// Whether it is `countDocuments`, which runs as a pipeline of `$match` and `$group`, and not the `count` command.
    pub as_pipeline: bool,
}

/// `distinct`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Distinct {
    /// The collection.
    pub collection: String,
    /// The path.
    pub key: String,
    /// The filter.
    pub filter: Document,
    /// The collation.
    pub collation: Option<Collation>,
    /// An index name or key pattern.
    pub hint: Option<Bson>,
}

/// `insert`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Insert {
    /// The collection, created if missing.
    pub collection: String,
    /// The documents; one without `_id` gets an object id in front.
    pub documents: Vec<Document>,
    /// Whether the first failure stops the rest.
    pub ordered: bool,
}

/// What an update does.
#[derive(Debug, Clone, PartialEq)]
pub enum Modify {
    /// Update operators.
    Operators(Document),
    /// A whole new document.
    Replacement(Document),
    /// An aggregation pipeline.
    Pipeline(Vec<Document>),
}

/// One update with its options.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateSpec {
    /// The filter.
    pub filter: Document,
    /// The change.
    pub modify: Modify,
    /// Every match, or the first only.
    pub multi: bool,
    /// Whether a missing document is made.
    pub upsert: bool,
    /// `arrayFilters`
    pub array_filters: Vec<Document>,
    /// The collation.
    pub collation: Option<Collation>,
    /// An index name or key pattern.
    pub hint: Option<Bson>,
    /// `let`
    pub variables: Option<Document>,
}

/// `update`.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// The collection.
    pub collection: String,
    /// What to change, and how.
    pub spec: UpdateSpec,
}

/// `delete`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delete {
    /// The collection.
    pub collection: String,
    /// The filter.
    pub filter: Document,
    /// Every match, or the first only.
    pub multi: bool,
    /// The collation.
    pub collation: Option<Collation>,
    /// An index name or key pattern.
    pub hint: Option<Bson>,
}

/// `findAndModify`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FindAndModify {
    /// The collection.
    pub collection: String,
    /// The filter.
    pub filter: Document,
    /// Which match is first.
    pub sort: Option<Document>,
    /// The change; none removes the document.
    pub modify: Option<Modify>,
    /// Whether the document is given as it is afterwards.
    pub return_new: bool,
    /// Whether a missing document is made.
    pub upsert: bool,
    /// The projection of the document given.
    pub projection: Option<Document>,
    /// `arrayFilters`
    pub array_filters: Vec<Document>,
    /// The collation.
    pub collation: Option<Collation>,
    /// An index name or key pattern.
    pub hint: Option<Bson>,
    /// `let`
    pub variables: Option<Document>,
}

/// `bulkWrite`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BulkWrite {
    /// The collection.
    pub collection: String,
    /// The operations in order.
    pub operations: Vec<BulkOperation>,
    /// Whether the first failure stops the rest.
    pub ordered: bool,
}

/// One operation of a bulk write.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "as many in a list as a person types, and mostly updates")]
pub enum BulkOperation {
    /// `insertOne`
    Insert(Document),
    /// `updateOne`, `updateMany`, `replaceOne`
    Update(Box<UpdateSpec>),
    /// `deleteOne`, `deleteMany`
    Delete {
        /// The filter.
        filter: Document,
        /// Every match, or the first only.
        multi: bool,
        /// The collation.
        collation: Option<Collation>,
        /// An index name or key pattern.
        hint: Option<Bson>,
    },
}

/// `planCacheClear`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanCacheClear {
    /// The collection.
    pub collection: String,
    /// A query of the shape that is forgotten; none forgets everything.
    pub filter: Option<Document>,
    /// Its projection.
    pub projection: Option<Document>,
    /// Its sort pattern.
    pub sort: Option<Document>,
    /// Its collation.
    pub collation: Option<Collation>,
}

/// `createIndexes`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CreateIndexes {
    /// The collection, created if missing.
    pub collection: String,
    /// The indexes wanted.
    pub indexes: Vec<IndexRequest>,
}

/// One index wanted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexRequest {
    /// The key pattern.
    pub keys: Document,
    /// Options as given: `name`, `unique`, `sparse`, `partialFilterExpression`, `collation`, `hidden`, `wildcardProjection` …
    pub options: Document,
}
