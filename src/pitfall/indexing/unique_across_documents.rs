//! A unique index that allows each key-value pair in one document only.

use std::cmp::Ordering;

use crate::error::{CommandError, ErrorCode};
use crate::pitfall::case::{id, shown};
use crate::pitfall::indexing::made::{inside, made};
use crate::pitfall::indexing::pairs::pairs;
use crate::pitfall::indexing::refused::refused;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::Ran;
use crate::store::{AttributeFacts, Collection, Direction};
use crate::value::{Bson, Document, RawDocument, compare, exact_long};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unique-across-documents",
    level: Level::Refused,
    weight: 8,
    title: Words::new("Unique index forbids two red products", "Eindeutiger Index verbietet zwei rote Produkte"),
    explanation: Words::new(
        "A pair may exist in one document only. Two documents without the array also collide, both being null.",
        "Ein Paar darf es nur in einem Dokument geben. Auch zwei Dokumente ohne das Array stoßen zusammen: Beide sind null.",
    ),
    message: Words::new(
        "{pair} already exists in the document with _id {id}; this index allows it once in the whole collection.",
        "{pair} gibt es schon im Dokument mit _id {id}; dieser Index erlaubt es nur einmal in der ganzen Collection.",
    ),
    cure: Words::new(
        "No unique here; keep a natural key as a field with a unique index of its own.",
        "Hier kein unique; halte einen natürlichen Schlüssel als Feld mit eigenem eindeutigem Index.",
    ),
    example: r#"db.c.createIndex({"specs.k": 1, "specs.v": 1}, {unique: true})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let creations = made(case).into_iter().filter_map(|made| {
        let error = made.refusal().filter(|error| error.code == ErrorCode::DuplicateKey)?;
        let array = within(case, made.collection, &made.request.keys)?;
        let (id, pair) = first_shared(case, made.collection, array, &made.request.keys)?;
        let fix = made.without(case, "unique");
        Some(Sighting { span: made.span(case), fix, ..sighting(error, &id, &pair) })
    });
    creations.chain(case.ran.iter().filter_map(|ran| writing(case, ran))).collect()
}

/// The attribute array that holds every path of a key pattern.
fn within<'a>(case: &Case<'a>, collection: &str, keys: &Document) -> Option<&'a AttributeFacts> {
    case.attributes(collection).iter().find(|array| keys.keys().all(|path| inside(array, path)))
}

/// A document that a unique index refused on its way in.
fn writing(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let refused = refused(case, ran).filter(|refused| refused.error.code == ErrorCode::DuplicateKey)?;
    let collection = case.after.collection(refused.collection)?;
    let unique = collection.indexes().iter().filter(|index| index.info().unique);
    let (holder, pair) = unique.into_iter().find_map(|index| {
        let keys = &index.info().key_pattern;
        let array = within(case, refused.collection, keys)?;
        refused.documents.iter().find_map(|document| shared(collection, document, array, keys))
    })?;
    Some(Sighting { span: ran.span.clone().unwrap_or_default(), ..sighting(refused.error, &holder, &pair) })
}

/// Another document that has an entry of this one.
fn shared(
    collection: &Collection,
    refused: &RawDocument,
    array: &AttributeFacts,
    keys: &Document,
) -> Option<(Bson, String)> {
    let mut own = entries(refused, array, keys);
    own.sort_by(|one, other| in_order(one, other, keys));
    let others: Vec<&RawDocument> =
        collection.scan(Direction::Ascending).map(|(_, own)| own).filter(|own| id(own) != id(refused)).collect();
    let has = |document: &RawDocument, entry: &Vec<Bson>| {
        entries(document, array, keys).iter().any(|other| in_order(other, entry, keys).is_eq())
    };
    own.iter().find_map(|entry| {
        let holder = others.iter().find(|document| has(document, entry))?;
        Some((id(holder), text(entry)))
    })
}

fn sighting(error: &CommandError, id: &Bson, pair: &str) -> Sighting {
    Sighting {
        values: vec![("pair", format!("`{pair}`")), ("id", shown(id))],
        evidence: vec![Evidence::Refusal { code: error.code.number(), message: error.message.clone() }],
        ..Sighting::default()
    }
}

/// The first entry in the index's order that two documents have, as the server comes to it, and the first of them.
fn first_shared(case: &Case<'_>, collection: &str, array: &AttributeFacts, keys: &Document) -> Option<(Bson, String)> {
    let documents = case.after.collection(collection)?.scan(Direction::Ascending).enumerate();
    let of_document = |(at, (_, document)): (usize, (_, &RawDocument))| {
        let own = entries(document, array, keys).into_iter();
        own.map(|entry| (entry, at, id(document))).collect::<Vec<_>>()
    };
    let mut all: Vec<(Vec<Bson>, usize, Bson)> = documents.flat_map(of_document).collect();
    all.sort_by(|one, other| in_order(&one.0, &other.0, keys).then(one.1.cmp(&other.1)));
    let shared =
        all.windows(2).find(|pair| in_order(&pair[0].0, &pair[1].0, keys).is_eq() && pair[0].1 != pair[1].1)?;
    Some((shared[0].2.clone(), text(&shared[0].0)))
}

/// The order of two entries in the index.
fn in_order(one: &[Bson], other: &[Bson], keys: &Document) -> Ordering {
    let parts = one.iter().zip(other).zip(keys.values());
    let part = |((one, other), direction): ((&Bson, &Bson), &Bson)| {
        let order = compare(one.into(), other.into());
        if exact_long(direction.into()).is_some_and(|direction| direction < 0) { order.reverse() } else { order }
    };
    parts.into_iter().map(part).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// An entry as the message names it: `"color": "red"`.
fn text(entry: &[Bson]) -> String {
    entry.iter().map(shown).collect::<Vec<_>>().join(": ")
}

/// What a document would put into the index, part by part.
fn entries(document: &RawDocument, array: &AttributeFacts, keys: &Document) -> Vec<Vec<Bson>> {
    let mut found = pairs(document, array);
    if found.is_empty() {
        found.push((Bson::Null, Bson::Null));
    }
    let of_path = |path: &String, (key, value): &(Bson, Bson)| {
        if *path == format!("{}.{}", array.path, array.value) { value.clone() } else { key.clone() }
    };
    found.iter().map(|pair| keys.keys().map(|path| of_path(path, pair)).collect()).collect()
}
