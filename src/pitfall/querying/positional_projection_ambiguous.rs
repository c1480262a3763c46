//! A positional projection beside several conditions on arrays.

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::all_elements;
use crate::pitfall::verdict::proof;
use crate::pitfall::{Level, Pitfall, Question, Sighting, rewrite};
use crate::proof::written;
use crate::query::{Filter, Predicate, Test};
use crate::value::{Path, RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "positional-projection-ambiguous",
    level: Level::WrongResult,
    weight: 8,
    title: Words::new("A.$ with several array conditions", "A.$ mit mehreren Array-Bedingungen"),
    explanation: Words::new(
        "The position comes from one of the conditions; the element shown may satisfy only that one.",
        "Die Position stammt von einer der Bedingungen; das gezeigte Element erfüllt vielleicht nur diese.",
    ),
    message: Words::new(
        "`{array}.$` shows element {at} of _id {id}, {element}, which does not meet all your conditions. So it is in {n} of {m} results.",
        "`{array}.$` zeigt in _id {id} das Element {at}, {element}, das nicht alle deine Bedingungen erfüllt. So ist es in {n} von {m} Ergebnissen.",
    ),
    cure: Words::new("Use one `$elemMatch` in the filter.", "Nimm ein einziges `$elemMatch` im Filter."),
    example: r#"db.c.find({"specs.k": "cut", "specs.v": "L"}, {"specs.$": 1})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.questions().iter().flat_map(|question| sightings(case, question)).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let Command::Find(find) = question.command else { return Vec::new() };
    let positional = find.projection.iter().flat_map(|projection| projection.keys());
    positional.filter_map(|name| sight(case, question, name.strip_suffix(".$")?)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &str) -> Option<Sighting> {
    let path = Path::new(array);
    let bound = rewrite::bound(&question.tree, &path)?;
    let element = super::asks::parts(&bound).into_iter().find_map(|part| match part {
        Filter::Field(Predicate { path: own, test: Test::ElemMatchObject(inner) }) if *own == path => Some(inner),
        _ => None,
    })?;
    let matcher = question.matcher(element)?;
    let documents = case.matching(question, &question.tree);
    let half: Vec<&RawDocument> = documents
        .iter()
        .copied()
        .filter(|document| {
            shown_at(case, question, document, &path).is_some_and(|(_, element)| !matcher.matches_element(element))
        })
        .collect();
    let first = half.first()?;
    let (at, element) = shown_at(case, question, first, &path)?;
    let element = shown(&element.to_bson());
    Some(Sighting {
        span: case.span(question.ran, &CommandPath::argument("projection")),
        values: vec![
            ("array", array.to_owned()),
            ("at", at.to_string()),
            ("id", shown(&id(first))),
            ("element", element.clone()),
            ("n", half.len().to_string()),
            ("m", documents.len().to_string()),
        ],
        evidence: proof(first, vec![(format!("{array}.{at}"), element)]).into_iter().collect(),
        fix: case.with_filter(question, &written(&bound)),
        level: None,
    })
}

/// The element that the positional projection shows, with its position.
fn shown_at<'d>(
    case: &Case<'_>,
    question: &Question<'_>,
    document: &'d RawDocument,
    array: &Path,
) -> Option<(usize, View<'d>)> {
    let at = case.witness(question, document)?.position()?;
    Some((at, all_elements(document, array).get(at).copied()?))
}
