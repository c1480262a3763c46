//! `$inc` or `$mul` of a number that is stored as text.

use super::change::{Change, Target, each_target, shown_id};
use crate::error::ErrorCode;
use crate::pitfall::case::shown;
use crate::pitfall::conversion::update_all;
use crate::pitfall::elements::{elements, key_field, value_at};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::value::{Bson, Document, Path, RawDocument, View, doc, member};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "inc-on-string",
    level: Level::Refused,
    weight: 6,
    title: Words::new("$inc on a number stored as text", "$inc auf eine Zahl, die als Text gespeichert ist"),
    explanation: Words::new(
        "Arithmetic updates take numbers only; text that looks like one is refused (error 14, TypeMismatch).",
        "Rechnende Änderungen nehmen nur Zahlen; Text, der wie eine aussieht, wird abgelehnt (Fehler 14, TypeMismatch).",
    ),
    message: Words::new(
        "`{path}` is the string {value} in _id {id}, so `{operator}` cannot count with it.",
        "`{path}` ist in _id {id} der Text {value}, damit kann `{operator}` nicht rechnen.",
    ),
    cure: Words::new(
        "Convert the stored values to numbers once.",
        "Wandle die gespeicherten Werte einmal in Zahlen um.",
    ),
    example: r#"db.c.updateOne({_id: 1, "specs.k": "stock"}, {$inc: {"specs.$.v": -1}})"#,
    detect: |case| each_target(case, sight),
};

/// Where a string stands in the way.
struct Text<'a> {
    document: &'a RawDocument,
    place: Path,
    value: &'a str,
}

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    let refused = change.refusal().is_some_and(|error| error.code == ErrorCode::TypeMismatch);
    if !refused || !["$inc", "$mul"].contains(&target.operator) {
        return None;
    }
    let error = change.refusal()?;
    let text = change.matching(case).into_iter().find_map(|document| text(case, change, target, document))?;
    let document = Document::try_from(text.document).ok()?;
    let value = shown(&Bson::String(text.value.to_owned()));
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("path", text.place.to_string()),
            ("value", value.clone()),
            ("id", shown_id(text.document)),
            ("operator", target.operator.to_owned()),
        ],
        evidence: vec![
            Evidence::Refusal { code: error.code.number(), message: error.message.clone() },
            Evidence::Document { document, deciding: vec![(text.place.to_string(), value)], made: false },
        ],
        fix: cured(case, change, target, &text),
        ..Sighting::default()
    })
}

/// The first string that the target names in a document.
fn text<'a>(case: &Case<'a>, change: &Change<'_>, target: &Target<'_>, document: &'a RawDocument) -> Option<Text<'a>> {
    places(case, change, target, document).into_iter().find_map(|place| match value_at(document, &place)? {
        View::String(value) => Some(Text { document, place, value }),
        _ => None,
    })
}

/// The places that a target may name in a document.
fn places(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>, document: &RawDocument) -> Vec<Path> {
    let Some(cut) = target.cut() else { return vec![target.path.clone()] };
    if cut.positional == "$" {
        let witness = case.witness(&change.question, document);
        let position = witness.and_then(|witness| witness.position());
        return position.map(|at| Path::new(&cut.with(&at.to_string()))).into_iter().collect();
    }
    let length = elements(document, &cut.array).map_or(0, |elements| elements.len());
    (0..length).map(|at| Path::new(&cut.with(&at.to_string()))).collect()
}

/// The values converted by a statement in front.
fn cured(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>, text: &Text<'_>) -> Option<String> {
    let kind = if text.value.parse::<i32>().is_ok() { "int" } else { "double" };
    text.value.parse::<f64>().ok().filter(|number| number.is_finite())?;
    let (filter, stage) = conversion(case, change, target, text, kind)?;
    let update = update_all(change.question.collection, filter, vec![stage]);
    case.with_before(change.question.ran, &[update])
}

fn conversion(
    case: &Case<'_>,
    change: &Change<'_>,
    target: &Target<'_>,
    text: &Text<'_>,
    kind: &str,
) -> Option<(Document, Document)> {
    let convert = |input: String| doc! {"$convert": {"input": &input, "to": kind, "onError": &input, "onNull": null}};
    let Some(cut) = target.cut() else {
        let filter = doc! {target.name: {"$type": "string"}};
        return Some((filter, doc! {"$set": {target.name: convert(format!("${}", target.name))}}));
    };
    let [field] = cut.rest.parts() else { return None };
    let key = key_field(case, change.question.collection, &cut.array.to_string())?;
    let array = cut.array.to_string();
    let at = text.place.parts().get(cut.array.parts().len())?;
    let element = member(value_at(text.document, &cut.array)?, at)?;
    let name = member(element, &key)?.to_bson();
    let converted = doc! {"$mergeObjects": ["$$e", {&**field: convert(format!("$$e.{field}"))}]};
    let chosen = doc! {"$cond": [{"$eq": [format!("$$e.{key}"), {"$literal": &name}]}, converted, "$$e"]};
    let mapped = doc! {"$map": {"input": format!("${array}"), "as": "e", "in": chosen}};
    Some((doc! {format!("{array}.{key}"): name}, doc! {"$set": {array: mapped}}))
}
