//! `$rename` into or out of an array.

use crate::engine::Modify;
use crate::error::CommandPath;
use crate::pitfall::grain::each_question;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Question, Sighting};
use crate::value::{Bson, Document, Path, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "rename-into-array",
    level: Level::Refused,
    weight: 4,
    title: Words::new("`$rename` into or out of an array", "`$rename` in ein Array hinein oder heraus"),
    explanation: Words::new(
        "`$rename` moves a field within nested documents; it does not work on the elements of an array.",
        "`$rename` verschiebt ein Feld in verschachtelten Dokumenten; auf Elemente eines Arrays wirkt es nicht.",
    ),
    message: Words::new(
        "`$rename` cannot enter `{array}`, which is an array in {n documents} (error {code}).",
        "`$rename` kommt nicht in `{array}` hinein; das ist in {n Dokumenten} ein Array (Fehler {code}).",
    ),
    cure: Words::new("A pipeline with `$map`.", "Eine Pipeline mit `$map`."),
    example: r#"db.c.updateMany({}, {$rename: {"specs.name": "specs.k"}})"#,
    detect: |case| each_question(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let refusal = question.ran.result.as_ref().err()?;
    let Modify::Operators(change) = question.modify()? else { return None };
    let renamed = change.get("$rename").and_then(Bson::as_document)?;
    let arrays = case.profile(question.collection)?.arrays();
    let crosses = |path: &str| arrays.iter().find(|(array, _)| Path::new(array).is_prefix_of(&Path::new(path)));
    let (source, (array, facts)) = renamed.iter().find_map(|(source, target)| {
        let inside = |path: &str| crosses(path).filter(|(array, _)| array.as_str() != path);
        Some((source, inside(source).or_else(|| inside(target.as_str()?))?))
    })?;
    Some(Sighting {
        span: case.span(question.ran, &CommandPath::argument("update").field("$rename").field(source)),
        values: vec![
            ("array", array.clone()),
            ("n", facts.arrays().to_string()),
            ("code", refusal.code.number().to_string()),
        ],
        evidence: vec![Evidence::Refusal { code: refusal.code.number(), message: refusal.message.clone() }],
        fix: cured(case, question, change, renamed, array),
        ..Sighting::default()
    })
}

/// A pipeline that gives every element the field under its new name; only for names inside of one array.
fn cured(
    case: &Case<'_>,
    question: &Question<'_>,
    change: &Document,
    renamed: &Document,
    array: &str,
) -> Option<String> {
    let inside =
        |path: &str| path.strip_prefix(array)?.strip_prefix('.').filter(|name| !name.contains('.')).map(str::to_owned);
    let pairs = renamed.iter().map(|(source, target)| Some((inside(source)?, inside(target.as_str()?)?)));
    let pairs: Vec<(String, String)> = pairs.collect::<Option<_>>()?;
    let old: Vec<&str> = pairs.iter().map(|(old, _)| old.as_str()).collect();
    let kept = doc! {"$filter": {
        "input": {"$objectToArray": "$$s"},
        "as": "f",
        "cond": {"$not": [{"$in": ["$$f.k", old]}]},
    }};
    let new: Document = pairs.iter().map(|(old, new)| (new.clone(), Bson::from(format!("$$s.{old}")))).collect();
    let element = doc! {"$mergeObjects": [new, {"$arrayToObject": kept}]};
    let stage = doc! {"$set": {array: {"$map": {"input": format!("${array}"), "as": "s", "in": element}}}};
    (change.len() == 1).then(|| case.with_argument(question.ran, "update", &Bson::Array(vec![stage.into()]))).flatten()
}
