//! The trial of several candidates on equal work, and their ranking
//! (`multi_plan.cpp`, `plan_ranker_util.cpp` of the server).

use crate::error::Result;

use super::exec::{Context, Machine, Outcome, Row, WalkStep, Watcher};
use super::explain::{PlanNode, Stage, Trial, Work};

/// `internalQueryPlanEvaluationWorks`
const TRIAL_WORKS: u64 = 10_000;
/// `internalQueryPlanEvaluationCollFraction`
const COLLECTION_FRACTION: f64 = 0.3;
/// `internalQueryPlanEvaluationMaxResults`
const TRIAL_RESULTS: u64 = 101;

/// How many units each candidate may do in the trial.
fn trial_works(records: usize) -> u64 {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a collection's size is far below 2^53"
    )]
    let share = (records as f64 * COLLECTION_FRACTION) as u64;
    TRIAL_WORKS.max(share)
}

/// How many results end the trial.
pub(super) fn trial_results(limit: Option<u64>) -> u64 {
    limit.filter(|limit| *limit > 0).map_or(TRIAL_RESULTS, |limit| limit.min(TRIAL_RESULTS))
}

/// Room for so many rows is made at once.
const FEW_ROWS: usize = 20;

/// A candidate at work.
pub(super) struct Candidate<'c> {
    pub machine: Machine<'c>,
    pub rows: Vec<Row<'c>>,
    pub ended: bool,
}

impl<'c> Candidate<'c> {
    pub fn new(context: &Context<'c>, plan: &'c PlanNode) -> Result<Self> {
        Ok(Self { machine: context.machine(plan)?, rows: Vec::new(), ended: false })
    }

    /// Does one unit; true if the candidate has enough results or came to its end.
    pub fn work<W: Watcher>(&mut self, results: u64, watcher: &mut W) -> Result<bool> {
        match self.machine.work(watcher)? {
            Outcome::Advanced(row) | Outcome::Taken(row) => {
                if W::WANTED {
                    watcher.step(WalkStep::Returned { record: row.record });
                }
                if self.rows.is_empty() {
                    self.rows.reserve(FEW_ROWS);
                }
                self.rows.push(row);
                Ok(self.machine.judged().advanced >= results)
            }
            Outcome::NeedTime | Outcome::Made => Ok(self.machine.judged().advanced >= results),
            Outcome::Eof => {
                self.ended = true;
                Ok(true)
            }
        }
    }

    /// Runs a cached plan as long as it won before, and somewhat longer; whether it kept to that
    /// (`CachedPlanStage::pickBestPlan`).
    pub fn stays_within(&mut self, works: u64, results: u64) -> Result<bool> {
        for _ in 0..works.saturating_mul(super::cache::EVICTION_RATIO) {
            if self.work(results, &mut ())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs on to the end.
    pub fn finish<W: Watcher>(&mut self, watcher: &mut W) -> Result<()> {
        while !self.ended {
            self.work(u64::MAX, watcher)?;
        }
        Ok(())
    }
}

/// The outcome of a trial.
pub(super) struct Tried<'c> {
    /// The candidates as far as they came.
    pub candidates: Vec<Candidate<'c>>,
    /// How each of them did.
    pub trials: Vec<Trial>,
    /// The candidates' positions, best first.
    pub order: Vec<usize>,
}

/// Lets several plans for a query compete.
pub(super) fn tried<'c>(context: &Context<'c>, plans: &'c [PlanNode]) -> Result<Tried<'c>> {
    let mut candidates = plans.iter().map(|plan| Candidate::new(context, plan)).collect::<Result<Vec<_>>>()?;
    compete(&mut candidates, trial_works(context.collection.len()), trial_results(context.query.limit))?;
    let scored = candidates.iter().zip(plans);
    let trials: Vec<Trial> =
        scored.map(|(candidate, plan)| score(plan, candidate.machine.judged(), candidate.ended)).collect();
    let order = ranked(&trials);
    Ok(Tried { candidates, trials, order })
}

/// Works all candidates in turn until one has enough results or comes to its end.
fn compete(candidates: &mut [Candidate<'_>], works: u64, results: u64) -> Result<()> {
    for _ in 0..works {
        let mut decided = false;
        for candidate in candidates.iter_mut() {
            decided |= candidate.work(results, &mut ())?;
        }
        if decided {
            break;
        }
    }
    Ok(())
}

/// The score of a candidate with its parts.
fn score(plan: &PlanNode, work: &Work, ended: bool) -> Trial {
    let rows = work.advanced;
    let has = |wanted: fn(&Stage) -> bool| plan.all().any(|node| wanted(&node.stage));
    let works = work.works.max(1);
    #[expect(clippy::cast_precision_loss, reason = "units of a trial are far below 2^53")]
    let (productivity, epsilon) = (rows as f64 / works as f64, (1.0 / (10.0 * works as f64)).min(1e-4));
    let bonus = |deserved: bool| if deserved { epsilon } else { 0.0 };
    let parts = vec![
        ("baseScore", 1.0),
        ("productivity", productivity),
        ("noFetchBonus", bonus(!has(|stage| matches!(stage, Stage::Fetch { .. })))),
        ("noSortBonus", bonus(!has(|stage| matches!(stage, Stage::Sort { .. })))),
        // Index intersection is off, so every plan has this one.
        ("noIxisectBonus", bonus(true)),
        ("eofBonus", if ended { 1.0 } else { 0.0 }),
    ];
    let score = parts.iter().map(|(_, part)| part).sum();
    Trial { plan: plan.line(), advanced: rows, works: work.works, is_eof: ended, score, parts }
}

/// The candidates' positions, best first; of equal ones the earlier.
fn ranked(trials: &[Trial]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..trials.len()).collect();
    order.sort_by(|one, other| trials[*other].score.total_cmp(&trials[*one].score));
    order
}
