//! The conformance cases: `tests/conformance/*.json`, each a mongosh script with what MongoDB 7.0 answers by its documentation
//! and tests.
//!
//! Cases that do not pass yet are listed by id in `tests/conformance/expected-failures`, which may only shrink: a listed
//! case that passes fails the test as much as an unlisted one that does not.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use crate::expectation::{self, Case};

const LIST: &str = "tests/conformance/expected-failures";

fn areas() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir("tests/conformance")
        .expect("the cases are there")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok()?.strip_suffix(".json").map(str::to_owned))
        .collect();
    names.sort();
    names
}

/// Why each failing case of an area fails, by id, and how many cases it has.
fn failures(area: &str) -> (Vec<(String, String)>, usize) {
    let cases: Vec<Case> = expectation::read(&format!("tests/conformance/{area}.json"));
    let failed = cases
        .iter()
        .filter_map(|case| {
            let lines: Vec<&str> = case.setup.iter().chain([&case.script]).map(String::as_str).collect();
            expectation::check(&lines.join("\n"), &case.expect).err().map(|why| (case.id.clone(), why))
        })
        .collect();
    (failed, cases.len())
}

#[test]
fn cases_hold() {
    let listed: BTreeSet<String> =
        fs::read_to_string(LIST).expect("the list is there").lines().map(str::to_owned).collect();
    let mut failing = BTreeSet::new();
    let mut report = String::new();
    for area in areas() {
        let (failed, total) = failures(&area);
        eprintln!("conformance {area}: {} of {total} pass", total - failed.len());
        for (id, why) in failed {
            if !listed.contains(&id) {
                let _ = writeln!(report, "{id}: {why}");
            }
            failing.insert(id);
        }
    }
    for id in listed.difference(&failing) {
        let _ = writeln!(report, "{id}: passes now; take it off {LIST}");
    }
    assert!(report.is_empty(), "{report}");
}
