//! `$` changed the first of several elements that the filter asks for.

use std::collections::BTreeSet;

use super::change::{Change, Cut, Target, each_target, pairs, shown_id, write};
use crate::engine::{Command, Find, Reply};
use crate::pitfall::elements::{elements, meeting, prefixed};
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::query::{Collation, Filter};
use crate::update::{Application, UpdateProgram};
use crate::value::{Bson, Document, Path, RawDocument, equal, identical_documents};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "positional-updates-first-only",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("specs.$ changes one of several", "specs.$ ändert eines von mehreren"),
    explanation: Words::new(
        "`$` stands for the first matching element of each document. The others stay as they were, and `modifiedCount` looks complete.",
        "`$` steht für das erste passende Element jedes Dokuments. Die anderen bleiben, wie sie waren, und `modifiedCount` sieht vollständig aus.",
    ),
    message: Words::new(
        "{n more elements} of `{array}` in {m documents} {n|meets|meet} your condition and {n|was|were} left as {n|it was|they were}, such as position {at} in _id {id}.",
        "{n} weitere Elemente von `{array}` in {m Dokumenten} {n|erfüllt|erfüllen} deine Bedingung und {n|blieb, wie es war|blieben, wie sie waren}, etwa Position {at} in _id {id}.",
    ),
    cure: Words::new(
        "`specs.$[e]` with `arrayFilters` changes every element that meets the condition.",
        "`specs.$[e]` mit `arrayFilters` ändert jedes Element, das die Bedingung erfüllt.",
    ),
    example: r#"db.c.updateMany({"specs.u": "inch"}, {$set: {"specs.$.u": "in"}})"#,
    detect: |case| each_target(case, sight),
};

/// A document with elements that the condition asks for and `$` passed over.
struct Passed<'a> {
    before: &'a RawDocument,
    after: &'a RawDocument,
    /// Their positions.
    elements: Vec<usize>,
    /// Whether changing them too would have given another document.
    differs: bool,
}

/// Said where the elements left as they were hold what they would have been given.
const BY_CHANCE: Words = Words::new(
    "{n} more {n|element|elements} of `{array}` in {m documents} {n|meets|meet} your condition and {n|was|were} \
     passed over, such as position {at} in _id {id}.",
    "{n} {n|weiteres Element|weitere Elemente} von `{array}` in {m Dokumenten} {n|erfüllt|erfüllen} deine \
     Bedingung und {n|wurde|wurden} übergangen, etwa Position {at} in _id {id}.",
);

fn sight<'a>(case: &Case<'a>, change: &Change<'a>, target: &Target<'_>) -> Option<Sighting> {
    let cut = target.cut().filter(|cut| cut.positional == "$" && target.operator != "$unset")?;
    let condition = change.condition(&cut.array)?;
    let (operators, filters) = cured(change, &cut, &condition);
    let program = UpdateProgram::operators(&operators, &filters, &Collation::simple()).ok()?;
    let passed: Vec<Passed<'_>> = met(case, change)
        .into_iter()
        .filter_map(|(before, after)| Passed::of(before, after, &cut.array, &condition, &program))
        .collect();
    let differ: Vec<&Passed<'_>> = passed.iter().filter(|own| own.differs).collect();
    let told: Vec<&Passed<'_>> = if differ.is_empty() { passed.iter().collect() } else { differ.clone() };
    let first = told.first()?;
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("n", told.iter().map(|own| own.elements.len()).sum::<usize>().to_string()),
            ("m", told.len().to_string()),
            ("array", cut.array.to_string()),
            ("at", first.elements.first()?.to_string()),
            ("id", shown_id(first.before)),
        ],
        evidence: vec![write(first.before, first.after)],
        fix: change.with_command(case, &change.command(operators, filters)),
        level: differ.is_empty().then_some(Level::Risk),
        words: differ.is_empty().then_some(BY_CHANCE),
        ..Sighting::default()
    })
}

/// The documents that the update met, before and after: what has the value already is met and stays as it is.
fn met<'a>(case: &Case<'a>, change: &Change<'a>) -> Vec<(&'a RawDocument, &'a RawDocument)> {
    let changed: Vec<_> = pairs(&change.question).collect();
    let multi = matches!(change.question.command, Command::Update(update) if update.spec.multi);
    let unchanged = match change.question.ran.result.as_ref().map(|run| &run.reply) {
        Ok(Reply::Updated(reply)) if reply.matched > changed.len() as u64 => true,
        Ok(Reply::Document(_)) => changed.is_empty(),
        _ => false,
    };
    if !unchanged {
        return changed;
    }
    let known: BTreeSet<String> = changed.iter().map(|(before, _)| shown_id(before)).collect();
    let first = if multi { None } else { first_met(case, change) };
    let is_met = |own: &&RawDocument| {
        let own = shown_id(own);
        !known.contains(&own) && (multi || first.as_ref() == Some(&own))
    };
    let idle = change.matching(case).into_iter().filter(is_met);
    changed.iter().copied().chain(idle.map(|own| (own, own))).collect()
}

/// The `_id` of the document that an update of one meets.
fn first_met(case: &Case<'_>, change: &Change<'_>) -> Option<String> {
    let (sort, hint, collation) = match change.question.command {
        Command::Update(update) => (None, &update.spec.hint, &update.spec.collation),
        Command::FindAndModify(modify) => (modify.sort.clone(), &modify.hint, &modify.collation),
        _ => return None,
    };
    let collection = change.question.collection.to_owned();
    let find = Find {
        filter: change.question.filter.clone().into_owned(),
        sort,
        hint: hint.clone(),
        collation: collation.clone(),
        limit: Some(1),
        collection,
        ..Find::default()
    };
    let state = case.state(change.question.ran, change.question.collection);
    let run = case.run_on(state, &Command::Find(find))?;
    let Reply::Documents(found) = &run.reply else { return None };
    found.first().map(|document| shown_id(document))
}

/// The operators with `$[e]` for every `$` of the array, and the condition as array filter.
fn cured(change: &Change<'_>, cut: &Cut, condition: &Filter) -> (Document, Vec<Document>) {
    let name = change.free_identifier();
    let (old, new) = (cut.array.join(&Path::new("$")).to_string(), format!("{}.$[{name}]", cut.array));
    let renamed = |path: &str| match path.strip_prefix(&old) {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("{new}{rest}"),
        _ => path.to_owned(),
    };
    let mut operators = Document::new();
    for target in change.targets() {
        let slot = operators.entry(target.operator.to_owned()).or_insert_with(|| Document::new().into());
        if let Bson::Document(slot) = slot {
            slot.insert(renamed(target.name), target.operand.clone());
        }
    }
    let filter = written(&prefixed(condition, &Path::new(&name)));
    (operators, change.array_filters.iter().cloned().chain([filter]).collect())
}

impl<'a> Passed<'a> {
    /// Of a document with several elements that meet the condition, those behind the first; of these the ones that would
    /// have become others, where there are such.
    fn of(
        before: &'a RawDocument,
        after: &'a RawDocument,
        array: &Path,
        condition: &Filter,
        program: &UpdateProgram,
    ) -> Option<Self> {
        let old = elements(before, array)?;
        let meeting = meeting(&old, condition);
        let [_, behind @ ..] = meeting.as_slice() else { return None };
        let meant = program.apply(before, Application::default()).ok().flatten();
        let meant = meant.as_deref().unwrap_or(before);
        let new = elements(meant, array)?;
        let differs = |at: &usize| new.get(*at).is_none_or(|new| !equal(*new, old[*at]));
        let other: Vec<usize> = behind.iter().copied().filter(differs).collect();
        let elements = if other.is_empty() { behind.to_vec() } else { other };
        let differs = !identical_documents(meant, after);
        (!elements.is_empty()).then_some(Self { before, after, elements, differs })
    }
}
