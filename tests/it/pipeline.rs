//! Aggregation: every operator and stage as mongosh text with MongoDB's answer, run through shell and engine.

use std::fs;

use pegboard::engine::Database;
use pegboard::shell::{Limits, Shell};
use pegboard::value::{Bson, JsonMode, Source, View, compare, from_json, to_json};
use serde_json::Value as Json;

fn run(text: &str) -> Result<Bson, (i32, String)> {
    let mut shell = Shell::new(Database::new(Source::seeded(1)), Limits::default());
    match shell.run(text).value {
        Ok(value) => Ok(value.to_bson()),
        Err(failure) => {
            let number = failure.code().map_or(0, |code| code.number());
            Err((number, failure.message))
        }
    }
}

/// The same value with the fields of every document in one order.
fn settled(value: Bson) -> Bson {
    match value {
        Bson::Document(document) => {
            let mut fields: Vec<_> = document.into_iter().map(|(name, value)| (name, settled(value))).collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Bson::Document(fields.into_iter().collect())
        }
        Bson::Array(items) => Bson::Array(items.into_iter().map(settled).collect()),
        other => other,
    }
}

fn same(expected: Bson, found: Bson, unordered: bool) -> bool {
    let (mut expected, mut found) = (settled(expected), settled(found));
    if unordered && let (Bson::Array(expected), Bson::Array(found)) = (&mut expected, &mut found) {
        expected.sort_by(|a, b| compare(a.into(), b.into()));
        found.sort_by(|a, b| compare(a.into(), b.into()));
    }
    compare(View::from(&expected), View::from(&found)).is_eq()
}

/// Why a case fails; none where it passes. Cases about plans belong to another test.
fn failure(case: &Json) -> Option<String> {
    let text = |part: &Json| part.as_str().unwrap_or_default().to_owned();
    let mut lines: Vec<String> = case["setup"].as_array().into_iter().flatten().map(text).collect();
    lines.push(text(&case["script"]));
    let (expect, outcome) = (&case["expect"], run(&lines.join("\n")));
    if let Some(error) = expect.get("error") {
        return match (error["code"].as_i64(), outcome) {
            (_, Ok(value)) => Some(format!("no error but {}", to_json(&value, JsonMode::Relaxed))),
            (Some(code), Err((number, message))) if i64::from(number) != code => Some(format!("{number}: {message}")),
            _ => None,
        };
    }
    let expected = match (expect.get("value"), expect.get("ids")) {
        (Some(value), _) => from_json(value).expect("a case holds Extended JSON"),
        (None, Some(ids)) => from_json(ids).expect("a case holds Extended JSON"),
        _ => return None,
    };
    match outcome {
        Err((number, message)) => Some(format!("failed with {number}: {message}")),
        Ok(found) => {
            let found = if expect.get("ids").is_some() { ids(found) } else { found };
            let shown = to_json(&found, JsonMode::Relaxed);
            let unordered = expect["unordered"].as_bool().unwrap_or_default();
            (!same(expected, found, unordered)).then(|| format!("gave {shown}"))
        }
    }
}

fn ids(documents: Bson) -> Bson {
    let Bson::Array(documents) = documents else {
        return documents;
    };
    Bson::Array(documents.iter().filter_map(|document| document.as_document()?.get("_id").cloned()).collect())
}

fn check(path: &str) {
    let text = fs::read_to_string(path).expect("the file of cases can be read");
    let cases: Vec<Json> = serde_json::from_str(&text).expect("the file holds an array of cases");
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| failure(case).map(|why| format!("{}: {why}\n    {}", case["id"], case["script"])))
        .collect();
    assert!(failed.is_empty(), "{} of {} fail\n{}", failed.len(), cases.len(), failed.join("\n"));
}

#[test]
fn conformance_aggregate() {
    check("tests/conformance/aggregate.json");
}

#[test]
fn conformance_error() {
    check("tests/conformance/error.json");
}

#[test]
fn expressions() {
    check("tests/cases/expressions.json");
}

#[test]
fn stages() {
    check("tests/cases/stages.json");
}

#[test]
fn refusals() {
    check("tests/cases/aggregate-errors.json");
}
