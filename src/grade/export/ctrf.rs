//! Common Test Report Format.

use serde_json::{Value, json};

use super::{LONG, clean, rows};
use crate::grade::report::{Report, Row, Verdict};

/// Writes the report; durations are zero, since counted work is what we report.
pub(super) fn write(reports: &[Report]) -> Value {
    let tests: Vec<Value> = rows(reports).map(test).collect();
    let count = |status: &str| tests.iter().filter(|test| test["status"] == status).count();
    let moment = reports.first().and_then(|report| report.graded_at.parse::<jiff::Timestamp>().ok());
    let moment = moment.map_or(0, jiff::Timestamp::as_millisecond);
    let summary = json!({
        "tests": tests.len(), "passed": count("passed"), "failed": count("failed"), "skipped": count("skipped"),
        "pending": 0, "other": count("other"), "start": moment, "stop": moment,
    });
    json!({
        "reportFormat": "CTRF",
        "specVersion": "0.0.0",
        "results": {"tool": {"name": "pegboard"}, "summary": summary, "tests": tests},
    })
}

fn test(row: &Row) -> Value {
    let status = match row.verdict {
        Verdict::Pass => "passed",
        Verdict::Partial | Verdict::Fail => "failed",
        Verdict::Skipped => "skipped",
        Verdict::Ungradable => "other",
    };
    json!({
        "name": clean(&row.name, LONG),
        "status": status,
        "duration": 0,
        "message": clean(&row.advice(), LONG),
        "suite": [row.task],
    })
}
