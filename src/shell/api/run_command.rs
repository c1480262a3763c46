//! `db.runCommand({…})` for the commands there are, with the replies the server gives.

use std::sync::Arc;

use bson::{Bson, Document, doc};

use super::args::{Given, Options, truthy};
use super::bulk::count;
use super::collection::{plain_result, verbosity_of};
use super::{Answer, Outcome, Refusal, documents, request};
use crate::engine::{
    Aggregate, Command, Count, CreateIndexes, Delete, Distinct, Find, FindAndModify, IndexRequest, Insert, Modify,
    PlanCacheClear, Reply, Run, Update, UpdateSpec, WriteFailure,
};
use crate::error::Step;
use crate::plan::Stage;
use crate::shell::elsewhere;
use crate::shell::read::Origin;
use crate::shell::session::Session;
use crate::words::Lang;

/// `db.NAME.runCommand("stats", {…})` names the collection in the command's own field.
pub(super) fn of_collection<'js>(session: &mut Session, given: &mut Given<'_, 'js>) -> Outcome<'js> {
    let mut document = Document::new();
    match given.value(0).cloned() {
        Some(Bson::String(command)) => {
            document.insert(command, given.call.subject.name.clone());
            document.extend(given.document(1, "options")?.unwrap_or_default());
        }
        Some(Bson::Document(command)) => document = command,
        Some(other) => return given.wrong_type(0, "string or object", &other),
        None => return given.missing(0),
    }
    request_of(session, given, &Options { document, origin: Origin::default(), position: 1 })
}

pub(super) fn call<'js>(session: &mut Session, given: &mut Given<'_, 'js>) -> Outcome<'js> {
    let request = match given.value(0).cloned() {
        Some(Bson::String(name)) => Options { document: doc! { name: 1 }, origin: Origin::default(), position: 0 },
        Some(other) if !matches!(other, Bson::Document(_)) => return given.wrong_type(0, "string or object", &other),
        _ => given.options(0)?,
    };
    request_of(session, given, &request)
}

fn request_of<'js>(session: &mut Session, given: &mut Given<'_, 'js>, request: &Options) -> Outcome<'js> {
    let Some((name, target)) = request.document.iter().next().map(|(name, value)| (name.clone(), value.clone())) else {
        return given.missing(0);
    };
    if elsewhere::names("command").any(|other| other == name) {
        let message = elsewhere::not_here("command", &name, session.lang);
        return Err(Refusal::Misuse("MongoshUnimplementedError", message));
    }
    let database = given.database(session);
    let inner = explained(request, &target);
    let checked = request::check(&request.document, &database).map_err(|error| (request, error));
    let checked = checked.and_then(|()| match name.as_str() {
        "explain" => request::check_inner(&inner.document, &database).map_err(|error| (&inner, error)),
        _ => Ok(()),
    });
    if let Err((refused, error)) = checked {
        refused.document.keys().for_each(|field| given.note_option(refused, field));
        return given.refuse(session, error);
    }
    match name.as_str() {
        "ping" => Ok(Answer::Bson(Bson::Document(doc! { "ok": 1 }))),
        "update" | "delete" | "insert" => writes(session, given, request, &name, &target),
        _ => {
            let command = command(given, request, &name, &target)?;
            let run = given.run(session, command)?;
            let namespace = format!("{}.{}", session.database, target.as_str().unwrap_or_default());
            Ok(reply(&run, request, &namespace))
        }
    }
}

fn name_of(given: &Given<'_, '_>, target: &Bson) -> Result<String, Refusal> {
    match target {
        Bson::String(name) => Ok(name.clone()),
        other => given.wrong_type(0, "string (the collection)", other),
    }
}

fn command(given: &mut Given<'_, '_>, request: &Options, name: &str, target: &Bson) -> Result<Command, Refusal> {
    let collection = || target.as_str().unwrap_or_default().to_owned();
    Ok(match name {
        "find" => find(given, request, name_of(given, target)?)?,
        "aggregate" => Command::Aggregate(Aggregate {
            collection: target.as_str().map(str::to_owned),
            pipeline: request.documents(given, "pipeline")?,
            hint: request.any(given, "hint"),
            collation: request.document(given, "collation")?,
            variables: request.document(given, "let")?,
            comment: request.any(given, "comment"),
        }),
        "count" => Command::Count(Count {
            collection: name_of(given, target)?,
            filter: request.document(given, "query")?.unwrap_or_default(),
            skip: request.number(given, "skip")?,
            limit: request.number(given, "limit")?,
            hint: request.any(given, "hint"),
            collation: request.document(given, "collation")?,
            as_pipeline: false,
        }),
        "distinct" => Command::Distinct(Distinct {
            collection: name_of(given, target)?,
            key: request.document.get_str("key").unwrap_or_default().to_owned(),
            filter: request.document(given, "query")?.unwrap_or_default(),
            collation: request.document(given, "collation")?,
            hint: request.any(given, "hint"),
        }),
        "findAndModify" | "findandmodify" => find_and_modify(given, request, name_of(given, target)?)?,
        "createIndexes" => create_indexes(given, request, name_of(given, target)?)?,
        "dropIndexes" => Command::DropIndexes {
            collection: name_of(given, target)?,
            index: request.any(given, "index").unwrap_or(Bson::Null),
        },
        "listIndexes" => Command::ListIndexes { collection: name_of(given, target)? },
        "listCollections" => Command::ListCollections,
        "create" => {
            let mut options = request.document.clone();
            options.remove("create");
            Command::CreateCollection { collection: name_of(given, target)?, options }
        }
        "drop" => Command::DropCollection { collection: name_of(given, target)? },
        "dropDatabase" => Command::DropDatabase,
        "collStats" => {
            Command::CollStats { collection: collection(), scale: request.number(given, "scale")?.unwrap_or(1) }
        }
        "dbStats" => Command::DbStats { scale: request.number(given, "scale")?.unwrap_or(1) },
        "planCacheClear" => Command::PlanCacheClear(PlanCacheClear {
            collection: collection(),
            filter: request.document(given, "query")?,
            projection: request.document(given, "projection")?,
            sort: request.document(given, "sort")?,
            collation: request.document(given, "collation")?,
        }),
        "collMod" => hide(given, request, name_of(given, target)?)?,
        "renameCollection" => rename(request, target),
        "explain" => explain(given, request, target)?,
        other => return given.misuse(format_args!("{other} is not there")),
    })
}

fn find(given: &mut Given<'_, '_>, request: &Options, collection: String) -> Result<Command, Refusal> {
    let single = request.switch("singleBatch", false);
    let limit = request.number(given, "limit")?;
    Ok(Command::Find(Find {
        collection,
        filter: request.document(given, "filter")?.unwrap_or_default(),
        projection: request.document(given, "projection")?,
        sort: request.document(given, "sort")?,
        skip: request.number(given, "skip")?,
        limit: if single { limit.map(|limit| -limit.abs()) } else { limit },
        hint: request.any(given, "hint"),
        min: request.document(given, "min")?,
        max: request.document(given, "max")?,
        return_key: request.switch("returnKey", false),
        show_record_id: request.switch("showRecordId", false),
        collation: request.document(given, "collation")?,
        variables: request.document(given, "let")?,
        comment: request.any(given, "comment"),
    }))
}

/// The server tells the three kinds of change apart by their first key.
fn modify(given: &Given<'_, '_>, value: Bson) -> Result<Modify, Refusal> {
    match value {
        Bson::Array(stages) => Ok(Modify::Pipeline(given.documents(0, stages)?)),
        Bson::Document(document) if document.keys().next().is_some_and(|key| key.starts_with('$')) => {
            Ok(Modify::Operators(document))
        }
        Bson::Document(document) => Ok(Modify::Replacement(document)),
        other => given.wrong_type(0, "object", &other),
    }
}

fn find_and_modify(given: &mut Given<'_, '_>, request: &Options, collection: String) -> Result<Command, Refusal> {
    let change = match request.any(given, "update") {
        Some(value) => Some(modify(given, value)?),
        None => None,
    };
    Ok(Command::FindAndModify(FindAndModify {
        collection,
        filter: request.document(given, "query")?.unwrap_or_default(),
        sort: request.document(given, "sort")?,
        modify: change.filter(|_| !request.switch("remove", false)),
        return_new: request.switch("new", false),
        upsert: request.switch("upsert", false),
        projection: request.document(given, "fields")?,
        array_filters: request.documents(given, "arrayFilters")?,
        collation: request.document(given, "collation")?,
        hint: request.any(given, "hint"),
        variables: request.document(given, "let")?,
    }))
}

fn create_indexes(given: &mut Given<'_, '_>, request: &Options, collection: String) -> Result<Command, Refusal> {
    let index = |mut spec: Document| {
        let keys = spec.remove("key").and_then(|key| key.as_document().cloned()).unwrap_or_default();
        IndexRequest { keys, options: spec }
    };
    let indexes = request.documents(given, "indexes")?.into_iter().map(index).collect();
    Ok(Command::CreateIndexes(CreateIndexes { collection, indexes }))
}

fn hide(given: &mut Given<'_, '_>, request: &Options, collection: String) -> Result<Command, Refusal> {
    let index = request.document(given, "index")?.unwrap_or_default();
    let which = index.get("name").or_else(|| index.get("keyPattern")).cloned();
    match (which, index.get("hidden")) {
        (Some(which), Some(hidden)) => Ok(Command::HideIndex { collection, index: which, hidden: truthy(hidden) }),
        _ => given.misuse("collMod is here for {index: {name: …, hidden: true}} only"),
    }
}

fn rename(request: &Options, target: &Bson) -> Command {
    let bare = |name: &str| name.split_once('.').map_or(name, |(_, rest)| rest).to_owned();
    Command::RenameCollection {
        collection: bare(target.as_str().unwrap_or_default()),
        to: bare(request.document.get_str("to").unwrap_or_default()),
        drop_target: request.switch("dropTarget", false),
    }
}

/// The command inside an `explain`.
fn explained(request: &Options, target: &Bson) -> Options {
    Options {
        document: target.as_document().cloned().unwrap_or_default(),
        origin: request.origin.part(&Step::Field("explain".to_owned())).cloned().unwrap_or_default(),
        position: request.position,
    }
}

fn explain(given: &mut Given<'_, '_>, request: &Options, target: &Bson) -> Result<Command, Refusal> {
    let inner = explained(request, target);
    let verbosity = match request.document.get("verbosity") {
        None => crate::plan::Verbosity::AllPlansExecution,
        given => verbosity_of(given)?,
    };
    let Some((name, target)) = inner.document.iter().next().map(|(name, value)| (name.clone(), value.clone())) else {
        return given.misuse("explain needs the command to explain");
    };
    let command = match name.as_str() {
        "update" | "delete" => match write_commands(given, &inner, &name, name_of(given, &target)?)?.into_iter().next()
        {
            Some(command) => command,
            None => return given.misuse(format_args!("{name} needs at least one statement")),
        },
        _ => command(given, &inner, &name, &target)?,
    };
    Ok(Command::Explain { command: Box::new(command), verbosity })
}

/// One command for each statement of `update` and `delete`, and one for an `insert`.
fn write_commands(
    given: &mut Given<'_, '_>,
    request: &Options,
    name: &str,
    collection: String,
) -> Result<Vec<Command>, Refusal> {
    let list = request.documents(
        given,
        if name == "insert" {
            "documents"
        } else if name == "update" {
            "updates"
        } else {
            "deletes"
        },
    )?;
    if name == "insert" {
        let ordered = request.switch("ordered", true);
        return Ok(vec![Command::Insert(Insert { collection, documents: list, ordered })]);
    }
    let field = Step::Field(if name == "update" { "updates" } else { "deletes" }.to_owned());
    let origin = request.origin.part(&field).cloned().unwrap_or_default();
    let statements = list.into_iter().enumerate();
    let options = |(at, document): (usize, Document)| {
        let origin = origin.part(&Step::Index(at)).cloned().unwrap_or_default();
        Options { document, origin, position: 0 }
    };
    statements.map(options).map(|options| statement_command(given, &collection, name, &options)).collect()
}

fn statement_command(
    given: &mut Given<'_, '_>,
    collection: &str,
    name: &str,
    options: &Options,
) -> Result<Command, Refusal> {
    let collection = collection.to_owned();
    let filter = options.document(given, "q")?.unwrap_or_default();
    let (collation, hint) = (options.document(given, "collation")?, options.any(given, "hint"));
    if name == "delete" {
        let multi = options.number(given, "limit")?.unwrap_or(0) == 0;
        return Ok(Command::Delete(Delete { collection, filter, multi, collation, hint }));
    }
    let Some(change) = options.any(given, "u") else { return given.misuse("an update statement needs q and u") };
    let spec = UpdateSpec {
        filter,
        modify: modify(given, change)?,
        multi: options.switch("multi", false),
        upsert: options.switch("upsert", false),
        array_filters: options.documents(given, "arrayFilters")?,
        collation,
        hint,
        variables: None,
    };
    Ok(Command::Update(Update { collection, spec }))
}

fn writes<'js>(
    session: &mut Session,
    given: &mut Given<'_, 'js>,
    request: &Options,
    name: &str,
    target: &Bson,
) -> Outcome<'js> {
    let commands = write_commands(given, request, name, name_of(given, target)?)?;
    let (mut n, mut modified, mut upserted) = (0, 0, Vec::new());
    let mut failures: Vec<WriteFailure> = Vec::new();
    for (index, command) in commands.into_iter().enumerate() {
        let run = match given.run(session, command) {
            Ok(run) => run,
            Err(Refusal::Command(_, error)) => {
                failures.push(WriteFailure { index, error });
                if request.switch("ordered", true) {
                    break;
                }
                continue;
            }
            Err(other) => return Err(other),
        };
        match &run.reply {
            Reply::Inserted { ids, failures: refused } => {
                n += ids.len() as u64;
                failures.extend(refused.iter().cloned());
            }
            Reply::Updated(update) => {
                n += update.matched + u64::from(update.upserted.is_some());
                modified += update.modified;
                upserted
                    .extend(update.upserted.iter().map(|id| doc! { "index": count(index as u64), "_id": id.clone() }));
            }
            Reply::Deleted(deleted) => n += deleted,
            _ => {}
        }
    }
    let mut reply = doc! { "n": count(n) };
    if !upserted.is_empty() {
        reply.insert("upserted", upserted);
    }
    if name == "update" {
        reply.insert("nModified", count(modified));
    }
    if !failures.is_empty() {
        let fields = super::bulk::error_fields(Document::new(), &failures);
        reply.extend(fields.into_iter().filter(|(name, _)| name == "writeErrors"));
    }
    reply.insert("ok", 1);
    Ok(Answer::Bson(Bson::Document(reply)))
}

fn reply<'js>(run: &Arc<Run>, request: &Options, namespace: &str) -> Answer<'js> {
    let document = match &run.reply {
        Reply::Documents(_) => {
            let first: Vec<Bson> = crate::shell::outcome::Shown::documents(documents(run));
            doc! { "cursor": { "firstBatch": first, "id": Bson::Int64(0), "ns": namespace }, "ok": 1 }
        }
        Reply::Count(n) => doc! { "n": count(*n), "ok": 1 },
        Reply::Values(values) => doc! { "values": values.clone(), "ok": 1 },
        Reply::Document(value) => doc! {
            "lastErrorObject": last_error(run, request.switch("remove", false)),
            "value": value.clone().map_or(Bson::Null, Bson::Document),
            "ok": 1,
        },
        Reply::Boolean(_) => doc! { "ok": 1, "nsDropped": namespace },
        other => return plain_result(other),
    };
    Answer::Bson(Bson::Document(document))
}

/// What `findAndModify` did (`buildResponse`, `src/mongo/db/commands/find_and_modify.cpp`).
fn last_error(run: &Run, removes: bool) -> Document {
    let mut stages = run.explain.iter().flat_map(|explain| explain.winning.all());
    let write = stages.find(|node| matches!(node.stage, Stage::Update | Stage::Delete));
    let found = write.map_or(0, |node| node.work.written);
    let made = run.writes.documents.iter().find(|written| written.before.is_none());
    let mut done = doc! { "n": count(found + u64::from(made.is_some())) };
    if !removes {
        done.insert("updatedExisting", found > 0);
    }
    let id = made.and_then(|made| made.after.as_ref()?.get("_id").ok().flatten());
    done.extend(id.and_then(|id| Bson::try_from(id).ok()).map(|id| ("upserted".to_owned(), id)));
    done
}

/// What `show` lists.
pub(super) fn show<'js>(session: &mut Session, given: &mut Given<'_, 'js>) -> Outcome<'js> {
    let what = given.value(0).and_then(Bson::as_str).unwrap_or_default().to_owned();
    let text = match what.as_str() {
        "collections" | "tables" => {
            let mut names = super::database::collection_names(session, given)?;
            names.sort();
            names.join("\n")
        }
        "dbs" | "databases" => databases(session),
        _ => {
            let message = match session.lang {
                Lang::En => format!("'{what}' is not a valid argument for \"show\": here are collections and dbs."),
                Lang::De => format!("„{what}“ kennt show nicht: es gibt collections und dbs."),
            };
            return Err(Refusal::Misuse("MongoshInvalidInputError", message));
        }
    };
    Ok(Answer::Text(text))
}

fn databases(session: &mut Session) -> String {
    let names = session.backend.borrow_mut().database_names();
    if names.is_empty() { session.database.clone() } else { names.join("\n") }
}
