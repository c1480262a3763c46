//! Plans that only count (`turnIxscanIntoCount`, `getExecutorCount`).

use crate::value::Bson;

use super::bounds::{Interval, OrderedIntervals};
use super::query::{CanonicalQuery, Purpose};
use super::solution::{Scan, Solution};

/// The collection's own figure, where every document counts.
pub(super) fn fast_count(query: &CanonicalQuery) -> Option<Solution> {
    let all = query.purpose == Purpose::Count && query.matches_all() && query.hint.is_none();
    let whole = query.skip.unwrap_or(0) == 0 && query.limit.unwrap_or(0) == 0;
    (all && whole).then_some(Solution::FastCount)
}

/// The first candidate that counting keys will do for, turned into that: it is taken without a trial.
pub(super) fn by_keys(solutions: &[Solution]) -> Option<Solution> {
    solutions.iter().find_map(turned)
}

/// A plan with a COUNT on top.
pub(super) fn counting(solution: Solution) -> Solution {
    match solution {
        Solution::FastCount => Solution::FastCount,
        other => Solution::Count(Box::new(other)),
    }
}

/// A scan without a filter, of one run of keys or of null, becomes a scan that counts keys.
fn turned(solution: &Solution) -> Option<Solution> {
    let scan = solution.bare_scan()?;
    if scan.filter.is_some() || scan.bounds.range.is_some() {
        return None;
    }
    if is_one_run(scan) { Some(Solution::CountScan(Box::new(forward(scan)))) } else { split_null(scan) }
}

/// Counting has no order, so that its scans always go forward.
fn forward(scan: &Scan) -> Scan {
    let mut scan = scan.clone();
    if scan.direction == crate::store::Direction::Descending {
        scan.reverse();
    }
    scan
}

/// Points, then at most one range, then open parts (`IndexBoundsBuilder::isSingleInterval`).
fn is_one_run(scan: &Scan) -> bool {
    let mut ranged = false;
    scan.bounds.parts.iter().all(|(_, list)| {
        let [interval] = list.0.as_slice() else { return false };
        let fits = !ranged || interval.is_all();
        ranged |= !interval.is_point();
        fits
    })
}

/// One part that asks for null has two points, undefined and null: each is a run of its own, and no record is in both, as
/// the index is not multikey (`boundsHasExactlyOneNullOrNullAndEmptyInterval`).
fn split_null(scan: &Scan) -> Option<Solution> {
    let parts = &scan.bounds.parts;
    let at = parts.iter().position(|(_, list)| is_null(list))?;
    if scan.entry.multikey || parts[at + 1..].iter().any(|(_, list)| is_null(list)) {
        return None;
    }
    let point = |value: Bson| {
        let mut one = forward(scan);
        one.bounds.parts[at].1 = OrderedIntervals(vec![Interval::point(value)]);
        is_one_run(&one).then(|| Solution::CountScan(Box::new(one)))
    };
    Some(Solution::Or(vec![point(Bson::Undefined)?, point(Bson::Null)?]))
}

fn is_null(list: &OrderedIntervals) -> bool {
    let point = |interval: &Interval, value: &Bson| interval.is_point() && interval.start == *value;
    match list.0.as_slice() {
        [one, other] => {
            (point(one, &Bson::Undefined) && point(other, &Bson::Null))
                || (point(one, &Bson::Null) && point(other, &Bson::Undefined))
        }
        _ => false,
    }
}
