//! A unique index that allows each key-value pair in one document only.

use std::collections::BTreeMap;

use crate::error::{CommandError, ErrorCode};
use crate::pitfall::case::{id, shown};
use crate::pitfall::indexing::made::{inside, made};
use crate::pitfall::indexing::pairs::pairs;
use crate::pitfall::indexing::refused::refused;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::Ran;
use crate::store::{AttributeFacts, Collection, Direction};
use crate::value::{Bson, Document, RawDocument};
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
    let own = entries(refused, array, keys);
    let others = collection.scan(Direction::Ascending).filter(|(_, document)| id(document) != id(refused));
    others.into_iter().find_map(|(_, document)| {
        let shared = entries(document, array, keys).into_iter().find(|entry| own.contains(entry))?;
        Some((id(document), shared))
    })
}

fn sighting(error: &CommandError, id: &Bson, pair: &str) -> Sighting {
    Sighting {
        values: vec![("pair", format!("`{pair}`")), ("id", shown(id))],
        evidence: vec![Evidence::Refusal { code: error.code.number(), message: error.message.clone() }],
        ..Sighting::default()
    }
}

/// The first document with an entry that a later one has too.
fn first_shared(case: &Case<'_>, collection: &str, array: &AttributeFacts, keys: &Document) -> Option<(Bson, String)> {
    let mut known: BTreeMap<String, Bson> = BTreeMap::new();
    for (_, document) in case.after.collection(collection)?.scan(Direction::Ascending) {
        let own = entries(document, array, keys);
        if let Some((held, entry)) = own.iter().find_map(|entry| Some((known.get(entry)?, entry))) {
            return Some((held.clone(), entry.clone()));
        }
        known.extend(own.into_iter().map(|entry| (entry, id(document))));
    }
    None
}

/// What a document would put into the index, as text: `color: "red"`.
fn entries(document: &RawDocument, array: &AttributeFacts, keys: &Document) -> Vec<String> {
    let asked = |field: &str| keys.contains_key(format!("{}.{field}", array.path));
    let entry = |(key, value): (Bson, Bson)| {
        let parts = [(asked(&array.key), key), (asked(&array.value), value)];
        parts.iter().filter(|(asked, _)| *asked).map(|(_, value)| shown(value)).collect::<Vec<_>>().join(": ")
    };
    let mut found = pairs(document, array);
    if found.is_empty() {
        found.push((Bson::Null, Bson::Null));
    }
    found.into_iter().map(entry).collect()
}
