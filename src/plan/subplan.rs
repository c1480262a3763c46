//! Rooted `$or`: each branch is planned for itself, then the best plans are put together (`SubplanStage`).

use crate::error::Result;
use crate::query::Filter;

use super::planner::{Planned, Planner};
use super::query::CanonicalQuery;
use super::solution::Solution;

/// Whether the branches are planned one by one.
pub(super) fn is_subplanned(query: &CanonicalQuery) -> bool {
    let rooted = matches!(&query.filter, Filter::Or(parts) if !parts.is_empty());
    rooted
        && query.hint.is_none()
        && query.min.is_none()
        && query.max.is_none()
        && !query.return_key
        && query.sort.as_ref().is_none_or(|sort| !sort.contains_key("$natural"))
}

/// Plans a query; a rooted `$or` as a whole, under SUBPLAN.
pub(super) fn plan(planner: &Planner<'_>) -> Result<Planned> {
    let mut planned = planner.plan()?;
    if is_subplanned(planner.query) {
        for solution in &mut planned.solutions {
            let inner = std::mem::replace(solution, Solution::Eof);
            *solution = Solution::Subplan(Box::new(inner));
        }
    }
    Ok(planned)
}
