//! An array written whole, with fewer attributes than it had.

use std::collections::BTreeSet;

use super::change::{pairs, shown_id, write};
use crate::engine::Modify;
use crate::error::CommandPath;
use crate::pitfall::elements::{elements, key_field, key_of, key_of_facts, value_at};
use crate::pitfall::{Case, Level, Pitfall, Question, Sighting};
use crate::shell::literal;
use crate::value::{Bson, Document, Path, RawDocument, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "set-replaces-whole-array",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("One attribute set, all others lost", "Ein Attribut gesetzt, alle anderen verloren"),
    explanation: Words::new(
        "`$set` on the array path, and a replacement, put the new array in place of the old one.",
        "`$set` auf den Array-Pfad, ebenso eine Ersetzung, setzt das neue Array an die Stelle des alten.",
    ),
    message: Words::new(
        "{keys} {lost|is|are} gone from `{array}` in _id {id}; {n documents} lost attributes.",
        "{keys} {lost|ist|sind} aus `{array}` in _id {id} verschwunden; {n} {n|Dokument hat|Dokumente haben} Attribute \
         verloren.",
    ),
    cure: Words::new(
        "Address the element: `specs.$.v` with the key in the filter, or rebuild the array from the old one in a pipeline.",
        "Sprich das Element an: `specs.$.v` mit dem Schlüssel im Filter, oder baue das Array in einer Pipeline aus dem alten.",
    ),
    example: r#"db.c.updateOne({_id: 1}, {$set: {specs: [{k: "color", v: "blue"}]}})"#,
    detect,
};

const NO_ARRAY: Words = Words::new(
    "`{array}` was an array and is {put} in _id {id} now: {keys} {lost|is|are} gone. {n documents} lost \
     attributes.",
    "`{array}` war ein Array und ist in _id {id} jetzt {put}: {keys} {lost|ist|sind} verschwunden. {n} {n|Dokument hat|Dokumente haben} \
     Attribute verloren.",
);

const EVERYWHERE: Words = Words::new(
    "In a pipeline {put} is written into every element of `{array}`: {keys} {lost|is|are} gone from _id {id}. {n documents} lost attributes.",
    "In einer Pipeline wird {put} in jedes Element von `{array}` geschrieben: {keys} {lost|ist|sind} aus _id {id} \
     verschwunden. {n} {n|Dokument hat|Dokumente haben} Attribute verloren.",
);

/// A value that a write puts in an array's place.
struct Whole<'a> {
    array: &'a str,
    put: &'a Bson,
    at: CommandPath,
}

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let questions = case.questions().iter();
    questions.filter_map(|question| wholes(question).iter().find_map(|whole| sight(case, question, whole))).collect()
}

/// The values that are written as literals; null empties an array on purpose.
fn wholes<'q>(question: &'q Question<'_>) -> Vec<Whole<'q>> {
    let at = CommandPath::argument("update");
    let arrays = |fields: &'q Document, at: CommandPath| {
        let array = move |(name, value): (&'q String, &'q Bson)| {
            is_literal(value).then(|| Whole { array: name, put: value, at: at.clone().field(name) })
        };
        fields.iter().filter_map(array).collect::<Vec<_>>()
    };
    let set =
        |document: &'q Document| document.get_document("$set").or_else(|_| document.get_document("$addFields")).ok();
    match question.modify() {
        Some(Modify::Operators(operators)) => {
            set(operators).map(|fields| arrays(fields, at.field("$set"))).unwrap_or_default()
        }
        Some(Modify::Replacement(document)) => arrays(document, CommandPath::argument("replacement")),
        Some(Modify::Pipeline(stages)) => {
            stages.iter().filter_map(set).flat_map(|fields| arrays(fields, at.clone())).collect()
        }
        None => Vec::new(),
    }
}

fn sight(case: &Case<'_>, question: &Question<'_>, whole: &Whole<'_>) -> Option<Sighting> {
    let path = Path::new(whole.array);
    pairs(question).find(|(before, _)| elements(before, &path).is_some())?;
    let before = case.facts_before(question.collection);
    let key = before
        .and_then(|facts| key_of_facts(&facts, whole.array))
        .or_else(|| key_field(case, question.collection, whole.array))?;
    let losses: Vec<_> = pairs(question)
        .map(|(before, after)| (lost(before, after, &path, &key), before, after))
        .filter(|(lost, ..)| !lost.is_empty())
        .collect();
    let (keys, before, after) = losses.first()?;
    Some(Sighting {
        span: case.span(question.ran, &whole.at),
        values: vec![
            ("keys", keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")),
            ("array", whole.array.to_owned()),
            ("id", shown_id(before)),
            ("n", losses.len().to_string()),
            ("lost", keys.len().to_string()),
            ("put", format!("`{}`", literal(whole.put))),
        ],
        evidence: vec![write(before, after)],
        fix: cured(case, question, whole, &key),
        words: match (whole.put, elements(after, &path)) {
            (Bson::Array(_), _) => None,
            (_, None) => Some(NO_ARRAY),
            (_, Some(_)) => Some(EVERYWHERE),
        },
        ..Sighting::default()
    })
}

/// The keys that were there and are not any more; an attribute that became a field of the document is not lost.
fn lost<'d>(before: &'d RawDocument, after: &'d RawDocument, array: &Path, key: &str) -> Vec<&'d str> {
    let held = |document: &'d RawDocument| -> BTreeSet<&'d str> {
        elements(document, array).into_iter().flatten().filter_map(|element| key_of(element, key)).collect()
    };
    let gone = held(before).difference(&held(after)).copied().collect::<Vec<_>>();
    let is_field = |key: &str| value_at(after, &Path::new(key)).is_some();
    gone.into_iter().filter(|key| !is_field(key)).collect()
}

/// Whether a value is written as it stands: no expression, no path.
fn is_literal(value: &Bson) -> bool {
    match value {
        Bson::Null => false,
        Bson::Document(document) => !document.keys().any(|name| name.starts_with('$')),
        Bson::String(text) => !text.starts_with('$'),
        _ => true,
    }
}

/// One pipeline that keeps the elements of other keys and puts the new ones behind them.
fn cured(case: &Case<'_>, question: &Question<'_>, whole: &Whole<'_>, key: &str) -> Option<String> {
    let fields = match question.modify()? {
        Modify::Operators(operators) if operators.len() == 1 => operators.get_document("$set").ok()?,
        Modify::Pipeline(stages) => match stages.as_slice() {
            [stage] => stage.get_document("$set").or_else(|_| stage.get_document("$addFields")).ok()?,
            _ => return None,
        },
        _ => return None,
    };
    let list = match whole.put {
        Bson::Array(list) => list.clone(),
        one => vec![one.clone()],
    };
    let keys: Option<Vec<Bson>> = list.iter().map(|element| element.as_document()?.get(key).cloned()).collect();
    let keys = keys.filter(|keys| fields.len() == 1 && !keys.is_empty())?;
    let old = doc! {"$ifNull": [format!("${}", whole.array), []]};
    let others = doc! {"$not": {"$in": [format!("$$e.{key}"), {"$literal": keys}]}};
    let kept = doc! {"$filter": {"input": old, "as": "e", "cond": others}};
    let joined = doc! {"$concatArrays": [kept, {"$literal": list}]};
    let update = Bson::Array(vec![doc! {"$set": {whole.array: joined}}.into()]);
    case.with_argument(question.ran, "update", &update)
}
