//! Gradescope's `/autograder/results/results.json`.

use serde_json::{Value, json};

use super::{LONG, clean, not_gradable, points};
use crate::grade::report::{Report, Row, Verdict};

/// Writes one row per check; a report that could not be graded is one visible failed row.
pub(super) fn write(reports: &[Report]) -> Value {
    let tests: Vec<Value> = match not_gradable(reports) {
        Some(message) => vec![failed_row(message, points(reports).1)],
        None => reports.iter().enumerate().flat_map(|(at, report)| report_rows(at + 1, report)).collect(),
    };
    let keys: u64 = reports.iter().map(|report| report.work.keys).sum();
    json!({
        "output": headline(reports),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "seed": reports.first().map(|report| report.seed),
            "pack": reports.first().map(|report| &report.pack),
        },
        "tests": tests,
        "leaderboard": [{"name": "Keys examined", "value": keys, "order": "asc"}],
    })
}

fn headline(reports: &[Report]) -> String {
    let (reached, all) = points(reports);
    let pack = reports.first().map_or("", |report| report.pack.as_str());
    let seed = reports.first().map_or(0, |report| report.seed);
    format!("{} exercise(s) of {pack}, seed {seed}: {reached} of {all} points.", reports.len())
}

fn failed_row(message: &str, max: u32) -> Value {
    json!({
        "number": "1.1", "name": "The answer can be graded", "score": 0, "max_score": max.max(1), "status": "failed",
        "visibility": "visible", "output": clean(message, LONG),
    })
}

fn report_rows(task: usize, report: &Report) -> Vec<Value> {
    report.checks.iter().enumerate().map(|(at, row)| test(task, at + 1, report, row)).collect()
}

/// Rows are always visible: one hidden row would hide the student's total. What hidden data holds is in no row anyway.
fn test(task: usize, at: usize, report: &Report, row: &Row) -> Value {
    let passed = row.verdict == Verdict::Pass;
    let mut tags = vec![report.exercise.clone()];
    tags.extend(row.diagnoses.iter().map(|id| format!("pitfall:{id}")));
    json!({
        "number": format!("{task}.{at}"),
        "name": clean(&row.name, LONG),
        "score": row.points,
        "max_score": row.max_points,
        "status": if passed { "passed" } else { "failed" },
        "tags": tags,
        "visibility": "visible",
        "output": clean(&row.advice(), LONG),
    })
}
