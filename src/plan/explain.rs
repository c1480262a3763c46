//! A plan with what it did: the one tree that explain documents, drawings, words and comparisons render.

use bson::Document;

use crate::plan::bounds::IndexBounds;
use crate::query::Filter;
use crate::store::{Direction, IndexInfo};

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
    pub filter: Filter,
    /// The plan that ran, with its counts.
    pub winning: PlanNode,
    /// The plans that lost, best first, with the counts of their trial.
    pub rejected: Vec<PlanNode>,
    /// How each candidate did in the trial, winner first; empty where there was one plan only.
    pub trials: Vec<Trial>,
    /// The pipeline stages behind the cursor, of an aggregation.
    pub pipeline: Vec<PipelineStage>,
    /// Documents the command gave or touched.
    pub returned: u64,
    /// Wall time of the run in microseconds; the only figure that is not repeatable.
    pub micros: u64,
    /// The 32-bit hash of the query's shape.
    pub query_hash: u32,
    /// The hash of the shape together with the indexes that apply.
    pub plan_cache_key: u32,
    /// Whether the winner came from the plan cache.
    pub from_cache: bool,
    /// Further top-level facts of the planner section, such as `maxIndexedOrSolutionsReached`.
    pub notes: Document,
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
        filter: Option<Filter>,
        /// Record order or its reverse.
        direction: Direction,
    },
    /// `IDHACK`
    IdHack,
    /// `IXSCAN`
    IxScan {
        /// The index.
        index: IndexInfo,
        /// What of it is read.
        bounds: IndexBounds,
        /// Which way.
        direction: Direction,
        /// Tested on the index key.
        filter: Option<Filter>,
    },
    /// `FETCH`
    Fetch {
        /// Tested on the fetched document.
        filter: Option<Filter>,
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
    /// `COUNT_SCAN`
    CountScan {
        /// The index.
        index: IndexInfo,
        /// What of it is read.
        bounds: IndexBounds,
    },
    /// `DISTINCT_SCAN`
    DistinctScan {
        /// The index.
        index: IndexInfo,
        /// What of it is read.
        bounds: IndexBounds,
        /// Which way.
        direction: Direction,
    },
    /// `SUBPLAN`
    Subplan,
    /// `UPDATE`
    Update,
    /// `DELETE`
    Delete,
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
    /// Documents matched, modified, upserted or deleted, of a write stage.
    pub written: u64,
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
    /// Documents it passed on.
    pub returned: u64,
}
