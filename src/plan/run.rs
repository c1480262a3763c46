//! A query answered: planned, chosen, run, explained.

use std::sync::Arc;

use crate::error::Result;
use crate::store::{Collection, RecordId};
use crate::value::{AnyDocument, Document, RawDocument, RawDocumentBuf};

use super::cache::{Decision, PlanCache};
use super::exec::{Context, Row, Watcher, key_document};
use super::explain::{Explain, Limits, PlanNode, Projection, Stage, Work};
use super::planner::{Planned, Planner};
use super::query::{CanonicalQuery, Purpose, Writing};
use super::rank::{Candidate, Tried, trial_results, tried};
use super::shape::{plan_cache_key, query_hash};
use super::solution::Solution;

/// A result: the record, its document where that was read, and the index key it was found by where an index was.
#[derive(Debug, Clone, Copy)]
pub struct Hit<'c>(Row<'c>);

impl<'c> Hit<'c> {
    /// The record.
    #[must_use]
    pub fn record(&self) -> RecordId {
        self.0.record
    }

    /// The document, where it was read.
    #[must_use]
    pub fn document(&self) -> Option<&'c RawDocument> {
        self.0.document.map(|document| &**document)
    }

    /// The document that is stored, shared; where none was read, what the index key tells of it.
    #[must_use]
    pub fn given(&self) -> AnyDocument {
        match self.0.document {
            Some(stored) => stored.clone().into(),
            None => RawDocumentBuf::try_from(&self.key_document()).unwrap_or_default().into(),
        }
    }

    /// The values of the index key at their paths; empty where no index was read.
    #[must_use]
    pub fn key_document(&self) -> Document {
        self.0.key().map(|(key, scan)| key_document(key, scan)).unwrap_or_default()
    }

    /// The index key by field names, as `returnKey` gives it.
    #[must_use]
    pub fn index_key(&self) -> Document {
        let Some((key, scan)) = self.0.key() else { return Document::new() };
        let values = key.decode(super::exec::key_order(scan));
        scan.parts.iter().map(|part| part.path.to_string()).zip(values).collect()
    }
}

/// Results in their order.
#[derive(Debug, Clone)]
pub struct Hits<'c>(std::slice::Iter<'c, Row<'c>>);

impl<'c> Iterator for Hits<'c> {
    type Item = Hit<'c>;

    fn next(&mut self) -> Option<Hit<'c>> {
        self.0.next().copied().map(Hit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The query is answered; the plan cache is asked and told.
    #[default]
    Answer,
    /// The query is answered to be explained; the plan cache is left alone, as explain leaves it.
    Explain,
    /// The query is only planned.
    PlanOnly,
}

/// Plans, chooses, runs. `take` gets the results in order and the explain.
///
/// # Errors
/// Refusals of hints and bounds, and errors while filtering and sorting.
pub fn answer<R>(
    collection: Option<&Collection>,
    namespace: &str,
    query: &CanonicalQuery,
    cache: &mut PlanCache,
    mode: Mode,
    watcher: &mut impl Watcher,
    take: impl FnOnce(Hits<'_>) -> Result<R>,
) -> Result<(R, Box<Explain>)> {
    let watch = query.context.source().stopwatch();
    let mut explain = Box::new(blank(namespace, query));
    let Some(collection) = collection else {
        explain.winning = of_no_collection(query);
        let taken = take(Hits([].iter()))?;
        return Ok((taken, explain));
    };
    let planned = plan(collection, query)?;
    explain.limits = planned.limits;
    explain.query_hash = query_hash(query);
    explain.plan_cache_key = plan_cache_key(explain.query_hash, query, collection);
    let plans: Vec<PlanNode> = planned.solutions.into_iter().map(Solution::into_plan).collect();
    let context = Context { collection, query };
    let (taken, outcome) = execute(&context, &plans, cache, mode, watcher, take, &mut explain)?;
    query.context.allowance().spend(outcome.examined())?;
    tell(plans, outcome, &mut explain);
    if mode == Mode::Answer {
        cache.used(namespace, &explain.winning, query.context.now());
    }
    explain.micros = watch.micros();
    Ok((taken, explain))
}

/// Which candidate won, and all counts.
struct Counts {
    winner: usize,
    works: Vec<Work>,
    in_trial: Vec<Vec<Work>>,
    order: Vec<usize>,
}

impl Counts {
    /// Keys and documents examined by the winner and, in the trial, by the others.
    fn examined(&self) -> u64 {
        let losers = self.in_trial.iter().enumerate().filter(|(at, _)| *at != self.winner).map(|(_, works)| works);
        losers.chain([&self.works]).flatten().map(|work| work.keys_examined + work.docs_examined).sum()
    }
}

fn execute<R, W: Watcher>(
    context: &Context<'_>,
    plans: &[PlanNode],
    cache: &mut PlanCache,
    mode: Mode,
    watcher: &mut W,
    take: impl FnOnce(Hits<'_>) -> Result<R>,
    explain: &mut Explain,
) -> Result<(R, Counts)> {
    let context = *context;
    let Chosen { winner, mut candidate, in_trial, order } = choose(&context, plans, cache, mode, explain)?;
    if mode != Mode::PlanOnly {
        if W::WANTED {
            // The trial was run unwatched; who follows the run sees the winner from its first step.
            candidate = Candidate::new(&context, &plans[winner])?;
        }
        candidate.finish(watcher)?;
        candidate.machine.check()?;
    }
    let counting = context.query.purpose == Purpose::Count;
    explain.returned = if counting { candidate.machine.counted() } else { candidate.rows.len() as u64 };
    // What a trial found is no answer: of a query that is only planned nothing is given.
    let rows = if mode == Mode::PlanOnly { &[] } else { candidate.rows.as_slice() };
    let taken = take(Hits(rows.iter()))?;
    Ok((taken, Counts { winner, works: candidate.machine.works(), in_trial, order }))
}

/// Puts the plans with their counts into the explain: the winner's of the whole run, the losers' of the trial.
fn tell(mut plans: Vec<PlanNode>, counts: Counts, explain: &mut Explain) {
    let Counts { winner, works, in_trial, order } = counts;
    for loser in order.into_iter().filter(|candidate| *candidate != winner) {
        let mut plan = std::mem::replace(&mut plans[loser], PlanNode::new(Stage::Eof, Vec::new()));
        plan.set_works(&in_trial[loser]);
        explain.rejected.push(plan);
    }
    let mut plan = plans.swap_remove(winner);
    if let Some(trial) = in_trial.get(winner) {
        let mut snapshot = plan.clone();
        snapshot.set_works(trial);
        explain.winner_in_trial = Some(snapshot);
    }
    plan.set_works(&works);
    explain.winning = plan;
}

/// Every candidate for a query, in the server's order.
///
/// # Errors
/// Refusals of hints and bounds.
pub fn candidates(collection: &Collection, query: &CanonicalQuery) -> Result<Vec<PlanNode>> {
    Ok(plan(collection, query)?.solutions.into_iter().map(Solution::into_plan).collect())
}

/// Runs one plan to its end: the records in order, and the plan with its counts.
///
/// # Errors
/// Errors while filtering and sorting.
pub fn run_plan(
    collection: &Collection,
    query: &CanonicalQuery,
    mut plan: PlanNode,
    watcher: &mut impl Watcher,
) -> Result<(Vec<RecordId>, PlanNode)> {
    let mut candidate = Candidate::new(&Context { collection, query }, &plan)?;
    candidate.finish(watcher)?;
    candidate.machine.check()?;
    let records = candidate.rows.iter().map(|row| row.record).collect();
    let works = candidate.machine.works();
    drop(candidate);
    plan.set_works(&works);
    Ok((records, plan))
}

fn blank(namespace: &str, query: &CanonicalQuery) -> Explain {
    Explain {
        namespace: namespace.into(),
        filter: Arc::clone(&query.filter),
        winning: PlanNode::new(Stage::Eof, Vec::new()),
        rejected: Vec::new(),
        trials: Vec::new(),
        winner_in_trial: None,
        collation: query.collation.to_document().cloned(),
        command: Document::new(),
        pipeline: Vec::new(),
        whole_pipeline: false,
        returned: 0,
        micros: 0,
        query_hash: 0,
        plan_cache_key: 0,
        from_cache: false,
        limits: Limits::default(),
    }
}

/// The candidates, with what a count or a distinct makes of them.
fn plan(collection: &Collection, query: &CanonicalQuery) -> Result<Planned> {
    let mut planned = match super::count::fast_count(query) {
        Some(solution) => return Ok(Planned { solutions: vec![solution], ..Planned::default() }),
        None => super::subplan::plan(&Planner { collection, query })?,
    };
    if query.purpose.is_count_like()
        && let Some(by_keys) = super::count::by_keys(&planned.solutions)
    {
        planned.solutions = vec![by_keys];
    }
    for solution in &mut planned.solutions {
        let plain = std::mem::replace(solution, Solution::Eof);
        *solution = topped(query, plain);
    }
    super::distinct::adapt(collection, query, &mut planned);
    Ok(planned)
}

/// The plan over a collection that is not there: its end is told by the first unit of work. There is nothing that a write
/// could change, so that no stage for it is made (`getExecutorCount`, `getExecutorUpdate`, `get_executor.cpp`).
fn of_no_collection(query: &CanonicalQuery) -> PlanNode {
    let counted = query.purpose == Purpose::Count;
    let mut plan = if counted { topped(query, Solution::Eof) } else { Solution::Eof }.into_plan();
    let ended = Work { works: 1, is_eof: true, ..Work::default() };
    let stages = plan.all().count();
    plan.set_works(&vec![ended; stages]);
    plan
}

/// Puts the stage on top that counts or writes.
fn topped(query: &CanonicalQuery, solution: Solution) -> Solution {
    match &query.purpose {
        Purpose::Count => super::count::counting(solution),
        Purpose::Update(writing) => given(writing, Solution::Update(Box::new(solution))),
        Purpose::Delete(writing) => given(writing, Solution::Delete(Box::new(solution))),
        Purpose::Find | Purpose::EmptyDocuments | Purpose::Distinct(_) | Purpose::OnePerValue { .. } => solution,
    }
}

/// Puts the projection of what a write gives back on top of it; it is never a simple one (`applyProjection`,
/// `get_executor.cpp`).
fn given(writing: &Writing, write: Solution) -> Solution {
    if writing.fields.is_empty() {
        return write;
    }
    Solution::Projection { kind: Projection::Default, spec: writing.fields.clone(), input: Box::new(write) }
}

/// The winner at work, and how the others did.
struct Chosen<'c> {
    winner: usize,
    candidate: Candidate<'c>,
    /// Counts of all candidates at the end of the trial, by candidate.
    in_trial: Vec<Vec<Work>>,
    order: Vec<usize>,
}

fn choose<'c>(
    context: &Context<'c>,
    plans: &'c [PlanNode],
    cache: &mut PlanCache,
    mode: Mode,
    explain: &mut Explain,
) -> Result<Chosen<'c>> {
    let alone = |winner: usize, candidate| Chosen { winner, candidate, in_trial: Vec::new(), order: Vec::new() };
    if let [only] = plans {
        return Ok(alone(0, Candidate::new(context, only)?));
    }
    let (query, collection) = (context.query, context.collection);
    let cacheable = mode == Mode::Answer && super::shape::is_cacheable(query);
    let namespace = collection.namespace();
    if cacheable && let Some((winner, works)) = cache.active(collection, explain.plan_cache_key, plans) {
        let mut candidate = Candidate::new(context, &plans[winner])?;
        if candidate.stays_within(works, trial_results(query.limit))? {
            explain.from_cache = true;
            return Ok(alone(winner, candidate));
        }
        cache.deactivate(namespace, explain.plan_cache_key);
    }
    let Tried { mut candidates, trials, order } = tried(context, plans)?;
    let in_trial: Vec<_> = candidates.iter().map(|candidate| candidate.machine.works()).collect();
    explain.trials = order.iter().map(|candidate| trials[*candidate].clone()).collect();
    let winner = order[0];
    if cacheable {
        let decision = Decision { query, order: &order, plans, works: &in_trial, trials: &explain.trials };
        cache.learn(collection, explain.query_hash, explain.plan_cache_key, &decision);
    }
    let candidate = candidates.swap_remove(winner);
    Ok(Chosen { winner, candidate, in_trial, order })
}
