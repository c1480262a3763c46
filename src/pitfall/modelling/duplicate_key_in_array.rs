//! A write that leaves one key in two elements of an array.

use std::collections::BTreeSet;

use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::attributes;
use crate::pitfall::{Evidence, Level, Pitfall, Sighting};
use crate::shell::Ran;
use crate::store::AttributeFacts;
use crate::value::{Document, RawDocument};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "duplicate-key-in-array",
    level: Level::Risk,
    weight: 16,
    title: Words::new("Key twice in one array", "Schlüssel doppelt in einem Array"),
    explanation: Words::new(
        "Both elements match, an update changes the first one, `$arrayToObject` keeps the last one, and counts are too high. \
         Field names made this impossible; an array does not.",
        "Beide Elemente passen, eine Änderung trifft das erste, `$arrayToObject` behält das letzte, und Zählungen sind zu \
         hoch. Feldnamen schlossen das aus, ein Array nicht.",
    ),
    message: Words::new(
        "{n} of the written documents have more than one `{key}`, such as _id {id}.",
        "{n} der geschriebenen Dokumente haben mehr als ein `{key}`, etwa _id {id}.",
    ),
    cure: Words::new(
        "Decide whether several values are meant. If not, guard the write with `{\"specs.k\": {$ne: \"color\"}}`.",
        "Entscheide, ob mehrere Werte gemeint sind. Wenn nicht, schütze das Schreiben mit `{\"specs.k\": {$ne: \"color\"}}`.",
    ),
    example: r#"db.c.insertOne({specs: [{k: "color", v: "red"}, {k: "color", v: "blue"}]})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.ran.iter().flat_map(|ran| sights(case, ran)).collect()
}

fn sights(case: &Case<'_>, ran: &Ran) -> Vec<Sighting> {
    let Ok(run) = &ran.result else { return Vec::new() };
    let Some(first) = run.writes.documents.first() else { return Vec::new() };
    let suspect = |array: &&AttributeFacts| array.documents_with_duplicates > 0;
    let arrays = case.attributes(&first.collection).iter().filter(suspect);
    let written: Vec<&RawDocument> =
        run.writes.documents.iter().filter_map(|written| written.after.as_deref()).collect();
    arrays.filter_map(|array| sight(case, ran, array, &written)).collect()
}

fn sight(case: &Case<'_>, ran: &Ran, array: &AttributeFacts, written: &[&RawDocument]) -> Option<Sighting> {
    let twice: Vec<(&RawDocument, &str)> =
        written.iter().filter_map(|document| Some((*document, repeated(document, array)?))).collect();
    let (document, key) = *twice.first()?;
    Some(Sighting {
        span: case.span(ran, &CommandPath::argument("update")),
        values: vec![("n", twice.len().to_string()), ("key", key.to_owned()), ("id", shown(&id(document)))],
        evidence: vec![Evidence::Document {
            document: Document::try_from(document).ok()?,
            deciding: vec![(format!("{}.{}", array.path, array.key), key.to_owned())],
            made: false,
        }],
        ..Sighting::default()
    })
}

/// A key that stands in two elements with the same unit.
fn repeated<'d>(document: &'d RawDocument, array: &AttributeFacts) -> Option<&'d str> {
    let mut seen = BTreeSet::new();
    attributes(document, array)
        .into_iter()
        .find(|element| !seen.insert((element.key, element.unit)))
        .map(|found| found.key)
}
