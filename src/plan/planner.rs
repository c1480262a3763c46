//! All plans worth considering for a query (`QueryPlanner::plan`, `src/mongo/db/query/query_planner.cpp`).

use std::sync::Arc;

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::store::{Collection, Direction, Index};
use crate::value::{Bson, Document};

use super::access::{Access, whole_index, with_filter};
use super::analyse::analyse;
use super::bounds::{IndexBounds, KeyRange, order};
use super::entry::Entry;
use super::enumerate::Enumerator;
use super::explain::Limits;
use super::query::CanonicalQuery;
use super::select::{asks_for, fields, rate, strip_invalid, strip_unneeded};
use super::solution::{Scan, Solution};
use super::sorts::Order;
use super::subset::is_subset;
use super::tree::Node;

/// At most so many indexed plans are considered (`internalQueryPlannerMaxIndexedSolutions`).
const MAX_INDEXED_SOLUTIONS: usize = 64;

/// The candidates, in the server's order, and the limits that were met.
#[derive(Debug, Default)]
pub(super) struct Planned {
    pub solutions: Vec<Solution>,
    pub limits: Limits,
}

/// The plans that assignments of predicates to indexes make, each with what was kept of its assignment.
pub(super) struct Indexed<T> {
    pub plans: Vec<(T, Solution)>,
    pub limits: Limits,
}

fn refusal<T>(code: ErrorCode, message: &str) -> Result<T> {
    Err(CommandError::new(code, message))
}

fn planner_refusal<T>(code: ErrorCode, message: &str) -> Result<T> {
    refusal(code, &format!("error processing query: planner returned error :: caused by :: {message}"))
}

/// An index as the planner sees it.
pub(super) fn entry_of(index: &Index) -> Entry {
    let info = Arc::clone(index.info());
    Entry {
        parts: Arc::clone(&info.parts),
        multikey: info.multikey,
        partial: index.partial_filter().cloned(),
        collation: index.collation().clone(),
        wildcard: info.parts.iter().position(|part| part.wildcard),
        finished: false,
        info,
    }
}

/// Plans one query over one collection.
pub(super) struct Planner<'a> {
    pub collection: &'a Collection,
    pub query: &'a CanonicalQuery<'a>,
}

impl Planner<'_> {
    /// Every plan worth considering; at least one.
    pub fn plan(&self) -> Result<Planned> {
        if let Some(id) = self.single_id() {
            return Ok(Self::only(self.id_look_up(id)));
        }
        if let Some(direction) = self.natural()? {
            return Ok(self.only_analysed(self.collection_scan(direction)));
        }
        let root = Node::of(&self.query.filter);
        let hinted = self.hinted()?;
        let all = hinted.map_or_else(|| self.visible(), |index| vec![index]);
        if self.query.min.is_some() || self.query.max.is_some() {
            return self.between(hinted);
        }
        let relevant = relevant_of(&all, &root, hinted.is_some());
        let Indexed { plans, limits } = self.indexed(root, &relevant, |_| ());
        let mut planned = Planned { solutions: plans.into_iter().map(|((), plan)| plan).collect(), limits };
        if hinted.is_some() {
            return self.finish_hinted(planned, &all, &relevant);
        }
        let sorted = self.sorted(&all, &planned.solutions);
        planned.solutions.extend(sorted);
        // The whole scan of an index that covers the projection is not considered where every document matches:
        // `internalQueryPlannerGenerateCoveredWholeIndexScans` is off unless somebody sets it.
        if planned.solutions.is_empty() {
            planned.solutions.push(self.analysed(self.collection_scan(Direction::Ascending)));
        }
        Ok(planned)
    }

    fn only(solution: Solution) -> Planned {
        Planned { solutions: vec![solution], ..Planned::default() }
    }

    fn only_analysed(&self, access: Solution) -> Planned {
        Self::only(self.analysed(access))
    }

    fn analysed(&self, access: Solution) -> Solution {
        analyse(self.query, access).solution
    }

    fn collection_scan(&self, direction: Direction) -> Solution {
        Solution::CollScan { filter: self.query.filter_if_any(), direction }
    }

    /// The `_id` asked for by equality and nothing else, where its look-up is the plan (`IDHACK`).
    fn single_id(&self) -> Option<Bson> {
        let query = self.query;
        let plain = query.id_hack
            && query.hint.is_none()
            && query.min.is_none()
            && query.max.is_none()
            && query.skip.unwrap_or(0) == 0
            && !query.show_record_id
            && self.collection.index("_id_").is_some_and(|index| index.collation() == &query.collation);
        let Filter::Field(Predicate { path, test: Test::Compare(Comparison::Eq, value) }) = &*query.filter else {
            return None;
        };
        let point = !matches!(value, Bson::Array(_) | Bson::Null | Bson::Undefined | Bson::RegularExpression(_));
        (plain && point && path.is("_id")).then(|| value.clone())
    }

    fn id_look_up(&self, id: Bson) -> Solution {
        let look_up = Solution::IdHack(id);
        match &self.query.projection {
            _ if self.query.return_key => Solution::ReturnKey(Box::new(look_up)),
            Some(projection) => {
                let simple = projection.is_simple();
                let kind =
                    if simple { super::explain::Projection::Simple } else { super::explain::Projection::Default };
                Solution::Projection { kind, spec: projection.spec().clone(), input: Box::new(look_up) }
            }
            None => look_up,
        }
    }

    /// The direction that a `$natural` hint or sort forces.
    fn natural(&self) -> Result<Option<Direction>> {
        let natural = self.query.natural();
        if natural.is_some() && (self.query.min.is_some() || self.query.max.is_some()) {
            return planner_refusal(ErrorCode::NoQueryExecutionPlans, "min and max are incompatible with $natural");
        }
        Ok(natural)
    }

    /// The hinted index.
    fn hinted(&self) -> Result<Option<&Index>> {
        let Some(hint) = &self.query.hint else { return Ok(None) };
        let wanted = |index: &&Index| match hint {
            Bson::String(name) => index.name() == name,
            Bson::Document(keys) => same_pattern(&index.info().key_pattern, keys),
            _ => false,
        };
        if matches!(hint, Bson::Document(keys) if keys.is_empty()) {
            return Ok(None);
        }
        let mut found = self.collection.indexes().iter().filter(|index| !index.info().hidden).filter(wanted);
        match (found.next(), found.next()) {
            (None, _) => planner_refusal(ErrorCode::BadValue, "hint provided does not correspond to an existing index"),
            (Some(_), Some(_)) => {
                planner_refusal(ErrorCode::IndexNotFound, "Hint matched multiple indexes, must hint by index name.")
            }
            (found, None) => Ok(found),
        }
    }

    /// The indexes that are not hidden.
    pub fn visible(&self) -> Vec<&Index> {
        self.collection.indexes().iter().filter(|index| !index.info().hidden).collect()
    }

    /// The plans that the query's predicates make with indexes: `root` is the query's filter as a tree, and `keep` tells
    /// what to remember of the assignment that a plan is built from.
    pub fn indexed<'q, T>(&self, root: Node<'q>, relevant: &[Entry], keep: impl Fn(&Node<'q>) -> T) -> Indexed<T> {
        let mut found = Indexed { plans: Vec::new(), limits: Limits::default() };
        if relevant.is_empty() {
            return found;
        }
        let mut ratings = rate(&root, relevant, &self.query.collation);
        strip_invalid(&root, (&self.query.filter, &self.query.collation), relevant, &mut ratings);
        if self.query.projection.is_none() {
            strip_unneeded(&root, relevant, &mut ratings);
        }
        let access = Access { query: self.query, entries: relevant };
        let mut enumerator = Enumerator::new(root, relevant, &mut ratings);
        for mut tree in enumerator.by_ref() {
            if found.plans.len() >= MAX_INDEXED_SOLUTIONS {
                found.limits.solutions = true;
                break;
            }
            let kept = keep(&tree);
            super::pushdown::resolve(&mut tree);
            tree.sort_by_tags();
            if let Some(solution) = access.build(tree) {
                let analysed = analyse(self.query, solution);
                found.limits.scans |= analysed.scan_limit_reached;
                found.plans.push((kept, analysed.solution));
            }
        }
        found.limits.or_solutions = enumerator.or_limit_reached;
        found
    }

    /// A hint that serves no predicate has its whole index read.
    fn finish_hinted(&self, mut planned: Planned, all: &[&Index], relevant: &[Entry]) -> Result<Planned> {
        if !planned.solutions.is_empty() {
            return Ok(planned);
        }
        match relevant {
            [entry] if entry.wildcard.is_none() => {
                planned.solutions.push(self.analysed(whole_index(self.query, entry, Direction::Ascending)));
                Ok(planned)
            }
            _ if all.iter().any(|index| index.info().parts.iter().any(|part| part.wildcard)) => planner_refusal(
                ErrorCode::NoQueryExecutionPlans,
                "$hint: refusing to build whole-index solution, because it's a wildcard index",
            ),
            _ => planner_refusal(ErrorCode::NoQueryExecutionPlans, "No query solutions"),
        }
    }

    /// Whole scans of indexes that have the order asked for, where none of the plans found so far has it.
    pub fn sorted<'s>(&self, all: &[&Index], found: impl IntoIterator<Item = &'s Solution>) -> Vec<Solution> {
        let mut scans = Vec::new();
        let Some(wanted) = self.query.order() else { return scans };
        if found.into_iter().any(|solution| !solution.is_blocking()) {
            return scans;
        }
        for index in all {
            let info = index.info();
            let pattern = Order::of_parts(&info.parts);
            let direction = if wanted.is_prefix_of(&pattern) {
                Direction::Ascending
            } else if wanted.is_prefix_of(&pattern.reversed()) {
                Direction::Descending
            } else {
                continue;
            };
            let wildcard = info.parts.iter().any(|part| part.wildcard);
            if wildcard || info.sparse {
                continue;
            }
            let entry = entry_of(index);
            let asked = (&*self.query.filter, &self.query.collation);
            let covered = |partial: &Filter| is_subset(asked, (partial, &entry.collation));
            if entry.collation == self.query.collation && entry.partial.as_ref().is_none_or(covered) {
                scans.push(self.analysed(whole_index(self.query, &entry, direction)));
            }
        }
        scans
    }

    /// The scan between `min` and `max` of the hinted index.
    fn between(&self, hinted: Option<&Index>) -> Result<Planned> {
        let Some(index) = hinted else {
            return planner_refusal(
                ErrorCode::NoQueryExecutionPlans,
                "When using min()/max() a hint of which index to use must be provided",
            );
        };
        let entry = entry_of(index);
        let pattern: Vec<&String> = entry.info.key_pattern.keys().collect();
        let fits =
            |bound: &Option<Document>| bound.as_ref().is_none_or(|bound| bound.keys().eq(pattern.iter().copied()));
        if entry.wildcard.is_some() || !fits(&self.query.min) || !fits(&self.query.max) {
            return planner_refusal(ErrorCode::Location(51174), "The index chosen is not compatible with min/max");
        }
        let rim = |ascending: Bson, descending: Bson| -> Document {
            let part = |part: &crate::store::KeyPart| {
                let value = if part.direction == Direction::Ascending { &ascending } else { &descending };
                (part.path.dotted(), value.clone())
            };
            entry.parts.iter().map(part).collect()
        };
        let start = self.query.min.clone().unwrap_or_else(|| rim(Bson::MinKey, Bson::MaxKey));
        let end = self.query.max.clone().unwrap_or_else(|| rim(Bson::MaxKey, Bson::MinKey));
        if !precedes(&entry, &start, &end) {
            return planner_refusal(
                ErrorCode::Location(51175),
                "The value provided for min() does not come before the value provided for max() in the hinted index",
            );
        }
        let bounds = IndexBounds { parts: Vec::new(), range: Some(Box::new(KeyRange { start, end })) };
        let dedup = entry.multikey;
        let scan = Scan { entry, bounds, direction: Direction::Ascending, filter: None, dedup };
        let access = with_filter(self.query, Solution::IxScan(Box::new(scan)));
        Ok(self.only_analysed(access))
    }
}

/// Indexes whose first part is asked for; wildcard indexes once for each path they cover.
pub(super) fn relevant_of(all: &[&Index], root: &Node<'_>, hinted: bool) -> Vec<Entry> {
    let mut relevant = Vec::new();
    for index in all {
        let wildcard = index.info().parts.iter().any(|part| part.wildcard);
        if wildcard {
            let asked = fields(root);
            let expanded = super::wildcard::expand(&entry_of(index), &asked, index);
            let leads = |entry: &Entry| hinted || asked.contains(&entry.parts[0].path);
            relevant.extend(expanded.into_iter().filter(leads));
        } else if hinted || index.info().parts.first().is_some_and(|part| asks_for(root, part.path.parts())) {
            relevant.push(entry_of(index));
        }
    }
    relevant
}

/// Whether two key patterns are one: names in order, values equal as numbers or texts.
pub(super) fn same_pattern(left: &Document, right: &Document) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|((name, value), (other, wanted))| name == other && order(value, wanted).is_eq())
}

fn precedes(entry: &Entry, start: &Document, end: &Document) -> bool {
    for (part, (low, high)) in entry.parts.iter().zip(start.values().zip(end.values())) {
        let compared = entry.collation.compare(low.into(), high.into());
        let compared = if part.direction == Direction::Descending { compared.reverse() } else { compared };
        if compared.is_ne() {
            return compared.is_lt();
        }
    }
    false
}
