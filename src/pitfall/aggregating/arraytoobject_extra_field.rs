//! `$arrayToObject` refuses elements that are not exactly `k` and `v`.

use super::arrays_to_objects::conversions;
use super::pipe::{Pipe, all_pipes};
use crate::pitfall::case::shown;
use crate::pitfall::elements::key_field;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::value::{Bson, Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "arraytoobject-extra-field",
    level: Level::Refused,
    weight: 9,
    title: Words::new("$arrayToObject with a unit field", "$arrayToObject mit einem Einheitenfeld"),
    explanation: Words::new(
        "`$arrayToObject` takes elements of exactly two fields, `k` and `v` (error 40392); other names (40393) and a key that \
         is no text (40394) are refused as well.",
        "`$arrayToObject` nimmt Elemente mit genau zwei Feldern, `k` und `v` (Fehler 40392); auch andere Namen (40393) und ein \
         Schlüssel, der kein Text ist (40394), werden abgelehnt.",
    ),
    message: Words::new(
        "Element {at} in _id {id} has {n fields} ({fields}); `$arrayToObject` takes exactly `k` and `v` (error {code}).",
        "Element {at} in _id {id} hat {n Felder} ({fields}); `$arrayToObject` nimmt genau `k` und `v` (Fehler {code}).",
    ),
    cure: Words::new(
        "`$map` each element to `{k: …, v: …}` first.",
        "Bilde vorher mit `$map` jedes Element auf `{k: …, v: …}` ab.",
    ),
    example: r#"db.c.aggregate([{$project: {specs: {$arrayToObject: "$specs"}}}]) // {k, v, u}"#,
    detect,
};

/// An element that is refused.
struct Refused {
    document: Document,
    at: usize,
    element: Document,
}

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    all_pipes(case).iter().filter_map(|pipe| sight(case, pipe)).collect()
}

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let error = pipe.ran.result.as_ref().err().filter(|error| (40391..=40396).contains(&error.code.number()))?;
    let (conversion, refused) = conversions(pipe).into_iter().find_map(|conversion| {
        let rows = conversion.inputs(case, pipe)?;
        let refused = rows.into_iter().find_map(refused)?;
        Some((conversion, refused))
    })?;
    let fields: Vec<&str> = refused.element.keys().map(String::as_str).collect();
    let input = conversion.input.clone();
    let pair = pair(case, pipe, &input, &refused.element);
    let mapped = pair.map(|(key, value)| {
        doc! {"$map": {"input": &input, "as": "s", "in": {"k": {"$toString": format!("$$s.{key}")}, "v": format!("$$s.{value}")}}}
    });
    let text_key = refused.element.get_str("k").is_ok() || !refused.element.contains_key("k");
    let mapped = mapped.map(|mapped| if text_key { bare(mapped) } else { mapped });
    Some(Sighting {
        span: pipe.span(case, conversion.stage),
        values: vec![
            ("at", refused.at.to_string()),
            ("id", refused.document.get("_id").map(shown).unwrap_or_default()),
            ("n", fields.len().to_string()),
            ("fields", fields.join(", ")),
            ("code", error.code.number().to_string()),
        ],
        evidence: vec![
            Evidence::Refusal { code: error.code.number(), message: error.message.clone() },
            Evidence::Document {
                deciding: vec![(format!("list.{}", refused.at), shown(&refused.element.clone().into()))],
                document: refused.document,
                made: false,
            },
        ],
        fix: mapped.and_then(|mapped| pipe.with_pipeline(case, &conversion.rewritten(pipe, &mapped.into()))),
        ..Sighting::default()
    })
}

/// The first element of an array that is not exactly a text `k` and a `v`.
fn refused(row: Document) -> Option<Refused> {
    let elements = row.get_array("list").ok()?;
    let fits = |element: &Document| element.len() == 2 && element.get_str("k").is_ok() && element.contains_key("v");
    let documents = elements.iter().enumerate().filter_map(|(at, element)| Some((at, element.as_document()?)));
    let (at, element) = documents.into_iter().find(|(_, element)| !fits(element)).map(|(at, own)| (at, own.clone()))?;
    Some(Refused { document: row, at, element })
}

/// The fields of an element that are its key and its value.
fn pair(case: &Case<'_>, pipe: &Pipe<'_>, input: &Bson, element: &Document) -> Option<(String, String)> {
    let array = input.as_str().and_then(|path| path.strip_prefix('$'));
    let facts = array.and_then(|array| case.profile(pipe.collection)?.attribute_array(array));
    let named = facts.map(|facts| (facts.key.clone(), facts.value.clone()));
    named.filter(|(key, value)| element.contains_key(key) && element.contains_key(value)).or_else(|| {
        let key = array.and_then(|array| key_field(case, pipe.collection, array)).unwrap_or_else(|| "k".to_owned());
        let other = element.keys().find(|name| **name == "v").or_else(|| element.keys().find(|name| **name != key));
        element.contains_key(&key).then_some((key, other?.clone()))
    })
}

/// The mapping without turning keys into text, which text needs not.
fn bare(mapped: Document) -> Document {
    let mut mapped = mapped;
    if let Ok(map) = mapped.get_document_mut("$map")
        && let Ok(pair) = map.get_document_mut("in")
        && let Some(key) = pair.get_document("k").ok().and_then(|key| key.get("$toString")).cloned()
    {
        pair.insert("k", key);
    }
    mapped
}
