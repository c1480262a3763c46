//! A filter on an array gives whole arrays back.

use std::collections::BTreeSet;

use super::asks::{AndLevel, levels};
use crate::engine::{Command, Find, Reply};
use crate::pitfall::as_expression::as_expression;
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
    let asked = asked(&question.tree, &path);
    if asked.is_empty() {
        return None;
    }
    let any = Filter::Or(asked.clone()).normalised();
    let matcher = question.matcher(&any)?;
    let (mut all, mut met, mut each, mut whole) = (0, 0, true, true);
    for document in returned(question)? {
        let elements = all_elements(document, &path);
        let own = elements.iter().filter(|element| matcher.matches_element(**element)).count() as u64;
        all += elements.len() as u64;
        met += own;
        each &= own > 0;
        whole &= own == 1;
    }
    if all <= met {
        return None;
    }
    let counts = vec![("returned".to_owned(), all), ("matching".to_owned(), met)];
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![("n", all.to_string()), ("m", met.to_string()), ("array", array.path.clone())],
        evidence: vec![Evidence::Counts { of: array.path.clone(), counts }],
        fix: trimmed(case, question, &any, array, met, [each, whole, asked.len() == 1]),
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

/// The text with a projection that keeps the elements asked for: the first one of each document, or all of them where
/// several are asked for; none where a document would be left without any.
fn trimmed(
    case: &Case<'_>,
    question: &Question<'_>,
    any: &Filter,
    array: &AttributeFacts,
    met: u64,
    [each, whole, one]: [bool; 3],
) -> Option<String> {
    if !case.leads_straight(question.collection, &array.path) {
        return None;
    }
    // A projection of one element takes no deeper path.
    if each && (one || whole) && !array.path.contains('.') {
        return case.with_projection(question, doc! {&array.path: {"$elemMatch": written(any)}});
    }
    let kept = doc! {"input": format!("${}", array.path), "as": "e", "cond": as_expression(any, "e")?};
    let projection = doc! {&array.path: {"$filter": kept}};
    // An expression does not compare as a filter does: it is taken only where it keeps the same elements.
    let Command::Find(find) = question.command else { return None };
    let run = case.run(&Command::Find(Find { projection: Some(projection.clone()), ..find.clone() }))?;
    let Reply::Documents(rows) = &run.reply else { return None };
    let path = Path::new(&array.path);
    let kept: u64 = rows.iter().map(|row| all_elements(row, &path).len() as u64).sum();
    (each && kept == met).then(|| case.with_projection(question, projection)).flatten()
}

/// What the filter asks of elements, each by itself: the inside of every `$elemMatch`, and every dotted condition; of
/// what must hold, not of what must not.
fn asked(filter: &Filter, array: &Path) -> Vec<Filter> {
    let mut found = Vec::new();
    for level in levels(filter).iter().filter(|level| !level.negated) {
        if level.array == *array {
            found.push(Filter::And(level.parts.iter().map(|part| (*part).clone()).collect()).normalised());
        } else if level.array.is_empty() {
            found.extend(dotted(level, array));
        }
    }
    found
}

/// The dotted conditions of a level: of one element where one meets them all, as a pair is meant; else each by itself.
fn dotted(level: &AndLevel<'_>, array: &Path) -> Vec<Filter> {
    let mine = level.parts.iter().filter_map(|part| match (rewrite::below(part, array)?, part) {
        ((path, _), Filter::Field(Predicate { test, .. })) if !matches!(test, Test::ElemMatchObject(_)) => {
            Some(Filter::Field(Predicate { path, test: test.clone() }))
        }
        _ => None,
    });
    let parts: Vec<Filter> = mine.collect();
    let paths: BTreeSet<String> = parts.iter().flat_map(Filter::paths).map(ToString::to_string).collect();
    let several = paths.len() < parts.len();
    if several || parts.is_empty() { parts } else { vec![Filter::And(parts).normalised()] }
}
