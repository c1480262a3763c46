//! `aggregate`: a pipeline over what the planner finds, and what `$out` and `$merge` write.

use std::cell::RefCell;

use crate::engine::stats::HOST;
use crate::engine::{Aggregate, Database, Reply, Run, Writes};
use crate::engine::{foreign, merge};
use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::pipeline::{self, Cost, Facet, Leading, Meter, Pipeline, Placed, Row, Stream, Target, UnionWith, listed};
use crate::plan::{
    CanonicalQuery, Explain, Hits, Limits, Mode, PipelineStage, PlanCache, PlanNode, Purpose, Stage, Verbosity, answer,
};
use crate::query::expr::Context;
use crate::query::{Collation, Filter, Projection};
use crate::store::{Catalog, Index, RecordId};
use crate::value::{Bson, Document, RawDocumentBuf, check_result, doc};

/// Runs a pipeline.
pub(super) fn run(database: &mut Database, aggregate: &Aggregate) -> Result<Run> {
    let mut prepared = Prepared::new(database, aggregate)?;
    let target = prepared.take_target(database)?;
    let (documents, explain) = prepared.run(database, Mode::Answer)?;
    database.source = prepared.context.source();
    let explain = Some(explain);
    match target {
        None => {
            let documents = documents.into_iter().map(Into::into).collect();
            Ok(Run { reply: Reply::Documents(documents), explain, writes: Writes::default() })
        }
        Some((target, place)) => {
            let log = merge::write(database, &target, &documents, &prepared.context);
            let log = log.map_err(|error| at_run_time(error.within(&place)))?;
            Ok(Run { reply: Reply::Documents(Vec::new()), explain, writes: log.finish() })
        }
    }
}

/// Explains a pipeline: nothing is written, whatever its last stage.
pub(super) fn explain(database: &mut Database, aggregate: &Aggregate, verbosity: Verbosity) -> Result<Box<Explain>> {
    let mut prepared = Prepared::new(database, aggregate)?;
    let target = prepared.take_target(database)?;
    let mode = if verbosity == Verbosity::QueryPlanner { Mode::PlanOnly } else { Mode::Explain };
    let (_, mut explain) = prepared.run(database, mode)?;
    explain.pipeline.extend(target.map(|(target, _)| {
        let stage = doc! {target.name(): target.to_bson()};
        PipelineStage { stage, inner: None, figures: Document::new(), returned: 0, keys: 0, docs: 0 }
    }));
    explain.whole_pipeline &= explain.pipeline.is_empty();
    Ok(explain)
}

/// The server says of an error while running that it came from the executor.
fn at_run_time(error: CommandError) -> CommandError {
    let message = format!("PlanExecutor error during aggregation :: caused by :: {}", error.message);
    CommandError { message, ..error }
}

/// Tells of the stages behind a plan; the first of them may be the planner's own.
struct Telling<'a, 'c> {
    reader: &'a CatalogReader<'c>,
    context: &'a Context,
}

impl Telling<'_, '_> {
    /// What explain says of all stages behind `explain`'s plan.
    fn stages(
        &self,
        explain: &Explain,
        leading: &Leading,
        stages: &[Placed],
        meters: &[Meter],
    ) -> Result<Vec<PipelineStage>> {
        let skips = explain.winning.skips_values();
        let stages = stages.iter().zip(meters).enumerate().skip(usize::from(leading.computes));
        stages.map(|(at, (placed, meter))| self.stage(&placed.stage, meter, skips && at == 0)).collect()
    }

    /// What explain says of a stage; of a `$group` in front of which the planner skips values, that it makes a group of each
    /// document.
    fn stage(&self, stage: &pipeline::Stage, meter: &Meter, skips: bool) -> Result<PipelineStage> {
        let returned = meter.returned.get();
        let cost = meter.whole_cost();
        let (document, figures, inner) = match stage {
            pipeline::Stage::Group(group) if skips => (group.to_transformation(), Document::new(), None),
            pipeline::Stage::Facet(facet) if !self.is_plan_only() => (counted(facet, meter), Document::new(), None),
            pipeline::Stage::UnionWith(union) => (stage.to_document(), Document::new(), self.other(union, meter)?),
            _ => (stage.to_document(), stage.figures(meter), None),
        };
        Ok(PipelineStage { stage: document, inner, figures, returned, keys: cost.keys, docs: cost.documents })
    }

    fn is_plan_only(&self) -> bool {
        self.reader.mode == Mode::PlanOnly
    }

    /// How `$unionWith` reads the other collection: as it did, or, where nothing is run, as it would; none where it was not
    /// reached (`DocumentSourceUnionWith::serialize`).
    fn other(&self, union: &UnionWith, meter: &Meter) -> Result<Option<Box<Explain>>> {
        let (collection, leading) = union.other();
        let ran = meter.other.as_ref().and_then(|other| other.borrow_mut().take());
        let explain = match ran {
            None if self.is_plan_only() => {
                Some(self.reader.find(collection, &leading, self.context, Mode::PlanOnly)?.1)
            }
            ran => ran,
        };
        explain
            .map(|mut explain| {
                explain.pipeline = self.stages(&explain, &leading, union.stages(), &meter.inner)?;
                Ok(explain)
            })
            .transpose()
    }
}

/// `$facet` with what each stage of its pipelines passed on.
fn counted(facet: &Facet, meter: &Meter) -> Document {
    let stage = |mut stage: Document, meter: &Meter| {
        stage.extend(doc! {
            "nReturned": i64::try_from(meter.returned.get()).unwrap_or(i64::MAX),
            "executionTimeMillisEstimate": 0_i64,
        });
        Bson::Document(stage)
    };
    let part = |((name, stages), meter): ((&str, &[Placed]), &Meter)| {
        let rest = stages.iter().zip(&meter.inner).map(|(placed, inner)| {
            let mut told = placed.stage.to_document();
            told.extend(placed.stage.figures(inner));
            stage(told, inner)
        });
        let all = std::iter::once(stage(doc! {pipeline::TEE: {}}, meter)).chain(rest);
        (name.to_owned(), Bson::Array(all.collect()))
    };
    doc! {"$facet": facet.parts().zip(&meter.inner).map(part).collect::<Document>()}
}

/// A pipeline parsed and optimised.
struct Prepared<'a> {
    aggregate: &'a Aggregate,
    pipeline: Pipeline,
    context: Context,
}

impl<'a> Prepared<'a> {
    fn new(database: &Database, aggregate: &'a Aggregate) -> Result<Self> {
        let placed = |name: &'static str| move |error: CommandError| error.within(&CommandPath::argument(name));
        let collation = Collation::parse(aggregate.collation.as_ref()).map_err(placed("collation"))?;
        let mut context = Context::new(database.source.clone()).with_collation(collation);
        if let Some(variables) = &aggregate.variables {
            context.bind(variables).map_err(placed("let"))?;
        }
        let place = CommandPath::argument("pipeline");
        foreign::check_names(database.catalog.database(), &aggregate.pipeline, &place)?;
        let mut pipeline = Pipeline::parse(&aggregate.pipeline, &context)?;
        if aggregate.collection.is_none() && !pipeline.brings_documents() {
            let message =
                "{aggregate: 1} is not valid for an empty pipeline or one that does not begin with $documents";
            return Err(CommandError::new(ErrorCode::InvalidNamespace, message).at(place));
        }
        pipeline.fold(&context)?;
        Ok(Self { aggregate, pipeline: pipeline.optimised(), context })
    }

    /// Takes the last stage off where it writes, and the place it was typed at.
    fn take_target(&mut self, database: &Database) -> Result<Option<(Target, CommandPath)>> {
        let own = database.catalog.database();
        let target = self.pipeline.take_target().map(|(target, place)| (target.within(own), place));
        if let Some((target, place)) = &target {
            merge::check_destination(database, target).map_err(|error| error.at(place.clone()))?;
        }
        Ok(target)
    }

    fn run(&mut self, database: &mut Database, mode: Mode) -> Result<(Vec<RawDocumentBuf>, Box<Explain>)> {
        let collection = self.aggregate.collection.clone().unwrap_or_default();
        let now = self.context.now();
        let reader = CatalogReader { catalog: &database.catalog, cache: RefCell::new(&mut database.cache), mode, now };
        let brings = self.pipeline.brings_documents();
        let mut leading = if brings { Leading::default() } else { self.pipeline.take_leading() };
        let meters = Meter::of(&self.pipeline.stages);
        let (input, mut explain) = if brings {
            (listed(Vec::new()), Box::new(reader.nothing(&collection)))
        } else {
            leading.hint.clone_from(&self.aggregate.hint);
            reader.find(&collection, &leading, &self.context, mode).map_err(at_run_time)?
        };
        let run = pipeline::Run { reader: &reader, context: &self.context, collection: &collection, meter: None };
        let mut documents = Vec::new();
        if mode != Mode::PlanOnly {
            let mut stream = self.pipeline.open(input, run, &meters).map_err(at_run_time)?;
            while let Some(row) = stream.next().map_err(at_run_time)? {
                let document = row.into_raw();
                if mode == Mode::Answer {
                    check_result(document.as_bytes().len()).map_err(at_run_time)?;
                }
                documents.push(document);
            }
        }
        let telling = Telling { reader: &reader, context: &self.context };
        explain.pipeline = telling.stages(&explain, &leading, &self.pipeline.stages, &meters)?;
        explain.whole_pipeline = explain.pipeline.is_empty();
        explain.returned = documents.len() as u64;
        Ok((documents, explain))
    }
}

/// Reads collections through the planner.
struct CatalogReader<'c> {
    catalog: &'c Catalog,
    cache: RefCell<&'c mut PlanCache>,
    /// What the aggregation is run for.
    mode: Mode,
    /// Milliseconds since 1970.
    now: i64,
}

/// A result: the record it lies in, or a document made of an index key.
enum Found {
    Record(RecordId),
    Made(RawDocumentBuf),
}

/// The planner's question for the beginning of a pipeline.
fn query(leading: &Leading, context: &Context) -> Result<CanonicalQuery<'static>> {
    let filter = leading.filter.clone().unwrap_or_else(|| Filter::And(Vec::new()));
    let mut query = CanonicalQuery::within(filter.bound(context)?, context.clone());
    query.sort.clone_from(&leading.sort);
    query.skip = leading.skip.and_then(|skip| u64::try_from(skip).ok());
    query.limit = leading.limit.and_then(|limit| u64::try_from(limit).ok());
    query.hint = super::read::hint(leading.hint.as_ref())?;
    query.id_hack = leading.id_hack;
    if let Some(spec) = &leading.projection {
        query.projection = Some(Projection::parse(spec, context)?);
    }
    if leading.empty {
        query.purpose = Purpose::EmptyDocuments;
    } else if let Some(wanted) = &leading.distinct {
        query.purpose = Purpose::OnePerValue { path: wanted.path.clone(), last: wanted.last };
    }
    Ok(query)
}

impl CatalogReader<'_> {
    fn find<'s>(
        &'s self,
        name: &str,
        leading: &Leading,
        context: &Context,
        mode: Mode,
    ) -> Result<(Stream<'s>, Box<Explain>)> {
        let query = query(leading, context)?;
        let namespace = self.catalog.namespace(name);
        let shaped = query.projection.as_ref().filter(|_| leading.projects);
        let take = |hits: Hits<'_>| {
            if leading.empty {
                return Ok(hits.map(|_| Found::Made(RawDocumentBuf::new())).collect());
            }
            hits.map(|hit| match (hit.document(), shaped) {
                (Some(document), Some(projection)) => projection.apply(document, None, context).map(Found::Made),
                (Some(_), None) => Ok(Found::Record(hit.record())),
                (None, Some(projection)) => projection.apply(&hit.key_document(), None, context).map(Found::Made),
                (None, None) => Ok(Found::Made(hit.given().into_raw())),
            })
            .collect::<Result<Vec<Found>>>()
        };
        let collection = self.catalog.get(name);
        let mut cache = self.cache.borrow_mut();
        let (found, explain) = answer(collection, &namespace, &query, *cache, mode, &mut (), take)?;
        let row = move |found: Found| match found {
            Found::Record(id) => collection.and_then(|collection| collection.get(id)).map(Row::from),
            Found::Made(document) => Some(Row::from(document)),
        };
        Ok((Box::new(pipeline::Listed(found.into_iter().filter_map(row))), explain))
    }

    /// The explain of a pipeline that reads no collection.
    fn nothing(&self, name: &str) -> Explain {
        Explain {
            namespace: self.catalog.namespace(name),
            filter: Filter::And(Vec::new()).into(),
            winning: PlanNode::new(Stage::Eof, Vec::new()),
            rejected: Vec::new(),
            trials: Vec::new(),
            winner_in_trial: None,
            collation: None,
            command: Document::new(),
            pipeline: Vec::new(),
            whole_pipeline: false,
            returned: 0,
            micros: 0,
            query_hash: 0,
            plan_cache_key: 0,
            from_cache: false,
            limits: Limits::default(),
        }
    }
}

fn cost(plan: &PlanNode) -> Cost {
    let (documents, keys) = (plan.total_docs(), plan.total_keys());
    Cost { documents, keys, scans: plan.collection_scans(), indexes: plan.indexes_used() }
}

impl CatalogReader<'_> {
    /// An index as `$indexStats` tells of it; what was never used is counted since now.
    fn index_statistics(&self, namespace: &str, index: &Index) -> Document {
        let (operations, since) = match self.cache.borrow().uses(namespace, index.name()) {
            Some(uses) => (uses.operations, uses.since),
            None => (0, self.now),
        };
        doc! {
            "name": index.name(),
            "key": index.info().key_pattern.clone(),
            "host": HOST,
            "accesses": {"ops": operations, "since": bson::DateTime::from_millis(since)},
            "spec": index.specification(),
        }
    }
}

impl pipeline::Reader for CatalogReader<'_> {
    fn open<'s>(
        &'s self,
        collection: &str,
        leading: &Leading,
        context: &Context,
        meter: Option<&Meter>,
    ) -> Result<Stream<'s>> {
        let (stream, explain) = self.find(collection, leading, context, self.mode)?;
        if let Some(meter) = meter {
            meter.cost.borrow_mut().add(cost(&explain.winning));
            if let Some(other) = &meter.other {
                other.replace(Some(explain));
            }
        }
        Ok(stream)
    }

    fn statistics(&self, name: &str, stage: &str, options: &Document) -> Result<Vec<RawDocumentBuf>> {
        let namespace = self.catalog.namespace(name);
        let collection = self.catalog.get(name);
        let documents = match (stage, collection) {
            ("$planCacheStats" | "$indexStats", None) => Vec::new(),
            ("$planCacheStats", Some(collection)) => super::stats::plan_cache(&self.cache.borrow(), collection),
            ("$indexStats", Some(collection)) => {
                collection.indexes().iter().map(|index| self.index_statistics(&namespace, index)).collect()
            }
            _ => vec![super::stats::pipeline_document(&namespace, collection, options)?],
        };
        Ok(documents.iter().map(|document| RawDocumentBuf::try_from(document).unwrap_or_default()).collect())
    }

    fn database(&self) -> &str {
        self.catalog.database()
    }
}
