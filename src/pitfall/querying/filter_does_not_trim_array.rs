//! A filter on an array gives whole arrays back.

use super::asks::{AndLevel, levels};
use crate::engine::{Command, Find, Reply};
use crate::pitfall::case::Case;
use crate::pitfall::elements::all_elements;
use crate::pitfall::grain::each_array;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, rewrite};
use crate::proof::written;
use crate::query::{Filter, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::{Path, RawDocument, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "filter-does-not-trim-array",
    level: Level::Surprise,
    weight: 10,
    title: Words::new("Whole array comes back", "Das ganze Array kommt zurück"),
    explanation: Words::new(
        "A filter chooses documents, never elements.",
        "Ein Filter wählt Dokumente aus, nie Elemente.",
    ),
    message: Words::new(
        "{n elements} of `{array}` came back for {m} that match.",
        "{n Elemente} von `{array}` kamen zurück, passend sind {m}.",
    ),
    cure: Words::new(
        "Project with `$elemMatch` for the first match, or use `$filter` in a pipeline.",
        "Projiziere mit `$elemMatch` auf den ersten Treffer oder nimm `$filter` in einer Pipeline.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "ram"}}})"#,
    detect: |case| each_array(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let Command::Find(Find { projection, .. }) = question.command else { return None };
    if projection.as_ref().is_some_and(|projection| !projection.is_empty()) {
        return None;
    }
    let path = Path::new(&array.path);
    let element = of_element(&question.tree, &path)?;
    let matcher = question.matcher(&element)?;
    let (mut all, mut met) = (0, 0);
    for document in returned(question)? {
        let elements = all_elements(document, &path);
        all += elements.len() as u64;
        met += elements.iter().filter(|element| matcher.matches_element(**element)).count() as u64;
    }
    if all <= met {
        return None;
    }
    let counts = vec![("returned".to_owned(), all), ("matching".to_owned(), met)];
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![("n", all.to_string()), ("m", met.to_string()), ("array", array.path.clone())],
        evidence: vec![Evidence::Counts { of: array.path.clone(), counts }],
        fix: case.with_projection(question, doc! {&array.path: {"$elemMatch": written(&element)}}),
        ..Sighting::default()
    })
}

/// The documents that came back.
fn returned<'q>(question: &'q Question<'_>) -> Option<impl Iterator<Item = &'q RawDocument>> {
    match &question.ran.result.as_ref().ok()?.reply {
        Reply::Documents(rows) => Some(rows.iter().map(|row| &**row)),
        _ => None,
    }
}

/// What the filter asks of one element: the inside of its only `$elemMatch`, or its only dotted conditions.
fn of_element(filter: &Filter, array: &Path) -> Option<Filter> {
    let levels = levels(filter);
    let mut inside = levels.iter().filter(|level| level.array == *array);
    match (inside.next(), inside.next()) {
        (Some(level), None) if !level.negated => Some(joined(level)),
        (None, None) => dotted(levels.last()?, array),
        _ => None,
    }
}

fn joined(level: &AndLevel<'_>) -> Filter {
    Filter::And(level.parts.iter().map(|part| (*part).clone()).collect())
}

fn dotted(level: &AndLevel<'_>, array: &Path) -> Option<Filter> {
    let mine = level.parts.iter().filter_map(|part| match (rewrite::below(part, array)?, part) {
        ((path, _), Filter::Field(Predicate { test, .. })) if !matches!(test, Test::ElemMatchObject(_)) => {
            Some(Filter::Field(Predicate { path, test: test.clone() }))
        }
        _ => None,
    });
    let parts: Vec<Filter> = mine.collect();
    (!parts.is_empty()).then_some(Filter::And(parts))
}
