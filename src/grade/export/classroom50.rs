//! Classroom 50's `result.json`; its schema is closed at the top and open in the rows.

use serde_json::{Value, json};

use super::{LONG, Surroundings, clean, points, rows};
use crate::grade::report::{Report, Row, Verdict};

/// Writes the result; what the runner stamps itself is taken from the surroundings.
pub(super) fn write(reports: &[Report], around: &Surroundings) -> Value {
    let (score, max) = points(reports);
    let graded_at = reports.first().map_or("", |report| report.graded_at.as_str());
    let submitted = if around.submitted_at.is_empty() { graded_at } else { &around.submitted_at };
    let [commit, release, review] = &around.links;
    json!({
        "schema": "classroom50/result/v1",
        "classroom": or(&around.classroom, "local"),
        "assignment": or(&around.assignment, reports.first().map_or("local", |report| report.exercise.as_str())),
        "assignment_type": "individual",
        "owner": or(&around.owner, "local"),
        "submission": or(&around.submission, "submit/local"),
        "commit": or(commit, "local"),
        "release": or(release, "local"),
        "review": or(review, or(commit, "local")),
        "datetime": submitted,
        "graded_at": graded_at,
        "score": score,
        "max-score": max,
        "tests": rows(reports).map(test).collect::<Vec<_>>(),
    })
}

fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}

fn test(row: &Row) -> Value {
    json!({
        "test-name": format!("{} {}", row.task, clean(&row.name, LONG)),
        "passed": row.verdict == Verdict::Pass,
        "score": row.points,
        "max-score": row.max_points,
        "verdict": row.verdict,
        "message": clean(&row.advice(), LONG),
        "diagnoses": row.diagnoses,
    })
}
