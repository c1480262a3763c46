//! From a tagged tree to scans and the filters that remain (`src/mongo/db/query/planner_access.cpp`).

use std::sync::Arc;

use crate::query::Filter;
use crate::store::Direction;

use super::bounds::{IndexBounds, OrderedIntervals, Tightness};
use super::build::Builder;
use super::entry::Entry;
use super::query::CanonicalQuery;
use super::solution::{Scan, Solution};
use super::sorts::{Order, provided};
use super::subset::is_subset;
use super::tree::{Node, Tag, join};

/// Builds data access for one query over one list of indexes.
pub(super) struct Access<'a> {
    pub query: &'a CanonicalQuery<'a>,
    pub entries: &'a [Entry],
}

/// A scan that further predicates may join.
struct Open {
    index: usize,
    bounds: Vec<Option<OrderedIntervals>>,
    filters: Vec<Filter>,
}

/// The state of going through the children of an AND or an OR.
#[derive(Default)]
struct Building {
    open: Option<Open>,
    /// Of an OR: the loosest bounds of the open scan, and the predicates behind it.
    loosest: Option<Tightness>,
    branches: Vec<Filter>,
    done: Vec<Solution>,
}

impl Access<'_> {
    /// The plan that a tagged tree asks for; none where the tags do not make one.
    pub fn build(&self, mut tree: Node<'_>) -> Option<Solution> {
        self.data_access(&mut tree, false)
    }

    /// With `inside` the node stands in an array operator, which is tested as a whole by whoever is outside.
    fn data_access(&self, node: &mut Node<'_>, inside: bool) -> Option<Solution> {
        if node.is_and() {
            self.indexed_and(node, inside)
        } else if node.is_or() {
            self.indexed_or(node, inside)
        } else if node.gives_bounds() {
            self.indexed_leaf(node, inside)
        } else if node.is_elem_match_object() {
            node.tag?;
            let solution = self.data_access(&mut node.children[0], true)?;
            Some(if inside { solution } else { Solution::fetch(self.filter_of(node), solution) })
        } else {
            None
        }
    }

    fn indexed_leaf(&self, node: &Node<'_>, inside: bool) -> Option<Solution> {
        let tag = node.own_tag()?;
        let (open, tightness) = self.open(node, tag);
        let tightness = self.refined(tightness);
        let mut scan = self.finish(open);
        if inside || tightness == Tightness::Exact {
            return Some(Solution::IxScan(Box::new(scan)));
        }
        if tightness == Tightness::InexactCovered && !self.entries[tag.index].multikey {
            scan.filter = self.filter_of(node);
            return Some(Solution::IxScan(Box::new(scan)));
        }
        Some(Solution::fetch(self.filter_of(node), Solution::IxScan(Box::new(scan))))
    }

    /// The filter that a tree stands for; the query's own, shared, where that is it.
    fn filter_of(&self, node: &Node<'_>) -> Option<Arc<Filter>> {
        if node.is_of(&self.query.filter) {
            return Some(Arc::clone(&self.query.filter));
        }
        node.to_filter().map(Arc::new)
    }

    fn indexed_and(&self, node: &mut Node<'_>, inside: bool) -> Option<Solution> {
        let mut scans = self.process(node, inside)?;
        // Index intersection is off, as it is in the server unless asked for.
        let [_] = scans.as_slice() else { return None };
        let solution = scans.pop()?;
        if inside || node.children.is_empty() {
            return Some(solution);
        }
        match self.filter_of(node) {
            None => Some(solution),
            some => Some(Solution::fetch(some, solution)),
        }
    }

    fn indexed_or(&self, node: &mut Node<'_>, inside: bool) -> Option<Solution> {
        let scans = self.process(node, inside)?;
        if !inside && !node.children.is_empty() {
            return None;
        }
        let mut scans = collapse(scans);
        if scans.len() == 1 {
            return scans.pop();
        }
        Some(self.merge_sorted(scans))
    }

    /// Branches that all come in the order asked for are merged, others are read one after the other.
    fn merge_sorted(&self, mut scans: Vec<Solution>) -> Solution {
        let Some(order) = self.query.order() else { return Solution::Or(scans) };
        let reversed: Order = order.reversed();
        let turned: Option<Vec<bool>> = scans
            .iter()
            .map(|scan| {
                let sorts = provided(scan, &self.query.collation);
                if sorts.contains(&order) { Some(false) } else { sorts.contains(&reversed).then_some(true) }
            })
            .collect();
        let Some(turned) = turned else { return Solution::Or(scans) };
        for (scan, turn) in scans.iter_mut().zip(turned) {
            if turn {
                scan.reverse();
            }
        }
        Solution::Merge { pattern: self.query.sort.clone().unwrap_or_default(), inputs: scans }
    }

    /// Goes through the children that use indexes. Those that the scans answer are taken out of the node.
    fn process(&self, node: &mut Node<'_>, inside: bool) -> Option<Vec<Solution>> {
        let mut building = Building::default();
        let mut at = 0;
        while at < node.children.len() && node.children[at].tag.is_some() {
            if node.children[at].gives_bounds() {
                let tag = node.children[at].own_tag()?;
                let tightness = self.add(&mut building, &node.children[at], tag, node.is_or());
                self.handle_filter(&mut building, node, &mut at, self.refined(tightness), inside);
            } else if node.is_and() && node.children[at].is_elem_match_object() {
                self.process_elem_match(&mut building, &mut node.children[at])?;
                at += 1;
            } else {
                let solution = self.data_access(&mut node.children[at], inside)?;
                building.done.push(solution);
                if inside {
                    at += 1;
                } else {
                    node.children.remove(at);
                }
            }
        }
        self.drop_implied(&mut building, node, at, inside);
        self.close(&mut building, node.is_or());
        Some(building.done)
    }

    /// What a partial index's filter says anyway need not be tested.
    fn drop_implied(&self, building: &mut Building, node: &mut Node<'_>, mut at: usize, inside: bool) {
        let Some(entry) = building.open.as_ref().map(|open| &self.entries[open.index]) else { return };
        let Some(partial) = &entry.partial else { return };
        let says = |filter: &Filter| is_subset((partial, &entry.collation), (filter, &self.query.collation));
        while at < node.children.len() {
            let implied = node.children[at].to_filter().is_some_and(|filter| says(&filter));
            if implied && !inside && node.is_and() {
                node.children.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Predicates inside an `$elemMatch` join the open scan; the whole `$elemMatch` is tested later.
    fn process_elem_match(&self, building: &mut Building, node: &mut Node<'_>) -> Option<()> {
        for child in &mut node.children {
            if child.gives_bounds() && child.tag.is_some() {
                let tag = child.own_tag()?;
                self.add(building, child, tag, false);
            } else if child.is_and() || child.is_elem_match_object() {
                self.process_elem_match(building, child)?;
            } else if child.tag.is_some() {
                let solution = self.data_access(child, true)?;
                building.done.push(solution);
            }
        }
        Some(())
    }

    /// Joins a predicate to the open scan, or opens another one.
    fn add(&self, building: &mut Building, child: &Node<'_>, tag: Tag, union: bool) -> Tightness {
        if let Some(open) = building.open.as_mut().filter(|open| open.index == tag.index) {
            let (bounds, tightness) = self.builder(tag).translate(child);
            let slot = &mut open.bounds[tag.position];
            *slot = Some(match slot.take() {
                None => bounds,
                Some(mut before) if union => {
                    before.0.extend(bounds.0);
                    before.unite();
                    before
                }
                Some(before) => before.intersect(&bounds),
            });
            return tightness;
        }
        self.close(building, union);
        let (open, tightness) = self.open(child, tag);
        building.open = Some(open);
        tightness
    }

    fn builder(&self, tag: Tag) -> Builder<'_> {
        let entry = &self.entries[tag.index];
        Builder { entry, path: &entry.parts[tag.position].path }
    }

    fn open(&self, node: &Node<'_>, tag: Tag) -> (Open, Tightness) {
        let (bounds, tightness) = self.builder(tag).translate(node);
        let mut all = vec![None; self.entries[tag.index].parts.len()];
        all[tag.position] = Some(bounds);
        (Open { index: tag.index, bounds: all, filters: Vec::new() }, tightness)
    }

    /// Bounds that a key may stand for are as good as the projection lets them be.
    fn refined(&self, tightness: Tightness) -> Tightness {
        match tightness {
            Tightness::ExactMaybeCovered if self.query.needs_no_document() => Tightness::Exact,
            Tightness::InexactMaybeCovered if self.query.needs_no_document() => Tightness::InexactCovered,
            Tightness::ExactMaybeCovered | Tightness::InexactMaybeCovered => Tightness::InexactFetch,
            other => other,
        }
    }

    fn handle_filter(
        &self,
        building: &mut Building,
        node: &mut Node<'_>,
        at: &mut usize,
        tightness: Tightness,
        inside: bool,
    ) {
        if inside {
            *at += 1;
        } else if node.is_or() {
            let loosest = building.loosest.map_or(tightness, |before| before.min(tightness));
            building.loosest = Some(loosest);
            building.branches.extend(node.children.remove(*at).to_filter());
        } else if tightness == Tightness::Exact {
            node.children.remove(*at);
        } else if tightness == Tightness::InexactCovered
            && let Some(open) = building.open.as_mut()
            && !self.entries[open.index].multikey
        {
            open.filters.extend(node.children.remove(*at).to_filter());
        } else {
            *at += 1;
        }
    }

    /// Puts the open scan out.
    fn close(&self, building: &mut Building, union: bool) {
        let Some(open) = building.open.take() else { return };
        let multikey = self.entries[open.index].multikey;
        let mut scan = self.finish(open);
        let filter = match std::mem::take(&mut building.branches) {
            mut single if single.len() == 1 => single.pop(),
            several => (!several.is_empty()).then_some(Filter::Or(several)),
        };
        let filter = filter.map(Arc::new);
        let loosest = building.loosest.take().unwrap_or(Tightness::Exact);
        let solution = match loosest {
            _ if !union || loosest == Tightness::Exact => Solution::IxScan(Box::new(scan)),
            Tightness::InexactCovered if !multikey => {
                scan.filter = filter;
                Solution::IxScan(Box::new(scan))
            }
            _ => Solution::fetch(filter, Solution::IxScan(Box::new(scan))),
        };
        building.done.push(solution);
    }

    fn finish(&self, open: Open) -> Scan {
        let mut entry = self.entries[open.index].clone();
        let mut bounds = open.bounds;
        let subtree = super::wildcard::finish(&mut entry, &mut bounds);
        let parts = entry.parts.iter().zip(bounds).map(|(part, intervals)| {
            let mut intervals = intervals.unwrap_or_else(OrderedIntervals::all);
            if part.direction == Direction::Descending {
                intervals.reverse();
            }
            (part.path.clone(), intervals)
        });
        let bounds = IndexBounds::of_parts(parts.collect());
        let dedup = entry.multikey || subtree;
        Scan { entry, bounds, direction: Direction::Ascending, filter: join(open.filters).map(Arc::new), dedup }
    }
}

/// A scan of all of an index, and the filter behind it.
pub(super) fn whole_index(query: &CanonicalQuery, entry: &Entry, direction: Direction) -> Solution {
    let mut entry = entry.clone();
    let mut open = vec![None; entry.parts.len()];
    let subtree = super::wildcard::finish(&mut entry, &mut open);
    let parts = entry.parts.iter().map(|part| {
        let mut intervals = OrderedIntervals::all();
        if part.direction == Direction::Descending {
            intervals.reverse();
        }
        (part.path.clone(), intervals)
    });
    let bounds = IndexBounds::of_parts(parts.collect());
    let dedup = entry.multikey || subtree;
    let mut scan = Scan { entry, bounds, direction: Direction::Ascending, filter: None, dedup };
    if direction == Direction::Descending {
        scan.reverse();
    }
    with_filter(query, Solution::IxScan(Box::new(scan)))
}

/// The scan with the query's filter behind it, if it has one.
pub(super) fn with_filter(query: &CanonicalQuery, scan: Solution) -> Solution {
    match query.filter_if_any() {
        None => scan,
        some => Solution::fetch(some, scan),
    }
}

/// Joins neighbouring branches that read the same keys.
fn collapse(scans: Vec<Solution>) -> Vec<Solution> {
    let mut kept: Vec<Solution> = Vec::with_capacity(scans.len());
    for scan in scans {
        match kept.last_mut() {
            Some(last) if same_scan(last, &scan) => join_filters(last, scan),
            _ => kept.push(scan),
        }
    }
    kept
}

fn scan_of(solution: &Solution) -> Option<&Scan> {
    match solution {
        Solution::IxScan(scan) => Some(scan),
        Solution::Fetch { input, .. } => match &**input {
            Solution::IxScan(scan) => Some(scan),
            _ => None,
        },
        _ => None,
    }
}

fn same_scan(left: &Solution, right: &Solution) -> bool {
    matches!((scan_of(left), scan_of(right)), (Some(left), Some(right)) if left == right)
}

fn join_filters(into: &mut Solution, from: Solution) {
    let Solution::Fetch { filter: kept, .. } = into else { return };
    match from {
        Solution::Fetch { filter: Some(other), .. } => {
            if let Some(own) = kept.take() {
                let both = [other, own].map(Arc::unwrap_or_clone);
                *kept = Some(Arc::new(Filter::Or(both.to_vec()).normalised()));
            }
        }
        _ => *kept = None,
    }
}
