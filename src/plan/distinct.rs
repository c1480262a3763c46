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
        Purpose::Distinct(path) if query.matches_all() && query.hint.is_none() => {
            shortest_scan(collection, query, path).and_then(|scan| turned(&scan, path))
        }
        Purpose::Distinct(path) => planned.solutions.iter().find_map(|solution| turned(solution, path)),
        Purpose::OnePerValue { path, last } => {
            let free = query.matches_all() && query.hint.is_none() && query.sort.is_none();
            let scan = if free { shortest_scan(collection, query, path) } else { None };
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
            let part = leading_part(scan, path)?;
            let mut scan = scan.clone();
            if last {
                scan.reverse();
            }
            Solution::DistinctScan(scan, part)
        }
        _ => return None,
    })
}

/// A scan of the index with the fewest parts that begins with the path.
fn shortest_scan(collection: &Collection, query: &CanonicalQuery, path: &str) -> Option<Solution> {
    let fits = |entry: &Entry| {
        entry.wildcard.is_none()
            && !entry.info.hidden
            && !entry.info.sparse
            && entry.partial.is_none()
            && entry.collation == query.collation
            && entry.parts[0].path.is(path)
            && entry.parts[0].multikey_at.is_empty()
    };
    let entries = collection.indexes().iter().map(entry_of).filter(fits);
    let best = entries.min_by_key(|entry| entry.parts.len())?;
    Some(whole_index(query, &best, Direction::Ascending))
}

/// The index part of a path whose values a scan may skip through: the scan has no filter, the path no array, and the parts
/// before it are fixed.
fn leading_part(scan: &Scan, path: &str) -> Option<usize> {
    let part = scan.entry.parts.iter().position(|part| part.path.is(path))?;
    let plain = scan.filter.is_none() && scan.bounds.range.is_none();
    let scalar = scan.entry.parts[part].multikey_at.is_empty();
    let leads = scan.bounds.parts[..part].iter().all(|(_, list)| list.is_point());
    (plain && scalar && leads).then_some(part)
}

/// A scan without a filter that ends with the path's part inside one run becomes a scan of distinct keys.
fn turned(solution: &Solution, path: &str) -> Option<Solution> {
    let scan = solution.bare_scan()?;
    let part = leading_part(scan, path).filter(|_| scan.entry.collation == Collation::simple())?;
    let spec = bson::doc! { "_id": 0, path: 1 };
    let input = Box::new(Solution::DistinctScan(Box::new(scan.clone()), part));
    Some(Solution::Projection { kind: Projection::Covered, spec, input })
}
