//! An array element compared as a whole, field by field and in order.

use super::asks::{levels, simple};
use crate::pitfall::case::{Case, shown};
use crate::pitfall::elements::all_elements;
use crate::pitfall::exchange::{equals, field, replaced};
use crate::pitfall::grain::each_question;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting, rewrite};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Document, Path, RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "whole-element-equality",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("Element compared as a whole", "Element als Ganzes verglichen"),
    explanation: Words::new(
        "The element must be equal field by field, in the same order, with nothing more. An index on the fields inside cannot serve it.",
        "Das Element muss Feld für Feld gleich sein, in derselben Reihenfolge und ohne weitere Felder. Ein Index auf den inneren Feldern hilft nicht.",
    ),
    message: Words::new(
        "This asks for an element that is exactly {literal}. {n documents} {n|holds|hold} these fields beside others or in another order and {n|is|are} judged differently, such as _id {id}.",
        "Das verlangt ein Element, das genau {literal} ist. {n Dokumente} {n|hat|haben} diese Felder neben anderen oder in anderer Reihenfolge und {n|wird|werden} anders beurteilt, etwa _id {id}.",
    ),
    cure: Words::new("Ask for the fields with `$elemMatch`.", "Frage mit `$elemMatch` nach den Feldern."),
    example: r#"db.c.find({specs: {k: "volume", v: 500}})"#,
    detect: |case| each_question(case, sight),
};

/// Said where no document is judged otherwise, though elements with other fields are stored.
const BY_CHANCE: Words = Words::new(
    "This asks for an element that is exactly {literal}. _id {id} holds an element with these fields beside others or in \
     another order; {n documents} {n|is|are} judged otherwise now.",
    "Das verlangt ein Element, das genau {literal} ist. _id {id} hat ein Element mit diesen Feldern neben anderen oder in \
     anderer Reihenfolge; jetzt werden {n Dokumente} anders beurteilt.",
);

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let arrays = case.profile(question.collection)?.arrays();
    let is_array = |path: &str| arrays.get(path).is_some_and(|facts| facts.documents > 0);
    let meant = replaced(&question.tree, &|part| {
        let Filter::Field(Predicate { path, test }) = part else { return None };
        let wholes = wholes(test).filter(|_| is_array(&path.to_string()))?;
        let mut each: Vec<Filter> =
            wholes.iter().map(|whole| field(path.clone(), Test::ElemMatchObject(Box::new(fields(whole))))).collect();
        Some(if each.len() == 1 { each.remove(0) } else { Filter::Or(each) })
    });
    if rewrite::same(&meant, &question.tree) {
        return None;
    }
    let verdict = Verdict::of(case, question, &meant)?;
    let levels = levels(&question.tree);
    let asked =
        levels.iter().flat_map(|level| level.parts.iter().filter_map(move |part| Some((level, simple(part)?.0))));
    let whole = asked.filter(|(level, asked)| is_array(&level.array.join(&asked.path).to_string()));
    let (array, literal) = whole.into_iter().find_map(|(level, asked)| {
        Some((level.array.join(&asked.path), wholes(&asked.test)?.first()?.to_owned().clone()))
    })?;
    let document = verdict.misjudged().or_else(|| otherwise_shaped(case, question, &array, &literal))?;
    let values = vec![
        ("literal", shown(&Bson::Document(literal))),
        ("n", (verdict.extra.len() + verdict.missed.len()).to_string()),
        ("id", shown(&crate::pitfall::case::id(document))),
    ];
    let words = verdict.is_right().then_some(BY_CHANCE);
    Some(Sighting { words, ..verdict.sighting(case, question, &meant, values) })
}

/// The first document with an element that has the literal's fields beside others or in another order.
fn otherwise_shaped<'c>(
    case: &Case<'c>,
    question: &Question<'_>,
    array: &Path,
    literal: &Document,
) -> Option<&'c RawDocument> {
    let other = |element: View<'_>| {
        let View::Document(element) = element else { return false };
        let has_all = literal.keys().all(|name| element.get(name).is_some());
        has_all && !element.iter().map(|(name, _)| name).eq(literal.keys().map(String::as_str))
    };
    let seen = case.seen(question);
    seen.iter().copied().find(|document| all_elements(document, array).into_iter().any(other))
}

/// The documents that a test compares whole elements with.
fn wholes(test: &Test) -> Option<Vec<&Document>> {
    match test {
        Test::Compare(Comparison::Eq, Bson::Document(whole)) if !whole.is_empty() => Some(vec![whole]),
        Test::In(list) if list.regexes.is_empty() => list.values.iter().map(Bson::as_document).collect(),
        _ => None,
    }
}

fn fields(whole: &Document) -> Filter {
    Filter::And(whole.iter().map(|(name, value)| equals(name, value.clone())).collect()).normalised()
}
