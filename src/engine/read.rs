//! Commands that read: `find`, `count`, `distinct`, and `explain` of them and of writes.

use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::plan::{
    CanonicalQuery, Explain, Gives, Hit, Hits, Mode, PlanCache, Purpose, Verbosity, Watcher, Writing, answer,
    is_simple_id,
};
use crate::query::expr::{Context, MetaField, Metadata};
use crate::query::{Collation, Filter, Matcher, Projection, SortPattern, Witness};
use crate::store::{Catalog, RecordId};
use crate::value::{AnyDocument, Bson, Document, RawDocument, RawDocumentBuf, Source, check_result, doc, exact_long};

use super::Database;
use super::change::Change;
use super::command::{Command, Count, Delete, Distinct, Find, FindAndModify, PlanCacheClear, UpdateSpec};
use super::database::plain;
use super::reply::{Reply, Run, Writes};
use super::sent::sent;
use super::values::DistinctValues;

/// Runs a command that only reads; explain repeats it as it was typed, before its collection completed it.
pub(super) fn run(database: &mut Database, command: &Command, typed: &Command) -> Result<Run> {
    match command {
        Command::Find(find) => database.reader().find(find),
        Command::Count(count) if count.as_pipeline => super::count_documents::run(database, count),
        Command::Count(count) => database.reader().count(count),
        Command::Distinct(distinct) => database.reader().distinct(distinct),
        Command::EstimatedCount { collection } => Ok(database.reader().estimated_count(collection)),
        Command::Explain { command, verbosity } => explain(database, command, typed.explained(), *verbosity),
        Command::PlanCacheList { collection } => {
            let there = database.catalog.get(collection);
            let entries = there.map(|there| super::stats::plan_cache(&database.cache, there)).unwrap_or_default();
            let raw = entries.iter().map(|entry| RawDocumentBuf::try_from(entry).unwrap_or_default().into());
            Ok(plain(Reply::Documents(raw.collect())))
        }
        Command::PlanCacheClear(clear) => database.reader().clear_plans(clear),
        other => Err(CommandError::new(ErrorCode::CommandNotFound, format!("no such command: {other:?}"))),
    }
}

/// Explains a command; others than reads and writes of documents the server does not explain. An aggregation is run on a
/// fork, as its plan is known only then.
fn explain(database: &mut Database, command: &Command, typed: &Command, verbosity: Verbosity) -> Result<Run> {
    let explain = match command {
        Command::Count(count) if count.as_pipeline => {
            let pipeline = super::count_documents::as_aggregate(count);
            Some(super::aggregate::explain(database, &pipeline, verbosity)?)
        }
        Command::Aggregate(command) => Some(super::aggregate::explain(database, command, verbosity)?),
        _ => database.reader().explain(command, verbosity)?,
    };
    let Some(mut explain) = explain else {
        let message = "Explain failed due to unknown command";
        return Err(CommandError::new(ErrorCode::CommandNotFound, message));
    };
    explain.command = sent(typed, database.catalog.database());
    Ok(Run { reply: Reply::Result(explain.to_document(verbosity)), explain: Some(explain), writes: Writes::default() })
}

impl Database {
    /// What reading needs of the database.
    pub fn reader(&mut self) -> Reader<'_> {
        Reader { catalog: &self.catalog, cache: &mut self.cache, source: &self.source }
    }
}

/// What reading needs: the data, the plan cache, clock and chance.
pub struct Reader<'a> {
    /// The collections.
    pub catalog: &'a Catalog,
    /// Which plans won before.
    pub cache: &'a mut PlanCache,
    /// Clock and chance.
    pub source: &'a Source,
}

/// The parts of a command that make a query.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub filter: &'a Document,
    pub sort: Option<&'a Document>,
    pub projection: Option<&'a Document>,
    pub skip: Option<i64>,
    pub limit: Option<i64>,
    pub hint: Option<&'a Bson>,
    pub collation: Option<&'a Document>,
    pub variables: Option<&'a Document>,
    /// Whether a document is made of the filter where none matches.
    pub upsert: bool,
}

impl<'a> Asked<'a> {
    /// Everything a filter matches.
    pub fn filter(filter: &'a Document) -> Self {
        Self {
            filter,
            sort: None,
            projection: None,
            skip: None,
            limit: None,
            hint: None,
            collation: None,
            variables: None,
            upsert: false,
        }
    }

    /// Reads the parts, with the server's refusals.
    pub fn canonical(self, purpose: Purpose, source: &Source) -> Result<CanonicalQuery<'a>> {
        let placed = |name: &'static str| move |error: CommandError| error.within(&CommandPath::argument(name));
        let collation = Collation::parse(self.collation).map_err(placed("collation"))?;
        let mut context = Context::new(source.clone()).with_collation(collation);
        if let Some(variables) = self.variables {
            context.bind(variables).map_err(placed("let"))?;
        }
        let filter = Filter::as_written(self.filter, &context.scope()).map_err(placed("filter"))?;
        if self.upsert && filter.has_expression() {
            let message = "$expr is not allowed in the query predicate for an upsert";
            return Err(placed("filter")(CommandError::new(ErrorCode::QueryFeatureNotAllowed, message)));
        }
        let filter = filter.bound(&context).map_err(placed("filter"))?;
        let mut query = CanonicalQuery::within(filter, context);
        if let Some(sort) = self.sort.filter(|sort| !sort.is_empty()) {
            check_natural("sort", sort)?;
            if !sort.contains_key("$natural") {
                SortPattern::parse(sort, query.collation.clone()).map_err(placed("sort"))?;
            }
            query.sort = Some(sort.clone());
        }
        if let Some(spec) = self.projection.filter(|spec| !spec.is_empty()) {
            let projection = Projection::parse(spec, &query.context);
            query.projection = Some(projection.map_err(placed("projection"))?);
            if query.sort.is_none() && query.asks_for(MetaField::SortKey) {
                let message = "cannot use sortKey $meta projection without a sort";
                return Err(placed("projection")(CommandError::new(ErrorCode::BadValue, message)));
            }
        }
        query.id_hack = is_simple_id(self.filter);
        query.typed = Some(self.filter).filter(|typed| !typed.is_empty());
        query.skip = whole("skip", self.skip)?;
        query.limit = whole("limit", self.limit)?;
        query.hint = hint(self.hint)?;
        query.purpose = purpose;
        Ok(query)
    }
}

/// A count that may not be negative.
fn whole(name: &'static str, number: Option<i64>) -> Result<Option<u64>> {
    let refuse = |number: i64| {
        let message = format!("BSON field '{name}' value must be >= 0, actual value '{number}'");
        CommandError::new(51024, message).at(CommandPath::argument(name))
    };
    number.map(|number| u64::try_from(number).map_err(|_| refuse(number))).transpose()
}

/// `$natural` stands alone and is 1 or -1 (`hasInvalidNaturalParam`, `query_request_helper.cpp`).
fn check_natural(name: &'static str, pattern: &Document) -> Result<()> {
    let Some(value) = pattern.get("$natural") else { return Ok(()) };
    if pattern.len() == 1 && matches!(exact_long(value.into()), Some(1 | -1)) {
        return Ok(());
    }
    let message = format!("$natural {name} cannot be set to a value other than -1 or 1.");
    Err(CommandError::new(ErrorCode::BadValue, message).at(CommandPath::argument(name)))
}

pub(super) fn hint(hint: Option<&Bson>) -> Result<Option<Bson>> {
    match hint {
        None => Ok(None),
        Some(Bson::Document(keys)) if keys.is_empty() => Ok(None),
        Some(Bson::Document(keys)) => check_natural("hint", keys).map(|()| hint.cloned()),
        Some(Bson::String(_)) => Ok(hint.cloned()),
        Some(_) => Err(CommandError::new(ErrorCode::FailedToParse, "Hint must be a string or an object")
            .at(CommandPath::argument("hint"))),
    }
}

impl Find {
    fn asked(&self) -> Asked<'_> {
        Asked {
            filter: &self.filter,
            sort: self.sort.as_ref(),
            projection: self.projection.as_ref(),
            skip: self.skip,
            limit: self.limit.map(i64::saturating_abs),
            hint: self.hint.as_ref(),
            collation: self.collation.as_ref(),
            variables: self.variables.as_ref(),
            upsert: false,
        }
    }

    fn canonical(&self, source: &Source) -> Result<CanonicalQuery<'_>> {
        let mut query = self.asked().canonical(Purpose::Find, source)?;
        query.min = self.min.clone().filter(|bound| !bound.is_empty());
        query.max = self.max.clone().filter(|bound| !bound.is_empty());
        query.return_key = self.return_key;
        query.show_record_id = self.show_record_id;
        if (query.min.is_some() || query.max.is_some()) && query.hint.is_none() {
            let message = "When using min()/max() a hint of which index to use must be provided";
            return Err(CommandError::new(51173, message));
        }
        Ok(query)
    }
}

impl Count {
    fn canonical(&self, source: &Source) -> Result<CanonicalQuery<'_>> {
        let mut asked = Asked::filter(&self.filter);
        asked.skip = self.skip;
        asked.limit = self.limit.map(i64::saturating_abs);
        asked.hint = self.hint.as_ref();
        asked.collation = self.collation.as_ref();
        asked.canonical(Purpose::Count, source)
    }
}

impl Distinct {
    fn canonical(&self, source: &Source) -> Result<CanonicalQuery<'_>> {
        let mut asked = Asked::filter(&self.filter);
        asked.hint = self.hint.as_ref();
        asked.collation = self.collation.as_ref();
        asked.canonical(Purpose::Distinct(self.key.clone()), source)
    }
}

fn explained(reply: Reply, explain: Box<Explain>) -> Run {
    Run { reply, explain: Some(explain), writes: Writes::default() }
}

/// Makes the document a `find` gives of a hit.
struct Shaper<'q> {
    query: &'q CanonicalQuery<'q>,
    /// The filter, where the projection needs the array position it matched at.
    positional: Option<Matcher>,
    /// The order, where the projection asks for the sort key.
    sort: Option<SortPattern>,
}

impl<'q> Shaper<'q> {
    fn new(query: &'q CanonicalQuery<'q>) -> Result<Self> {
        let wanted = query.projection.as_ref().is_some_and(Projection::is_positional);
        let matcher = || Matcher::with_context(&query.filter, query.context.clone());
        let sort = query.sort.as_ref().filter(|_| query.asks_for(MetaField::SortKey));
        let sort = sort.map(|sort| SortPattern::parse(sort, query.collation.clone())).transpose()?;
        Ok(Self { query, positional: wanted.then(matcher).transpose()?, sort })
    }

    fn document(&self, hit: &Hit<'_>) -> Result<AnyDocument> {
        if self.query.return_key {
            return Ok(RawDocumentBuf::try_from(&hit.index_key()).unwrap_or_default().into());
        }
        let shaped = match &self.query.projection {
            None => hit.given(),
            Some(projection) => {
                let made = self.projected(projection, hit)?;
                check_result(made.as_bytes().len()).map_err(at_run_time)?;
                made.into()
            }
        };
        Ok(if self.query.show_record_id { with_record_id(&shaped, hit.record()) } else { shaped })
    }

    fn projected(&self, projection: &Projection, hit: &Hit<'_>) -> Result<RawDocumentBuf> {
        let (context, metadata) = (&self.query.context, self.metadata(hit)?);
        match hit.document() {
            Some(document) => projection.apply_knowing(document, self.position(document), context, &metadata),
            None => projection.apply_knowing(&hit.key_document(), None, context, &metadata),
        }
    }

    /// What the projection asks to know of a hit.
    fn metadata(&self, hit: &Hit<'_>) -> Result<Metadata> {
        let mut known = Metadata::default();
        if self.query.asks_for(MetaField::RecordId) {
            known.record_id = i64::try_from(hit.record().0).ok();
        }
        if self.query.asks_for(MetaField::IndexKey) {
            known.index_key = Some(hit.index_key()).filter(|key| !key.is_empty()).map(Bson::Document);
        }
        if let Some(sort) = &self.sort {
            let key = match hit.document() {
                Some(document) => sort.key(document)?,
                None => sort.key(&hit.key_document())?,
            };
            known.sort_key = Some(Bson::Array(key.0));
        }
        Ok(known)
    }

    fn position(&self, document: &bson::RawDocument) -> Option<usize> {
        let matcher = self.positional.as_ref()?;
        let mut witness = Witness::default();
        matcher.judge(document, &mut witness);
        witness.position()
    }
}

/// The server says of an error while running that it came from the executor.
fn at_run_time(error: CommandError) -> CommandError {
    let message = format!("Executor error during find command :: caused by :: {}", error.message);
    CommandError { message, ..error }
}

fn with_record_id(document: &RawDocument, record: RecordId) -> AnyDocument {
    let mut document = document.to_owned();
    document.append(bson::cstr!("$recordId"), i64::try_from(record.0).unwrap_or(i64::MAX));
    document.into()
}

impl Reader<'_> {
    /// Answers one query over a collection by its name.
    pub(super) fn answer<R>(
        &mut self,
        collection: &str,
        query: &CanonicalQuery,
        mode: Mode,
        watcher: &mut impl Watcher,
        take: impl FnOnce(Hits<'_>) -> Result<R>,
    ) -> Result<(R, Box<Explain>)> {
        match self.catalog.get(collection) {
            Some(there) => answer(Some(there), there.namespace(), query, self.cache, mode, watcher, take),
            None => answer(None, &self.catalog.namespace(collection), query, self.cache, mode, watcher, take),
        }
    }

    /// `find`
    ///
    /// # Errors
    /// MongoDB's refusals.
    pub fn find(&mut self, find: &Find) -> Result<Run> {
        self.find_watched(find, &mut ())
    }

    /// `find`, with each step of the executor told.
    ///
    /// # Errors
    /// MongoDB's refusals.
    pub fn find_watched(&mut self, find: &Find, watcher: &mut impl Watcher) -> Result<Run> {
        let query = find.canonical(self.source)?;
        let (documents, explain) = self.documents(&find.collection, &query, Mode::Answer, watcher)?;
        Ok(explained(Reply::Documents(documents), explain))
    }

    fn documents(
        &mut self,
        collection: &str,
        query: &CanonicalQuery,
        mode: Mode,
        watcher: &mut impl Watcher,
    ) -> Result<(Vec<AnyDocument>, Box<Explain>)> {
        let shaper = Shaper::new(query)?;
        self.answer(collection, query, mode, watcher, |hits| {
            let mut documents = Vec::with_capacity(hits.size_hint().0);
            for hit in hits {
                documents.push(shaper.document(&hit)?);
            }
            Ok(documents)
        })
    }

    /// `count`
    ///
    /// # Errors
    /// MongoDB's refusals.
    pub fn count(&mut self, count: &Count) -> Result<Run> {
        let explain = self.counted(count, Mode::Answer)?;
        Ok(explained(Reply::Count(explain.returned), explain))
    }

    fn counted(&mut self, count: &Count, mode: Mode) -> Result<Box<Explain>> {
        let query = count.canonical(self.source)?;
        Ok(self.answer(&count.collection, &query, mode, &mut (), |_| Ok(()))?.1)
    }

    /// `distinct`
    ///
    /// # Errors
    /// MongoDB's refusals.
    pub fn distinct(&mut self, distinct: &Distinct) -> Result<Run> {
        let (values, explain) = self.distinct_values(distinct, Mode::Answer)?;
        Ok(explained(Reply::Values(values), explain))
    }

    fn distinct_values(&mut self, distinct: &Distinct, mode: Mode) -> Result<(Vec<Bson>, Box<Explain>)> {
        if distinct.key.contains('\0') {
            let error = CommandError::new(31032, "Key field cannot contain an embedded null byte");
            return Err(error.at(CommandPath::argument("key")));
        }
        let query = distinct.canonical(self.source)?;
        let mut values = DistinctValues::new(&distinct.key, &query.collation);
        let ((), explain) = self.answer(&distinct.collection, &query, mode, &mut (), |mut hits| {
            hits.try_for_each(|hit| match hit.document() {
                Some(document) => values.add(document),
                None => values.add(&hit.key_document()),
            })
        })?;
        Ok((values.into_values(), explain))
    }

    /// Forgets the plans of a collection, or those of one shape; of a collection that is not there nothing is known, nor
    /// is the shape looked at (`PlanCacheClearCommand`, `src/mongo/db/commands/plan_cache_clear_command.cpp`).
    fn clear_plans(&mut self, clear: &PlanCacheClear) -> Result<Run> {
        match (self.catalog.get(&clear.collection), &clear.filter) {
            (None, _) => {}
            (Some(there), None) => self.cache.clear(there.namespace()),
            (Some(there), Some(filter)) => {
                let mut asked = Asked::filter(filter);
                asked.sort = clear.sort.as_ref();
                asked.projection = clear.projection.as_ref();
                asked.collation = clear.collation.as_ref();
                self.cache.forget_shape(there.namespace(), &asked.canonical(Purpose::Find, self.source)?);
            }
        }
        Ok(plain(Reply::Result(doc! { "ok": 1.0 })))
    }

    /// The collection's own count of documents.
    #[must_use]
    pub fn estimated_count(&self, collection: &str) -> Run {
        let count = self.catalog.get(collection).map_or(0, |collection| collection.len() as u64);
        Run { reply: Reply::Count(count), explain: None, writes: Writes::default() }
    }

    /// `explain` of a command that reads or writes documents, without the command itself; none for others, which the server
    /// does not explain.
    ///
    /// # Errors
    /// MongoDB's refusals of the command itself.
    pub fn explain(&mut self, command: &Command, verbosity: Verbosity) -> Result<Option<Box<Explain>>> {
        let mode = if verbosity == Verbosity::QueryPlanner { Mode::PlanOnly } else { Mode::Explain };
        Ok(Some(match command {
            Command::Find(find) => {
                let query = find.canonical(self.source)?;
                self.documents(&find.collection, &query, mode, &mut ())?.1
            }
            Command::Count(count) => self.counted(count, mode)?,
            Command::Distinct(distinct) => self.distinct_values(distinct, mode)?.1,
            Command::Update(update) => {
                Change::parse(self.source, &update.spec)?;
                let query = update.spec.canonical(self.source)?;
                self.explain_write(&update.collection, &query, mode)?
            }
            Command::Delete(delete) => {
                let query = delete.canonical(self.source)?;
                self.explain_write(&delete.collection, &query, mode)?
            }
            Command::FindAndModify(modify) => {
                super::modify::check(modify)?;
                self.check_database()?;
                let query = modify.canonical(self.source)?;
                super::modify::parsed(modify, &query, self.source)?;
                self.explain_write(&modify.collection, &query, mode)?
            }
            _ => return Ok(None),
        }))
    }

    /// Only `findAndModify` asks for a database with a collection in it (`CmdFindAndModify::Invocation::explain`).
    fn check_database(&self) -> Result<()> {
        if self.catalog.iter().next().is_some() {
            return Ok(());
        }
        let message = format!("database {} does not exist", self.catalog.database());
        Err(CommandError::new(ErrorCode::NamespaceNotFound, message))
    }

    fn explain_write(&mut self, collection: &str, query: &CanonicalQuery, mode: Mode) -> Result<Box<Explain>> {
        Ok(self.answer(collection, query, mode, &mut (), |_| Ok(()))?.1)
    }
}

/// The first match only.
fn first_of(multi: bool) -> Option<i64> {
    (!multi).then_some(1)
}

impl UpdateSpec {
    /// The query for the documents to change.
    pub(super) fn canonical(&self, source: &Source) -> Result<CanonicalQuery<'_>> {
        let mut asked = Asked::filter(&self.filter);
        asked.limit = first_of(self.multi);
        asked.hint = self.hint.as_ref();
        asked.collation = self.collation.as_ref();
        asked.variables = self.variables.as_ref();
        asked.upsert = self.upsert;
        asked.canonical(Purpose::Update(Writing { upsert: self.upsert, ..Writing::default() }), source)
    }
}

impl Delete {
    /// The query for the documents to delete.
    pub(super) fn canonical(&self, source: &Source) -> Result<CanonicalQuery<'_>> {
        let mut asked = Asked::filter(&self.filter);
        asked.limit = first_of(self.multi);
        asked.hint = self.hint.as_ref();
        asked.collation = self.collation.as_ref();
        asked.canonical(Purpose::Delete(Writing::default()), source)
    }
}

impl FindAndModify {
    /// The query for the document to change or delete.
    pub(super) fn canonical(&self, source: &Source) -> Result<CanonicalQuery<'_>> {
        let mut asked = Asked::filter(&self.filter);
        asked.limit = Some(1);
        asked.sort = self.sort.as_ref();
        asked.hint = self.hint.as_ref();
        asked.collation = self.collation.as_ref();
        asked.variables = self.variables.as_ref();
        asked.upsert = self.upsert;
        let gives = if self.return_new { Gives::After } else { Gives::Before };
        let fields = self.projection.clone().unwrap_or_default();
        let writing = Writing { upsert: self.upsert, gives, fields };
        let purpose = if self.modify.is_some() { Purpose::Update(writing) } else { Purpose::Delete(writing) };
        asked.canonical(purpose, source)
    }

    /// The update of one document that it is, unless it removes one.
    pub(super) fn spec(&self) -> Option<UpdateSpec> {
        Some(UpdateSpec {
            filter: self.filter.clone(),
            modify: self.modify.clone()?,
            multi: false,
            upsert: self.upsert,
            array_filters: self.array_filters.clone(),
            collation: self.collation.clone(),
            hint: self.hint.clone(),
            variables: self.variables.clone(),
        })
    }
}
