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
use crate::engine::{Command, Database};
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
    model: Side<'a>,
    answer: Side<'a>,
    collection: &'a str,
    what: Compare,
    order: OrderRule,
    limits: Limits,
    left: Cell<u32>,
}

/// One of the two that are compared.
struct Side<'a> {
    text: &'a str,
    /// The one search that is all the text does.
    search: Option<&'a Command>,
}

/// How a text is run: whole, or only the search that is all it does, which costs a hundredth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Quick,
    Whole,
}

impl Side<'_> {
    /// What it answers on a store.
    fn run(&self, host: &Database, limits: &Limits, how: How) -> Result<Bson, Failure> {
        if let Some(search) = self.search.filter(|_| how == How::Quick)
            && let Some(found) = trial::searched(host, search, limits)
        {
            return Ok(found);
        }
        let trial = Trial::run(host, self.text, limits);
        trial.value.map(|_| trial.answer)
    }
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
    let model = Side { text: &judge.exercise.model()?.text, search: board.model.search.as_ref() };
    let answer = Side { text: answer, search: trial.search.as_ref() };
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
    let Verdicts { expected, actual } = search.run(&found, How::Whole)?;
    let documents = found.into_iter().map(|document| text(&Bson::Document(document))).collect();
    Some(CounterExample { collection: collection.into(), documents, expected, actual })
}

impl Search<'_> {
    /// What both say, where they differ and the budget allows another run.
    fn differs(&self, documents: &[Document]) -> Option<Verdicts> {
        self.left.set(self.left.get().checked_sub(1)?);
        self.run(documents, How::Quick)
    }

    fn run(&self, documents: &[Document], how: How) -> Option<Verdicts> {
        let host = trial::with_documents(&self.board.base, self.collection, documents)?;
        let expected = self.model.run(&host, &self.limits, how).ok()?;
        let actual = match self.answer.run(&host, &self.limits, how) {
            Ok(actual) => actual,
            Err(Failure { kind: FailureKind::Limit(_), .. }) => return None,
            Err(failure) => return Some(Verdicts { expected: said(&expected), actual: failure.message }),
        };
        let same = compare::results(&expected, &actual, self.what, self.order).is_none();
        (!same).then(|| Verdicts { expected: said(&expected), actual: said(&actual) })
    }

    /// Takes away documents, then parts of documents, while the difference stays, until nothing can be taken away.
    fn shrink(&self, set: &mut Vec<Document>) {
        loop {
            let mut is_smaller = self.shrink_set(set);
            for at in 0..set.len() {
                is_smaller |= self.shrink_document(set, at);
            }
            if !is_smaller {
                break;
            }
        }
    }

    /// Takes away documents, half of them first; tells whether one could go.
    fn shrink_set(&self, set: &mut Vec<Document>) -> bool {
        let before = set.len();
        let mut size = (before / 2).max(1);
        while size > 0 {
            let mut at = 0;
            while at < set.len() {
                let mut less = set.clone();
                less.drain(at..(at + size).min(less.len()));
                if self.differs(&less).is_some() { *set = less } else { at += size }
            }
            size /= 2;
        }
        set.len() < before
    }

    /// Takes away parts of one document; tells whether one could go.
    fn shrink_document(&self, set: &mut Vec<Document>, at: usize) -> bool {
        let (mut step, mut is_smaller) = (0, false);
        while let Some(smaller) = smaller(&set[at], step) {
            let mut less = set.clone();
            less[at] = smaller;
            if self.differs(&less).is_some() {
                (*set, is_smaller) = (less, true);
            } else {
                step += 1;
            }
        }
        is_smaller
    }
}

fn said(value: &Bson) -> String {
    match value {
        Bson::Array(list) => format!("[{}]", list.iter().map(short).collect::<Vec<_>>().join(", ")),
        other => short(other),
    }
}

/// The document without its part number `step`: whole fields first, then what they hold; the `_id` stays.
fn smaller(document: &Document, step: usize) -> Option<Document> {
    let mut paths: Vec<Vec<usize>> = Vec::new();
    let fields: Vec<&Bson> = document.values().collect();
    list_parts(&fields, &[], &mut paths);
    paths.retain(|path| document.keys().nth(path[0]).is_some_and(|name| name != "_id"));
    paths.sort_by_key(Vec::len);
    Some(without(document, paths.get(step)?))
}

/// The paths of all parts, by position.
fn list_parts(parts: &[&Bson], above: &[usize], paths: &mut Vec<Vec<usize>>) {
    for (at, part) in parts.iter().enumerate() {
        let path = [above, &[at]].concat();
        paths.push(path.clone());
        match part {
            Bson::Document(inner) => list_parts(&inner.values().collect::<Vec<_>>(), &path, paths),
            Bson::Array(inner) => list_parts(&inner.iter().collect::<Vec<_>>(), &path, paths),
            _ => {}
        }
    }
}

fn without(document: &Document, path: &[usize]) -> Document {
    let keep = |(at, (name, value)): (usize, (&String, &Bson))| match path {
        [last] if *last == at => None,
        [first, rest @ ..] if *first == at => Some((name.clone(), without_part(value, rest))),
        _ => Some((name.clone(), value.clone())),
    };
    document.iter().enumerate().filter_map(keep).collect()
}

fn without_part(value: &Bson, path: &[usize]) -> Bson {
    match (value, path) {
        (Bson::Document(inner), path) => Bson::Document(without(inner, path)),
        (Bson::Array(list), [last]) => {
            Bson::Array(list.iter().enumerate().filter(|(at, _)| at != last).map(|(_, item)| item.clone()).collect())
        }
        (Bson::Array(list), [first, rest @ ..]) => {
            let part = |(at, item): (usize, &Bson)| if at == *first { without_part(item, rest) } else { item.clone() };
            Bson::Array(list.iter().enumerate().map(part).collect())
        }
        (other, _) => other.clone(),
    }
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
