//! An upsert whose update points into an array that the new document does not have.

use super::change::{Change, Target, each_change};
use crate::engine::{Command, Modify};
use crate::pitfall::elements::{condition, conjuncts};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "upsert-with-position",
    level: Level::Refused,
    weight: 9,
    title: Words::new("Upsert together with specs.$ or $[e]", "Upsert zusammen mit specs.$ oder $[e]"),
    explanation: Words::new(
        "A document that is just being made has no elements, so no position to point at.",
        "Ein Dokument, das gerade erst entsteht, hat keine Elemente, also keine Position, auf die man zeigen kann.",
    ),
    message: Words::new(
        "None of the {n documents} matched, and an inserted document has no element for `{path}` to point at (error {code}).",
        "Keines der {n Dokumente} passte, und ein eingefügtes Dokument hat kein Element, auf das `{path}` zeigen kann (Fehler {code}).",
    ),
    cure: Words::new(
        "Two steps, a pipeline update, or one document per entry, which an upsert can make and count.",
        "Zwei Schritte, eine Pipeline-Änderung oder ein Dokument je Eintrag, das ein Upsert anlegen und zählen kann.",
    ),
    example: r#"db.c.updateOne({sku: "A", "specs.k": "color"}, {$set: {"specs.$.v": "blue"}}, {upsert: true})"#,
    detect: |case| each_change(case, sight),
};

fn sight(case: &Case<'_>, change: &Change<'_>) -> Option<Sighting> {
    let error = change.refusal().filter(|_| change.upsert)?;
    let target = change.targets().find(|target| target.cut().is_some())?;
    if !change.matching(case).is_empty() {
        return None;
    }
    let code = error.code.number();
    Some(Sighting {
        span: change.span(case, &target),
        values: vec![
            ("n", case.documents(change.question.collection).len().to_string()),
            ("path", target.name.to_owned()),
            ("code", code.to_string()),
        ],
        evidence: vec![Evidence::Refusal { code, message: error.message.clone() }],
        fix: cured(case, change, &target),
        ..Sighting::default()
    })
}

/// A pipeline that takes the old element out and puts the new one in, found by what the filter asks outside of the array.
fn cured(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<String> {
    let cut = target.cut().filter(|cut| cut.positional == "$" && change.targets().count() == 1)?;
    let parts = conjuncts(&change.question.tree).iter();
    let (inside, outside): (Vec<&Filter>, Vec<&Filter>) =
        parts.partition(|part| part.paths().iter().any(|path| cut.array.is_prefix_of(path)));
    let asked = Filter::And(inside.into_iter().cloned().collect());
    let asked = condition(&asked.normalised(), &cut.array)?;
    let mut element = Document::new();
    for part in conjuncts(&asked) {
        let Filter::Field(Predicate { path, test: Test::Compare(Comparison::Eq, value) }) = part else { return None };
        element.insert(path.to_string(), doc! {"$literal": value.clone()});
    }
    let (key, named) = element.iter().next().map(|(key, value)| (key.clone(), value.clone()))?;
    let array = format!("${}", cut.array);
    let kept = |operator: &str| {
        let condition = doc! {operator: [format!("$$e.{key}"), named.clone()]};
        doc! {"$filter": {"input": {"$ifNull": [&array, []]}, "as": "e", "cond": condition}}
    };
    let old = doc! {"$first": {"$map": {"input": kept("$eq"), "as": "e", "in": format!("$$e.{}", cut.rest)}}};
    let value = match target.operator {
        "$set" => doc! {"$literal": target.operand.clone()},
        "$inc" => doc! {"$add": [{"$ifNull": [old, 0]}, target.operand.clone()]},
        _ => return None,
    };
    element.insert(cut.rest.to_string(), value);
    let stage = doc! {"$set": {cut.array.to_string(): {"$concatArrays": [kept("$ne"), [element]]}}};
    let filter = written(&Filter::And(outside.into_iter().cloned().collect()).normalised());
    let mut command = change.question.with(filter);
    match &mut command {
        Command::Update(update) => update.spec.modify = Modify::Pipeline(vec![stage]),
        Command::FindAndModify(modify) => modify.modify = Some(Modify::Pipeline(vec![stage])),
        _ => return None,
    }
    change.with_command(case, &command)
}
