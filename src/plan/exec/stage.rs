//! One machine per stage.

use crate::error::{CommandError, ErrorCode, Result};
use crate::plan::{CanonicalQuery, Gives, PlanNode, Stage, Work, Writing};
use crate::query::{Filter, Matcher, SortPattern};
use crate::store::{Collection, Direction, Index, RecordId};
use crate::value::{Bson, SharedDocument, View};

use super::merge::Merging;
use super::proven::Asked;
use super::row::Row;
use super::scan::{Scanning, Seen};
use super::sort::Sorting;
use super::watch::{WalkStep, Watcher};

/// What one unit of work gave.
#[derive(Clone, Copy)]
pub(in crate::plan) enum Outcome<'c> {
    Advanced(Row<'c>),
    /// A row that the stage keeps to itself, to be written.
    Taken(Row<'c>),
    /// A document that the stage made and gives.
    Made,
    NeedTime,
    Eof,
}

impl Work {
    /// Counts a unit of work by what it gave.
    #[inline]
    fn count(&mut self, outcome: &Outcome<'_>) {
        self.works += 1;
        match outcome {
            Outcome::Advanced(_) | Outcome::Made => self.advanced += 1,
            Outcome::NeedTime | Outcome::Taken(_) => self.need_time += 1,
            Outcome::Eof => self.is_eof = true,
        }
    }
}

/// What machines are made from.
#[derive(Clone, Copy)]
pub(in crate::plan) struct Context<'c> {
    pub collection: &'c Collection,
    pub query: &'c CanonicalQuery<'c>,
}

/// A stage at work.
pub(in crate::plan) struct Machine<'c> {
    kind: Kind<'c>,
    work: Work,
    /// The stage's number, depth first.
    number: usize,
    inputs: Vec<Machine<'c>>,
}

enum Kind<'c> {
    Eof,
    IdHack {
        id: &'c Bson,
        done: bool,
        collection: &'c Collection,
    },
    CollScan {
        rows: Box<dyn Iterator<Item = (RecordId, &'c SharedDocument)> + 'c>,
        filter: Option<Box<Matcher>>,
    },
    IxScan(Box<Scanning<'c>>),
    CountScan(Box<Scanning<'c>>),
    DistinctScan(Box<Scanning<'c>>, usize),
    Fetch {
        asked: Box<Asked<'c>>,
        collection: &'c Collection,
    },
    Or {
        at: usize,
        seen: Seen,
    },
    Merge(Box<Merging<'c>>),
    Sort(Box<Sorting<'c>>),
    Limit(u64),
    Skip(u64),
    /// Stages that hand rows on as they are: what they make of them is done at the end.
    Pass,
    Count {
        skip: u64,
        limit: Option<u64>,
    },
    FastCount {
        left: u64,
    },
    /// Takes what is to be written, or the first of it.
    Write {
        left: Option<u64>,
        writing: &'c Writing,
    },
}

impl<'c> Context<'c> {
    pub(super) fn matcher(&self, filter: Option<&Filter>) -> Result<Option<Matcher>> {
        filter.map(|filter| Matcher::with_context(filter, self.query.context.clone())).transpose()
    }

    fn sort_pattern(&self, pattern: &bson::Document) -> Result<SortPattern> {
        SortPattern::parse(pattern, self.query.collation.clone())
    }

    pub(super) fn index(&self, name: &str) -> Result<&'c Index> {
        let gone = || CommandError::new(ErrorCode::IndexNotFound, format!("index not found: {name}"));
        self.collection.index(name).ok_or_else(gone)
    }

    /// Makes the machine of a plan.
    pub fn machine(&self, plan: &'c PlanNode) -> Result<Machine<'c>> {
        let mut number = 0;
        self.build(plan, &mut number)
    }

    fn build(&self, plan: &'c PlanNode, next: &mut usize) -> Result<Machine<'c>> {
        let number = *next;
        *next += 1;
        let kind = match &plan.stage {
            Stage::Eof => Kind::Eof,
            Stage::IdHack { id } => Kind::IdHack { id, done: false, collection: self.collection },
            Stage::CollScan { filter, direction } => {
                let filter = self.matcher(filter.as_deref())?.map(Box::new);
                Kind::CollScan { rows: self.collection.scan_stored(*direction), filter }
            }
            Stage::IxScan { scan, filter } => {
                let filter = self.matcher(filter.as_deref())?;
                Kind::IxScan(Box::new(Scanning::new(scan, self.index(&scan.index.name)?, filter)))
            }
            Stage::CountScan(scan) => {
                Kind::CountScan(Box::new(Scanning::new(scan, self.index(&scan.index.name)?, None)))
            }
            Stage::DistinctScan { scan, part } => {
                Kind::DistinctScan(Box::new(Scanning::new(scan, self.index(&scan.index.name)?, None)), *part)
            }
            Stage::Fetch { filter } => {
                let scan = plan.inputs.first().and_then(|input| match &input.stage {
                    Stage::IxScan { scan, .. } => Some(scan),
                    _ => None,
                });
                let asked = Box::new(Asked::new(self, filter.as_deref(), scan)?);
                Kind::Fetch { asked, collection: self.collection }
            }
            Stage::Or => Kind::Or { at: 0, seen: Seen::default() },
            Stage::SortMerge { pattern } => {
                Kind::Merge(Box::new(Merging::new(self.sort_pattern(pattern)?, plan.inputs.len())))
            }
            Stage::Sort { pattern, limit, .. } => {
                Kind::Sort(Box::new(Sorting::new(self.sort_pattern(pattern)?, *limit)))
            }
            Stage::Limit(limit) => Kind::Limit(*limit),
            Stage::Skip(skip) => Kind::Skip(*skip),
            Stage::Count => {
                Kind::Count { skip: self.query.skip.unwrap_or(0), limit: self.query.limit.filter(|limit| *limit > 0) }
            }
            Stage::FastCount => Kind::FastCount { left: self.collection.len() as u64 },
            Stage::Projection { .. } | Stage::ReturnKey | Stage::Subplan => Kind::Pass,
            Stage::Update | Stage::Delete => match self.query.purpose.writing() {
                Some(writing) => Kind::Write { left: self.query.limit, writing },
                None => Kind::Pass,
            },
        };
        let inputs = plan.inputs.iter().map(|input| self.build(input, next)).collect::<Result<Vec<_>>>()?;
        Ok(Machine { kind, work: Work::default(), number, inputs })
    }
}

impl<'c> Machine<'c> {
    /// Does one unit of work.
    ///
    /// # Errors
    /// Those of sort keys and of expressions in filters.
    pub fn work<W: Watcher>(&mut self, watcher: &mut W) -> Result<Outcome<'c>> {
        let outcome = self.unit(watcher)?;
        self.work.count(&outcome);
        Ok(outcome)
    }

    /// Lets the one input do a unit of work; most look-ups read an index below a FETCH, which takes no turn through all kinds.
    #[inline]
    fn input<W: Watcher>(&mut self, watcher: &mut W) -> Result<Outcome<'c>> {
        let input = &mut self.inputs[0];
        let Kind::IxScan(scanning) = &mut input.kind else { return input.work(watcher) };
        let outcome = scanning.work(input.number, &mut input.work, watcher);
        input.work.count(&outcome);
        Ok(outcome)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a unit of each stage passes here; called, it copies the row once more")]
    fn unit<W: Watcher>(&mut self, watcher: &mut W) -> Result<Outcome<'c>> {
        let (stage, work) = (self.number, &mut self.work);
        match &mut self.kind {
            Kind::Eof => Ok(Outcome::Eof),
            Kind::IdHack { id, done, collection } => Ok(look_up(id, done, collection, stage, work, watcher)),
            Kind::CollScan { rows, filter } => Ok(scan_collection(rows, filter.as_deref(), stage, work, watcher)),
            Kind::IxScan(scanning) => Ok(scanning.work(stage, work, watcher)),
            Kind::CountScan(scanning) => Ok(scanning.count(stage, work, watcher)),
            Kind::DistinctScan(scanning, part) => Ok(scanning.distinct(*part, stage, work, watcher)),
            Kind::Fetch { .. } => self.fetch(watcher),
            Kind::Or { .. } => self.or(watcher),
            Kind::Merge(_) => self.merge(watcher),
            Kind::Sort(_) => self.sort(watcher),
            Kind::Limit(0) => Ok(Outcome::Eof),
            Kind::Limit(left) => {
                let outcome = self.inputs[0].work(watcher)?;
                *left -= u64::from(matches!(outcome, Outcome::Advanced(_)));
                self.work.is_eof = *left == 0;
                Ok(outcome)
            }
            Kind::Skip(left) => match self.inputs[0].work(watcher)? {
                Outcome::Advanced(_) if *left > 0 => {
                    *left -= 1;
                    Ok(Outcome::NeedTime)
                }
                outcome => Ok(outcome),
            },
            Kind::Pass => self.inputs.first_mut().map_or(Ok(Outcome::Eof), |input| input.work(watcher)),
            Kind::Count { limit: Some(limit), .. } if work.counted >= *limit => Ok(Outcome::Eof),
            Kind::Count { skip, .. } => match self.inputs[0].work(watcher)? {
                Outcome::Advanced(_) => {
                    if work.skipped < *skip {
                        work.skipped += 1;
                    } else {
                        work.counted += 1;
                    }
                    Ok(Outcome::NeedTime)
                }
                outcome => Ok(outcome),
            },
            Kind::Write { left: Some(0), .. } => Ok(Outcome::Eof),
            Kind::Write { left, writing } => {
                let outcome =
                    if self.inputs[0].is_exhausted() { Outcome::Eof } else { self.inputs[0].work(watcher)? };
                Ok(write(writing, left, outcome, work))
            }
            Kind::FastCount { left } => {
                work.counted = *left;
                Ok(Outcome::Eof)
            }
        }
    }

    fn fetch<W: Watcher>(&mut self, watcher: &mut W) -> Result<Outcome<'c>> {
        let outcome = self.input(watcher)?;
        let (Kind::Fetch { asked, collection }, Outcome::Advanced(mut row)) = (&mut self.kind, outcome) else {
            return Ok(outcome);
        };
        if row.document.is_none() {
            self.work.docs_examined += 1;
            row.document = collection.stored(row.record);
            if W::WANTED {
                watcher.step(WalkStep::Fetch { stage: self.number, record: row.record });
            }
        }
        let Some(document) = row.document else { return Ok(Outcome::NeedTime) };
        if asked.passes(row.record, document) {
            return Ok(Outcome::Advanced(row));
        }
        if W::WANTED {
            watcher.step(WalkStep::Rejected { stage: self.number, record: row.record });
        }
        Ok(Outcome::NeedTime)
    }

    fn or<W: Watcher>(&mut self, watcher: &mut W) -> Result<Outcome<'c>> {
        let Kind::Or { at, seen } = &mut self.kind else { return Ok(Outcome::Eof) };
        let Some(input) = self.inputs.get_mut(*at) else { return Ok(Outcome::Eof) };
        match input.work(watcher)? {
            Outcome::Advanced(row) => {
                self.work.dups_tested += 1;
                if seen.insert(row.record) {
                    return Ok(Outcome::Advanced(row));
                }
                self.work.dups_dropped += 1;
                if W::WANTED {
                    watcher.step(WalkStep::DuplicateDropped { stage: self.number, record: row.record });
                }
                Ok(Outcome::NeedTime)
            }
            Outcome::Eof => {
                *at += 1;
                Ok(if *at >= self.inputs.len() { Outcome::Eof } else { Outcome::NeedTime })
            }
            Outcome::NeedTime | Outcome::Taken(_) | Outcome::Made => Ok(Outcome::NeedTime),
        }
    }

    fn merge<W: Watcher>(&mut self, watcher: &mut W) -> Result<Outcome<'c>> {
        let Kind::Merge(merging) = &mut self.kind else { return Ok(Outcome::Eof) };
        let Some(input) = merging.waiting.front().copied() else {
            return Ok(merging.take().map_or(Outcome::Eof, Outcome::Advanced));
        };
        match self.inputs[input].work(watcher)? {
            Outcome::Advanced(row) => {
                self.work.dups_tested += 1;
                if merging.seen.insert(row.record) {
                    merging.waiting.pop_front();
                    merging.offer(input, row)?;
                } else {
                    self.work.dups_dropped += 1;
                    if W::WANTED {
                        watcher.step(WalkStep::DuplicateDropped { stage: self.number, record: row.record });
                    }
                }
            }
            Outcome::Eof => {
                merging.waiting.pop_front();
            }
            Outcome::NeedTime | Outcome::Taken(_) | Outcome::Made => {}
        }
        Ok(Outcome::NeedTime)
    }

    fn sort<W: Watcher>(&mut self, watcher: &mut W) -> Result<Outcome<'c>> {
        let Kind::Sort(sorting) = &mut self.kind else { return Ok(Outcome::Eof) };
        if sorting.is_sorted() {
            let row = sorting.next();
            self.work.is_eof = sorting.is_exhausted();
            return Ok(row.map_or(Outcome::Eof, Outcome::Advanced));
        }
        match self.inputs[0].work(watcher)? {
            Outcome::Advanced(row) => sorting.add(row, &mut self.work)?,
            Outcome::Eof => {
                let rows = sorting.finish();
                if W::WANTED {
                    watcher.step(WalkStep::Sorted { stage: self.number, rows });
                }
            }
            Outcome::NeedTime | Outcome::Taken(_) | Outcome::Made => {}
        }
        Ok(Outcome::NeedTime)
    }

    /// Results counted so far, of a plan that counts.
    pub fn counted(&self) -> u64 {
        self.work.counted
    }

    /// The counts a trial goes by: those of the plan below the stage that counts or writes.
    pub fn judged(&self) -> &Work {
        match (&self.kind, self.inputs.first()) {
            (Kind::Count { .. } | Kind::Write { .. }, Some(input)) => input.judged(),
            (Kind::Pass, Some(input)) if matches!(input.kind, Kind::Write { .. }) => input.judged(),
            _ => &self.work,
        }
    }

    /// Whether it is known to give nothing any more before it is asked for it (`isEOF`): a write does not ask then.
    fn is_exhausted(&self) -> bool {
        match &self.kind {
            Kind::IdHack { done, .. } => *done,
            Kind::Sort(sorting) => sorting.is_exhausted(),
            _ => false,
        }
    }

    /// The first error of an expression in a filter.
    ///
    /// # Errors
    /// That error.
    pub fn check(&self) -> Result<()> {
        match &self.kind {
            Kind::CollScan { filter: Some(filter), .. } => filter.check()?,
            Kind::Fetch { asked, .. } => asked.check()?,
            _ => {}
        }
        self.inputs.iter().try_for_each(Self::check)
    }

    /// The counts of all stages, depth first.
    pub fn works(&self) -> Vec<Work> {
        let mut all = Vec::new();
        self.add_works(&mut all);
        all
    }

    fn add_works(&self, all: &mut Vec<Work>) {
        all.push(self.work.clone());
        self.inputs.iter().for_each(|input| input.add_works(all));
    }
}

/// What a write makes of what its input gave (`UpdateStage::doWork`, `UpsertStage::doWork`, `DeleteStage::doWork`).
fn write<'c>(writing: &Writing, left: &mut Option<u64>, outcome: Outcome<'c>, work: &mut Work) -> Outcome<'c> {
    match outcome {
        Outcome::Advanced(row) => {
            work.written += 1;
            *left = left.map(|left| left - 1);
            if writing.gives == Gives::Nothing { Outcome::Taken(row) } else { Outcome::Advanced(row) }
        }
        Outcome::Eof if writing.upsert && work.written == 0 => {
            work.upserted = 1;
            *left = Some(0);
            if writing.gives == Gives::After { Outcome::Made } else { Outcome::Eof }
        }
        outcome => outcome,
    }
}

fn look_up<'c, W: Watcher>(
    id: &Bson,
    done: &mut bool,
    collection: &'c Collection,
    stage: usize,
    work: &mut Work,
    watcher: &mut W,
) -> Outcome<'c> {
    if std::mem::replace(done, true) {
        return Outcome::Eof;
    }
    work.is_eof = true;
    let Some(index) = collection.index("_id_") else { return Outcome::Eof };
    let key = index.key_of([View::from(id)]);
    let mut cursor = index.cursor(Direction::Ascending);
    cursor.seek(key.bytes(), true);
    let Some(entry) = cursor.current().filter(|entry| entry.key.bytes() == key.bytes()) else { return Outcome::Eof };
    work.keys_examined += 1;
    work.docs_examined += 1;
    if W::WANTED {
        watcher.step(WalkStep::KeyExamined { stage, key: vec![id.clone()], record: entry.id, inside: true });
        watcher.step(WalkStep::Fetch { stage, record: entry.id });
    }
    Outcome::Advanced(Row { record: entry.id, document: collection.stored(entry.id), entry: None })
}

/// One unit of a collection scan: a document each, and one more for the end (explains of 7.0.16 show one more unit of work than
/// documents examined; versions before 7.0 took another to open the cursor).
fn scan_collection<'c, W: Watcher>(
    rows: &mut dyn Iterator<Item = (RecordId, &'c SharedDocument)>,
    filter: Option<&Matcher>,
    stage: usize,
    work: &mut Work,
    watcher: &mut W,
) -> Outcome<'c> {
    let Some((record, document)) = rows.next() else { return Outcome::Eof };
    work.docs_examined += 1;
    if W::WANTED {
        watcher.step(WalkStep::Fetch { stage, record });
    }
    if filter.is_none_or(|filter| filter.matches_stored(document)) {
        return Outcome::Advanced(Row { record, document: Some(document), entry: None });
    }
    if W::WANTED {
        watcher.step(WalkStep::Rejected { stage, record });
    }
    Outcome::NeedTime
}
