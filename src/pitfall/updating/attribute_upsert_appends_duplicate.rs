//! An element pushed whose key the document has already, with another value.

use super::change::{Change, Target, each_target, pairs, shown_id, write};
use crate::pitfall::case::shown;
use crate::pitfall::elements::{elements, key_field, key_of};
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::value::{Bson, Document, RawDocument, View, doc, equal};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "attribute-upsert-appends-duplicate",
    level: Level::WrongResult,
    weight: 20,
    title: Words::new("'Set attribute' by $push or $addToSet", "„Attribut setzen“ mit $push oder $addToSet"),
    explanation: Words::new(
        "`$push` always appends, and `$addToSet` compares whole elements: another value of the same key stands beside the old one.",
        "`$push` hängt immer an, und `$addToSet` vergleicht ganze Elemente: Ein anderer Wert desselben Schlüssels steht dann neben dem alten.",
    ),
    message: Words::new(
        "`{key}` is now there {n times} in _id {id}: {values}. That happened in {m changed documents}.",
        "`{key}` steht jetzt {n}-mal in _id {id}: {values}. Das geschah in {m geänderten Dokumenten}.",
    ),
    cure: Words::new(
        "Update in place where the key is there and push where it is not, or rebuild the array in one pipeline.",
        "Ändere an Ort und Stelle, wo der Schlüssel da ist, und hänge an, wo er fehlt, oder baue das Array in einer Pipeline neu.",
    ),
    example: r#"db.c.updateOne({_id: 1}, {$addToSet: {specs: {k: "color", v: "blue"}}})"#,
    detect: |case| each_target(case, sight),
};

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    if !["$push", "$addToSet"].contains(&target.operator) {
        return None;
    }
    let field = key_field(case, change.question.collection, target.name)?;
    pushed(target.operand).into_iter().find_map(|element| {
        let key = element.get_str(&field).ok()?;
        let doubled: Vec<_> =
            pairs(&change.question).filter(|(before, _)| has_other(before, target, &field, key, element)).collect();
        let (before, after) = *doubled.first()?;
        let values: Vec<String> =
            with_key(after, target, &field, key).iter().map(|value| shown(&value.to_bson())).collect();
        Some(Sighting {
            span: change.span(case, target),
            values: vec![
                ("key", key.to_owned()),
                ("n", values.len().to_string()),
                ("id", shown_id(before)),
                ("values", values.join(", ")),
                ("m", doubled.len().to_string()),
            ],
            evidence: vec![write(before, after)],
            fix: cured(case, change, target, &field, element),
            ..Sighting::default()
        })
    })
}

/// The documents that an operand appends.
fn pushed(operand: &Bson) -> Vec<&Document> {
    let Some(document) = operand.as_document() else { return Vec::new() };
    match document.get("$each") {
        Some(Bson::Array(each)) => each.iter().filter_map(Bson::as_document).collect(),
        _ => vec![document],
    }
}

fn with_key<'d>(document: &'d RawDocument, target: &Target<'_>, field: &str, key: &str) -> Vec<View<'d>> {
    let elements = elements(document, &target.path).unwrap_or_default();
    elements.into_iter().filter(|element| key_of(*element, field) == Some(key)).collect()
}

/// Whether the document has the key with another value.
fn has_other(document: &RawDocument, target: &Target<'_>, field: &str, key: &str, element: &Document) -> bool {
    let element = Bson::Document(element.clone());
    with_key(document, target, field, key).into_iter().any(|held| !equal(held, View::from(&element)))
}

/// One pipeline that keeps the other elements and puts this one behind them.
fn cured(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>, field: &str, element: &Document) -> Option<String> {
    let single = change.operators.len() == 1 && change.targets().count() == 1;
    if !single || pushed(target.operand).len() > 1 || target.cut().is_some() {
        return None;
    }
    let array = format!("${}", target.name);
    let key = element.get(field)?.clone();
    let others = doc! {"$filter": {"input": {"$ifNull": [&array, []]}, "as": "e", "cond": {"$ne": [format!("$$e.{field}"), {"$literal": key}]}}};
    let joined = doc! {"$concatArrays": [others, [{"$literal": element.clone()}]]};
    let stage = doc! {"$set": {target.name: joined}};
    change.with_update(case, &Bson::Array(vec![stage.into()]))
}
