//! Explain documents in MongoDB's format (`src/mongo/db/query/plan_explainer_impl.cpp`, `explain.cpp`, 7.0).

use std::collections::BTreeSet;

use crate::query::expr::{Bound, Implied};
use crate::query::{Comparison, Filter};
use crate::store::Direction;
use crate::value::{Bson, Document, doc, whole};

use super::bounds::Interval;
use super::explain::{Explain, IndexScan, PipelineStage, PlanNode, Stage, Trial, Verbosity, Work};

/// `internalQueryMaxBlockingSortMemoryUsageBytes`
const SORT_MEMORY_LIMIT: i32 = 100 * 1024 * 1024;
/// The format and behaviour followed.
const SERVER_VERSION: &str = "7.0.0";

fn long(number: u64) -> Bson {
    whole(i64::try_from(number).unwrap_or(i64::MAX))
}

impl Explain {
    /// The explain document; an aggregation with stages behind the cursor has them under `stages`.
    #[must_use]
    pub fn to_document(&self, verbosity: Verbosity) -> Document {
        let mut document = doc! { "explainVersion": "1" };
        if self.pipeline.is_empty() {
            document.extend(self.cursor(verbosity));
        } else {
            document.insert("stages", self.stages(verbosity));
        }
        document.insert("command", self.command.clone());
        document.insert("serverInfo", doc! { "host": "pegboard", "port": 0, "version": SERVER_VERSION });
        document.insert("serverParameters", doc! { "internalQueryMaxBlockingSortMemoryUsageBytes": SORT_MEMORY_LIMIT });
        document.insert("ok", 1.0);
        document
    }

    /// What the planner and its executor tell.
    fn cursor(&self, verbosity: Verbosity) -> Document {
        let mut cursor = doc! { "queryPlanner": self.query_planner() };
        if verbosity != Verbosity::QueryPlanner {
            cursor.insert("executionStats", self.execution_stats(verbosity));
        }
        cursor
    }

    fn stages(&self, verbosity: Verbosity) -> Vec<Document> {
        let ran = verbosity != Verbosity::QueryPlanner;
        let counted = |mut stage: Document, returned: u64| {
            if ran {
                stage.insert("nReturned", i64::try_from(returned).unwrap_or(i64::MAX));
                stage.insert("executionTimeMillisEstimate", 0_i64);
            }
            stage
        };
        let first = counted(doc! { "$cursor": self.cursor(verbosity) }, self.winning.work.advanced);
        let rest = self.pipeline.iter().map(|PipelineStage { stage, inner, figures, returned, .. }| {
            let mut stage = stage.clone();
            if let (Some(inner), Some(Bson::Document(operands))) =
                (inner, stage.iter_mut().next().map(|(_, operands)| operands))
            {
                operands.insert("pipeline", inner.stages(verbosity));
            }
            if ran {
                stage.extend(figures.clone());
            }
            counted(stage, *returned)
        });
        std::iter::once(first).chain(rest).collect()
    }

    /// The section `queryPlanner`.
    #[must_use]
    pub fn query_planner(&self) -> Document {
        let mut section = doc! {
            "namespace": &self.namespace,
            "indexFilterSet": false,
            "parsedQuery": parsed_query(&self.filter),
        };
        if let Some(collation) = &self.collation {
            section.insert("collation", collation.clone());
        }
        section.insert("queryHash", format!("{:08X}", self.query_hash));
        section.insert("planCacheKey", format!("{:08X}", self.plan_cache_key));
        if self.whole_pipeline {
            section.insert("optimizedPipeline", true);
        }
        section.insert("maxIndexedOrSolutionsReached", self.limits.or_solutions);
        section.insert("maxIndexedAndSolutionsReached", self.limits.solutions);
        section.insert("maxScansToExplodeReached", self.limits.scans);
        section.insert("winningPlan", stage_plan(&self.winning));
        section.insert("rejectedPlans", self.rejected.iter().map(stage_plan).collect::<Vec<_>>());
        section
    }

    /// The section `executionStats`.
    #[must_use]
    pub fn execution_stats(&self, verbosity: Verbosity) -> Document {
        let mut section = doc! {
            "executionSuccess": true,
            "nReturned": long(self.winning.work.advanced),
            "executionTimeMillis": long(self.micros / 1000),
            "totalKeysExamined": long(self.winning.total_keys()),
            "totalDocsExamined": long(self.winning.total_docs()),
            "executionStages": stage_stats(&self.winning),
        };
        if verbosity == Verbosity::AllPlansExecution {
            section.insert("allPlansExecution", self.all_plans());
        }
        section
    }

    fn all_plans(&self) -> Vec<Document> {
        let plans = self.winner_in_trial.iter().chain(&self.rejected);
        plans.zip(&self.trials).map(|(plan, trial)| trial_document(plan, trial, Some(trial.score))).collect()
    }
}

/// How a candidate did in the trial (`generateSinglePlanExecutionInfo`); explain gives its score there, the plan cache beside
/// it.
pub(super) fn trial_document(plan: &PlanNode, trial: &Trial, score: Option<f64>) -> Document {
    let mut section = doc! {
        "nReturned": long(trial.advanced),
        "executionTimeMillisEstimate": 0,
        "totalKeysExamined": long(plan.total_keys()),
        "totalDocsExamined": long(plan.total_docs()),
    };
    section.extend(score.map(|score| ("score".to_owned(), score.into())));
    section.insert("executionStages", stage_stats(plan));
    section
}

impl PlanNode {
    /// Index keys looked at in all stages.
    #[must_use]
    pub fn total_keys(&self) -> u64 {
        self.all().map(|node| node.work.keys_examined).sum()
    }

    /// Whether a stage reads one key of each value.
    #[must_use]
    pub fn skips_values(&self) -> bool {
        self.all().any(|node| matches!(node.stage, Stage::DistinctScan { .. }))
    }

    /// How many stages scan the collection.
    #[must_use]
    pub fn collection_scans(&self) -> u64 {
        self.all().filter(|node| matches!(node.stage, Stage::CollScan { .. })).count() as u64
    }

    /// The names of the indexes that the stages read.
    #[must_use]
    pub fn indexes_used(&self) -> BTreeSet<String> {
        self.indexes_read().map(str::to_owned).collect()
    }

    /// The name of the index that each stage reads, of those that read one.
    pub(super) fn indexes_read(&self) -> impl Iterator<Item = &str> {
        self.all().filter_map(|node| match &node.stage {
            Stage::IdHack { .. } => Some("_id_"),
            stage => stage.scan().map(|scan| scan.index.name.as_str()),
        })
    }

    /// Documents looked at in all stages.
    #[must_use]
    pub fn total_docs(&self) -> u64 {
        self.all().map(|node| node.work.docs_examined).sum()
    }
}

/// The filter in normal form, with the comparisons that follow from `$expr` as the server writes them.
fn parsed_query(filter: &Filter) -> Document {
    let parts = match filter {
        Filter::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let (mut any, mut implied) = (Vec::new(), Vec::new());
    for part in parts {
        let Filter::Expr(expression) = part else { continue };
        match expression.implied() {
            None => {}
            Some(Implied::All(parts)) => parts.iter().for_each(|part| match part {
                Implied::Any(_) => any.push(implied_document(part)),
                _ => implied.push(implied_document(part)),
            }),
            Some(alone @ Implied::Any(_)) => any.push(implied_document(&alone)),
            Some(alone @ Implied::Bound(_)) => implied.push(implied_document(&alone)),
        }
    }
    if any.is_empty() && implied.is_empty() {
        return filter.to_document();
    }
    // In the server's order of siblings an OR comes first, and a comparison that follows from an expression behind it.
    let all: Vec<Document> = any.into_iter().chain(parts.iter().map(Filter::to_document)).chain(implied).collect();
    doc! { "$and": all }
}

fn implied_document(implied: &Implied) -> Document {
    let all = |parts: &[Implied]| parts.iter().map(implied_document).collect::<Vec<_>>();
    match implied {
        Implied::Bound(bound) => bound_document(bound),
        Implied::All(parts) => doc! { "$and": all(parts) },
        Implied::Any(parts) => doc! { "$or": all(parts) },
    }
}

fn bound_document(bound: &Bound) -> Document {
    let operator = match bound.comparison {
        Comparison::Eq => "$_internalExprEq",
        Comparison::Lt => "$_internalExprLt",
        Comparison::Lte => "$_internalExprLte",
        Comparison::Gt => "$_internalExprGt",
        Comparison::Gte => "$_internalExprGte",
    };
    doc! { bound.path.to_string(): { operator: bound.value.clone() } }
}

/// A plan without counts, as `winningPlan` and `rejectedPlans` show it.
pub(super) fn stage_plan(node: &PlanNode) -> Document {
    let mut document = doc! { "stage": node.stage.name() };
    append_filter(&node.stage, &mut document);
    append_details(&node.stage, &mut document);
    append_inputs(node, &mut document, stage_plan);
    document
}

/// A plan with its counts, as `executionStages` shows it.
pub(super) fn stage_stats(node: &PlanNode) -> Document {
    let work = &node.work;
    let mut document = doc! { "stage": node.stage.name() };
    append_filter(&node.stage, &mut document);
    document.extend(doc! {
        "nReturned": long(work.advanced),
        "executionTimeMillisEstimate": 0,
        "works": long(work.works),
        "advanced": long(work.advanced),
        "needTime": long(work.need_time),
        "needYield": 0,
        "saveState": 0,
        "restoreState": 0,
        "isEOF": i32::from(work.is_eof),
    });
    append_details(&node.stage, &mut document);
    append_counts(&node.stage, work, &mut document);
    append_inputs(node, &mut document, stage_stats);
    document
}

fn append_inputs(node: &PlanNode, document: &mut Document, write: fn(&PlanNode) -> Document) {
    match node.inputs.as_slice() {
        [] => {}
        [only] if !matches!(node.stage, Stage::Or | Stage::SortMerge { .. }) => {
            document.insert("inputStage", write(only));
        }
        several => {
            document.insert("inputStages", several.iter().map(write).collect::<Vec<_>>());
        }
    }
}

fn append_filter(stage: &Stage, document: &mut Document) {
    let filter = match stage {
        // A collection scan asks for all that the query says.
        Stage::CollScan { filter, .. } => filter.as_deref().map(parsed_query),
        Stage::IxScan { filter, .. } | Stage::Fetch { filter } => filter.as_deref().map(Filter::to_document),
        _ => None,
    };
    if let Some(filter) = filter {
        document.insert("filter", filter);
    }
}

fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Ascending => "forward",
        Direction::Descending => "backward",
    }
}

fn append_details(stage: &Stage, document: &mut Document) {
    match stage {
        Stage::CollScan { direction, .. } => {
            document.insert("direction", direction_name(*direction));
        }
        Stage::IxScan { scan, .. } | Stage::DistinctScan { scan, .. } => {
            append_index(scan, document);
            document.insert("direction", direction_name(scan.direction));
            document.insert("indexBounds", scan.bounds.to_document());
        }
        Stage::CountScan(scan) => {
            append_index(scan, document);
            document.insert("indexBounds", key_bounds(scan));
        }
        Stage::Sort { pattern, limit, simple } => {
            document.insert("sortPattern", pattern.clone());
            document.insert("memLimit", SORT_MEMORY_LIMIT);
            if let Some(limit) = limit {
                document.insert("limitAmount", long(*limit));
            }
            document.insert("type", if *simple { "simple" } else { "default" });
        }
        Stage::SortMerge { pattern } => {
            document.insert("sortPattern", pattern.clone());
        }
        Stage::Limit(amount) => {
            document.insert("limitAmount", long(*amount));
        }
        Stage::Skip(amount) => {
            document.insert("skipAmount", long(*amount));
        }
        Stage::Projection { spec, .. } => {
            document.insert("transformBy", spec.clone());
        }
        _ => {}
    }
}

fn append_index(scan: &IndexScan, document: &mut Document) {
    let info = &scan.index;
    document.insert("keyPattern", key_pattern(scan));
    document.insert("indexName", &info.name);
    if let Some(collation) = &info.collation {
        document.insert("collation", collation.clone());
    }
    document.insert("isMultiKey", scan.multikey);
    document.insert("multiKeyPaths", multikey_paths(scan));
    document.insert("isUnique", info.unique);
    document.insert("isSparse", info.sparse || info.parts.iter().any(|part| part.wildcard));
    document.insert("isPartial", info.partial_filter.is_some());
    document.insert("indexVersion", 2);
}

fn key_pattern(scan: &IndexScan) -> Document {
    if scan.parts.len() == scan.index.key_pattern.len() && !scan.parts.iter().any(|part| part.wildcard) {
        return scan.index.key_pattern.clone();
    }
    scan.parts.iter().map(|part| (part.path.to_string(), super::entry::sign(part.direction).into())).collect()
}

fn multikey_paths(scan: &IndexScan) -> Document {
    scan.parts.iter().map(|part| (part.path.to_string(), Bson::from(part.multikey_prefixes()))).collect()
}

/// The one run of keys of a `COUNT_SCAN`, as its ends.
fn key_bounds(scan: &IndexScan) -> Document {
    let (mut start, mut end) = (Document::new(), Document::new());
    let (mut start_inclusive, mut end_inclusive) = (true, true);
    let mut ranged = false;
    for (path, list) in &scan.bounds.parts {
        let Some(interval) = list.0.first() else { continue };
        if ranged {
            let open = |inclusive: bool, one: &Bson, other: &Bson| if inclusive { one.clone() } else { other.clone() };
            start.insert(path.dotted(), open(start_inclusive, &interval.start, &interval.end));
            end.insert(path.dotted(), open(end_inclusive, &interval.end, &interval.start));
            continue;
        }
        start.insert(path.dotted(), interval.start.clone());
        end.insert(path.dotted(), interval.end.clone());
        if !Interval::is_point(interval) {
            ranged = true;
            (start_inclusive, end_inclusive) = (interval.start_inclusive, interval.end_inclusive);
        }
    }
    doc! {
        "startKey": start,
        "startKeyInclusive": start_inclusive,
        "endKey": end,
        "endKeyInclusive": end_inclusive,
    }
}

fn append_counts(stage: &Stage, work: &Work, document: &mut Document) {
    let counts = match stage {
        Stage::CollScan { .. } => doc! { "docsExamined": long(work.docs_examined) },
        Stage::IdHack { .. } => {
            doc! { "keysExamined": long(work.keys_examined), "docsExamined": long(work.docs_examined) }
        }
        Stage::IxScan { .. } => doc! {
            "keysExamined": long(work.keys_examined),
            "seeks": long(work.seeks),
            "dupsTested": long(work.dups_tested),
            "dupsDropped": long(work.dups_dropped),
        },
        Stage::CountScan(_) | Stage::DistinctScan { .. } => doc! { "keysExamined": long(work.keys_examined) },
        Stage::Fetch { .. } => doc! { "docsExamined": long(work.docs_examined), "alreadyHasObj": 0 },
        Stage::Or | Stage::SortMerge { .. } => {
            doc! { "dupsTested": long(work.dups_tested), "dupsDropped": long(work.dups_dropped) }
        }
        Stage::Sort { .. } => {
            let sorted = long(work.bytes_sorted);
            doc! { "totalDataSizeSorted": sorted, "usedDisk": false, "spills": 0, "spilledDataStorageSize": 0 }
        }
        Stage::Count | Stage::FastCount => doc! { "nCounted": long(work.counted), "nSkipped": long(work.skipped) },
        Stage::Update => doc! {
            "nMatched": long(work.written),
            "nWouldModify": long(work.written),
            "nWouldUpsert": long(work.upserted),
        },
        Stage::Delete => doc! { "nWouldDelete": long(work.written) },
        _ => Document::new(),
    };
    document.extend(counts);
}
