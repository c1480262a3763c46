//! Classroom 50's `result.json`; its schema is closed at the top and open in the rows.

use serde_json::{Value, json};

use super::{LONG, Surroundings, clean, points, rows};
use crate::grade::report::{Report, Row, Verdict};

/// Writes the result; what the runner stamps itself is taken from the surroundings.
pub(super) fn write(reports: &[Report], around: &Surroundings) -> Value {
    let (score, max) = points(reports);
    let graded_at = reports.first().map_or("", |report| report.graded_at.as_str());
    let submitted = utc(&around.submitted_at).unwrap_or_else(|| graded_at.to_owned());
    let [commit, release, review] = &around.links;
    json!({
        "schema": "classroom50/result/v1",
        "classroom": or(&around.classroom, "local"),
        "assignment": or(&around.assignment, reports.first().map_or("local", |report| report.exercise.as_str())),
        "assignment_type": "individual",
        "owner": or(&around.owner, "local"),
        "submission": tag(&around.submission),
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

/// A time as the schema wants it: UTC to the second. None where the text is no time.
fn utc(text: &str) -> Option<String> {
    let time: jiff::Timestamp = text.parse().ok()?;
    Some(crate::grade::judge::timestamp(time.as_millisecond()))
}

/// The tag as the schema wants it.
fn tag(submission: &str) -> String {
    let name = if submission.is_empty() { "local" } else { submission };
    if name.starts_with("submit/") { name.to_owned() } else { format!("submit/{name}") }
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
