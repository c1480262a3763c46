//! `insert`, `update` and `delete`: each document is written whole or not at all.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::change::Change;
use crate::engine::database::written;
use crate::engine::target::{Target, found, is_positional};
use crate::engine::{
    Database, Delete, Insert, Reply, Run, Update, UpdateReply, UpdateSpec, WriteFailure, Writes, WrittenDocument,
    namespace,
};
use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::plan::Explain;
use crate::query::Filter;
use crate::store::{Collection, KeyCounts, RecordId};
use crate::update::{Application, check_id, upsert_seed};
use crate::value::{Bson, DocView, Document, Encoded, RawDocument, RawDocumentBuf, View, check_insert, encode, equal};

/// What a command has written so far.
#[derive(Debug, Default)]
pub(super) struct WriteLog {
    documents: Vec<WrittenDocument>,
    keys: BTreeMap<Arc<str>, IndexSums>,
}

/// Keys added and removed in the indexes of one collection, in their order.
#[derive(Debug, Default)]
struct IndexSums {
    names: Vec<String>,
    sums: Vec<(u64, u64)>,
}

impl WriteLog {
    fn add(
        &mut self,
        name: &str,
        collection: &Collection,
        before: Option<RawDocumentBuf>,
        after: Option<RawDocumentBuf>,
        counts: &KeyCounts,
    ) {
        let shared = self.keys.get_key_value(name).map_or_else(|| Arc::from(name), |(known, _)| Arc::clone(known));
        self.documents.push(WrittenDocument { collection: Arc::clone(&shared), before, after });
        let known = self.keys.entry(shared).or_insert_with(|| IndexSums {
            names: collection.indexes().iter().map(|index| index.name().to_owned()).collect(),
            sums: vec![(0, 0); collection.indexes().len()],
        });
        for (sum, (added, removed)) in known.sums.iter_mut().zip(&counts.0) {
            *sum = (sum.0 + added, sum.1 + removed);
        }
    }

    pub(super) fn finish(self) -> Writes {
        let mut keys: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for (name, (added, removed)) in
            self.keys.into_values().flat_map(|known| known.names.into_iter().zip(known.sums))
        {
            let sum = keys.entry(name).or_default();
            *sum = (sum.0 + added, sum.1 + removed);
        }
        let keys = keys.into_iter().map(|(name, (added, removed))| (name, added, removed)).collect();
        Writes { documents: self.documents, keys }
    }
}

pub(super) fn insert(database: &mut Database, insert: &Insert) -> Result<Run> {
    namespace::check_new_name(database.catalog.database(), &insert.collection)?;
    if insert.documents.is_empty() {
        let message = "Write batch sizes must be between 1 and 100000. Got 0 operations.";
        return Err(CommandError::new(ErrorCode::InvalidLength, message).at(CommandPath::argument("documents")));
    }
    let mut log = WriteLog::default();
    let (mut ids, mut failures) = (Vec::new(), Vec::new());
    for (index, document) in insert.documents.iter().enumerate() {
        let document = with_time(database, document);
        match insert_one(database, &insert.collection, &document, &mut log) {
            Ok(id) => ids.push((index, id)),
            Err(error) => {
                let error = error.within(&CommandPath::argument("documents").index(index));
                failures.push(WriteFailure { index, error });
                if insert.ordered {
                    break;
                }
            }
        }
    }
    Ok(written(Reply::Inserted { ids, failures }, None, log))
}

/// The document with the time in place of each empty timestamp among its own fields but `_id` (manual: *BSON Types*,
/// Timestamps; `fixDocumentForInsert`, `src/mongo/db/ops/insert.cpp`).
fn with_time<'d>(database: &mut Database, document: &'d Document) -> Cow<'d, Document> {
    const EMPTY: Bson = Bson::Timestamp(bson::Timestamp { time: 0, increment: 0 });
    let is_empty = |(name, value): (&String, &Bson)| name != "_id" && *value == EMPTY;
    if !document.iter().any(is_empty) {
        return Cow::Borrowed(document);
    }
    let mut timed = document.clone();
    for (_, value) in timed.iter_mut().filter(|(name, value)| is_empty((name, &**value))) {
        let time = u32::try_from(database.source.now() / 1000).unwrap_or_default();
        *value = Bson::Timestamp(bson::Timestamp { time, increment: database.source.tick() });
    }
    Cow::Owned(timed)
}

/// Puts one document in, with `_id` in front; gives the `_id`.
pub(super) fn insert_one(database: &mut Database, name: &str, document: &Document, log: &mut WriteLog) -> Result<Bson> {
    check_id(document)?;
    let (id, raw) = with_id(database, document)?;
    let collection = database.catalog.get_or_create(name);
    let (_, counts) = collection.insert(&raw)?;
    log.add(name, collection, None, Some(raw), &counts);
    Ok(id)
}

/// The document as bytes, its `_id` first; one without gets an object id.
fn with_id(database: &mut Database, document: &Document) -> Result<(Bson, RawDocumentBuf)> {
    let rest = || fields(document).filter(|(name, _)| *name != "_id");
    match document.get("_id") {
        Some(id) if document.keys().next().is_some_and(|name| name == "_id") => Ok((id.clone(), encoded(document)?)),
        Some(id) => Ok((id.clone(), checked(encode([("_id", id)].into_iter().chain(rest())))?)),
        None => {
            let id = Bson::ObjectId(database.source.object_id());
            let raw = checked(encode([("_id", &id)].into_iter().chain(rest())))?;
            Ok((id, raw))
        }
    }
}

fn fields(document: &Document) -> impl Iterator<Item = (&str, &Bson)> {
    document.iter().map(|(name, value)| (name.as_str(), value))
}

/// The document as bytes, within the limits of what may be stored.
pub(super) fn encoded(document: &Document) -> Result<RawDocumentBuf> {
    checked(encode(fields(document)))
}

fn checked(encoded: Encoded) -> Result<RawDocumentBuf> {
    check_insert(encoded.levels, encoded.document.as_bytes().len())?;
    if encoded.cut {
        return Err(CommandError::new(ErrorCode::BadValue, "key names cannot contain NUL bytes"));
    }
    Ok(encoded.document)
}

pub(super) fn decoded(document: &RawDocument) -> Document {
    DocView::from(document).to_document()
}

pub(super) fn update(database: &mut Database, update: &Update) -> Result<Run> {
    let mut log = WriteLog::default();
    let (reply, explain) = update_explained(database, &update.collection, &update.spec, &mut log)?;
    Ok(written(Reply::Updated(reply), Some(explain), log))
}

/// Runs one update with its upsert. Documents changed before an error stay changed, as on the server.
pub(super) fn apply_update(
    database: &mut Database,
    name: &str,
    spec: &UpdateSpec,
    log: &mut WriteLog,
) -> Result<UpdateReply> {
    Ok(update_explained(database, name, spec, log)?.0)
}

fn update_explained(
    database: &mut Database,
    name: &str,
    spec: &UpdateSpec,
    log: &mut WriteLog,
) -> Result<(UpdateReply, Box<Explain>)> {
    namespace::check_name(database.catalog.database(), name)?;
    let change = Change::parse(&database.source, spec)?;
    let query = spec.canonical(&database.source)?;
    let (found, explain) = found(database, name, &query, is_positional(&spec.modify))?;
    let mut reply = UpdateReply::default();
    for target in found {
        reply.matched += 1;
        reply.modified += u64::from(change_one(database, name, target, &change, log)?.is_some());
    }
    if reply.matched == 0 && spec.upsert {
        let document = upserted(database, &query.filter, &change)?;
        namespace::check_new_name(database.catalog.database(), name)?;
        reply.upserted = Some(insert_one(database, name, &document, log)?);
    }
    Ok((reply, explain))
}

/// Changes one document; gives its place, none where nothing changed.
pub(super) fn change_one(
    database: &mut Database,
    name: &str,
    target: Target,
    change: &Change,
    log: &mut WriteLog,
) -> Result<Option<RecordId>> {
    let (now, tick) = (database.source.now(), database.source.tick());
    let Some(collection) = database.catalog.get_mut(name) else { return Ok(None) };
    let Some(before) = collection.get(target.id).map(ToOwned::to_owned) else { return Ok(None) };
    let application = Application { position: target.position, insert: false, now, tick };
    let Some(after) = change.apply(&before, application)? else { return Ok(None) };
    let counts = collection.update(target.id, &after, change.touched())?;
    log.add(name, collection, Some(before), Some(after), &counts);
    Ok(Some(target.id))
}

/// The document an upsert makes of its filter (`src/mongo/db/exec/upsert_stage.cpp`).
pub(super) fn upserted(database: &mut Database, filter: &Filter, change: &Change) -> Result<Document> {
    let seed = upsert_seed(filter, change.is_replacement())?;
    let (now, tick) = (database.source.now(), database.source.tick());
    let application = Application { position: None, insert: true, now, tick };
    let made = change.apply(&encoded(&seed)?, application)?.map_or_else(|| seed.clone(), |made| decoded(&made));
    match (seed.get("_id"), made.get("_id")) {
        (Some(wanted), Some(found)) if !equal(View::from(wanted), View::from(found)) => {
            let message = "Performing an update on the path '_id' would modify the immutable field '_id'";
            Err(CommandError::new(ErrorCode::ImmutableField, message))
        }
        _ => Ok(made),
    }
}

pub(super) fn delete(database: &mut Database, delete: &Delete) -> Result<Run> {
    let mut log = WriteLog::default();
    let (deleted, explain) = apply_delete(database, delete, &mut log)?;
    Ok(written(Reply::Deleted(deleted), Some(explain), log))
}

/// Removes what the filter matches; gives how many.
pub(super) fn apply_delete(
    database: &mut Database,
    delete: &Delete,
    log: &mut WriteLog,
) -> Result<(u64, Box<Explain>)> {
    let name = &delete.collection;
    namespace::check_name(database.catalog.database(), name)?;
    let query = delete.canonical(&database.source)?;
    let (found, explain) = found(database, name, &query, false)?;
    let mut deleted = 0;
    for target in found {
        deleted += u64::from(delete_one(database, name, target.id, log).is_some());
    }
    Ok((deleted, explain))
}

/// Removes one document and gives it back.
pub(super) fn delete_one(
    database: &mut Database,
    name: &str,
    id: RecordId,
    log: &mut WriteLog,
) -> Option<RawDocumentBuf> {
    let collection = database.catalog.get_mut(name)?;
    let (document, counts) = collection.delete(id)?;
    log.add(name, collection, Some(document.clone()), None, &counts);
    Some(document)
}
