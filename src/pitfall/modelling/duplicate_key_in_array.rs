//! A write that leaves one key in two elements of an array.

use std::collections::BTreeSet;

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::conversion::{beside, update_all};
use crate::pitfall::elements::{all_elements, attributes, key_of};
use crate::pitfall::touch::{Part, Touch};
use crate::pitfall::{Evidence, Level, Pitfall, Sighting};
use crate::shell::Ran;
use crate::store::AttributeFacts;
use crate::value::{Bson, Document, Path, RawDocument, View, doc, equal};
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
        "{n documents} {n|has|have} more than one `{key}`, such as _id {id}.",
        "In {n Dokumenten} steht `{key}` mehr als einmal, etwa _id {id}.",
    ),
    cure: Words::new(
        "Decide whether several values are meant. If not, guard the write with `{\"specs.k\": {$ne: \"color\"}}`.",
        "Entscheide, ob mehrere Werte gemeint sind. Wenn nicht, schütze das Schreiben mit `{\"specs.k\": {$ne: \"color\"}}`.",
    ),
    example: r#"db.c.insertOne({specs: [{k: "color", v: "red"}, {k: "color", v: "blue"}]})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let written: Vec<Sighting> = case.ran.iter().flat_map(|ran| sights(case, ran)).collect();
    if written.is_empty() { case.touches().iter().flat_map(|touch| asked(case, touch)).collect() } else { written }
}

/// Keys that a filter names and some documents have twice.
fn asked(case: &Case<'_>, touch: &Touch<'_>) -> Vec<Sighting> {
    let arrays = case.attributes(touch.collection).iter().filter(|array| array.documents_with_duplicates > 0);
    let keys = arrays.flat_map(|array| touch.keys(array, &[Part::Filter]).into_iter().map(move |key| (array, key)));
    let sight = |(array, key): (&AttributeFacts, &str)| {
        let times = array.keys.get(key).map(|facts| facts.duplicates).filter(|times| *times > 0)?;
        let documents = case.present(touch.collection);
        let document = documents.iter().find(|document| repeated(document, array).any(|own| own == key))?;
        let span = case.span(touch.ran, &CommandPath::argument("filter"));
        Some(Sighting { span, ..sighting(case, touch.collection, array, (document, key), times)? })
    };
    keys.filter_map(sight).collect()
}

fn sights(case: &Case<'_>, ran: &Ran) -> Vec<Sighting> {
    let Ok(run) = &ran.result else { return Vec::new() };
    let Some(first) = run.writes.documents.first() else { return Vec::new() };
    let suspect = |array: &&AttributeFacts| array.documents_with_duplicates > 0;
    let arrays = case.attributes(&first.collection).iter().filter(suspect);
    let written: Vec<&RawDocument> =
        run.writes.documents.iter().filter_map(|written| written.after.as_deref()).collect();
    arrays.filter_map(|array| sight(case, ran, &first.collection, array, &written)).collect()
}

fn sight(
    case: &Case<'_>,
    ran: &Ran,
    collection: &str,
    array: &AttributeFacts,
    written: &[&RawDocument],
) -> Option<Sighting> {
    let twice: Vec<(&RawDocument, &str)> =
        written.iter().filter_map(|document| Some((*document, repeated(document, array).next()?))).collect();
    let span = case.span(ran, &CommandPath::argument("update"));
    Some(Sighting { span, ..sighting(case, collection, array, *twice.first()?, twice.len() as u64)? })
}

fn sighting(
    case: &Case<'_>,
    collection: &str,
    array: &AttributeFacts,
    (document, key): (&RawDocument, &str),
    times: u64,
) -> Option<Sighting> {
    Some(Sighting {
        values: vec![("n", times.to_string()), ("key", key.to_owned()), ("id", shown(&id(document)))],
        fix: cured(case, collection, array),
        evidence: vec![Evidence::Document {
            document: Document::try_from(document).ok()?,
            deciding: vec![(format!("{}.{}", array.path, array.key), key.to_owned())],
            made: false,
        }],
        ..Sighting::default()
    })
}

/// The keys that stand in two elements with the same unit.
fn repeated<'d>(document: &'d RawDocument, array: &AttributeFacts) -> impl Iterator<Item = &'d str> + use<'d> {
    let mut seen = BTreeSet::new();
    let again = attributes(document, array).into_iter().filter(move |found| !seen.insert((found.key, found.unit)));
    again.map(|found| found.key)
}

/// The text with what is there twice put right; none where a value would be lost: then several may be meant.
fn cured(case: &Case<'_>, collection: &str, array: &AttributeFacts) -> Option<String> {
    let path = Path::new(&array.path);
    let same = |document: &RawDocument| {
        let elements = all_elements(document, &path);
        let alike = |one: View<'_>, other: View<'_>| {
            let of = |element, field: &str| key_of(element, field);
            of(one, &array.key) == of(other, &array.key)
                && array.unit.as_ref().is_none_or(|unit| of(one, unit) == of(other, unit))
        };
        elements
            .iter()
            .enumerate()
            .all(|(at, one)| elements[..at].iter().all(|other| !alike(*one, *other) || equal(*one, *other)))
    };
    if !case.leads_straight(collection, &array.path) {
        return None;
    }
    let update = single(collection, array);
    case.present(collection).iter().all(|document| same(document)).then(|| beside(case, collection, &update)).flatten()
}

/// The update that keeps of each key, and unit, the last element.
fn single(collection: &str, array: &AttributeFacts) -> Command {
    let AttributeFacts { path, key, unit, .. } = array;
    let differs = |field: &String| doc! {"$ne": [format!("$$e.{field}"), format!("$$this.{field}")]};
    let other: Vec<Bson> = std::iter::once(key).chain(unit).map(|field| differs(field).into()).collect();
    let others = doc! {"$filter": {"input": "$$value", "as": "e", "cond": {"$or": other}}};
    let kept = doc! {"$concatArrays": [others, ["$$this"]]};
    let last = doc! {"$reduce": {"input": format!("${path}"), "initialValue": [], "in": kept}};
    let stage = doc! {"$set": {path: last}};
    update_all(collection, doc! {path: {"$type": "array"}}, vec![stage])
}
