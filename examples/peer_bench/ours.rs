//! The engine under measurement, as the peer benchmark's trait wants it.

use bson::{Bson, Document, doc};
use pegboard::engine::{
    Aggregate, Command, Count, CreateIndexes, Database, Find, Host, IndexRequest, Insert, Modify, Reply, Run, Update,
    UpdateSpec,
};
use pegboard::plan::Verbosity;
use pegboard::value::{AnyDocument, Source};

use crate::harness::{self, Bench, Engine};

/// The database under measurement.
pub struct Ours {
    database: Database,
    /// Whether every answer is decoded to documents.
    pub decode: bool,
}

impl Default for Ours {
    fn default() -> Self {
        Self { database: Database::new(Source::seeded(1)), decode: false }
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Ours {
    fn run(&mut self, command: &Command) -> Result<Run, String> {
        self.database.run(command).map_err(text)
    }

    fn documents(&mut self, command: &Command) -> Result<Vec<AnyDocument>, String> {
        let Reply::Documents(documents) = self.run(command)?.reply else { return Err("no documents".into()) };
        if self.decode {
            let decoded: Vec<Document> = documents.iter().map(decode).collect();
            std::hint::black_box(decoded);
        }
        Ok(documents)
    }

    /// Whether the plan of a query reads the index with both bounds closed, and not many more keys than it has hits.
    fn uses_index(&mut self, filter: Document) -> Result<bool, String> {
        let find = Command::Find(Find { collection: "products".into(), filter, ..Find::default() });
        let verbosity = Verbosity::ExecutionStats;
        let run = self.run(&Command::Explain { command: Box::new(find), verbosity })?;
        let Reply::Result(explain) = run.reply else { return Ok(false) };
        let number = |name: &str| {
            explain.get_document("executionStats").ok().and_then(|stats| stats.get(name)).map_or(f64::NAN, harness::num)
        };
        let keys = number("totalKeysExamined");
        let bounds =
            explain.get_document("queryPlanner").ok().and_then(|planner| scan_bounds(planner.get("winningPlan")?));
        let closed = |field: &str| {
            let interval = bounds.as_ref().and_then(|bounds| bounds.get_array(field).ok());
            interval.is_some_and(|intervals| intervals.iter().all(is_closed))
        };
        Ok(closed("specs.k") && closed("specs.v") && keys <= 2.0 * number("nReturned") + 2.0)
    }
}

fn decode(document: &AnyDocument) -> Document {
    Document::try_from(&**document).unwrap_or_default()
}

/// The bounds of the index scan below a plan's root.
fn scan_bounds(stage: &Bson) -> Option<Document> {
    let stage = stage.as_document()?;
    match stage.get_document("indexBounds") {
        Ok(bounds) => Some(bounds.clone()),
        Err(_) => scan_bounds(stage.get("inputStage")?),
    }
}

fn is_closed(interval: &Bson) -> bool {
    interval.as_str().is_some_and(|text| !text.contains("MinKey") && !text.contains("MaxKey") && !text.contains("inf"))
}

impl Engine for Ours {
    fn insert_many(&mut self, c: &str, documents: Vec<Document>) -> Result<(), String> {
        let insert = Insert { collection: c.into(), documents, ordered: true };
        match self.run(&Command::Insert(insert))?.reply {
            Reply::Inserted { failures, .. } if failures.is_empty() => Ok(()),
            other => Err(format!("{other:?}")),
        }
    }

    fn create_index(&mut self, c: &str, keys: Document) -> Result<(), String> {
        let indexes = vec![IndexRequest { keys, options: Document::new() }];
        self.run(&Command::CreateIndexes(CreateIndexes { collection: c.into(), indexes })).map(drop)
    }

    fn find(
        &mut self,
        c: &str,
        filter: Document,
        sort: Option<Document>,
        limit: usize,
    ) -> Result<Vec<AnyDocument>, String> {
        let limit = (limit > 0).then(|| i64::try_from(limit).unwrap_or(i64::MAX));
        self.documents(&Command::Find(Find { collection: c.into(), filter, sort, limit, ..Find::default() }))
    }

    fn update_one(
        &mut self,
        c: &str,
        filter: Document,
        update: Document,
        array_filters: Option<Vec<Document>>,
        upsert: bool,
    ) -> Result<u64, String> {
        let spec = UpdateSpec {
            filter,
            modify: Modify::Operators(update),
            multi: false,
            upsert,
            array_filters: array_filters.unwrap_or_default(),
            collation: None,
            hint: None,
            variables: None,
        };
        match self.run(&Command::Update(Update { collection: c.into(), spec }))?.reply {
            Reply::Updated(reply) => Ok(reply.matched),
            other => Err(format!("{other:?}")),
        }
    }

    fn aggregate(&mut self, c: &str, pipeline: Vec<Document>) -> Result<Vec<Document>, String> {
        let aggregate = Aggregate { collection: Some(c.into()), pipeline, ..Aggregate::default() };
        Ok(self.documents(&Command::Aggregate(aggregate))?.iter().map(decode).collect())
    }

    fn count(&mut self, c: &str) -> Result<u64, String> {
        match self.run(&Command::Count(Count { collection: c.into(), ..Count::default() }))?.reply {
            Reply::Count(count) => Ok(count),
            other => Err(format!("{other:?}")),
        }
    }

    fn drop(&mut self, c: &str) {
        // Dropping what is not there is no error.
        let _ = self.run(&Command::DropCollection { collection: c.into() });
    }

    fn index_bytes(&mut self) -> Option<i64> {
        let indexes = self.database.collection("products")?.indexes();
        let bytes: u64 = indexes.iter().map(|index| index.info().bytes).sum();
        i64::try_from(bytes).ok()
    }

    fn check_explain(&mut self, bench: &Bench) -> Option<usize> {
        let first = |list: &str| bench.q[list].get(0).cloned();
        let (point, range, all) = (first("point")?, first("range")?, first("all")?);
        let value = |item: &serde_json::Value, at: usize| harness::to_bson(&item[at]);
        let between = doc! {"$gte": value(&range, 1), "$lt": value(&range, 2)};
        let element = |k: Bson, v: Bson| doc! {"$elemMatch": {"k": k, "v": v}};
        let both = [element(value(&all, 0), value(&all, 1)), element(value(&all, 2), value(&all, 3))];
        let filters = [
            doc! {"specs": element(value(&point, 0), value(&point, 1))},
            doc! {"specs": element(value(&range, 0), between.into())},
            doc! {"specs": {"$all": both.to_vec()}},
        ];
        Some(filters.into_iter().filter(|filter| self.uses_index(filter.clone()) != Ok(true)).count())
    }
}
