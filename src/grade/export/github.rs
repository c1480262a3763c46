//! The runner result of the retired GitHub Classroom: JSON in base64, for its reporter action.

use serde_json::{Value, json};

use super::{LONG, all_pass, clean, not_gradable, points, rows};
use crate::grade::report::{Report, Row, Verdict};
use crate::value::base64;

/// Writes the value of the action output `result`.
pub(super) fn write(reports: &[Report]) -> String {
    let status = match (not_gradable(reports), all_pass(reports)) {
        (Some(_), _) => "error",
        (None, true) => "pass",
        (None, false) => "fail",
    };
    let result = json!({
        "version": 1,
        "status": status,
        "max_score": points(reports).1,
        "tests": rows(reports).map(test).collect::<Vec<_>>(),
    });
    base64(result.to_string().as_bytes()) + "\n"
}

fn test(row: &Row) -> Value {
    let status = match row.verdict {
        Verdict::Pass => "pass",
        Verdict::Ungradable => "error",
        _ => "fail",
    };
    let message = (row.verdict != Verdict::Pass).then(|| clean(&row.advice(), LONG));
    json!({
        "name": clean(&row.name, LONG),
        "status": status,
        "score": row.points,
        "message": message,
        "test_code": format!("pegboard grade {} ({})", row.task, row.id),
        "filename": "",
        "line_no": 0,
        "execution_time": "0.000s",
    })
}
