//! Plans for the values of one path (`getExecutorDistinct`, `turnIxscanIntoDistinctIxscan`).

use crate::query::Collation;
use crate::store::{Collection, Direction};

use super::access::whole_index;
use super::entry::Entry;
use super::explain::Projection;
use super::planner::{Planned, entry_of};
use super::query::{CanonicalQuery, Purpose};
use super::solution::{Scan, Solution};

/// Turns candidates into scans that read one key of each value, where the query asks for the values of a path.
pub(super) fn adapt(collection: &Collection, query: &CanonicalQuery, planned: &mut Planned) {
    let Purpose::Distinct(path) = &query.purpose else { return };
    if query.matches_all() && query.hint.is_none() {
        if let Some(scan) = shortest_scan(collection, query, path) {
            planned.solutions = vec![scan];
        }
        return;
    }
    let better: Vec<Solution> = planned.solutions.iter().filter_map(|solution| turned(solution, path)).collect();
    if let Some(first) = better.into_iter().next() {
        planned.solutions = vec![first];
    }
}

/// The index with the fewest parts that begins with the path.
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
    turned(&whole_index(query, &best, Direction::Ascending), path)
}

/// A scan without a filter that ends with the path's part inside one run becomes a scan of distinct keys.
fn turned(solution: &Solution, path: &str) -> Option<Solution> {
    let scan: &Scan = match solution {
        Solution::IxScan(scan) => scan,
        Solution::Fetch { filter: None, input } => match &**input {
            Solution::IxScan(scan) => scan,
            _ => return None,
        },
        _ => return None,
    };
    let part = scan.entry.parts.iter().position(|part| part.path.is(path))?;
    let plain = scan.filter.is_none() && scan.bounds.range.is_none() && scan.entry.wildcard.is_none();
    let simple = scan.entry.collation == Collation::simple();
    let scalar = scan.entry.parts[part].multikey_at.is_empty();
    // Skipping to the next value is right only where the parts before it are fixed.
    let leads = scan.bounds.parts[..part].iter().all(|(_, list)| list.is_point());
    if !(plain && simple && scalar && leads) {
        return None;
    }
    let spec = bson::doc! { "_id": 0, path: 1 };
    let input = Box::new(Solution::DistinctScan(Box::new(scan.clone()), part));
    Some(Solution::Projection { kind: Projection::Covered, spec, input })
}
