//! Questions that people really asked, each with the statement they typed and the right one: `tests/questions/*.json`.

use std::fmt::Write as _;
use std::fs;

use serde::Deserialize;

use crate::expectation::{self, Expect};

#[derive(Deserialize)]
struct Question {
    id: String,
    setup: Vec<String>,
    wrong: String,
    wrong_expect: Option<Expect>,
    script: String,
    expect: Expect,
}

fn questions() -> Vec<Question> {
    let mut files: Vec<_> = fs::read_dir("tests/questions")
        .expect("the questions are there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    files.iter().flat_map(|path| expectation::read::<Question>(&path.to_string_lossy())).collect()
}

fn after(setup: &[String], statement: &str) -> String {
    format!("{}\n{statement}", setup.join("\n"))
}

#[test]
fn right_and_wrong_statements_answer_as_mongodb_does() {
    let mut report = String::new();
    for question in questions() {
        if let Err(why) = expectation::check(&after(&question.setup, &question.script), &question.expect) {
            let _ = writeln!(report, "{}: right statement: {why}", question.id);
        }
        let Some(expect) = &question.wrong_expect else { continue };
        if let Err(why) = expectation::check(&after(&question.setup, &question.wrong), expect) {
            let _ = writeln!(report, "{}: wrong statement: {why}", question.id);
        }
    }
    assert!(report.is_empty(), "{report}");
}
