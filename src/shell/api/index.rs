//! Methods of a collection about its indexes, its size and its existence, and of its plan cache.

use bson::{Bson, Document, doc};

use super::args::Given;
use super::collection::{aggregate_command, collection, plain_result};
use super::{Answer, Outcome, Refusal, documents};
use crate::engine::{Command, CreateIndexes, IndexRequest, PlanCacheClear, Reply, Run};
use crate::shell::session::Session;

pub(super) fn call<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    match name {
        "createIndex" | "ensureIndex" | "createIndexes" => create(session, given, name),
        "getIndexes" | "getIndices" | "getIndexSpecs" | "getIndexKeys" => list(session, given, name),
        "dropIndex" | "dropIndexes" => {
            let index = given.any(0, "index");
            let command = Command::DropIndexes { collection: collection(given), index: which(given, name, index)? };
            given.run(session, command).map(|run| plain_result(&run.reply))
        }
        "hideIndex" | "unhideIndex" => {
            let Some(index) = given.any(0, "index") else { return given.missing(0) };
            let command = Command::HideIndex { collection: collection(given), index, hidden: name == "hideIndex" };
            given.run(session, command).map(|run| plain_result(&run.reply))
        }
        "drop" => {
            let command = Command::DropCollection { collection: collection(given) };
            given.run(session, command).map(|run| plain_result(&run.reply))
        }
        "renameCollection" => {
            let to = given.text(0, "to")?;
            let drop_target = given.value(1).is_some_and(super::args::truthy);
            let command = Command::RenameCollection { collection: collection(given), to, drop_target };
            given.run(session, command).map(|run| plain_result(&run.reply))
        }
        "exists" => exists(session, given),
        "isCapped" => Ok(Answer::Bson(Bson::Boolean(false))),
        _ => sizes(session, given, name),
    }
}

fn which(given: &Given<'_, '_>, name: &str, index: Option<Bson>) -> Result<Bson, Refusal> {
    match (name, index) {
        ("dropIndex", None) => given.missing(0),
        ("dropIndex", Some(Bson::String(all))) if all == "*" => {
            given.misuse("To drop indexes in the collection using '*', use db.collection.dropIndexes().")
        }
        ("dropIndex", Some(Bson::Array(_))) => {
            given.misuse("The index to drop must be either the index name or the index specification document.")
        }
        (_, index) => Ok(index.unwrap_or_else(|| Bson::String("*".to_owned()))),
    }
}

fn create<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    let many = name == "createIndexes";
    let keys = if many { given.list(0, "indexes")? } else { vec![index_keys(given)?] };
    let options = given.document(1, "options")?.unwrap_or_default();
    let request = |keys: Document| IndexRequest { keys, options: options.clone() };
    let indexes: Vec<IndexRequest> = keys.into_iter().map(request).collect();
    let names: Vec<Bson> = indexes.iter().map(|index| Bson::String(index_name(index))).collect();
    given.run(session, Command::CreateIndexes(CreateIndexes { collection: collection(given), indexes }))?;
    Ok(if many { Answer::Values(names) } else { Answer::Bson(names.into_iter().next().unwrap_or(Bson::Null)) })
}

/// The driver takes a bare name for an ascending index on it.
fn index_keys(given: &mut Given<'_, '_>) -> Result<Document, Refusal> {
    if let Some(Bson::String(field)) = given.value(0).cloned() {
        given.note(0, "keys");
        return Ok([(field, Bson::Int32(1))].into_iter().collect());
    }
    given.required(0, "keys")
}

/// The name an index gets: the one given, or its keys and directions joined.
pub(in crate::shell) fn index_name(index: &IndexRequest) -> String {
    if let Some(Bson::String(name)) = index.options.get("name") {
        return name.clone();
    }
    let part = |(key, direction): (&String, &Bson)| match direction {
        Bson::String(text) => format!("{key}_{text}"),
        Bson::Double(number) => format!("{key}_{number}"),
        other => format!(
            "{key}_{}",
            super::args::whole(other).map_or_else(|| other.to_string(), |number| number.to_string())
        ),
    };
    index.keys.iter().map(part).collect::<Vec<_>>().join("_")
}

fn list<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    let run = given.run(session, Command::ListIndexes { collection: collection(given) })?;
    if name != "getIndexKeys" {
        return Ok(Answer::Documents(run, 0));
    }
    let keys = documents(&run).iter().filter_map(|index| Document::try_from(index.get_document("key").ok()?).ok());
    Ok(Answer::Values(keys.map(Bson::Document).collect()))
}

fn exists<'js>(session: &mut Session, given: &mut Given<'_, 'js>) -> Outcome<'js> {
    let name = collection(given);
    let run = given.run(session, Command::ListCollections)?;
    let found = documents(&run).iter().find(|info| info.get_str("name").is_ok_and(|found| found == name));
    Ok(found.map_or(Answer::Bson(Bson::Null), |info| Answer::Document(info.clone())))
}

fn stats(session: &mut Session, given: &mut Given<'_, '_>, scale: i64) -> Result<Document, Refusal> {
    let run = given.run(session, Command::CollStats { collection: collection(given), scale })?;
    Ok(result(&run))
}

pub(super) fn result(run: &Run) -> Document {
    if let Reply::Result(document) = &run.reply { document.clone() } else { Document::new() }
}

fn sizes<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    let scale = match given.value(0) {
        Some(Bson::Document(options)) => options.get("scale").and_then(super::args::whole),
        Some(value) => super::args::whole(value),
        None => None,
    };
    let stats = stats(session, given, scale.unwrap_or(1))?;
    let size = |name: &str| stats.get(name).cloned().unwrap_or(Bson::Int32(0));
    Ok(Answer::Bson(match name {
        "stats" => Bson::Document(stats),
        "totalIndexSize" => size("totalIndexSize"),
        "dataSize" => size("size"),
        "storageSize" => size("storageSize"),
        _ => size("totalSize"),
    }))
}

/// Methods of `db.NAME.getPlanCache()`.
pub(super) fn plan_cache<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    if name == "list" {
        let command = plan_cache_list(given)?;
        return given.run(session, command).map(|run| Answer::Documents(run, 0));
    }
    if name == "help" {
        return Ok(Answer::Text(crate::shell::help::help("planCache", session.lang)));
    }
    let mut clear = PlanCacheClear { collection: collection(given), ..PlanCacheClear::default() };
    if name == "clearPlansByQuery" {
        clear.filter = Some(given.required(0, "filter")?);
        clear.projection = given.document(1, "projection")?;
        clear.sort = given.document(2, "sort")?;
    }
    given.run(session, Command::PlanCacheClear(clear))?;
    Ok(Answer::Bson(Bson::Document(doc! { "ok": 1 })))
}

/// `list()`, or `list([stages])` for the entries that come through the pipeline.
fn plan_cache_list(given: &mut Given<'_, '_>) -> Result<Command, Refusal> {
    let (mut aggregate, _) = aggregate_command(given, Some(collection(given)))?;
    if aggregate.pipeline.is_empty() {
        return Ok(Command::PlanCacheList { collection: collection(given) });
    }
    aggregate.pipeline.insert(0, doc! { "$planCacheStats": {} });
    Ok(Command::Aggregate(aggregate))
}
