//! A small set of documents on which a wrong answer differs from the task: searched, shrunk, run again.
//!
//! Only shown data and mutations of it are tried, so that nothing hidden is ever told.

use std::cell::Cell;

use super::check::{short, text};
use super::compare;
use super::judge::{Board, Judge};
use super::report::CounterExample;
use super::trial::{self, Trial};
use crate::course::{Check, CheckKind, Compare, OrderRule};
use crate::shell::{Failure, FailureKind, Limits};
use crate::value::{Bson, Document, Source};

/// How many pairs of runs a search may take.
const RUNS: u32 = 240;
/// How many mutated data sets are tried.
const SETS: usize = 12;

/// Loop turns of one run in a search.
const STEPS: u64 = 1_000_000;
/// Work in the store of one run in a search.
const WORK: u64 = 100_000;

struct Search<'a> {
    board: &'a Board,
    model: &'a str,
    answer: &'a str,
    collection: &'a str,
    what: Compare,
    order: OrderRule,
    limits: Limits,
    left: Cell<u32>,
}

/// What both said of a set of documents.
struct Verdicts {
    expected: String,
    actual: String,
}

/// A search runs an answer often, on little data.
fn limits(of_answer: &Limits) -> Limits {
    Limits { steps: STEPS, work: Some(WORK), ..of_answer.clone() }
}

/// Looks for a counter-example to an answer that only reads.
pub(super) fn search(judge: &Judge<'_>, check: &Check, answer: &str, trial: &Trial) -> Option<CounterExample> {
    let CheckKind::Result { compare: what, order } = check.kind else { return None };
    let board = judge.boards.first()?;
    if trial.writes > 0 || board.model.writes > 0 || board.model.collection.is_empty() {
        return None;
    }
    let collection = board.model.collection.as_str();
    let model = &judge.exercise.model()?.text;
    let limits = limits(&judge.settings.limits);
    let search = Search { board, model, answer, collection, what, order, limits, left: Cell::new(RUNS) };
    let pool: Vec<Document> = trial::documents(&board.base, collection)
        .into_iter()
        .filter_map(|row| if let Bson::Document(row) = row { Some(row) } else { None })
        .collect();
    let mut source = Source::seeded(judge.settings.seed);
    let sets = std::iter::once(pool.clone()).chain((0..SETS).map(|_| mutated(&pool, &mut source)));
    let mut found = sets.into_iter().find(|set| search.differs(set).is_some())?;
    search.shrink(&mut found);
    let Verdicts { expected, actual } = search.run(&found)?;
    let documents = found.into_iter().map(|document| text(&Bson::Document(document))).collect();
    Some(CounterExample { collection: collection.into(), documents, expected, actual })
}

impl Search<'_> {
    /// What both say, where they differ and the budget allows another run.
    fn differs(&self, documents: &[Document]) -> Option<Verdicts> {
        self.left.set(self.left.get().checked_sub(1)?);
        self.run(documents)
    }

    fn run(&self, documents: &[Document]) -> Option<Verdicts> {
        let host = trial::with_documents(&self.board.base, self.collection, documents)?;
        let expected = Trial::run(&host, self.model, &self.limits).value.ok()?;
        let actual = match Trial::run(&host, self.answer, &self.limits).value {
            Ok(actual) => actual,
            Err(Failure { kind: FailureKind::Limit(_), .. }) => return None,
            Err(failure) => return Some(Verdicts { expected: said(&expected), actual: failure.message }),
        };
        let same = compare::results(&expected, &actual, self.what, self.order).is_none();
        (!same).then(|| Verdicts { expected: said(&expected), actual: said(&actual) })
    }

    /// Takes away documents, then parts of documents, while the difference stays.
    fn shrink(&self, set: &mut Vec<Document>) {
        let mut size = set.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at < set.len() && set.len() > 1 {
                let mut less = set.clone();
                less.drain(at..(at + size).min(less.len()));
                if self.differs(&less).is_some() { *set = less } else { at += size }
            }
            size /= 2;
        }
        for at in 0..set.len() {
            self.shrink_document(set, at);
        }
    }

    fn shrink_document(&self, set: &mut Vec<Document>, at: usize) {
        let mut step = 0;
        while let Some(smaller) = smaller(&set[at], step) {
            let mut less = set.clone();
            less[at] = smaller;
            if self.differs(&less).is_some() { *set = less } else { step += 1 }
        }
    }
}

fn said(value: &Bson) -> String {
    match value {
        Bson::Array(list) => format!("[{}]", list.iter().map(short).collect::<Vec<_>>().join(", ")),
        other => short(other),
    }
}

/// The document without its part number `step`: first whole fields, then elements of arrays.
fn smaller(document: &Document, step: usize) -> Option<Document> {
    let names: Vec<&String> = document.keys().filter(|name| *name != "_id").collect();
    let elements = names.iter().flat_map(|name| {
        let count = document.get_array(name.as_str()).map_or(0, Vec::len);
        (0..count).map(move |at| (*name, Some(at)))
    });
    let (name, element) = names.iter().map(|name| (*name, None)).chain(elements).nth(step)?;
    let mut less = document.clone();
    match element {
        None => {
            less.remove(name);
        }
        Some(at) => {
            less.get_array_mut(name).ok()?.remove(at);
        }
    }
    Some(less)
}

/// The pool's documents with elements dropped, exchanged and borrowed from others, under fresh ids.
fn mutated(pool: &[Document], source: &mut Source) -> Vec<Document> {
    let mut set = Vec::new();
    for number in 0..pool.len().min(24) {
        let mut document = pool[below(source, pool.len())].clone();
        let other = &pool[below(source, pool.len())];
        let arrays: Vec<String> =
            document.iter().filter(|(_, value)| value.as_array().is_some()).map(|(name, _)| name.clone()).collect();
        for name in arrays {
            mutate(&mut document, other, &name, source);
        }
        document.insert("_id", i32::try_from(1001 + number).unwrap_or_default());
        set.push(document);
    }
    set
}

fn mutate(document: &mut Document, other: &Document, name: &str, source: &mut Source) {
    let lent = other.get_array(name).ok().filter(|list| !list.is_empty());
    let lent = lent.map(|list| list[below(source, list.len())].clone());
    let Ok(list) = document.get_array_mut(name) else { return };
    match (below(source, 3), lent) {
        (0, Some(lent)) => list.push(lent),
        (1, _) if !list.is_empty() => {
            list.remove(below(source, list.len()));
        }
        (_, Some(lent)) if !list.is_empty() => {
            let at = below(source, list.len());
            exchange(&mut list[at], &lent);
        }
        _ => {}
    }
}

/// Gives an element another element's value of one field, so that keys and values cross.
fn exchange(element: &mut Bson, lent: &Bson) {
    if let (Bson::Document(element), Bson::Document(lent)) = (element, lent)
        && let Some((name, value)) = lent.iter().nth(1)
    {
        element.insert(name.clone(), value.clone());
    }
}

fn below(source: &mut Source, count: usize) -> usize {
    let count = u64::try_from(count.max(1)).unwrap_or(1);
    usize::try_from(source.next_u64() % count).unwrap_or_default()
}
