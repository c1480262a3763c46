//! An array written whole, with fewer attributes than it had.

use std::collections::BTreeSet;

use super::change::{pairs, shown_id, write};
use crate::engine::Modify;
use crate::error::CommandPath;
use crate::pitfall::elements::{elements, key_field, key_of, value_at};
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
        "{keys} are gone from `{array}` in _id {id}; {n} documents lost attributes.",
        "{keys} sind aus `{array}` in _id {id} verschwunden; {n} Dokumente haben Attribute verloren.",
    ),
    cure: Words::new(
        "Address the element: `A.$.v` with the key in the filter, or rebuild the array from the old one in a pipeline.",
        "Sprich das Element an: `A.$.v` mit dem Schlüssel im Filter, oder baue das Array in einer Pipeline aus dem alten.",
    ),
    example: r#"db.c.updateOne({_id: 1}, {$set: {specs: [{k: "color", v: "blue"}]}})"#,
    detect,
};

/// An array that a write puts in whole.
struct Whole<'a> {
    array: &'a str,
    list: &'a [Bson],
    at: CommandPath,
}

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let questions = case.questions().iter();
    questions.filter_map(|question| wholes(question).iter().find_map(|whole| sight(case, question, whole))).collect()
}

/// The arrays that are written as literals.
fn wholes<'q>(question: &'q Question<'_>) -> Vec<Whole<'q>> {
    let at = CommandPath::argument("update");
    let arrays = |fields: &'q Document, at: CommandPath| {
        let array = move |(name, value): (&'q String, &'q Bson)| {
            Some(Whole { array: name, list: value.as_array()?, at: at.clone().field(name) })
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
    let key = key_field(case, question.collection, whole.array)?;
    let path = Path::new(whole.array);
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
        ],
        evidence: vec![write(before, after)],
        fix: cured(case, question, whole, &key),
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

/// One pipeline that keeps the elements of other keys and puts the new ones behind them.
fn cured(case: &Case<'_>, question: &Question<'_>, whole: &Whole<'_>, key: &str) -> Option<String> {
    let Some(Modify::Operators(operators)) = question.modify() else { return None };
    let single = operators.len() == 1 && operators.get_document("$set").is_ok_and(|fields| fields.len() == 1);
    let keys: Option<Vec<Bson>> = whole.list.iter().map(|element| element.as_document()?.get(key).cloned()).collect();
    let keys = keys.filter(|keys| single && !keys.is_empty())?;
    let old = doc! {"$ifNull": [format!("${}", whole.array), []]};
    let others = doc! {"$not": {"$in": [format!("$$e.{key}"), {"$literal": keys}]}};
    let kept = doc! {"$filter": {"input": old, "as": "e", "cond": others}};
    let joined = doc! {"$concatArrays": [kept, {"$literal": whole.list.to_vec()}]};
    let node = question.ran.places.literal(&CommandPath::argument("update"))?;
    let update = Bson::Array(vec![doc! {"$set": {whole.array: joined}}.into()]);
    case.replaced(&case.script.node(node).span, &literal(&update))
}
