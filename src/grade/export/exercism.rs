//! Exercism's test runner result, version 3.

use serde_json::{Value, json};

use super::{all_pass, clean, not_gradable};
use crate::grade::report::{Report, Row, Verdict};

/// The site cuts a message here.
const MESSAGE: usize = 65_000;
/// The site cuts a row's output here.
const OUTPUT: usize = 500;

/// Writes the result; the task id is the exercise's place.
pub(super) fn write(reports: &[Report]) -> Value {
    if let Some(message) = not_gradable(reports) {
        return json!({"version": 3, "status": "error", "message": clean(message, MESSAGE)});
    }
    let status = if all_pass(reports) { "pass" } else { "fail" };
    let tests: Vec<Value> =
        (1..).zip(reports).flat_map(|(task, report)| report.checks.iter().map(move |row| test(task, row))).collect();
    json!({"version": 3, "status": status, "message": null, "tests": tests})
}

fn test(task: u32, row: &Row) -> Value {
    let status = match row.verdict {
        Verdict::Pass => "pass",
        Verdict::Partial | Verdict::Fail => "fail",
        Verdict::Skipped | Verdict::Ungradable => "error",
    };
    let mut out = json!({"name": clean(&row.name, OUTPUT), "status": status, "task_id": task, "test_code": row.id});
    if row.verdict != Verdict::Pass {
        out["message"] = clean(&row.advice(), MESSAGE).into();
    }
    if !row.actual.is_empty() {
        out["output"] = clean(&row.actual, OUTPUT).into();
    }
    out
}
