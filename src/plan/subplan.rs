//! Rooted `$or`: the best plan of each branch is chosen by itself, then they are put together
//! (`src/mongo/db/exec/subplan.cpp`).

use std::sync::Arc;

use crate::error::Result;
use crate::query::Filter;

use super::access::Access;
use super::analyse::analyse;
use super::entry::Entry;
use super::exec::Context;
use super::planner::{Planned, Planner, relevant_of};
use super::query::CanonicalQuery;
use super::rank::tried;
use super::solution::Solution;
use super::tree::{Kind, Node};

/// Whether the branches are planned one by one (`SubplanStage::canUseSubplanning`).
fn is_subplanned(query: &CanonicalQuery) -> bool {
    let rooted = matches!(&*query.filter, Filter::Or(parts) if !parts.is_empty());
    let natural = query.sort.as_ref().is_some_and(|sort| sort.contains_key("$natural"));
    rooted && !natural && query.hint.is_none() && query.min.is_none() && query.max.is_none() && !query.return_key
}

/// Plans a query; a rooted `$or` branch by branch, or as a whole where a branch has no index.
pub(super) fn plan(planner: &Planner<'_>) -> Result<Planned> {
    if !is_subplanned(planner.query) {
        return planner.plan();
    }
    let mut outcome = match composed(planner)? {
        Some(solution) => Planned { solutions: vec![solution], ..Planned::default() },
        None => planner.plan()?,
    };
    for solution in &mut outcome.solutions {
        let inner = std::mem::replace(solution, Solution::Eof);
        *solution = Solution::Subplan(Box::new(inner));
    }
    Ok(outcome)
}

/// The plan made of the branches' best plans; none where the best plan of a branch does not come of its predicates.
fn composed(planner: &Planner<'_>) -> Result<Option<Solution>> {
    let query = planner.query;
    let Filter::Or(branches) = &*query.filter else { return Ok(None) };
    let mut root = Node::of(&query.filter);
    let entries = relevant_of(&planner.visible(), &root, false);
    for (child, branch) in std::mem::take(&mut root.children).into_iter().zip(branches) {
        let query = of_branch(query, branch);
        let branch = Planner { collection: planner.collection, query: &query };
        match best(&branch, child, &entries)? {
            Some(tree) => root.children.push(tree),
            None => return Ok(None),
        }
    }
    root.tag = root.children.iter().filter_map(|child| child.tag).min_by_key(|tag| tag.index);
    debug_assert!(matches!(root.kind, Kind::Or), "the root of a subplanned query is an $or");
    super::pushdown::resolve(&mut root);
    root.sort_by_tags();
    let access = Access { query, entries: &entries };
    Ok(access.build(root).map(|solution| analyse(query, solution).solution))
}

/// The question that a branch is by itself: of the whole one it keeps order, projection and collation, but neither skip nor
/// limit (`CanonicalQuery::canonicalize` of a base query).
fn of_branch<'q>(query: &CanonicalQuery<'q>, branch: &Filter) -> CanonicalQuery<'q> {
    CanonicalQuery { filter: Arc::new(branch.clone()), skip: None, limit: None, ..query.clone() }
}

/// The assignment that the best plan of a branch is made of; none where there is no plan with an index, or where the whole
/// scan of one that has the order does better.
fn best<'q>(branch: &Planner<'_>, node: Node<'q>, entries: &[Entry]) -> Result<Option<Node<'q>>> {
    let (mut trees, mut solutions): (Vec<_>, Vec<_>) =
        branch.indexed(node, entries, Node::clone).plans.into_iter().unzip();
    let sorted = branch.sorted(&branch.visible(), &solutions);
    solutions.extend(sorted);
    if trees.is_empty() || solutions.len() == 1 {
        return Ok(trees.pop());
    }
    let plans: Vec<_> = solutions.into_iter().map(Solution::into_plan).collect();
    let context = Context { collection: branch.collection, query: branch.query };
    let first = tried(&context, &plans)?.order.first().copied().unwrap_or_default();
    Ok((first < trees.len()).then(|| trees.swap_remove(first)))
}
