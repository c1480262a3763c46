//! What is put on top of data access: order, window, projection (`src/mongo/db/query/planner_analysis.cpp`).

use std::sync::Arc;

use crate::query::{self, Collation, Filter};

use super::bounds::{Interval, OrderedIntervals};
use super::explain::Projection;
use super::projection::{keeps, only_keeps_and_drops};
use super::query::{CanonicalQuery, Purpose};
use super::solution::{Scan, Solution};
use super::sorts::{Order, may_hold_text, provided};

/// At most so many scans are made to get an order (`internalQueryMaxScansToExplode`).
const MAX_SCANS_TO_EXPLODE: usize = 200;

/// A finished plan, and whether an order could have been had by more scans than are allowed.
pub(super) struct Analysed {
    pub solution: Solution,
    pub scan_limit_reached: bool,
}

/// Puts order, window and projection on top.
pub(super) fn analyse(query: &CanonicalQuery, access: Solution) -> Analysed {
    let mut scan_limit_reached = false;
    let (mut solution, sorted) = sort(query, access, &mut scan_limit_reached);
    if let Some(skip) = query.skip.filter(|skip| *skip > 0 && query.purpose != Purpose::Count) {
        solution = Solution::Skip(skip, Box::new(solution));
    }
    solution = if query.return_key {
        Solution::ReturnKey(Box::new(solution))
    } else if let Some(projection) = &query.projection {
        project(solution, projection)
    } else if !solution.fetched() && !query.purpose.is_count_like() {
        Solution::fetch(None, solution)
    } else {
        solution
    };
    // A write of the first match stops by itself; a count counts up to its limit.
    let own_end = query.purpose == Purpose::Count || (query.purpose.is_write() && query.order().is_none());
    if let Some(limit) = query.limit.filter(|limit| *limit > 0 && !sorted && !own_end) {
        solution = Solution::Limit(limit, Box::new(solution));
    }
    Analysed { solution: below_sort(query, solution), scan_limit_reached }
}

/// Gives the plan the order asked for; whether a SORT was needed.
fn sort(query: &CanonicalQuery, mut access: Solution, scan_limit_reached: &mut bool) -> (Solution, bool) {
    let Some(pattern) = query.sort.as_ref().filter(|sort| !sort.is_empty() && !sort.contains_key("$natural")) else {
        return (access, false);
    };
    if let Some(order) = query.order() {
        let sorts = provided(&access, &query.collation);
        if sorts.contains(&order) {
            return (access, false);
        }
        if sorts.contains(&order.reversed()) {
            access.reverse();
            return (access, false);
        }
        match exploded(query, &access, &order) {
            Exploded::Plan(plan) => return (plan, false),
            Exploded::TooMany => *scan_limit_reached = true,
            Exploded::No => {}
        }
    }
    if !access.fetched() && !pattern.keys().all(|name| access.has_field(name)) {
        access = Solution::fetch(None, access);
    }
    let limit = query.limit.filter(|limit| *limit > 0).map(|limit| limit.saturating_add(query.skip.unwrap_or(0)));
    let metadata = pattern.values().any(|value| matches!(value, bson::Bson::Document(_)));
    let simple = access.fetched() && !metadata && !query.purpose.is_write() && !query.show_record_id;
    (Solution::Sort { pattern: pattern.clone(), limit, simple, input: Box::new(access) }, true)
}

fn project(mut solution: Solution, projection: &query::Projection) -> Solution {
    let held = |solution: &Solution| {
        projection.required().is_some_and(|paths| paths.iter().all(|path| solution.has_field(&path.to_string())))
    };
    if !solution.fetched() && !held(&solution) {
        solution = Solution::fetch(None, solution);
    }
    let kind = if !projection.is_simple() {
        Projection::Default
    } else if solution.fetched() {
        Projection::Simple
    } else if !projection.is_exclusion() && gives_one_key(&solution) {
        Projection::Covered
    } else {
        Projection::Default
    };
    Solution::Projection { kind, spec: projection.spec().clone(), input: Box::new(solution) }
}

/// Whether all results are keys of one index (`produceCoveredKeyObj`).
fn gives_one_key(solution: &Solution) -> bool {
    match solution {
        Solution::IxScan(_) | Solution::DistinctScan(..) => true,
        Solution::Skip(_, input) | Solution::Sort { input, .. } => gives_one_key(input),
        _ => false,
    }
}

/// Moves a projection below a sort of everything, where it keeps what is sorted by: less is held then.
fn below_sort(query: &CanonicalQuery, solution: Solution) -> Solution {
    let Some(projection) = query.projection.as_ref().filter(|projection| only_keeps_and_drops(projection)) else {
        return solution;
    };
    let Solution::Projection { kind, spec, input } = solution else { return solution };
    let keep = |input: Box<Solution>, spec: bson::Document| Solution::Projection { kind, spec, input };
    let (skip, inner) = match *input {
        Solution::Skip(skip, inner) => (Some(skip), *inner),
        other => (None, other),
    };
    let movable = matches!(&inner, Solution::Sort { limit: None, pattern, .. }
        if pattern.keys().all(|name| keeps(projection, name)));
    let around = |solution: Solution| match skip {
        Some(skip) => Solution::Skip(skip, Box::new(solution)),
        None => solution,
    };
    match inner {
        Solution::Sort { pattern, limit, simple, input } if movable => {
            around(Solution::Sort { pattern, limit, simple, input: Box::new(keep(input, spec)) })
        }
        other => keep(Box::new(around(other)), spec),
    }
}

enum Exploded {
    Plan(Solution),
    TooMany,
    No,
}

/// Turns scans of several points into scans of one point each, whose merged results have the order of the parts behind.
fn exploded(query: &CanonicalQuery, access: &Solution, order: &Order) -> Exploded {
    let (fetches, base) = unwrap_fetches(access);
    let branches: &[Solution] = match base {
        Solution::IxScan(_) => std::slice::from_ref(base),
        Solution::Or(inputs) if inputs.iter().all(|input| branch_scan(input).is_some()) => inputs,
        _ => return Exploded::No,
    };
    let mut total: usize = 0;
    let mut plans = Vec::new();
    for branch in branches {
        let Some(scan) = branch_scan(branch) else { return Exploded::No };
        let Some((depth, turned)) = explodable(scan, order, &query.collation) else { return Exploded::No };
        let lists = scan.bounds.parts[..depth].iter().map(|(_, list)| list.0.len());
        total = lists.fold(1, usize::saturating_mul).saturating_add(total);
        plans.push((branch, depth, turned));
    }
    if total > MAX_SCANS_TO_EXPLODE {
        return Exploded::TooMany;
    }
    let inputs = plans.into_iter().flat_map(|(branch, depth, turned)| explode(branch, depth, turned)).collect();
    let merged = Solution::Merge { pattern: query.sort.clone().unwrap_or_default(), inputs };
    Exploded::Plan(fetches.into_iter().fold(merged, |inner, filter| Solution::fetch(filter, inner)))
}

/// The filters of the fetches on top, innermost first, and what is below them.
fn unwrap_fetches(mut solution: &Solution) -> (Vec<Option<Arc<Filter>>>, &Solution) {
    let mut filters = Vec::new();
    while let Solution::Fetch { filter, input } = solution {
        filters.insert(0, filter.clone());
        solution = input;
    }
    (filters, solution)
}

fn branch_scan(branch: &Solution) -> Option<&Scan> {
    match branch {
        Solution::IxScan(scan) => Some(scan),
        Solution::Fetch { input, .. } => match &**input {
            Solution::IxScan(scan) => Some(scan),
            _ => None,
        },
        _ => None,
    }
}

/// How many leading parts hold points only, and whether the scan has to be turned, if that gives the order.
fn explodable(scan: &Scan, order: &Order, collation: &Collation) -> Option<(usize, bool)> {
    if scan.bounds.range.is_some() || scan.entry.wildcard.is_some() {
        return None;
    }
    let points = |list: &OrderedIntervals| !list.0.is_empty() && list.0.iter().all(Interval::is_point);
    let depth = scan.bounds.parts.iter().take_while(|(_, list)| points(list)).count();
    if depth == 0 || depth == scan.entry.parts.len() {
        return None;
    }
    let mut rest = Order::of_parts(&scan.entry.parts[depth..]);
    let multikey = scan.entry.parts[depth..].iter().take_while(|part| part.multikey_at.is_empty()).count();
    rest.0.truncate(multikey);
    let backward = scan.direction == crate::store::Direction::Descending;
    let rest = if backward { rest.reversed() } else { rest };
    let turned = if order.is_prefix_of(&rest) {
        false
    } else if order.is_prefix_of(&rest.reversed()) {
        true
    } else {
        return None;
    };
    let text = order.0.iter().any(|(path, _)| may_hold_text(&scan.bounds, path));
    (collation == &scan.entry.collation || !text).then_some((depth, turned))
}

fn explode(branch: &Solution, depth: usize, turned: bool) -> Vec<Solution> {
    let Some(scan) = branch_scan(branch) else { return Vec::new() };
    let mut base = scan.clone();
    if turned {
        base.reverse();
    }
    let mut scans = vec![base.clone()];
    for part in 0..depth {
        let points = base.bounds.parts[part].1.0.clone();
        scans = scans
            .into_iter()
            .flat_map(|scan| {
                points.iter().map(move |point| {
                    let mut one = scan.clone();
                    one.bounds.parts[part].1 = OrderedIntervals(vec![point.clone()]);
                    one
                })
            })
            .collect();
    }
    let filter = match branch {
        Solution::Fetch { filter, .. } => Some(filter.clone()),
        _ => None,
    };
    let wrap = |scan: Scan| {
        let scan = Solution::IxScan(Box::new(scan));
        match &filter {
            Some(filter) => Solution::fetch(filter.clone(), scan),
            None => scan,
        }
    };
    scans.into_iter().map(wrap).collect()
}
