//! Every plan that the planner weighs for a query, as the server's planner tests list them (`tests/planner/candidates.json`).

use std::fmt::Write;

use pegboard::engine::Database;
use pegboard::shell::{Limits, Shell, Shown};
use pegboard::value::{Bson, Document, JsonMode, Source, to_json};
use serde::Deserialize;

use crate::expectation::read;

/// A query over a collection with indexes, and its plans in their notation, sorted.
#[derive(Deserialize)]
struct Case {
    id: String,
    documents: String,
    indexes: String,
    find: String,
    plans: Vec<String>,
}

impl Case {
    fn script(&self) -> String {
        let documents = if self.documents == "[]" { "[{}]" } else { &self.documents };
        format!(
            "db.c.insertMany({documents});\n\
             for (const i of {}) Array.isArray(i) ? db.c.createIndex(i[0], i[1]) : db.c.createIndex(i);\n\
             {}.explain().queryPlanner",
            self.indexes, self.find
        )
    }

    /// What the planner says instead; none where it is as expected.
    fn difference(&self) -> Option<String> {
        let outcome = Shell::new(Database::new(Source::seeded(1)), Limits::default()).run(&self.script());
        let planner = match outcome.value.as_ref().map(Shown::to_bson) {
            Ok(Bson::Document(planner)) => planner,
            Ok(other) => return Some(format!("{}: {other}", self.id)),
            Err(failure) => return Some(format!("{}: {}", self.id, failure.message)),
        };
        let rejected = planner.get_array("rejectedPlans").into_iter().flatten().filter_map(Bson::as_document);
        let mut plans: Vec<String> =
            planner.get_document("winningPlan").into_iter().chain(rejected).map(notation).collect();
        plans.sort();
        (plans != self.plans).then(|| format!("{}: {plans:#?} where {:#?} was expected", self.id, self.plans))
    }
}

/// A stage in one line: name, index with bounds, order, limit, projection, filter, and what it reads from.
fn notation(stage: &Document) -> String {
    let text = |name: &str| stage.get(name).map(|value| to_json(value, JsonMode::Relaxed).to_string());
    let mut line = stage.get_str("stage").unwrap_or_default().to_owned();
    if let Ok(index) = stage.get_str("indexName") {
        write!(line, " {index} {}", text("indexBounds").unwrap_or_default()).expect("text");
        if stage.get_str("direction").is_ok_and(|direction| direction == "backward") {
            line += " backward";
        }
    }
    for part in ["sortPattern", "limitAmount", "transformBy"].into_iter().filter_map(text) {
        write!(line, " {part}").expect("text");
    }
    if let Some(filter) = text("filter") {
        write!(line, " where {filter}").expect("text");
    }
    let inputs: Vec<String> = inputs(stage).into_iter().map(notation).collect();
    if inputs.is_empty() { line } else { format!("{line} ({})", inputs.join(", ")) }
}

fn inputs(stage: &Document) -> Vec<&Document> {
    match stage.get_document("inputStage") {
        Ok(only) => vec![only],
        Err(_) => stage.get_array("inputStages").into_iter().flatten().filter_map(Bson::as_document).collect(),
    }
}

#[test]
fn all_candidates_are_those_of_the_server() {
    let cases: Vec<Case> = read("tests/planner/candidates.json");
    let wrong: Vec<String> = cases.iter().filter_map(Case::difference).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
