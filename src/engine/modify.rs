//! `findAndModify`: one document changed or removed, and given as it was or is.

use crate::engine::database::written;
use crate::engine::target::{Search, targets};
use crate::engine::write::{Change, WriteLog, change_one, decoded, delete_one, insert_one, upserted};
use crate::engine::{Database, FindAndModify, Reply, Run, UpdateSpec, namespace};
use crate::error::{CommandError, ErrorCode, Result};
use crate::value::Document;

pub(super) fn find_and_modify(database: &mut Database, command: &FindAndModify) -> Result<Run> {
    namespace::check_name(database.catalog.database(), &command.collection)?;
    check(command)?;
    let mut log = WriteLog::default();
    let document = match &command.modify {
        None => remove(database, command, &mut log)?,
        Some(_) => change(database, command, &mut log)?,
    };
    Ok(written(Reply::Document(document), log))
}

fn check(command: &FindAndModify) -> Result<()> {
    let refuse = |message: &str| Err(CommandError::new(ErrorCode::FailedToParse, message));
    match &command.modify {
        None if command.upsert => refuse("Cannot specify both upsert=true and remove=true"),
        None if command.return_new => {
            refuse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document")
        }
        _ => Ok(()),
    }
}

fn search(command: &FindAndModify) -> Search<'_> {
    Search {
        filter: &command.filter,
        sort: command.sort.as_ref(),
        multi: false,
        collation: command.collation.as_ref(),
        hint: command.hint.as_ref(),
        variables: command.variables.as_ref(),
    }
}

fn remove(database: &mut Database, command: &FindAndModify, log: &mut WriteLog) -> Result<Option<Document>> {
    let found = targets(database, &command.collection, &search(command))?;
    let Some(target) = found.first() else { return Ok(None) };
    let removed = delete_one(database, &command.collection, target.id, log);
    Ok(removed.map(|document| decoded(&document)))
}

fn change(database: &mut Database, command: &FindAndModify, log: &mut WriteLog) -> Result<Option<Document>> {
    let Some(modify) = command.modify.clone() else { return Ok(None) };
    let spec = UpdateSpec {
        filter: command.filter.clone(),
        modify,
        multi: false,
        upsert: command.upsert,
        array_filters: command.array_filters.clone(),
        collation: command.collation.clone(),
        hint: command.hint.clone(),
        variables: command.variables.clone(),
    };
    let change = Change::parse(database, &spec)?;
    let found = targets(database, &command.collection, &search(command))?;
    let Some(target) = found.first().copied() else {
        return if command.upsert { upsert(database, command, &spec, &change, log) } else { Ok(None) };
    };
    let before = database.collection(&command.collection).and_then(|all| all.get(target.id)).map(decoded);
    let after = change_one(database, &command.collection, target, &change, log)?;
    Ok(if command.return_new { after.or(before) } else { before })
}

fn upsert(
    database: &mut Database,
    command: &FindAndModify,
    spec: &UpdateSpec,
    change: &Change,
    log: &mut WriteLog,
) -> Result<Option<Document>> {
    namespace::check_new_name(database.catalog.database(), &command.collection)?;
    let document = upserted(database, spec, change)?;
    let id = insert_one(database, &command.collection, &document, log)?;
    if !command.return_new {
        return Ok(None);
    }
    let mut made = Document::new();
    made.insert("_id", id);
    made.extend(document.into_iter().filter(|(name, _)| name != "_id"));
    Ok(Some(made))
}
