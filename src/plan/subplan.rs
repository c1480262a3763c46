//! Rooted `$or`: the best plan of each branch is chosen by itself, then they are put together
//! (`src/mongo/db/exec/subplan.cpp`).

use std::sync::Arc;

use crate::error::Result;
use crate::query::Filter;

use super::access::Access;
use super::analyse::analyse;
use super::enumerate::Enumerator;
use super::exec::Context;
use super::planner::{Planned, Planner};
use super::query::CanonicalQuery;
use super::rank::{Candidate, compete, ranked, score, trial_results, trial_works};
use super::select::{rate, strip_invalid};
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

/// The plan made of the branches' best plans; none where a branch is not served by an index.
fn composed(planner: &Planner<'_>) -> Result<Option<Solution>> {
    let query = planner.query;
    let Filter::Or(branches) = &*query.filter else { return Ok(None) };
    let root = Node::of(&query.filter);
    let entries = planner.relevant_entries(&root);
    let mut chosen = root.clone();
    for (at, branch) in branches.iter().enumerate() {
        let node = &root.children[at];
        let mut ratings = rate(node, &entries, &query.collation);
        strip_invalid(node, (branch, &query.collation), &entries, &mut ratings);
        let branch_query = CanonicalQuery { filter: Arc::new(branch.clone()), ..query.clone() };
        let access = Access { query: &branch_query, entries: &entries };
        let mut enumerator = Enumerator::new(node, &entries, &mut ratings);
        let (mut trees, mut solutions) = (Vec::new(), Vec::new());
        while let Some(tree) = enumerator.next(node) {
            let mut ordered = tree.clone();
            super::pushdown::resolve(&mut ordered);
            ordered.sort_by_tags();
            if let Some(solution) = access.build(ordered) {
                trees.push(tree);
                solutions.push(analyse(&branch_query, solution).solution);
            }
        }
        if solutions.is_empty() {
            return Ok(None);
        }
        let best = best_of(planner, &branch_query, solutions)?;
        chosen.children[at] = trees.swap_remove(best);
    }
    chosen.tag = chosen.children.iter().filter_map(|child| child.tag).min_by_key(|tag| tag.index);
    debug_assert!(matches!(chosen.kind, Kind::Or), "the root of a subplanned query is an $or");
    super::pushdown::resolve(&mut chosen);
    chosen.sort_by_tags();
    let access = Access { query, entries: &entries };
    Ok(access.build(chosen).map(|solution| analyse(query, solution).solution))
}

/// The position of the best plan of a branch, by a trial where there are several.
fn best_of(planner: &Planner<'_>, query: &CanonicalQuery, solutions: Vec<Solution>) -> Result<usize> {
    if solutions.len() == 1 {
        return Ok(0);
    }
    let plans: Vec<_> = solutions.into_iter().map(Solution::into_plan).collect();
    let context = Context { collection: planner.collection, query };
    let mut candidates = plans.iter().map(|plan| Candidate::new(&context, plan)).collect::<Result<Vec<_>>>()?;
    compete(&mut candidates, trial_works(planner.collection.len()), trial_results(query.limit))?;
    let trials: Vec<_> = candidates
        .iter()
        .zip(&plans)
        .map(|(candidate, plan)| score(plan, candidate.machine.judged(), candidate.ended))
        .collect();
    Ok(ranked(&trials).first().copied().unwrap_or_default())
}
