//! A plan with what it did: the one tree that explain documents, drawings, words and comparisons render.

use std::sync::Arc;

use bson::Document;

use crate::plan::bounds::IndexBounds;
use crate::query::Filter;
use crate::store::{Direction, IndexInfo, KeyPart};

/// MongoDB's three explain verbosities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verbosity {
    /// Plans, nothing run.
    #[default]
    QueryPlanner,
    /// The winner was run to the end.
    ExecutionStats,
    /// The trial runs of all candidates as well.
    AllPlansExecution,
}

/// Why a question was answered the way it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Explain {
    /// `database.collection`.
    pub namespace: String,
    /// The filter in normal form.
    pub filter: Arc<Filter>,
    /// The plan that ran, with its counts.
    pub winning: PlanNode,
    /// The plans that lost, best first, with the counts of their trial.
    pub rejected: Vec<PlanNode>,
    /// How each candidate did in the trial, winner first; empty where there was one plan only.
    pub trials: Vec<Trial>,
    /// The winner as it was at the end of the trial.
    pub winner_in_trial: Option<PlanNode>,
    /// The query's collation.
    pub collation: Option<Document>,
    /// The command as MongoDB's explain repeats it; empty where the command ran without being explained.
    pub command: Document,
    /// The pipeline stages behind the cursor, of an aggregation.
    pub pipeline: Vec<PipelineStage>,
    /// Whether this is an aggregation that the planner answers alone (`optimizedPipeline`).
    pub whole_pipeline: bool,
    /// Documents the command gave or touched.
    pub returned: u64,
    /// Time of the run in microseconds, none by a clock that stands still; by another the only figure that is not repeatable.
    pub micros: u64,
    /// The 32-bit hash of the query's shape.
    pub query_hash: u32,
    /// The hash of the shape together with the indexes that apply.
    pub plan_cache_key: u32,
    /// Whether the winner came from the plan cache.
    pub from_cache: bool,
    /// Which of the planner's limits were met.
    pub limits: Limits,
}

/// Which of the planner's limits were met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// `maxIndexedOrSolutionsReached`
    pub or_solutions: bool,
    /// `maxIndexedAndSolutionsReached`
    pub solutions: bool,
    /// `maxScansToExplodeReached`
    pub scans: bool,
}

/// One stage of a plan with its counts.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanNode {
    /// What the stage does.
    pub stage: Stage,
    /// What it did.
    pub work: Work,
    /// The stages it reads from.
    pub inputs: Vec<PlanNode>,
}

/// The classic engine's stages.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// `EOF`: nothing to read.
    Eof,
    /// `COLLSCAN`
    CollScan {
        /// Tested on every document.
        filter: Option<Arc<Filter>>,
        /// Record order or its reverse.
        direction: Direction,
    },
    /// `IDHACK`: the look-up of one `_id`.
    IdHack {
        /// The `_id`.
        id: bson::Bson,
    },
    /// `IXSCAN`
    IxScan {
        /// What is read of which index.
        scan: IndexScan,
        /// Tested on the index key.
        filter: Option<Arc<Filter>>,
    },
    /// `FETCH`
    Fetch {
        /// Tested on the fetched document.
        filter: Option<Arc<Filter>>,
    },
    /// `OR`: results of several scans, each document once.
    Or,
    /// `SORT_MERGE`
    SortMerge {
        /// The order of the inputs and the result.
        pattern: Document,
    },
    /// `SORT`
    Sort {
        /// The order.
        pattern: Document,
        /// How many are kept; none keeps all.
        limit: Option<u64>,
        /// Whether whole documents are sorted (`type: "simple"`), not index keys or record ids beside them.
        simple: bool,
    },
    /// `LIMIT`
    Limit(u64),
    /// `SKIP`
    Skip(u64),
    /// `PROJECTION_SIMPLE`, `PROJECTION_DEFAULT`, `PROJECTION_COVERED`
    Projection {
        /// Which of the three.
        kind: Projection,
        /// The projection as given.
        spec: Document,
    },
    /// `COUNT`
    Count,
    /// `RECORD_STORE_FAST_COUNT`
    FastCount,
    /// `COUNT_SCAN`: keys are counted, no document is read.
    CountScan(IndexScan),
    /// `DISTINCT_SCAN`: one key of each value is read.
    DistinctScan {
        /// What is read of which index.
        scan: IndexScan,
        /// The key part whose values are asked for.
        part: usize,
    },
    /// `RETURN_KEY`: index keys in place of documents.
    ReturnKey,
    /// `SUBPLAN`
    Subplan,
    /// `UPDATE`
    Update,
    /// `DELETE`
    Delete,
}

/// What is read of an index, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexScan {
    /// The index.
    pub index: Arc<IndexInfo>,
    /// The key parts as this scan sees them: of a wildcard index `$_path` and the path asked for.
    pub parts: Arc<[KeyPart]>,
    /// Whether a document may have several keys; of a wildcard index: below the path asked for.
    pub multikey: bool,
    /// What of it is read.
    pub bounds: IndexBounds,
    /// Which way, beside the direction of the key parts.
    pub direction: Direction,
    /// Whether a record is given once only, however many of its keys are read.
    pub dedup: bool,
}

/// Which projection stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// Only top-level names are kept.
    Simple,
    /// Anything.
    Default,
    /// The index key holds all that is asked.
    Covered,
}

/// What a stage did, in the server's counters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    /// Units of work.
    pub works: u64,
    /// Units that gave a result.
    pub advanced: u64,
    /// Units that gave none.
    pub need_time: u64,
    /// Whether it came to its end.
    pub is_eof: bool,
    /// Index keys read.
    pub keys_examined: u64,
    /// Documents read.
    pub docs_examined: u64,
    /// Times the scan was placed anew.
    pub seeks: u64,
    /// Record ids looked up for an earlier sight.
    pub dups_tested: u64,
    /// Record ids seen before.
    pub dups_dropped: u64,
    /// Bytes sorted, of a SORT.
    pub bytes_sorted: u64,
    /// The most bytes held at one time, of a SORT.
    pub memory: u64,
    /// Results counted, of a COUNT.
    pub counted: u64,
    /// Matches passed over, of a COUNT.
    pub skipped: u64,
    /// Documents found and changed or deleted, of a write stage.
    pub written: u64,
    /// Documents made as none was found, of an UPDATE.
    pub upserted: u64,
}

/// How one candidate did in the trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The candidate in one line, such as `FETCH(IXSCAN a_1)`.
    pub plan: String,
    /// Results in the trial.
    pub advanced: u64,
    /// Units of work in the trial.
    pub works: u64,
    /// Whether it came to its end.
    pub is_eof: bool,
    /// The score: base, productivity and tie-breakers.
    pub score: f64,
    /// The parts of the score by name: `baseScore`, `productivity`, `noFetchBonus`, `noSortBonus`, `noIxisectBonus`, `eofBonus`.
    pub parts: Vec<(&'static str, f64)>,
}

/// One stage of a pipeline behind the cursor.
#[derive(Debug, Clone, PartialEq)]
pub struct PipelineStage {
    /// The stage as it was run.
    pub stage: Document,
    /// The explain of the pipeline over another collection, of a `$unionWith` that reads it.
    pub inner: Option<Box<Explain>>,
    /// What it tells of its run beside that, from `executionStats` on.
    pub figures: Document,
    /// Documents it passed on.
    pub returned: u64,
    /// Index keys that it looked at in other collections.
    pub keys: u64,
    /// Documents that it looked at in other collections.
    pub docs: u64,
}

impl Stage {
    /// MongoDB's name of the stage.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Eof => "EOF",
            Self::CollScan { .. } => "COLLSCAN",
            Self::IdHack { .. } => "IDHACK",
            Self::IxScan { .. } => "IXSCAN",
            Self::Fetch { .. } => "FETCH",
            Self::Or => "OR",
            Self::SortMerge { .. } => "SORT_MERGE",
            Self::Sort { .. } => "SORT",
            Self::Limit(_) => "LIMIT",
            Self::Skip(_) => "SKIP",
            Self::Projection { kind: Projection::Simple, .. } => "PROJECTION_SIMPLE",
            Self::Projection { kind: Projection::Default, .. } => "PROJECTION_DEFAULT",
            Self::Projection { kind: Projection::Covered, .. } => "PROJECTION_COVERED",
            Self::ReturnKey => "RETURN_KEY",
            Self::Count => "COUNT",
            Self::FastCount => "RECORD_STORE_FAST_COUNT",
            Self::CountScan(_) => "COUNT_SCAN",
            Self::DistinctScan { .. } => "DISTINCT_SCAN",
            Self::Subplan => "SUBPLAN",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
        }
    }

    /// What is read of an index, of a stage that reads one.
    #[must_use]
    pub fn scan(&self) -> Option<&IndexScan> {
        match self {
            Self::IxScan { scan, .. } | Self::CountScan(scan) | Self::DistinctScan { scan, .. } => Some(scan),
            _ => None,
        }
    }
}

impl PlanNode {
    /// A stage that has done nothing yet.
    #[must_use]
    pub fn new(stage: Stage, inputs: Vec<Self>) -> Self {
        Self { stage, work: Work::default(), inputs }
    }

    /// The plan in one line, such as `FETCH(IXSCAN a_1)`.
    #[must_use]
    pub fn line(&self) -> String {
        let own = match self.stage.scan() {
            Some(scan) => format!("{} {}", self.stage.name(), scan.index.name),
            None => self.stage.name().to_owned(),
        };
        if self.inputs.is_empty() {
            return own;
        }
        let inputs: Vec<String> = self.inputs.iter().map(Self::line).collect();
        format!("{own}({})", inputs.join(", "))
    }

    /// Whether the stages are the same, and the indexes that they read: what [`PlanNode::line`] tells.
    pub(super) fn has_form_of(&self, other: &Self) -> bool {
        let indexes = [self, other].map(|node| node.stage.scan().map(|scan| &scan.index.name));
        self.stage.name() == other.stage.name()
            && indexes[0] == indexes[1]
            && self.inputs.len() == other.inputs.len()
            && self.inputs.iter().zip(&other.inputs).all(|(own, others)| own.has_form_of(others))
    }

    /// Puts counts in, depth first.
    pub(super) fn set_works(&mut self, works: &[Work]) {
        let mut rest = works.iter();
        self.take_works(&mut rest);
    }

    fn take_works(&mut self, works: &mut std::slice::Iter<'_, Work>) {
        if let Some(work) = works.next() {
            self.work = work.clone();
        }
        self.inputs.iter_mut().for_each(|input| input.take_works(works));
    }

    /// The node and all below it, depth first, inputs in order.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let node = open.pop()?;
            open.extend(node.inputs.iter().rev());
            Some(node)
        })
    }
}
