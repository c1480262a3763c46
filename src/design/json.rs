//! A duel as JSON, for tools.

use serde_json::{Value, json};

use super::compare::Ratio;
use super::duel::{Column, Duel, Kind, Sameness};

/// The duel as one JSON document; field names are stable.
#[must_use]
pub fn to_json(duel: &Duel) -> Value {
    json!({
        "statement": duel.statement,
        "kind": match duel.kind { Kind::Read => "read", Kind::Write => "write", Kind::Admin => "admin" },
        "same": same(&duel.same),
        "lines": duel.lines,
        "designs": duel.columns.iter().map(column).collect::<Vec<_>>(),
    })
}

fn same(same: &Sameness) -> Value {
    match same {
        Sameness::Same(count) => json!({"verdict": "same", "count": count}),
        Sameness::Alone => json!({"verdict": "alone"}),
        Sameness::Different(differences) => {
            let list = differences.iter().map(|difference| {
                json!({
                    "design": difference.name,
                    "missing": difference.missing,
                    "extra": difference.extra,
                    "onlyHome": difference.only_home,
                    "onlyTwin": difference.only_twin,
                })
            });
            json!({"verdict": "different", "differences": list.collect::<Vec<_>>()})
        }
    }
}

fn sentences(list: &[(&'static str, String)]) -> Value {
    list.iter().map(|(id, text)| json!({"id": id, "text": text})).collect()
}

fn ratio(ratio: Option<Ratio>) -> Value {
    ratio.map_or(Value::Null, |ratio| json!({"value": ratio.value, "band": ratio.band.name()}))
}

fn column(column: &Column) -> Value {
    let (cost, storage) = (&column.cost, &column.storage);
    let asked = |figure: u64| column.command.is_some().then_some(figure);
    json!({
        "name": column.name,
        "design": column.form.name(),
        "collection": column.collection,
        "home": column.home,
        "statement": column.statement,
        "reason": column.reason.as_ref().map(|(id, text)| json!({"id": id, "text": text})),
        "notes": sentences(&column.notes),
        "stages": column.stages.iter().map(|stage| json!({
            "depth": stage.depth, "stage": stage.stage, "role": stage.role.name(), "detail": stage.detail,
            "words": stage.words, "keysExamined": stage.keys, "docsExamined": stage.docs, "advanced": stage.advanced,
        })).collect::<Vec<_>>(),
        "bounds": column.bounds.iter().map(|bounds| json!({
            "index": bounds.index,
            "words": bounds.words,
            "indexBounds": bounds.notation.iter().map(|(path, list)| (path.clone(), json!(list)))
                .collect::<serde_json::Map<_, _>>(),
        })).collect::<Vec<_>>(),
        "totalKeysExamined": asked(cost.keys),
        "totalDocsExamined": asked(cost.docs),
        "nReturned": asked(cost.returned),
        "entities": asked(cost.entities),
        "bytes": asked(cost.bytes),
        "documentsWritten": asked(cost.written),
        "entriesTouched": asked(cost.entries),
        "efficiency": ratio(cost.efficiency),
        "multikeyExpansion": ratio(cost.expansion),
        "storage": {
            "documents": storage.documents,
            "bytes": storage.bytes,
            "indexCount": storage.indexes.len(),
            "indexLimit": 64,
            "entries": storage.entries(),
            "distinctKeys": storage.distinct(),
            "nullEntries": storage.nulls(),
            "indexBytes": storage.index_bytes(),
            "indexBytesPrefixCompressedEstimate": storage.estimated_index_bytes(),
            "indexes": storage.indexes.iter().map(|index| json!({
                "name": index.name, "entries": index.entries, "distinctKeys": index.distinct, "nullEntries": index.nulls, "bytes": index.bytes,
                "bytesPrefixCompressedEstimate": index.estimated_bytes,
                "multikey": index.multikey,
                "multiKeyPaths": index.multikey_paths.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            })).collect::<Vec<_>>(),
        },
        "insertOne": column.writing.as_ref().map(|writing| json!({
            "entriesTouched": writing.insert_entries, "documentsWritten": writing.insert_documents,
        })),
        "changeOne": column.writing.as_ref().map(|writing| json!({
            "documentsRewritten": writing.change_documents, "bytesRewritten": writing.change_bytes,
            "entriesTouched": writing.change_entries,
        })),
        "rejectedPlans": column.losers.iter().map(|loser| json!({"plan": loser.plan, "why": loser.why}))
            .collect::<Vec<_>>(),
        "losses": column.losses,
    })
}
