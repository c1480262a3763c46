//! Our own cases in the form of the conformance ones (`tests/cases/*.json`): operators and rules that those leave out.

use crate::expectation::{self, Case};

fn check(file: &str) {
    let cases: Vec<Case> = expectation::read(file);
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let lines: Vec<&str> = case.setup.iter().chain([&case.script]).map(String::as_str).collect();
            let checked = expectation::check(&lines.join("\n"), &case.expect);
            checked.err().map(|why| format!("{}: {why}", case.id))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn filters_projections_and_sorts() {
    check("tests/cases/query.json");
}

#[test]
fn indexes() {
    check("tests/cases/indexes.json");
}

#[test]
fn updates() {
    check("tests/cases/update.json");
}

#[test]
fn cursors() {
    check("tests/cases/cursors.json");
}

#[test]
fn explained_writes_and_the_plan_cache() {
    check("tests/cases/explain.json");
}

#[test]
fn plans() {
    check("tests/cases/plans.json");
}

#[test]
fn distinct_plans() {
    check("tests/cases/distinct-plans.json");
}

/// Expectations compare numbers by value; these ask `$type` for the type of each answer.
#[test]
fn number_types() {
    check("tests/cases/number-types.json");
}
