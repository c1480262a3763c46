//! A projection that gives the first matching element only.

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::as_expression::as_expression;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{all_elements, condition, value_at};
use crate::pitfall::grain::each_question;
use crate::pitfall::verdict::proof;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::{Filter, Matcher};
use crate::value::{Bson, Document, Path, RawDocument, View, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "projection-first-match-only",
    level: Level::WrongResult,
    weight: 9,
    title: Words::new("Projection returns one of several", "Projektion liefert eines von mehreren"),
    explanation: Words::new(
        "An `$elemMatch` projection and the positional `$` give the first matching element only.",
        "Eine `$elemMatch`-Projektion und das positionelle `$` liefern nur das erste passende Element.",
    ),
    message: Words::new(
        "Document _id {id} has {n matching elements} in `{array}`; you see one. So it is in {m documents}.",
        "Dokument _id {id} hat {n} passende Elemente in `{array}`; du siehst eines. So ist es in {m Dokumenten}.",
    ),
    cure: Words::new(
        "Use `$filter` in the projection to see all of them.",
        "Nimm `$filter` in der Projektion, um alle zu sehen.",
    ),
    example: r#"db.c.find({}, {specs: {$elemMatch: {k: "color"}}})"#,
    detect: |case| each_question(case, sightings),
};

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let Command::Find(find) = question.command else { return Vec::new() };
    let wanted = find.projection.iter().flatten().filter_map(|(name, value)| element_of(question, name, value));
    wanted.filter_map(|(array, element)| sight(case, question, &array, &element)).collect()
}

/// The array and what its element has to match, of a projection that gives one.
fn element_of(question: &Question<'_>, name: &str, value: &Bson) -> Option<(String, Filter)> {
    if let Some(array) = name.strip_suffix(".$") {
        return Some((array.to_owned(), condition(&question.tree, &Path::new(array))?));
    }
    let element = value.as_document()?.get("$elemMatch")?.as_document()?;
    let is_value = element.keys().next().is_some_and(|name| name.starts_with('$'));
    if is_value { None } else { Some((name.to_owned(), Filter::parse(element).ok()?)) }
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &str, element: &Filter) -> Option<Sighting> {
    let matcher = question.matcher(element)?;
    let path = Path::new(array);
    let met = |document: &RawDocument| {
        all_elements(document, &path).iter().filter(|element| matcher.matches_element(**element)).count()
    };
    let documents = case.matching(question, &question.tree);
    let several: Vec<&RawDocument> = documents.into_iter().filter(|document| met(document) > 1).collect();
    let first = several.first()?;
    let counts = vec![("matching".to_owned(), met(first) as u64), ("returned".to_owned(), 1)];
    let mut evidence = vec![Evidence::Counts { of: array.to_owned(), counts }];
    evidence.extend(proof(first, matching_places(first, &path, &matcher)));
    Some(Sighting {
        span: case.span(question.ran, &CommandPath::argument("projection")),
        values: vec![
            ("id", shown(&id(first))),
            ("n", met(first).to_string()),
            ("array", array.to_owned()),
            ("m", several.len().to_string()),
        ],
        evidence,
        fix: cured(case, question, array, element),
        ..Sighting::default()
    })
}

/// The text with a `$filter` in place of the projection of one element; none where it cannot be written as an expression.
fn cured(case: &Case<'_>, question: &Question<'_>, array: &str, element: &Filter) -> Option<String> {
    let Command::Find(find) = question.command else { return None };
    // `$filter` refuses what is neither array nor null.
    let path = Path::new(array);
    let is_list = |document: &&RawDocument| {
        matches!(value_at(document, &path), None | Some(View::Array(_) | View::Null | View::Undefined))
    };
    if !case.matching(question, &question.tree).iter().all(is_list) {
        return None;
    }
    let all = doc! {"$filter": {"input": format!("${array}"), "as": "e", "cond": as_expression(element, "e")?}};
    let kept = find.projection.iter().flatten().filter(|(name, _)| name.strip_suffix(".$").unwrap_or(name) != array);
    let mut projection: Document = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    projection.insert(array, all);
    let told = || case.with_argument(question.ran, "projection", &Bson::Document(projection));
    case.leads_straight(question.collection, array).then(told).flatten()
}

fn matching_places(document: &RawDocument, path: &Path, matcher: &Matcher) -> Vec<(String, String)> {
    let elements = all_elements(document, path).into_iter().enumerate();
    let met = elements.filter(|(_, element)| matcher.matches_element(*element));
    met.map(|(at, element)| (format!("{path}.{at}"), shown(&element.to_bson()))).collect()
}
