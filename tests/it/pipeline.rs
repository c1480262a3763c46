//! Aggregation stages: each with what MongoDB gives, beside the conformance cases.

use crate::expectation::{self, Case};

/// Runs a file of cases and tells which fail, and why.
pub fn check(path: &str) {
    let cases: Vec<Case> = expectation::read(path);
    let why = |case: &Case| {
        let lines: Vec<&str> = case.setup.iter().chain([&case.script]).map(String::as_str).collect();
        let outcome = expectation::check(&lines.join("\n"), &case.expect);
        outcome.err().map(|why| format!("{}: {why}", case.id))
    };
    let failed: Vec<String> = cases.iter().filter_map(why).collect();
    assert!(failed.is_empty(), "{} of {} fail\n{}", failed.len(), cases.len(), failed.join("\n"));
}

#[test]
fn stages() {
    check("tests/cases/stages.json");
}

#[test]
fn explained() {
    check("tests/cases/aggregate-plans.json");
}

#[test]
fn rewritten() {
    check("tests/cases/pipeline-moves.json");
}
