//! `$` changed the first of several elements that the filter asks for.

use super::change::{Change, Cut, Target, each_target, pairs, shown_id, write};
use crate::pitfall::elements::{elements, meeting, prefixed};
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::query::{Collation, Filter};
use crate::update::{Application, UpdateProgram};
use crate::value::{Bson, Document, Path, RawDocument, identical_documents};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "positional-updates-first-only",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("A.$ changes one of several", "A.$ ändert eines von mehreren"),
    explanation: Words::new(
        "`$` stands for the first matching element of each document. The others stay as they were, and `modifiedCount` looks complete.",
        "`$` steht für das erste passende Element jedes Dokuments. Die anderen bleiben, wie sie waren, und `modifiedCount` sieht vollständig aus.",
    ),
    message: Words::new(
        "{n more elements} of `{array}` in {m changed documents} {n|meets|meet} your condition and {n|was|were} left as {n|it was|they were}, such as position {at} in _id {id}.",
        "{n} weitere Elemente von `{array}` in {m geänderten Dokumenten} {n|erfüllt|erfüllen} deine Bedingung und {n|blieb, wie es war|blieben, wie sie waren}, etwa Position {at} in _id {id}.",
    ),
    cure: Words::new(
        "`A.$[e]` with `arrayFilters` changes every element that meets the condition.",
        "`A.$[e]` mit `arrayFilters` ändert jedes Element, das die Bedingung erfüllt.",
    ),
    example: r#"db.c.updateMany({"specs.u": "inch"}, {$set: {"specs.$.u": "in"}})"#,
    detect: |case| each_target(case, sight),
};

/// Elements that the condition asks for and `$` passed over.
#[derive(Default)]
struct Left<'a> {
    elements: usize,
    documents: usize,
    first: Option<(&'a RawDocument, &'a RawDocument, usize)>,
    differs: bool,
}

/// Said where the elements left as they were hold what they would have been given.
const BY_CHANCE: Words = Words::new(
    "{n} more {n|element|elements} of `{array}` in {m documents} {n|meets|meet} your condition and {n|was|were} \
     passed over, such as position {at} in _id {id}.",
    "{n} {n|weiteres Element|weitere Elemente} von `{array}` in {m Dokumenten} {n|erfüllt|erfüllen} deine \
     Bedingung und {n|wurde|wurden} übergangen, etwa Position {at} in _id {id}.",
);

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    let cut = target.cut().filter(|cut| cut.positional == "$" && target.operator != "$unset")?;
    let condition = change.condition(&cut.array)?;
    let (operators, filters) = cured(change, &cut, &condition);
    let program = UpdateProgram::operators(&operators, &filters, &Collation::simple()).ok()?;
    let left = left(change, &cut.array, &condition, &program);
    let (before, after, at) = left.first?;
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("n", left.elements.to_string()),
            ("m", left.documents.to_string()),
            ("array", cut.array.to_string()),
            ("at", at.to_string()),
            ("id", shown_id(before)),
        ],
        evidence: vec![write(before, after)],
        fix: change.with_command(case, &change.command(operators, filters)),
        level: (!left.differs).then_some(Level::Risk),
        words: (!left.differs).then_some(BY_CHANCE),
        ..Sighting::default()
    })
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

fn left<'a>(change: &Change<'a>, array: &Path, condition: &Filter, program: &UpdateProgram) -> Left<'a> {
    let mut left = Left::default();
    for (before, after) in pairs(&change.question) {
        let Some(elements) = elements(before, array) else { continue };
        let meeting = meeting(&elements, condition);
        let [_, passed @ ..] = meeting.as_slice() else { continue };
        let Some(second) = passed.first() else { continue };
        left.elements += passed.len();
        left.documents += 1;
        left.first.get_or_insert((before, after, *second));
        left.differs |= differs(program, before, after);
    }
    left
}

/// Whether changing every element would have given another document.
fn differs(program: &UpdateProgram, before: &RawDocument, after: &RawDocument) -> bool {
    let meant = program.apply(before, Application::default()).ok().flatten();
    !identical_documents(meant.as_deref().unwrap_or(before), after)
}
