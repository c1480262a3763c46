//! Plans for the values of one path (`getExecutorDistinct`, `turnIxscanIntoDistinctIxscan`).

use crate::query::Collation;
use crate::store::{Collection, Direction};

use super::access::whole_index;
use super::analyse::analyse;
use super::entry::Entry;
use super::explain::Projection;
use super::planner::{Planned, entry_of};
use super::query::{CanonicalQuery, Purpose};
use super::solution::{Scan, Solution};

/// Turns candidates into scans that read one key of each value, where the query asks for the values of a path.
pub(super) fn adapt(collection: &Collection, query: &CanonicalQuery, planned: &mut Planned) {
    let found = match &query.purpose {
        Purpose::Distinct(path) => {
            let free = query.matches_all() && query.hint.is_none();
            let scan = if free { shortest_scan(collection, query, |entry| entry.parts[0].path.is(path)) } else { None };
            scan.iter().chain(&planned.solutions).find_map(|solution| turned(query, solution, path))
        }
        Purpose::OnePerValue { path, last } => {
            let free = query.matches_all() && query.hint.is_none() && query.sort.is_none();
            let fits = |entry: &Entry| {
                let part = &entry.parts[0];
                !entry.info.sparse && part.path.is(path) && part.multikey_at.is_empty()
            };
            let scan = if free { shortest_scan(collection, query, fits) } else { None };
            let whole = scan.map(|scan| analyse(query, scan).solution);
            let mut candidates = whole.iter().chain(&planned.solutions);
            candidates.find_map(|solution| one_per_value(query, solution, path, *last))
        }
        _ => None,
    };
    if let Some(found) = found {
        planned.solutions = vec![found];
    }
}

/// The plan with a scan of distinct keys in place of its scan, where that sees one document of each value, and the one that
/// is wanted: a scan turned around to see the last ones first must not be multikey (7.0,
/// `jstests/aggregation/group_conversion_to_distinct_scan.js`).
fn one_per_value(query: &CanonicalQuery, solution: &Solution, path: &str, last: bool) -> Option<Solution> {
    let inside = |input: &Solution| one_per_value(query, input, path, last).map(Box::new);
    Some(match solution {
        Solution::Fetch { filter: None, input } => Solution::Fetch { filter: None, input: inside(input)? },
        Solution::Projection { kind, spec, input } => {
            Solution::Projection { kind: *kind, spec: spec.clone(), input: inside(input)? }
        }
        Solution::IxScan(scan) if scan.entry.collation == query.collation && !(last && scan.entry.multikey) => {
            let part = scalar_part(scan, path).filter(|part| are_fixed(scan, *part))?;
            let mut scan = scan.clone();
            if last {
                scan.reverse();
            }
            Solution::DistinctScan(scan, part)
        }
        _ => return None,
    })
}

/// A scan of the index with the fewest parts among those that fit (`getDistinctNodeIndex`).
fn shortest_scan(collection: &Collection, query: &CanonicalQuery, fits: impl Fn(&Entry) -> bool) -> Option<Solution> {
    let usable = |entry: &Entry| {
        entry.wildcard.is_none() && !entry.info.hidden && entry.partial.is_none() && entry.collation == query.collation
    };
    let entries = collection.indexes().iter().map(entry_of).filter(|entry| usable(entry) && fits(entry));
    let best = entries.min_by_key(|entry| entry.parts.len())?;
    Some(whole_index(query, &best, Direction::Ascending))
}

/// The index part of a path, where the scan may skip through its values: there is no filter, no range of whole keys, and no
/// wildcard part that reads the leaves of documents.
fn part_of(scan: &Scan, path: &str) -> Option<usize> {
    let leaves = super::wildcard::scans_subtree(&scan.entry, &scan.bounds);
    let plain = scan.filter.is_none() && scan.bounds.range.is_none() && !leaves;
    scan.entry.parts.iter().position(|part| part.path.is(path)).filter(|_| plain)
}

/// The index part of a path that holds no array.
fn scalar_part(scan: &Scan, path: &str) -> Option<usize> {
    part_of(scan, path).filter(|part| scan.entry.parts[*part].multikey_at.is_empty())
}

/// Whether the parts before one are fixed, so that each value of it is met once.
fn are_fixed(scan: &Scan, part: usize) -> bool {
    scan.bounds.parts[..part].iter().all(|(_, list)| list.is_point())
}

/// A scan without a filter becomes a scan of distinct keys. It may meet a value several times, behind other values of the
/// parts before; elements of arrays are values of their own, which they may be where nothing else is asked for.
fn turned(query: &CanonicalQuery, solution: &Solution, path: &str) -> Option<Solution> {
    let scan = solution.bare_scan()?;
    let leads = query.matches_all() && scan.entry.parts[0].path.is(path);
    let part = if leads { part_of(scan, path) } else { scalar_part(scan, path) }?;
    let distinct = Solution::DistinctScan(Box::new(scan.clone()), part);
    let (kept, collated) = (kept_path(path), scan.entry.collation != Collation::simple());
    let held = kept == path && !collated;
    if !held && !leads {
        return Some(Solution::fetch(None, distinct));
    }
    let kind = match (kept.contains('.'), held) {
        (true, _) => Projection::Default,
        (false, true) => Projection::Covered,
        (false, false) => Projection::Simple,
    };
    let input = if held { distinct } else { Solution::fetch(None, distinct) };
    let mut spec = bson::doc! { "_id": 0 };
    if kept == "_id" || kept.starts_with("_id.") {
        spec.remove("_id");
    }
    spec.insert(kept, 1);
    Some(Solution::Projection { kind, spec, input: Box::new(input) })
}

/// The path up to the first part that may be the position of an element (`getProjectedDottedField`, `parsed_distinct.cpp`).
fn kept_path(path: &str) -> String {
    let mut parts = path.split('.');
    let first = parts.next().into_iter();
    let named = parts.take_while(|part| part.parse::<u32>().is_err());
    first.chain(named).collect::<Vec<_>>().join(".")
}
