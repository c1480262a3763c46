//! `collStats` and `dbStats`, with the fields the server gives.

use bson::doc;

use crate::engine::admin::count;
use crate::engine::database::plain;
use crate::engine::{Database, Reply, Run, namespace};
use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::plan::PlanCache;
use crate::store::{Collection, Index};
use crate::value::{Bson, Document};

/// What stands for a server's host and port.
pub(super) const HOST: &str = "pegboard:0";

fn scaled(bytes: u64, scale: i64) -> Bson {
    let scale = u64::try_from(scale).unwrap_or(1);
    count(usize::try_from(bytes / scale).unwrap_or(usize::MAX))
}

fn check_scale(scale: i64) -> Result<()> {
    if scale >= 1 {
        return Ok(());
    }
    let message = format!("BSON field 'scale' value must be >= 1, actual value '{scale}'");
    Err(CommandError::new(51024, message).at(CommandPath::argument("scale")))
}

fn index_bytes(collection: &Collection) -> u64 {
    collection.indexes().iter().map(|index| index.info().bytes).sum()
}

pub(super) fn collection(database: &Database, name: &str, scale: i64) -> Result<Run> {
    namespace::check_name(database.catalog.database(), name)?;
    check_scale(scale)?;
    let mut reply = doc! {"ns": database.catalog.namespace(name)};
    match database.catalog.get(name) {
        Some(collection) => reply.extend(sizes(collection, scale)),
        None => reply.extend(doc! {
            "size": 0, "count": 0, "numOrphanDocs": 0, "storageSize": 0, "totalSize": 0, "nindexes": 0,
            "totalIndexSize": 0, "indexDetails": {}, "indexSizes": {},
        }),
    }
    reply.insert("scaleFactor", scaled(scale.unsigned_abs(), 1));
    reply.insert("ok", 1);
    Ok(plain(Reply::Result(reply)))
}

fn sizes(collection: &Collection, scale: i64) -> Document {
    let (data, indexes) = (collection.data_bytes(), index_bytes(collection));
    let mut sizes = doc! {"size": scaled(data, scale), "count": count(collection.len())};
    if let Some(average) = data.checked_div(collection.len() as u64) {
        sizes.insert("avgObjSize", scaled(average, 1));
    }
    let each: Document = collection
        .indexes()
        .iter()
        .map(|index: &Index| (index.name().to_owned(), scaled(index.info().bytes, scale)))
        .collect();
    sizes.extend(doc! {
        "numOrphanDocs": 0,
        "storageSize": scaled(data, scale),
        "freeStorageSize": 0,
        "capped": false,
        "nindexes": count(collection.indexes().len()),
        "indexBuilds": [],
        "totalIndexSize": scaled(indexes, scale),
        "totalSize": scaled(data + indexes, scale),
        "indexSizes": each,
    });
    sizes
}

pub(super) fn database(database: &Database, scale: i64) -> Result<Run> {
    check_scale(scale)?;
    let collections: Vec<&Collection> = database.catalog.iter().map(|(_, collection)| collection).collect();
    let objects: usize = collections.iter().map(|collection| collection.len()).sum();
    let data: u64 = collections.iter().map(|collection| collection.data_bytes()).sum();
    let indexes: u64 = collections.iter().map(|collection| index_bytes(collection)).sum();
    Ok(plain(Reply::Result(doc! {
        "db": database.catalog.database(),
        "collections": count(collections.len()),
        "views": 0,
        "objects": count(objects),
        "avgObjSize": scaled(data.checked_div(objects as u64).unwrap_or_default(), 1),
        "dataSize": scaled(data, scale),
        "storageSize": scaled(data, scale),
        "indexes": count(collections.iter().map(|collection| collection.indexes().len()).sum()),
        "indexSize": scaled(indexes, scale),
        "totalSize": scaled(data + indexes, scale),
        "scaleFactor": scaled(scale.unsigned_abs(), 1),
        "ok": 1,
    })))
}

/// The documents of the stage `$planCacheStats`, each with where it comes from.
pub(super) fn plan_cache(cache: &PlanCache, collection: &Collection) -> Vec<Document> {
    let mut entries = cache.list(collection);
    for entry in &mut entries {
        entry.insert("host", HOST);
    }
    entries
}

/// The document of the stage `$collStats`.
pub(super) fn pipeline_document(
    namespace: &str,
    collection: Option<&Collection>,
    options: &Document,
) -> Result<Document> {
    let mut document = doc! {"ns": namespace, "host": HOST};
    for (name, value) in options {
        match (name.as_str(), value, collection) {
            ("storageStats", Bson::Document(options), Some(collection)) => {
                let scale = options.get("scale").and_then(|scale| crate::value::exact_long(scale.into())).unwrap_or(1);
                check_scale(scale)?;
                document.insert("storageStats", sizes(collection, scale));
            }
            ("count", Bson::Document(_), Some(collection)) => {
                document.insert("count", count(collection.len()));
            }
            ("storageStats" | "count", Bson::Document(_), None) => {
                let message = format!(
                    "Unable to retrieve {name} in $collStats stage :: caused by :: Collection [{namespace}] not found."
                );
                return Err(CommandError::new(ErrorCode::NamespaceNotFound, message));
            }
            ("latencyStats" | "queryExecStats", ..) => {}
            _ => {
                let message = format!("BSON field '$collStats.{name}' is an unknown field.");
                return Err(CommandError::new(40415, message));
            }
        }
    }
    Ok(document)
}
