//! The JSON of `check50 -o json`; all seven keys of a row are always there.

use serde_json::{Map, Value, json};

use super::{LONG, clean, not_gradable};
use crate::grade::report::{Report, Row, Verdict};

/// The format's version, which is the tool's.
const VERSION: &str = "3.5.0";

/// Writes the result; a name is prefixed with its exercise where there are several.
pub(super) fn write(reports: &[Report]) -> Value {
    let slug = reports.first().map(|report| format!("local/{}/{}", report.pack, report.exercise)).unwrap_or_default();
    if let Some(message) = not_gradable(reports) {
        let error = json!({"type": "Ungradable", "value": clean(message, LONG), "traceback": [], "data": {}});
        return json!({"slug": slug, "error": error, "version": VERSION});
    }
    let several = reports.len() > 1;
    let results: Vec<Value> = super::rows(reports).map(|row| result(row, several)).collect();
    json!({"slug": slug, "results": results, "version": VERSION})
}

fn result(row: &Row, several: bool) -> Value {
    let name = |id: &str| if several { format!("{}_{id}", row.task) } else { id.to_owned() }.replace('-', "_");
    let passed = match row.verdict {
        Verdict::Pass => Value::Bool(true),
        Verdict::Partial | Verdict::Fail => Value::Bool(false),
        Verdict::Skipped | Verdict::Ungradable => Value::Null,
    };
    let cause = if row.verdict == Verdict::Pass { Value::Null } else { cause(row) };
    json!({
        "name": name(&row.id),
        "description": clean(&row.name, LONG),
        "passed": passed,
        "log": [],
        "cause": cause,
        "data": {"points": row.points, "max_points": row.max_points},
        "dependency": row.needs.as_deref().map(name),
    })
}

fn cause(row: &Row) -> Value {
    let mut cause = Map::new();
    cause.insert("rationale".into(), clean(&row.message, LONG).into());
    if !row.hint.is_empty() {
        cause.insert("help".into(), clean(&row.hint, LONG).into());
    }
    if !row.expected.is_empty() || !row.actual.is_empty() {
        cause.insert("expected".into(), clean(&row.expected, LONG).into());
        cause.insert("actual".into(), clean(&row.actual, LONG).into());
    }
    Value::Object(cause)
}
