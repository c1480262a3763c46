//! Methods of a collection that write documents.

use bson::{Bson, Document, doc};

use super::args::{Given, Options};
use super::collection::{collection, plain_result, sort_option};
use super::{Answer, Refusal, bulk};
use crate::engine::{Command, Delete, FindAndModify, Insert, Modify, Reply, Run, Update, UpdateReply, UpdateSpec};
use crate::error::CommandError;
use crate::shell::misuse::Misuse;
use crate::shell::session::Session;

/// Updates that take no `sort`: the driver sends it, and the server knows it since 8.0 only.
const UPDATES: [&str; 4] = ["updateOne", "updateMany", "update", "replaceOne"];

/// Runs a writing method; none where the name is of another kind.
pub(super) fn call<'js>(
    session: &mut Session,
    given: &mut Given<'_, 'js>,
    name: &str,
) -> Result<Option<Answer<'js>>, Refusal> {
    if name == "bulkWrite" {
        return bulk::call(session, given).map(Some);
    }
    if UPDATES.contains(&name) && given.options(2)?.document.contains_key("sort") {
        let message = "BSON field 'update.updates.sort' is an unknown field.";
        return given.refuse(session, CommandError::new(40415, message));
    }
    let Some(command) = command(given, name)? else { return Ok(None) };
    let run = given.run(session, command)?;
    reply(session, &run, name).map(Some)
}

/// The command of a writing method.
pub(super) fn command(given: &mut Given<'_, '_>, name: &str) -> Result<Option<Command>, Refusal> {
    Ok(Some(match name {
        "insertOne" | "insertMany" | "insert" => insert(given, name)?,
        name if UPDATES.contains(&name) => update(given, name)?,
        "deleteOne" | "deleteMany" | "remove" => delete(given, name)?,
        "findOneAndUpdate" | "findOneAndReplace" | "findOneAndDelete" => find_and(given, name)?,
        "findAndModify" => find_and_modify(given)?,
        _ => return Ok(None),
    }))
}

fn insert(given: &mut Given<'_, '_>, name: &str) -> Result<Command, Refusal> {
    if name == "insertMany" && given.value(0).is_some_and(|value| !matches!(value, Bson::Array(_))) {
        given.note(0, "documents");
        return Err(Refusal::Advised(Misuse::NoList));
    }
    let many = name == "insertMany" || (name == "insert" && matches!(given.value(0), Some(Bson::Array(_))));
    let documents = if many { given.list(0, "documents")? } else { vec![given.required(0, "documents.0")?] };
    if documents.is_empty() {
        return Err(Refusal::Misuse(
            "MongoInvalidArgumentError",
            "Invalid BulkOperation, Batch cannot be empty".to_owned(),
        ));
    }
    let options = given.options(1)?;
    Ok(Command::Insert(Insert { collection: collection(given), documents, ordered: options.switch("ordered", true) }))
}

/// The change of an update: a pipeline, operators, or (where allowed) a whole document.
pub(super) fn modification(value: Bson, given: &Given<'_, '_>, at: usize) -> Result<Modify, Refusal> {
    match value {
        // The driver looks for one stage that begins like a stage.
        Bson::Array(stages) if stages.iter().any(is_atomic) => Ok(Modify::Pipeline(given.documents(at, stages)?)),
        Bson::Array(_) | Bson::String(_) => no_operators(),
        Bson::Document(document) => operators(document),
        other => given.wrong_type(at, "object", &other),
    }
}

/// The driver looks at the first key only; the server looks at the rest.
fn operators(document: Document) -> Result<Modify, Refusal> {
    if document.keys().next().is_some_and(|key| key.starts_with('$')) {
        return Ok(Modify::Operators(document));
    }
    no_operators()
}

fn no_operators<T>() -> Result<T, Refusal> {
    Err(Refusal::Advised(Misuse::NoOperators))
}

fn is_atomic(stage: &Bson) -> bool {
    matches!(stage, Bson::Document(stage) if stage.keys().next().is_some_and(|key| key.starts_with('$')))
}

/// The driver words it in two ways: `verb` is "contain", in a bulk write "use".
pub(super) fn replacement(document: Document, verb: &'static str) -> Result<Modify, Refusal> {
    if document.keys().next().is_some_and(|key| key.starts_with('$')) {
        return Err(Refusal::Advised(Misuse::Operators { verb }));
    }
    Ok(Modify::Replacement(document))
}

fn update(given: &mut Given<'_, '_>, name: &str) -> Result<Command, Refusal> {
    let filter = given.required(0, "filter")?;
    let modify = match name {
        "replaceOne" => replacement(given.required(1, "update")?, "contain")?,
        _ => match given.any(1, "update") {
            Some(value) => modification(value, given, 1)?,
            None => return given.missing(1),
        },
    };
    let options = given.options(2)?;
    let multi = name == "updateMany" || (name == "update" && options.switch("multi", false));
    let spec = update_spec(given, &options, filter, modify, multi)?;
    Ok(Command::Update(Update { collection: collection(given), spec }))
}

/// An update with the options of its own or of a bulk operation.
pub(super) fn update_spec(
    given: &mut Given<'_, '_>,
    options: &Options,
    filter: Document,
    modify: Modify,
    multi: bool,
) -> Result<UpdateSpec, Refusal> {
    Ok(UpdateSpec {
        filter,
        modify,
        multi,
        upsert: options.switch("upsert", false),
        array_filters: options.documents(given, "arrayFilters")?,
        collation: options.document(given, "collation")?,
        hint: options.any(given, "hint"),
        variables: options.document(given, "let")?,
    })
}

fn delete(given: &mut Given<'_, '_>, name: &str) -> Result<Command, Refusal> {
    let filter = given.required(0, "filter")?;
    let just_one = matches!(given.value(1), Some(Bson::Boolean(true)));
    let options =
        if matches!(given.value(1), Some(Bson::Boolean(_))) { given.options(2)? } else { given.options(1)? };
    let multi = name == "deleteMany" || (name == "remove" && !just_one && !options.switch("justOne", false));
    Ok(Command::Delete(Delete {
        collection: collection(given),
        filter,
        multi,
        collation: options.document(given, "collation")?,
        hint: options.any(given, "hint"),
    }))
}

fn find_and(given: &mut Given<'_, '_>, name: &str) -> Result<Command, Refusal> {
    let filter = given.required(0, "filter")?;
    let modify = match name {
        "findOneAndDelete" => None,
        "findOneAndReplace" => Some(replacement(given.required(1, "update")?, "contain")?),
        _ => match given.any(1, "update") {
            Some(value) => Some(modification(value, given, 1)?),
            None => return given.missing(1),
        },
    };
    let options = given.options(if modify.is_some() { 2 } else { 1 })?;
    let wanted = options.document.get("returnDocument");
    if wanted.is_some_and(|wanted| !matches!(wanted.as_str(), Some("before" | "after"))) {
        return given.misuse("returnDocument needs to be either 'before' or 'after'");
    }
    let after = wanted.and_then(Bson::as_str) == Some("after")
        || options.switch("returnNewDocument", false)
        || !options.switch("returnOriginal", true);
    Ok(Command::FindAndModify(FindAndModify {
        collection: collection(given),
        filter,
        sort: sort_option(given, &options)?,
        modify,
        return_new: after,
        upsert: options.switch("upsert", false),
        projection: options.document(given, "projection")?,
        array_filters: options.documents(given, "arrayFilters")?,
        collation: options.document(given, "collation")?,
        hint: options.any(given, "hint"),
        variables: options.document(given, "let")?,
    }))
}

/// `findAndModify({query, update, remove, new, fields, …})`: here a plain document is a replacement.
pub(super) fn find_and_modify(given: &mut Given<'_, '_>) -> Result<Command, Refusal> {
    let options = given.options(0)?;
    let remove = options.switch("remove", false);
    let modify = match options.any(given, "update") {
        None if remove => None,
        None => return given.misuse("Must specify options.update or options.remove"),
        Some(Bson::Document(document)) if !document.keys().next().is_some_and(|key| key.starts_with('$')) => {
            Some(Modify::Replacement(document))
        }
        Some(value) => Some(modification(value, given, 0)?),
    };
    let filter = match options.document(given, "query")? {
        Some(filter) => filter,
        None => options.document(given, "filter")?.unwrap_or_default(),
    };
    let projection = match options.document(given, "fields")? {
        Some(fields) => Some(fields),
        None => options.document(given, "projection")?,
    };
    Ok(Command::FindAndModify(FindAndModify {
        collection: collection(given),
        filter,
        sort: sort_option(given, &options)?,
        modify: modify.filter(|_| !remove),
        // mongosh makes a findOneAndDelete of it, which sends none of these.
        return_new: !remove && options.switch("new", false),
        upsert: !remove && options.switch("upsert", false),
        projection,
        array_filters: if remove { Vec::new() } else { options.documents(given, "arrayFilters")? },
        collation: options.document(given, "collation")?,
        hint: options.any(given, "hint"),
        variables: options.document(given, "let")?,
    }))
}

fn reply<'js>(session: &Session, run: &Run, name: &str) -> Result<Answer<'js>, Refusal> {
    Ok(match &run.reply {
        Reply::Inserted { ids, failures } if !failures.is_empty() => {
            let at = session.ran.last();
            if name == "insertOne" {
                return Err(Refusal::Command(at, failures[0].error.clone()));
            }
            let result = doc! { "insertedCount": bulk::count(ids.len() as u64), "insertedIds": bulk::id_map(ids) };
            return Err(Refusal::Bulk(at, result, failures.clone()));
        }
        Reply::Inserted { ids, .. } => Answer::Bson(Bson::Document(inserted(ids, name))),
        Reply::Updated(update) => Answer::Bson(Bson::Document(updated(update))),
        Reply::Deleted(count) => {
            Answer::Bson(Bson::Document(doc! { "acknowledged": true, "deletedCount": bulk::count(*count) }))
        }
        other => plain_result(other),
    })
}

fn inserted(ids: &[(usize, Bson)], name: &str) -> Document {
    if let ("insertOne", [(_, id)]) = (name, ids) {
        return doc! { "acknowledged": true, "insertedId": id.clone() };
    }
    doc! { "acknowledged": true, "insertedIds": bulk::id_map(ids) }
}

fn updated(update: &UpdateReply) -> Document {
    doc! {
        "acknowledged": true,
        "insertedId": update.upserted.clone().unwrap_or(Bson::Null),
        "matchedCount": bulk::count(update.matched),
        "modifiedCount": bulk::count(update.modified),
        "upsertedCount": i32::from(update.upserted.is_some()),
    }
}
