//! What the lab found, as JSON for tools.

use serde_json::{Value, json};

use super::{Growth, LabReport, LabRow};

/// The report as one JSON document; field names are stable.
#[must_use]
pub fn to_json(report: &LabReport) -> Value {
    let plan = &report.plan;
    let changes = report
        .changes
        .iter()
        .map(|change| json!({"questionsPercent": change.reads, "from": change.from.name(), "to": change.to.name()}));
    let (made, refusal) = &report.ceiling;
    json!({
        "attributesPerEntity": plan.attributes,
        "keys": plan.keys,
        "valuesPerKey": plan.values,
        "questionsPercent": plan.reads,
        "rows": report.rows.iter().map(|row| row_json(row, plan.reads)).collect::<Vec<_>>(),
        "cheapest": report.cheapest.map(super::Contender::name),
        "changes": changes.collect::<Vec<_>>(),
        "indexCeiling": {
            "made": made,
            "code": refusal.code.number(),
            "codeName": refusal.code.name(),
            "message": refusal.message,
        },
        "growth": report.growth.iter().map(growth).collect::<Vec<_>>(),
    })
}

fn row_json(row: &LabRow, reads: u8) -> Value {
    json!({
        "design": row.contender.form.name(),
        "sparse": row.contender.sparse,
        "entities": row.entities,
        "computed": row.computed,
        "dataBytes": row.data_bytes,
        "indexBytes": row.index_bytes,
        "indexBytesPrefixCompressedEstimate": row.estimated_index_bytes,
        "indexEntries": row.entries,
        "indexes": row.indexes,
        "keysWithoutIndex": row.unserved,
        "entriesPerInsert": row.insert_entries,
        "keysPerQuestion": row.keys,
        "docsPerQuestion": row.docs,
        "touchedPerOperation": row.cost(reads),
    })
}

fn growth(growth: &Growth) -> Value {
    json!({
        "design": growth.form.name(),
        "emptyBytes": growth.empty,
        "bytesPerDay": growth.bytes_per_day,
        "daysUntil16MiB": growth.days,
    })
}
