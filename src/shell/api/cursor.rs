//! Cursors: what they ask is gathered first and run at the first read.

use std::sync::Arc;

use bson::{Bson, Document, doc};

use super::args::Given;
use super::collection::{count_value, explained, plain_result, sort_document, verbosity_of};
use super::{Answer, Outcome, Refusal, documents};
use crate::engine::{Command, Count, Find, Reply};
use crate::plan::Verbosity;
use crate::shell::session::{CursorState, Question, Session};

/// Opens a cursor; nothing is run yet.
pub(super) fn open<'js>(
    session: &mut Session,
    given: &mut Given<'_, 'js>,
    question: Question,
    explain: Option<Verbosity>,
) -> Answer<'js> {
    let aggregate = matches!(question, Question::Aggregate(_));
    let places = std::mem::take(&mut given.places);
    let (database, site) = (given.database(session), given.site);
    let state = CursorState {
        question,
        database,
        places,
        site,
        explain,
        answer: None,
        at: 0,
        batch: None,
        closed: false,
        killed: None,
    };
    Answer::Cursor { id: session.open(state), aggregate, explained: explain.is_some() }
}

impl Question {
    fn command(&self) -> Command {
        match self {
            Self::Find(find) => Command::Find((**find).clone()),
            Self::Aggregate(aggregate) => Command::Aggregate((**aggregate).clone()),
        }
    }
}

fn state(session: &mut Session, id: u32) -> Result<&mut CursorState, Refusal> {
    let missing = || Refusal::Misuse("MongoCursorExhaustedError", "Cursor is exhausted".to_owned());
    session.cursors.get_mut(&id).ok_or_else(missing)
}

/// Runs the cursor's question unless it has been run; gives the documents and how many were read.
pub(in crate::shell) fn start(session: &mut Session, id: u32) -> Result<(Arc<crate::engine::Run>, usize), Refusal> {
    let cursor = state(session, id)?;
    if let Some(answer) = &cursor.answer {
        return Ok((Arc::clone(answer), cursor.at));
    }
    let (command, places, site) = (cursor.question.command(), cursor.places.clone(), cursor.site);
    let command = match cursor.explain {
        Some(verbosity) => Command::Explain { command: Box::new(command), verbosity },
        None => command,
    };
    let database = cursor.database.clone();
    session.enter(&database);
    let run = session.run(command, places, site)?;
    let cursor = state(session, id)?;
    cursor.answer = Some(Arc::clone(&run));
    Ok((run, 0))
}

/// Reads on: up to so many further documents, from where on, and whether there are more.
pub(in crate::shell) fn advance(
    session: &mut Session,
    id: u32,
    count: usize,
) -> Result<(Arc<crate::engine::Run>, usize, usize), Refusal> {
    let (run, at) = start(session, id)?;
    let end = documents(&run).len().min(at.saturating_add(count));
    fetch(session, id, end)?;
    if let Ok(cursor) = state(session, id) {
        cursor.at = end;
        cursor.closed |= end == documents(&run).len();
    }
    Ok((run, at, end))
}

/// Fetches the documents up to a position; there are none where the collection is gone.
fn fetch(session: &mut Session, id: u32, end: usize) -> Result<(), Refusal> {
    let Ok(cursor) = state(session, id) else { return Ok(()) };
    let Some(killed) = cursor.killed.as_ref().filter(|killed| end > killed.fetched) else { return Ok(()) };
    let (error, site) = (killed.error.clone(), cursor.site);
    cursor.closed = true;
    let number = session.refuse(error.clone(), Vec::new(), site);
    Err(Refusal::Command(number, error))
}

pub(super) fn call<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    let id = given.call.subject.number;
    match name {
        "hasNext" => {
            let (run, at) = start(session, id)?;
            let more = at < documents(&run).len();
            if more {
                fetch(session, id, at + 1)?;
            }
            Ok(Answer::Bson(Bson::Boolean(more)))
        }
        "next" | "tryNext" => next(session, id, name),
        "toArray" => {
            let (run, at, _) = advance(session, id, usize::MAX)?;
            Ok(Answer::Documents(run, at))
        }
        "itcount" => {
            let (_, at, end) = advance(session, id, usize::MAX)?;
            Ok(Answer::Bson(count_value((end - at) as u64)))
        }
        "count" | "size" => count(session, given, id),
        "explain" => {
            let verbosity = verbosity_of(given.value(0))?;
            let cursor = state(session, id)?;
            given.places.clone_from(&cursor.places);
            given.site = cursor.site.or(given.site);
            let command = cursor.question.command();
            explained(session, given, command, verbosity)
        }
        "finish" => start(session, id).map(|(run, _)| plain_result(&run.reply)),
        "help" => Ok(Answer::Text(crate::shell::help::help("cursor", session.lang))),
        "isExhausted" => Ok(Answer::Bson(Bson::Boolean(ended(session, id)))),
        "isClosed" => Ok(Answer::Bson(Bson::Boolean(session.cursors.get(&id).is_none_or(|cursor| cursor.closed)))),
        "objsLeftInBatch" => {
            let left = session
                .cursors
                .get(&id)
                .and_then(|cursor| cursor.answer.as_ref().map(|run| documents(run).len() - cursor.at));
            Ok(Answer::Bson(count_value(left.unwrap_or_default() as u64)))
        }
        "close" => {
            session.cursors.remove(&id);
            Ok(Answer::Nothing)
        }
        _ => {
            modify(session, given, id, name)?;
            Ok(Answer::Nothing)
        }
    }
}

fn ended(session: &Session, id: u32) -> bool {
    session
        .cursors
        .get(&id)
        .is_none_or(|cursor| cursor.answer.as_ref().is_some_and(|run| cursor.at >= documents(run).len()))
}

fn next<'js>(session: &mut Session, id: u32, name: &str) -> Outcome<'js> {
    let (run, at, end) = advance(session, id, 1)?;
    if at < end {
        return Ok(Answer::Document(documents(&run)[at].clone()));
    }
    if let (Reply::Result(_), 0) = (&run.reply, at) {
        return Ok(plain_result(&run.reply));
    }
    if name == "tryNext" {
        return Ok(Answer::Bson(Bson::Null));
    }
    Err(Refusal::Misuse("MongoCursorExhaustedError", "Cursor is exhausted".to_owned()))
}

/// The driver's count of a find cursor: its filter, with its skip and limit.
fn count<'js>(session: &mut Session, given: &mut Given<'_, 'js>, id: u32) -> Outcome<'js> {
    let cursor = state(session, id)?;
    let Question::Find(find) = &cursor.question else {
        return given.misuse("An aggregation cursor cannot be counted: use itcount() or a $count stage");
    };
    let command = Count {
        collection: find.collection.clone(),
        filter: find.filter.clone(),
        skip: find.skip,
        limit: find.limit,
        hint: find.hint.clone(),
        collation: find.collation.clone(),
        as_pipeline: false,
    };
    given.places.clone_from(&cursor.places);
    let run = given.run(session, Command::Count(command))?;
    Ok(plain_result(&run.reply))
}

/// A modifier; none may come after the first read.
fn modify(session: &mut Session, given: &mut Given<'_, '_>, id: u32, name: &str) -> Result<(), Refusal> {
    if state(session, id)?.answer.is_some() && !matches!(name, "batchSize" | "pretty" | "maxTimeMS") {
        return Err(Refusal::Misuse("MongoCursorInUseError", "Cursor is already initialized".to_owned()));
    }
    let comment = if name == "comment" { given.any(0, "comment") } else { None };
    let batch = if name == "batchSize" { given.number(0, "batchSize")? } else { None };
    let cursor = state(session, id)?;
    let batch = batch.and_then(|size| usize::try_from(size).ok()).filter(|size| *size > 0);
    cursor.batch = batch.or(cursor.batch);
    match &mut cursor.question {
        Question::Find(find) => modify_find(given, find, name, comment)?,
        Question::Aggregate(aggregate) if name == "comment" => aggregate.comment = comment,
        Question::Aggregate(aggregate) => aggregate.pipeline.extend(appended(given, name)?),
    }
    cursor.places.append(&mut given.places);
    Ok(())
}

/// The driver makes a modifier of an aggregation a further stage.
fn appended(given: &mut Given<'_, '_>, name: &str) -> Result<Option<Document>, Refusal> {
    Ok(match name {
        "sort" => match given.any(0, "sort") {
            Some(value) => sort_document(value)?.map(|sort| doc! { "$sort": sort }),
            None => None,
        },
        "skip" => given.number(0, "skip")?.map(|count| doc! { "$skip": count }),
        "projection" => Some(doc! { "$project": given.required(0, "projection")? }),
        _ => None,
    })
}

fn modify_find(given: &mut Given<'_, '_>, find: &mut Find, name: &str, comment: Option<Bson>) -> Result<(), Refusal> {
    match name {
        "sort" => {
            find.sort = match given.any(0, "sort") {
                Some(value) => sort_document(value)?,
                None => None,
            }
        }
        "limit" => find.limit = given.number(0, "limit")?,
        "skip" => find.skip = given.number(0, "skip")?,
        "project" | "projection" => find.projection = Some(given.required(0, "projection")?),
        "hint" => find.hint = given.any(0, "hint"),
        "min" => find.min = Some(given.required(0, "min")?),
        "max" => find.max = Some(given.required(0, "max")?),
        "collation" => find.collation = Some(given.required(0, "collation")?),
        "returnKey" => find.return_key = given.value(0).is_none_or(super::args::truthy),
        "showRecordId" => find.show_record_id = given.value(0).is_none_or(super::args::truthy),
        "let" => find.variables = given.document(0, "let")?,
        "comment" => find.comment = comment,
        _ => {}
    }
    Ok(())
}
