//! A plan under construction: what the planner still turns around before it becomes a [`PlanNode`].

use std::sync::Arc;

use crate::query::Filter;
use crate::store::{Direction, KeyPart};
use crate::value::{Bson, Document, Path};

use super::bounds::IndexBounds;
use super::entry::Entry;
use super::explain::{IndexScan, PlanNode, Projection, Stage};

/// One stage of a plan (`QuerySolutionNode`).
#[derive(Debug, Clone)]
pub(super) enum Solution {
    Eof,
    IdHack(Bson),
    CollScan { filter: Option<Arc<Filter>>, direction: Direction },
    IxScan(Box<Scan>),
    CountScan(Box<Scan>),
    DistinctScan(Box<Scan>, usize),
    Fetch { filter: Option<Arc<Filter>>, input: Box<Solution> },
    Or(Vec<Solution>),
    Merge { pattern: Document, inputs: Vec<Solution> },
    Sort { pattern: Document, limit: Option<u64>, simple: bool, input: Box<Solution> },
    Skip(u64, Box<Solution>),
    Limit(u64, Box<Solution>),
    Projection { kind: Projection, spec: Document, input: Box<Solution> },
    ReturnKey(Box<Solution>),
    Count(Box<Solution>),
    FastCount,
    Subplan(Box<Solution>),
    Update(Box<Solution>),
    Delete(Box<Solution>),
}

/// A scan of an index.
#[derive(Debug, Clone)]
pub(super) struct Scan {
    pub entry: Entry,
    pub bounds: IndexBounds,
    pub direction: Direction,
    pub filter: Option<Arc<Filter>>,
    /// Whether a record may come more than once.
    pub dedup: bool,
}

impl PartialEq for Scan {
    fn eq(&self, other: &Self) -> bool {
        self.entry.info.name == other.entry.info.name
            && self.entry.parts == other.entry.parts
            && self.bounds == other.bounds
            && self.direction == other.direction
            && self.filter == other.filter
    }
}

impl Solution {
    pub fn fetch(filter: Option<Arc<Filter>>, input: Self) -> Self {
        Self::Fetch { filter, input: Box::new(input) }
    }

    /// The index scan, where that is all: documents may be fetched, but no filter looks at them.
    pub fn bare_scan(&self) -> Option<&Scan> {
        match self {
            Self::IxScan(scan) => Some(scan),
            Self::Fetch { filter: None, input } => match &**input {
                Self::IxScan(scan) => Some(scan),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether whole documents come out.
    pub fn fetched(&self) -> bool {
        match self {
            Self::Eof | Self::IdHack(_) | Self::CollScan { .. } | Self::Fetch { .. } => true,
            Self::IxScan(_) | Self::CountScan(_) | Self::DistinctScan(..) => false,
            Self::Or(inputs) | Self::Merge { inputs, .. } => inputs.iter().all(Self::fetched),
            Self::Sort { input, .. } | Self::Skip(_, input) | Self::Limit(_, input) => input.fetched(),
            Self::Subplan(input) | Self::Update(input) | Self::Delete(input) => input.fetched(),
            Self::Projection { .. } | Self::ReturnKey(_) | Self::Count(_) | Self::FastCount => true,
        }
    }

    /// Whether the value of a path can be had without the document.
    pub fn has_field(&self, name: &str) -> bool {
        match self {
            Self::IxScan(scan) | Self::CountScan(scan) | Self::DistinctScan(scan, _) => scan.has_field(name),
            Self::Or(inputs) | Self::Merge { inputs, .. } => inputs.iter().all(|input| input.has_field(name)),
            Self::Sort { input, .. } | Self::Skip(_, input) | Self::Limit(_, input) => input.has_field(name),
            _ => true,
        }
    }

    /// Whether a stage has to see everything before it gives anything.
    pub fn is_blocking(&self) -> bool {
        match self {
            Self::Sort { .. } => true,
            Self::Fetch { input, .. }
            | Self::Skip(_, input)
            | Self::Limit(_, input)
            | Self::Projection { input, .. }
            | Self::ReturnKey(input)
            | Self::Count(input)
            | Self::Subplan(input)
            | Self::Update(input)
            | Self::Delete(input) => input.is_blocking(),
            _ => false,
        }
    }

    /// Turns all scans around.
    pub fn reverse(&mut self) {
        match self {
            Self::IxScan(scan) | Self::CountScan(scan) | Self::DistinctScan(scan, _) => scan.reverse(),
            Self::CollScan { direction, .. } => *direction = opposite(*direction),
            Self::Or(inputs) | Self::Merge { inputs, .. } => inputs.iter_mut().for_each(Self::reverse),
            Self::Fetch { input, .. }
            | Self::Sort { input, .. }
            | Self::Skip(_, input)
            | Self::Limit(_, input)
            | Self::Projection { input, .. }
            | Self::ReturnKey(input)
            | Self::Count(input)
            | Self::Subplan(input)
            | Self::Update(input)
            | Self::Delete(input) => input.reverse(),
            Self::Eof | Self::IdHack(_) | Self::FastCount => {}
        }
    }

    /// The plan as it is run and explained.
    pub fn into_plan(self) -> PlanNode {
        let leaf = |stage: Stage| PlanNode::new(stage, Vec::new());
        let over = |stage: Stage, input: Self| PlanNode::new(stage, vec![input.into_plan()]);
        let several =
            |stage: Stage, inputs: Vec<Self>| PlanNode::new(stage, inputs.into_iter().map(Self::into_plan).collect());
        match self {
            Self::Eof => leaf(Stage::Eof),
            Self::IdHack(id) => leaf(Stage::IdHack { id }),
            Self::CollScan { filter, direction } => leaf(Stage::CollScan { filter, direction }),
            Self::IxScan(mut scan) => {
                let filter = scan.filter.take();
                leaf(Stage::IxScan { scan: scan.into_index_scan(), filter })
            }
            Self::CountScan(scan) => leaf(Stage::CountScan(scan.into_index_scan())),
            Self::DistinctScan(scan, part) => leaf(Stage::DistinctScan { scan: scan.into_index_scan(), part }),
            Self::FastCount => leaf(Stage::FastCount),
            Self::Or(inputs) => several(Stage::Or, inputs),
            Self::Merge { pattern, inputs } => several(Stage::SortMerge { pattern }, inputs),
            Self::Fetch { filter, input } => over(Stage::Fetch { filter }, *input),
            Self::Sort { pattern, limit, simple, input } => over(Stage::Sort { pattern, limit, simple }, *input),
            Self::Skip(count, input) => over(Stage::Skip(count), *input),
            Self::Limit(count, input) => over(Stage::Limit(count), *input),
            Self::Projection { kind, spec, input } => over(Stage::Projection { kind, spec }, *input),
            Self::ReturnKey(input) => over(Stage::ReturnKey, *input),
            Self::Count(input) => over(Stage::Count, *input),
            Self::Subplan(input) => over(Stage::Subplan, *input),
            Self::Update(input) => over(Stage::Update, *input),
            Self::Delete(input) => over(Stage::Delete, *input),
        }
    }
}

impl Scan {
    pub fn reverse(&mut self) {
        self.direction = opposite(self.direction);
        self.bounds.reverse();
    }

    /// Whether the key holds the path's value as it is in the document.
    fn has_field(&self, name: &str) -> bool {
        if super::wildcard::scans_subtree(&self.entry, &self.bounds) {
            return false;
        }
        let text = |path: &Path| self.entry.has_collation() && super::sorts::may_hold_text(&self.bounds, path);
        let holds = |part: &KeyPart| part.path.is(name) && part.multikey_at.is_empty() && !text(&part.path);
        self.entry.parts.iter().any(holds)
    }

    fn into_index_scan(self) -> IndexScan {
        IndexScan {
            index: self.entry.info,
            parts: self.entry.parts,
            multikey: self.entry.multikey,
            bounds: self.bounds,
            direction: self.direction,
            dedup: self.dedup,
        }
    }
}

pub(super) fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Ascending => Direction::Descending,
        Direction::Descending => Direction::Ascending,
    }
}
