//! `$arrayToObject` of an array in which a key stands twice: the last value wins.

use super::arrays_to_objects::{conversions, parts};
use super::pipe::{Pipe, all_pipes};
use crate::pitfall::case::{id, shown};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::value::{Bson, Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "arraytoobject-duplicate-key",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("$arrayToObject keeps the last duplicate", "$arrayToObject behält das letzte Doppelte"),
    explanation: Words::new(
        "An object has each name once: where a key repeats in the array, the last value wins without a message.",
        "Ein Objekt hat jeden Namen einmal: Kommt ein Schlüssel im Array mehrfach vor, gewinnt ohne Meldung der letzte Wert.",
    ),
    message: Words::new(
        "In {n documents} values are lost, such as {values} of `{key}` in _id {id}: only the last one is kept.",
        "In {n Dokumenten} gehen Werte verloren, etwa {values} von `{key}` in _id {id}: Nur der letzte bleibt.",
    ),
    cure: Words::new("Group the values of each key first.", "Fasse zuerst die Werte jedes Schlüssels zusammen."),
    example: r#"db.c.aggregate([{$project: {specs: {$arrayToObject: "$specs"}}}])"#,
    detect,
};

/// A key that repeats, with the values that are lost.
struct Lost {
    document: Document,
    key: String,
    values: Vec<Bson>,
}

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    all_pipes(case).iter().filter(|pipe| pipe.succeeded()).filter_map(|pipe| sight(case, pipe)).collect()
}

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let conversion = conversions(pipe).into_iter().next()?;
    let lost: Vec<Lost> = conversion.inputs(case, pipe)?.into_iter().filter_map(lost).collect();
    let first = lost.first()?;
    let documents = case.documents(pipe.collection);
    let stored = documents.iter().find(|document| Some(&id(document)) == first.document.get("_id"));
    let document = stored.and_then(|document| Document::try_from(*document).ok()).unwrap_or(first.document.clone());
    let values: Vec<String> = first.values.iter().map(shown).collect();
    Some(Sighting {
        span: pipe.span(case, conversion.stage),
        values: vec![
            ("n", lost.len().to_string()),
            ("values", values.join(", ")),
            ("key", first.key.clone()),
            ("id", first.document.get("_id").map(shown).unwrap_or_default()),
        ],
        evidence: vec![Evidence::Document {
            document,
            deciding: vec![(first.key.clone(), values.join(", "))],
            made: false,
        }],
        fix: conversion
            .input
            .as_str()
            .and_then(|path| pipe.with_pipeline(case, &conversion.rewritten(pipe, &gathered(path)))),
        ..Sighting::default()
    })
}

/// The first key of the row's array that repeats.
fn lost(row: Document) -> Option<Lost> {
    let list = parts(&row);
    let repeated = |at: &usize| list[at + 1..].iter().any(|(key, _)| *key == list[*at].0);
    let at = (0..list.len()).find(repeated)?;
    let key = list[at].0.clone();
    let mut values: Vec<Bson> = list.iter().filter(|(own, _)| *own == key).map(|(_, value)| value.clone()).collect();
    values.pop();
    Some(Lost { document: row, key, values })
}

/// The array with each key once and all of its values in a list.
fn gathered(path: &str) -> Bson {
    let own = doc! {"$filter": {"input": path, "as": "e", "cond": {"$eq": ["$$e.k", "$$key"]}}};
    let values = doc! {"$map": {"input": own, "as": "e", "in": "$$e.v"}};
    let pair = doc! {"k": "$$key", "v": values};
    doc! {"$map": {"input": {"$setUnion": [format!("{path}.k")]}, "as": "key", "in": pair}}.into()
}
