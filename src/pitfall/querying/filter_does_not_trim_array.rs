//! A filter on an array gives whole arrays back.

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
    let tied = rewrite::bound(case, question, &question.tree, &path);
    let asked = asked(tied.as_ref().unwrap_or(&question.tree), &path);
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
        fix: trimmed(case, question, &any, array, met, [each, whole]),
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

/// The text with a projection that keeps all elements asked for: `$elemMatch` where each document has one of them, which is
/// all that it keeps; none where a document would be left without any.
fn trimmed(
    case: &Case<'_>,
    question: &Question<'_>,
    any: &Filter,
    array: &AttributeFacts,
    met: u64,
    [each, whole]: [bool; 2],
) -> Option<String> {
    if !case.leads_straight(question.collection, &array.path) {
        return None;
    }
    // A projection of one element takes no deeper path.
    if whole && !array.path.contains('.') {
        return case.with_projection(question, doc! {&array.path: {"$elemMatch": written(any)}});
    }
    let kept = doc! {"input": format!("${}", array.path), "as": "e", "cond": as_expression(any, "e")?};
    let projection = doc! {&array.path: {"$filter": kept}};
    // An expression does not compare as a filter does: it is taken only where it keeps the same elements.
    let Command::Find(find) = question.command else { return None };
    let state = case.state(question.ran, question.collection);
    let run = case.run_on(state, &Command::Find(Find { projection: Some(projection.clone()), ..find.clone() }))?;
    let Reply::Documents(rows) = &run.reply else { return None };
    let path = Path::new(&array.path);
    let kept: u64 = rows.iter().map(|row| all_elements(row, &path).len() as u64).sum();
    (each && kept == met).then(|| case.with_projection(question, projection)).flatten()
}

/// What the filter asks of elements, each by itself and once: the inside of every `$elemMatch`, and every dotted condition
/// that could not be tied to others; of what must hold, not of what must not.
fn asked(filter: &Filter, array: &Path) -> Vec<Filter> {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => {
            let mut found: Vec<Filter> = Vec::new();
            for own in parts.iter().flat_map(|part| asked(part, array)) {
                if !found.contains(&own) {
                    found.push(own);
                }
            }
            found
        }
        Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) => {
            match array.parts().strip_prefix(path.parts()) {
                Some([]) => vec![(**inner).clone()],
                Some(rest) => asked(inner, &Path::from_parts(rest.to_vec())),
                None => Vec::new(),
            }
        }
        Filter::Field(Predicate { test, .. }) => {
            let inside = rewrite::below(filter, array);
            inside.map(|(path, _)| Filter::Field(Predicate { path, test: test.clone() })).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
