//! `findAndModify`: one document changed or removed, and given as it was or is.

use crate::engine::change::Change;
use crate::engine::database::written;
use crate::engine::target::{Target, found, is_positional};
use crate::engine::write::{WriteLog, change_one, decoded, delete_one, insert_one, upserted};
use crate::engine::{Database, FindAndModify, Modify, Reply, Run, namespace};
use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::plan::{CanonicalQuery, Explain};
use crate::query::expr::MetaField;
use crate::query::{Filter, Matcher, Projection, Witness};
use crate::value::{Document, Source};

pub(super) fn find_and_modify(database: &mut Database, command: &FindAndModify) -> Result<Run> {
    namespace::check_name(database.catalog.database(), &command.collection)?;
    check(command)?;
    let query = command.canonical(&database.source)?;
    let (given, change) = parsed(command, &query, &database.source)?;
    let mut log = WriteLog::default();
    let (document, explain) = match &change {
        None => remove(database, command, &query, &mut log)?,
        Some(change) => self::change(database, command, change, &query, &mut log)?,
    };
    let document = document.map(|document| given.document(document)).transpose()?;
    Ok(written(Reply::Document(document), Some(explain), log))
}

/// Reads what is to be done and given, with the server's refusals; no change removes the document.
pub(super) fn parsed<'q>(
    command: &FindAndModify,
    query: &'q CanonicalQuery,
    source: &Source,
) -> Result<(Given<'q>, Option<Change>)> {
    let change = command.spec().map(|spec| Change::parse(source, &spec)).transpose()?;
    Ok((Given::new(query, command)?, change))
}

/// Refuses arguments that contradict each other (`validate`, `src/mongo/db/commands/find_and_modify.cpp`).
pub(super) fn check(command: &FindAndModify) -> Result<()> {
    let refuse = |message: &str| Err(CommandError::new(ErrorCode::FailedToParse, message));
    match &command.modify {
        None if command.upsert => refuse("Cannot specify both upsert=true and remove=true "),
        None if command.return_new => {
            refuse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document")
        }
        None if !command.array_filters.is_empty() => refuse("Cannot specify arrayFilters and remove=true"),
        Some(Modify::Pipeline(_)) if !command.array_filters.is_empty() => {
            refuse("Cannot specify arrayFilters and a pipeline update")
        }
        _ => Ok(()),
    }
}

/// The document found, as it is before anything is done, and the explain of finding it.
fn find(
    database: &mut Database,
    command: &FindAndModify,
    query: &CanonicalQuery,
) -> Result<(Option<Target>, Box<Explain>)> {
    let positions = command.modify.as_ref().is_some_and(is_positional);
    let (found, explain) = found(database, &command.collection, query, positions)?;
    Ok((found.first().copied(), explain))
}

/// The projection asked for, ready for the document that is given back.
pub(super) struct Given<'q> {
    projection: Option<Projection>,
    query: &'q CanonicalQuery<'q>,
}

impl<'q> Given<'q> {
    fn new(query: &'q CanonicalQuery, command: &FindAndModify) -> Result<Self> {
        let spec = command.projection.as_ref().filter(|spec| !spec.is_empty());
        let projection = spec
            .map(|spec| Projection::parse(spec, &query.context))
            .transpose()
            .map_err(|error| error.within(&CommandPath::argument("projection")))?;
        if let Some(projection) = &projection {
            check_projection(projection, command.return_new)
                .map_err(|error| error.at(CommandPath::argument("projection")))?;
        }
        Ok(Self { projection, query })
    }

    fn document(&self, document: Document) -> Result<Document> {
        let Some(projection) = &self.projection else { return Ok(document) };
        let position = if projection.is_positional() { self.position(&document)? } else { None };
        let projected = projection.apply(&document, position, &self.query.context)?;
        Ok(decoded(&projected))
    }

    /// Where the document, which is as it was found, matches the filter.
    fn position(&self, document: &Document) -> Result<Option<usize>> {
        let mut witness = Witness::default();
        Matcher::with_context(&self.query.filter, self.query.context.clone())?.judge(document, &mut witness);
        Ok(witness.position())
    }
}

/// Refuses what cannot be told of the document given back: as it is afterwards it need not match any more, and it is not
/// asked where it stood (`makeProjection`, `src/mongo/db/query/get_executor.cpp`).
fn check_projection(projection: &Projection, return_new: bool) -> Result<()> {
    let refuse = |code, message| Err(CommandError::new(code, message));
    if return_new && projection.is_positional() {
        return refuse(ErrorCode::BadValue, "cannot use a positional projection and return the new document");
    }
    if projection.asks_for(MetaField::SortKey) {
        return refuse(ErrorCode::BadValue, "Cannot use a $meta sortKey projection in findAndModify commands.");
    }
    if [MetaField::RecordId, MetaField::IndexKey].into_iter().any(|field| projection.asks_for(field)) {
        let message = "$meta is answered by this store in the projection of a find only";
        return refuse(ErrorCode::NotImplemented, message);
    }
    Ok(())
}

fn remove(
    database: &mut Database,
    command: &FindAndModify,
    query: &CanonicalQuery,
    log: &mut WriteLog,
) -> Result<(Option<Document>, Box<Explain>)> {
    let (target, explain) = find(database, command, query)?;
    let removed = target.and_then(|target| delete_one(database, &command.collection, target.id, log));
    Ok((removed.map(|document| decoded(&document)), explain))
}

fn change(
    database: &mut Database,
    command: &FindAndModify,
    change: &Change,
    query: &CanonicalQuery,
    log: &mut WriteLog,
) -> Result<(Option<Document>, Box<Explain>)> {
    let (target, explain) = find(database, command, query)?;
    let Some(target) = target else {
        let made = if command.upsert { upsert(database, command, &query.filter, change, log)? } else { None };
        return Ok((made, explain));
    };
    let name = &command.collection;
    let stored = |database: &Database| database.collection(name).and_then(|all| all.get(target.id)).map(decoded);
    let before = if command.return_new { None } else { stored(database) };
    change_one(database, name, target, change, log)?;
    Ok((if command.return_new { stored(database) } else { before }, explain))
}

fn upsert(
    database: &mut Database,
    command: &FindAndModify,
    filter: &Filter,
    change: &Change,
    log: &mut WriteLog,
) -> Result<Option<Document>> {
    namespace::check_new_name(database.catalog.database(), &command.collection)?;
    let document = upserted(database, filter, change)?;
    let id = insert_one(database, &command.collection, &document, log)?;
    if !command.return_new {
        return Ok(None);
    }
    let mut made = Document::new();
    made.insert("_id", id);
    made.extend(document.into_iter().filter(|(name, _)| name != "_id"));
    Ok(Some(made))
}
