//! `PrairieLearn`'s external grader result; a submission that cannot be judged uses up no attempt.

use serde_json::{Value, json};

use super::{LONG, clean, not_gradable, points, rows};
use crate::grade::report::{Report, Row, Verdict};

/// Writes the result.
pub(super) fn write(reports: &[Report]) -> Value {
    if let Some(message) = not_gradable(reports) {
        return json!({"gradable": false, "format_errors": [clean(message, LONG)]});
    }
    let (reached, all) = points(reports);
    let passed = rows(reports).filter(|row| row.verdict == Verdict::Pass).count();
    json!({
        "gradable": true,
        "score": if all == 0 { 0.0 } else { f64::from(reached) / f64::from(all) },
        "message": format!("{passed} of {} checks passed.", rows(reports).count()),
        "output": format!("seed {}", reports.first().map_or(0, |report| report.seed)),
        "tests": rows(reports).map(test).collect::<Vec<_>>(),
    })
}

fn test(row: &Row) -> Value {
    json!({
        "name": clean(&row.name, LONG),
        "description": row.task,
        "points": row.points,
        "max_points": row.max_points,
        "message": clean(&row.advice(), LONG),
        "output": clean(&row.actual, LONG),
    })
}
