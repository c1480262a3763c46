//! Plans that only count (`turnIxscanIntoCount`, `getExecutorCount`).

use super::query::{CanonicalQuery, Purpose};
use super::solution::Solution;

/// The collection's own figure, where every document counts.
pub(super) fn fast_count(query: &CanonicalQuery) -> Option<Solution> {
    let all = query.purpose == Purpose::Count && query.matches_all() && query.hint.is_none();
    let whole = query.skip.unwrap_or(0) == 0 && query.limit.unwrap_or(0) == 0;
    (all && whole).then_some(Solution::FastCount)
}

/// A plan with a COUNT on top; a scan of one run of keys without a filter counts keys.
pub(super) fn counting(solution: Solution) -> Solution {
    let input = match solution {
        Solution::FastCount => return Solution::FastCount,
        Solution::IxScan(scan) if scan.filter.is_none() && is_one_run(&scan) => Solution::CountScan(scan),
        Solution::Fetch { filter: None, input } => match *input {
            Solution::IxScan(scan) if scan.filter.is_none() && is_one_run(&scan) => Solution::CountScan(scan),
            other => Solution::fetch(None, other),
        },
        other => other,
    };
    Solution::Count(Box::new(input))
}

/// Points, then at most one range, then open parts (`IndexBoundsBuilder::isSingleInterval`).
fn is_one_run(scan: &super::solution::Scan) -> bool {
    let mut ranged = false;
    scan.bounds.range.is_none()
        && scan.bounds.parts.iter().all(|(_, list)| {
            let [interval] = list.0.as_slice() else { return false };
            let fits = !ranged || interval.is_all();
            ranged |= !interval.is_point();
            fits
        })
}
