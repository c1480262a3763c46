//! `bulkWrite`: its operations, its sums, and the error that tells which parts failed.

use bson::{Bson, Document, doc};

use super::args::{Given, Options};
use super::collection::{collection, count_value};
use super::modify::{modification, replacement, update_spec};
use super::{Answer, Outcome, Refusal};
use crate::engine::{BulkOperation, BulkWrite, Command, Reply, WriteFailure};
use crate::error::Step;
use crate::shell::session::Session;

pub(super) fn count(count: u64) -> Bson {
    count_value(count)
}

/// Ids by position, as `insertedIds` shows them.
pub(super) fn id_map(ids: &[(usize, Bson)]) -> Document {
    ids.iter().map(|(at, id)| (at.to_string(), id.clone())).collect()
}

pub(super) fn call<'js>(session: &mut Session, given: &mut Given<'_, 'js>) -> Outcome<'js> {
    let list = given.list(0, "operations")?;
    if list.is_empty() {
        return Err(Refusal::Misuse(
            "MongoInvalidArgumentError",
            "Invalid BulkOperation, Batch cannot be empty".to_owned(),
        ));
    }
    let origin = given.places.last().map(|place| place.origin.clone()).unwrap_or_default();
    let mut operations = Vec::with_capacity(list.len());
    for (at, document) in list.into_iter().enumerate() {
        let origin = origin.part(&Step::Index(at)).cloned().unwrap_or_default();
        operations.push(operation(given, document, &origin)?);
    }
    let ordered = given.options(1)?.switch("ordered", true);
    let command = Command::BulkWrite(BulkWrite { collection: collection(given), operations, ordered });
    let run = given.run(session, command)?;
    let Reply::Bulk { inserted, matched, modified, deleted, upserted, failures } = &run.reply else {
        return Ok(Answer::Nothing);
    };
    let result = doc! {
        "acknowledged": true,
        "insertedCount": count(inserted.len() as u64),
        "insertedIds": id_map(inserted),
        "matchedCount": count(*matched),
        "modifiedCount": count(*modified),
        "deletedCount": count(*deleted),
        "upsertedCount": count(upserted.len() as u64),
        "upsertedIds": id_map(upserted),
    };
    if failures.is_empty() {
        return Ok(Answer::Bson(Bson::Document(result)));
    }
    Err(Refusal::Bulk(session.ran.last(), result, failures.clone()))
}

fn operation(
    given: &mut Given<'_, '_>,
    document: Document,
    origin: &crate::shell::read::Origin,
) -> Result<BulkOperation, Refusal> {
    let only = document.into_iter().next();
    let Some((kind, Bson::Document(body))) = only else {
        let message = "Operation must be an object with an operation key";
        return Err(Refusal::Misuse("MongoInvalidArgumentError", message.to_owned()));
    };
    let origin = origin.part(&Step::Field(kind.clone())).cloned().unwrap_or_default();
    let options = Options { document: body, origin, position: 0 };
    match kind.as_str() {
        "insertOne" => insert(given, options),
        "updateOne" | "updateMany" | "replaceOne" => update(given, &options, &kind),
        "deleteOne" | "deleteMany" => Ok(BulkOperation::Delete {
            filter: filter(given, &options)?,
            multi: kind == "deleteMany",
            collation: options.document.get_document("collation").ok().cloned(),
            hint: options.document.get("hint").cloned(),
        }),
        _ => Err(Refusal::Misuse(
            "MongoInvalidArgumentError",
            "bulkWrite only supports insertOne, updateOne, updateMany, deleteOne, deleteMany".to_owned(),
        )),
    }
}

fn insert(given: &Given<'_, '_>, options: Options) -> Result<BulkOperation, Refusal> {
    match options.document.get("document") {
        Some(Bson::Document(document)) => Ok(BulkOperation::Insert(document.clone())),
        None if !options.document.is_empty() => Ok(BulkOperation::Insert(options.document)),
        _ => given.misuse("insertOne needs {document: {…}}"),
    }
}

fn filter(given: &Given<'_, '_>, options: &Options) -> Result<Document, Refusal> {
    match options.document.get("filter") {
        Some(Bson::Document(filter)) => Ok(filter.clone()),
        _ => given.misuse("a bulk operation needs a \"filter\" object"),
    }
}

fn update(given: &mut Given<'_, '_>, options: &Options, kind: &str) -> Result<BulkOperation, Refusal> {
    let filter = filter(given, options)?;
    let change = options.document.get("replacement").or_else(|| options.document.get("update")).cloned();
    let modify = match (kind, change) {
        ("replaceOne", Some(Bson::Document(document))) => replacement(document, "use")?,
        (_, Some(value)) => modification(value, given, 0)?,
        (_, None) => return given.misuse(format_args!("{kind} needs an \"update\"")),
    };
    let noted = given.places.len();
    let spec = update_spec(given, options, filter, modify, kind == "updateMany")?;
    given.places.truncate(noted);
    Ok(BulkOperation::Update(Box::new(spec)))
}

/// The fields of a `MongoBulkWriteError` behind its code.
pub(super) fn error_fields(result: Document, failures: &[WriteFailure]) -> Document {
    let errors: Vec<Bson> = failures
        .iter()
        .map(|failure| {
            Bson::Document(doc! {
                "index": count(failure.index as u64),
                "code": failure.error.code.number(),
                "errmsg": failure.error.message.clone(),
            })
        })
        .collect();
    let mut fields = doc! { "writeErrors": errors };
    fields.extend(result.clone());
    fields.insert("result", result);
    fields
}
