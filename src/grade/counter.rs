//! A small set of documents on which a wrong answer differs from the task: searched, shrunk, run again.
//!
//! Only shown data and mutations of it are tried, so that nothing hidden is ever told.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{short, text};
use super::compare;
use super::judge::{Board, Judge};
use super::report::CounterExample;
use super::trial::{self, Trial};
use crate::course::{Check, CheckKind, Compare, OrderRule};
use crate::engine::{Command, Database};
use crate::proof::{self, Effort};
use crate::shell::{Failure, FailureKind, Limits};
use crate::value::{Bson, Document, Source, document_bytes};

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

/// A question is asked hundreds of times in a search; a larger one than this is not.
const LARGEST_QUESTION: usize = 64 << 10;

fn question_bytes(search: &Command) -> usize {
    match search {
        Command::Find(find) => document_bytes(&find.filter),
        Command::Aggregate(aggregate) => aggregate.pipeline.iter().map(document_bytes).sum(),
        _ => 0,
    }
}

/// What both said of a set of documents.
struct Verdicts {
    expected: String,
    actual: String,
}

/// The fields that all elements of an array have, by the array's path.
#[derive(Default)]
struct Form(BTreeMap<String, BTreeSet<String>>);

impl Form {
    fn of(pool: &[Document]) -> Self {
        let mut form = Self::default();
        for document in pool {
            each_element(document, "", &mut |path, element| {
                let fields: BTreeSet<String> = element.keys().cloned().collect();
                form.0
                    .entry(path.to_owned())
                    .and_modify(|known| known.retain(|name| fields.contains(name)))
                    .or_insert(fields);
            });
        }
        form
    }

    fn is_kept(&self, document: &Document) -> bool {
        let mut kept = true;
        each_element(document, "", &mut |path, element| {
            kept &= self.0.get(path).is_none_or(|fields| fields.iter().all(|name| element.contains_key(name)));
        });
        kept
    }
}

/// Hands over every document that is an element of an array, with the array's path.
fn each_element(document: &Document, prefix: &str, hear: &mut dyn FnMut(&str, &Document)) {
    for (name, value) in document {
        let path = format!("{prefix}{name}");
        match value {
            Bson::Document(inner) => each_element(inner, &format!("{path}."), hear),
            Bson::Array(items) => {
                for element in items.iter().filter_map(Bson::as_document) {
                    hear(&path, element);
                    each_element(element, &format!("{path}."), hear);
                }
            }
            _ => {}
        }
    }
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
    if answer.search.is_some_and(|search| question_bytes(search) > LARGEST_QUESTION) {
        return None;
    }
    let search = Search { board, model, answer, collection, what, order, limits };
    let pool: Vec<Document> = trial::documents(&board.base, collection)
        .into_iter()
        .filter_map(|row| if let Bson::Document(row) = row { Some(row) } else { None })
        .collect();
    let form = Form::of(&pool);
    let differs = |set: &[Document]| search.run(set, How::Quick).is_some();
    let in_form = |set: &[Document]| set.iter().all(|document| form.is_kept(document)) && differs(set);
    let found = |differs: &dyn Fn(&[Document]) -> bool| {
        let effort = Effort { runs: RUNS, sets: SETS };
        let mut source = Source::seeded(judge.settings.seed);
        let mut found = proof::search(&pool, &[], effort, &mut source, differs)?.documents;
        proof::shrink(&mut found, RUNS, differs);
        Some(found)
    };
    // A case of the course's own form is understood at once; one of another form is better than none.
    let found = found(&in_form).or_else(|| found(&differs))?;
    let Verdicts { expected, actual } = search.run(&found, How::Whole)?;
    let documents = found.into_iter().map(|document| text(&Bson::Document(document))).collect();
    Some(CounterExample { collection: collection.into(), documents, expected, actual })
}

impl Search<'_> {
    /// What both say of a set of documents, where they differ.
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
}

fn said(value: &Bson) -> String {
    match value {
        Bson::Array(list) => format!("[{}]", list.iter().map(short).collect::<Vec<_>>().join(", ")),
        other => short(other),
    }
}
