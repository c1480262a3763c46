//! Runs a mongosh script in a fresh database and holds its last value against an expectation.

use std::fs;

use pegboard::engine::Database;
use pegboard::shell::{Limits, Shell, Shown};
use pegboard::value::{
    Bson, Document, JsonMode, Source, View, canonical_type, compare, from_json as from_extended, to_json,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One conformance case; `source` and `note` are for people.
#[derive(Deserialize)]
pub struct Case {
    pub id: String,
    pub setup: Vec<String>,
    pub script: String,
    pub expect: Expect,
}

/// What the last statement must give.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Expect {
    Ids {
        ids: Vec<Value>,
        #[serde(default)]
        unordered: bool,
    },
    Error {
        error: ErrorFacts,
    },
    Plan {
        plan: Box<PlanFacts>,
    },
    Value {
        value: Value,
        #[serde(default)]
        unordered: bool,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorFacts {
    code: Option<i32>,
    #[serde(rename = "codeName")]
    code_name: Option<String>,
}

/// Facts of an explain document; each is compared where it is given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PlanFacts {
    stages: Option<Vec<String>>,
    has_stage: Option<String>,
    lacks_stage: Option<String>,
    index_name: Option<String>,
    index_name_one_of: Option<Vec<String>>,
    is_multi_key: Option<Value>,
    multi_key_paths: Option<Value>,
    index_bounds: Option<Value>,
    direction: Option<Value>,
    filter: Option<Value>,
    n_returned: Option<Value>,
    total_keys_examined: Option<Value>,
    total_docs_examined: Option<Value>,
    rejected_plans: Option<usize>,
}

/// Reads a JSON array of cases.
pub fn read<T: DeserializeOwned>(path: &str) -> Vec<T> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Runs the script and says what differs from the expectation.
pub fn check(script: &str, expect: &Expect) -> Result<(), String> {
    let mut shell = Shell::new(Database::new(Source::seeded(1)), Limits::default());
    let outcome = shell.run(script);
    match (expect, outcome.value.as_ref().map(Shown::to_bson)) {
        (Expect::Error { error }, Err(failure)) => error_facts(error, failure),
        (Expect::Error { .. }, Ok(value)) => Err(format!("no error, but {value}")),
        (_, Err(failure)) => Err(format!("failed: {}", failure.message)),
        (Expect::Plan { plan }, Ok(value)) => plan_facts(plan, &value),
        (Expect::Ids { ids, unordered }, Ok(value)) => {
            let wanted = Bson::Array(ids.iter().map(from_json).collect());
            same_value(&wanted, &ids_of(&value)?, *unordered)
        }
        (Expect::Value { value: wanted, unordered }, Ok(value)) => same_value(&from_json(wanted), &value, *unordered),
    }
}

fn error_facts(facts: &ErrorFacts, failure: &pegboard::shell::Failure) -> Result<(), String> {
    let code = failure.code();
    let (number, name) = (code.map(pegboard::error::ErrorCode::number), code.map(pegboard::error::ErrorCode::name));
    if facts.code.is_some_and(|wanted| Some(wanted) != number) {
        return Err(format!("code {number:?} where {:?} was expected: {}", facts.code, failure.message));
    }
    if facts.code_name.is_some() && facts.code_name != name {
        return Err(format!("codeName {name:?} where {:?} was expected: {}", facts.code_name, failure.message));
    }
    Ok(())
}

fn from_json(value: &Value) -> Bson {
    from_extended(value).expect("an expectation is Extended JSON")
}

fn ids_of(value: &Bson) -> Result<Bson, String> {
    let documents = value.as_array().ok_or_else(|| format!("not an array: {value}"))?;
    let id = |document: &Bson| {
        document
            .as_document()
            .and_then(|fields| fields.get("_id"))
            .cloned()
            .ok_or_else(|| format!("no _id: {document}"))
    };
    documents.iter().map(id).collect::<Result<_, _>>().map(Bson::Array)
}

fn same_value(wanted: &Bson, got: &Bson, unordered: bool) -> Result<(), String> {
    let (mut left, mut right) = (wanted.clone(), got.clone());
    if unordered && let (Bson::Array(left), Bson::Array(right)) = (&mut left, &mut right) {
        left.sort_by(|a, b| compare(View::from(a), View::from(b)));
        right.sort_by(|a, b| compare(View::from(a), View::from(b)));
    }
    if same(View::from(&left), View::from(&right)) {
        return Ok(());
    }
    Err(format!("{} where {} was expected", to_json(got, JsonMode::Relaxed), to_json(wanted, JsonMode::Relaxed)))
}

/// Equal in MongoDB's order and of one type rank; NaN equals itself.
fn same(left: View<'_>, right: View<'_>) -> bool {
    canonical_type(left) == canonical_type(right) && compare(left, right).is_eq()
}

/// The stages of a plan from its root down the first inputs.
fn chain(plan: &Document) -> Vec<&Document> {
    let mut chain = vec![plan];
    while let Some(next) = chain.last().and_then(|stage| first_input(stage)) {
        chain.push(next);
    }
    chain
}

fn first_input(stage: &Document) -> Option<&Document> {
    stage.get_document("inputStage").ok().or_else(|| stage.get_array("inputStages").ok()?.first()?.as_document())
}

fn every_stage<'a>(plan: &'a Document, found: &mut Vec<&'a Document>) {
    found.push(plan);
    if let Ok(input) = plan.get_document("inputStage") {
        every_stage(input, found);
    }
    for input in plan.get_array("inputStages").into_iter().flatten().filter_map(Bson::as_document) {
        every_stage(input, found);
    }
}

fn name(stage: &Document) -> String {
    stage.get_str("stage").unwrap_or_default().to_owned()
}

/// The part of an explain document that holds `queryPlanner`: its root, or the first stage's `$cursor`.
fn cursor_section(explain: &Document) -> Option<&Document> {
    if explain.contains_key("queryPlanner") {
        return Some(explain);
    }
    explain.get_array("stages").ok()?.first()?.as_document()?.get_document("$cursor").ok()
}

fn plan_facts(facts: &PlanFacts, value: &Bson) -> Result<(), String> {
    let section =
        value.as_document().and_then(cursor_section).ok_or_else(|| format!("no explain document: {value}"))?;
    let planner = section.get_document("queryPlanner").map_err(|error| error.to_string())?;
    let winner = planner.get_document("winningPlan").map_err(|error| error.to_string())?;
    let stages = chain(winner);
    let names: Vec<String> = stages.iter().map(|stage| name(stage)).collect();
    let scan = stages.iter().find(|stage| stage.contains_key("indexName"));
    let mut every = Vec::new();
    every_stage(winner, &mut every);
    let mut wrong = Vec::new();
    let mut hold = |what: &str, holds: bool, got: String| {
        if !holds {
            wrong.push(format!("{what} is {got}"));
        }
    };

    if let Some(wanted) = &facts.stages {
        hold("stages", &names == wanted, format!("{names:?}, not {wanted:?}"));
    }
    if let Some(wanted) = &facts.has_stage {
        hold("hasStage", every.iter().any(|stage| &name(stage) == wanted), format!("{names:?} without {wanted}"));
    }
    if let Some(unwanted) = &facts.lacks_stage {
        hold("lacksStage", every.iter().all(|stage| &name(stage) != unwanted), format!("{names:?} with {unwanted}"));
    }
    let index = scan.and_then(|stage| stage.get_str("indexName").ok()).unwrap_or_default();
    if let Some(wanted) = &facts.index_name {
        hold("indexName", index == wanted, format!("{index:?}, not {wanted:?}"));
    }
    if let Some(wanted) = &facts.index_name_one_of {
        hold("indexName", wanted.iter().any(|name| name == index), format!("{index:?}, none of {wanted:?}"));
    }
    let of_scan = |field: &str| scan.or(stages.last()).and_then(|stage| stage.get(field)).cloned();
    let filter = every.iter().find_map(|stage| stage.get("filter")).cloned();
    let statistics = section.get_document("executionStats").ok();
    let of_statistics = |field: &str| statistics.and_then(|statistics| statistics.get(field)).cloned();
    for (what, wanted, got) in [
        ("isMultiKey", &facts.is_multi_key, of_scan("isMultiKey")),
        ("multiKeyPaths", &facts.multi_key_paths, of_scan("multiKeyPaths")),
        ("indexBounds", &facts.index_bounds, of_scan("indexBounds")),
        ("direction", &facts.direction, of_scan("direction")),
        ("filter", &facts.filter, filter),
        ("nReturned", &facts.n_returned, of_statistics("nReturned")),
        ("totalKeysExamined", &facts.total_keys_examined, of_statistics("totalKeysExamined")),
        ("totalDocsExamined", &facts.total_docs_examined, of_statistics("totalDocsExamined")),
    ] {
        let Some(wanted) = wanted else { continue };
        match got {
            None => hold(what, false, format!("missing, not {wanted}")),
            Some(got) => {
                let difference = same_value(&from_json(wanted), &got, false);
                hold(what, difference.is_ok(), difference.err().unwrap_or_default());
            }
        }
    }
    if let Some(wanted) = facts.rejected_plans {
        let got = planner.get_array("rejectedPlans").map(Vec::len).unwrap_or_default();
        hold("rejectedPlans", got == wanted, format!("{got}, not {wanted}"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}
