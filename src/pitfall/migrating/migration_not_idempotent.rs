//! A migration that appends, without a guard against running twice.

use crate::engine::{Command, Modify};
use crate::error::CommandPath;
use crate::pitfall::case::{Case, shown};
use crate::pitfall::elements::{key_field, value_at};
use crate::pitfall::grain::each_question;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::value::{Bson, Document, Path, RawDocumentBuf, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "migration-not-idempotent",
    level: Level::Risk,
    weight: 12,
    title: Words::new("Migration run twice", "Migration zweimal ausgeführt"),
    explanation: Words::new(
        "A second run appends every attribute once more. A filter on the old shape lets it find nothing to do.",
        "Ein zweiter Lauf hängt jedes Attribut noch einmal an. Ein Filter auf die alte Form lässt ihm nichts zu tun.",
    ),
    message: Words::new(
        "A second run would change {n documents} again, such as _id {id}: nothing in the filter says that they are done.",
        "Ein zweiter Lauf änderte {n Dokumente} noch einmal, etwa _id {id}: Nichts im Filter sagt, dass sie fertig sind.",
    ),
    cure: Words::new(
        "Filter on the old shape, such as `{specs: {$exists: false}}`, or on a schema version.",
        "Filtere auf die alte Form, etwa `{specs: {$exists: false}}`, oder auf eine Schemaversion.",
    ),
    example: r#"db.c.updateMany({}, [{$set: {specs: {$concatArrays: ["$specs", [{k: "color", v: "$color"}]]}}}])"#,
    detect: |case| each_question(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let Command::Update(update) = question.command else { return None };
    let target = appended(&update.spec.modify).filter(|_| update.spec.multi)?;
    let known = key_field(case, question.collection, target).is_some();
    let first = &question.ran.result.as_ref().ok()?.writes.documents;
    if first.is_empty() {
        return None;
    }
    let documents = case.documents(question.collection);
    let path = Path::new(target);
    let fresh = documents.iter().all(|document| value_at(document, &path).is_none());
    if !(fresh || known || question.filter.is_empty()) {
        return None;
    }
    let again = case.run(question.command)?;
    let again = &again.writes.documents;
    let example = again.first()?;
    let tree = |raw: &Option<RawDocumentBuf>| Document::try_from(raw.as_deref()?).ok();
    let (before, after) = (tree(&example.before), tree(&example.after));
    let mut guarded = question.filter.clone().into_owned();
    if fresh {
        guarded.insert(target, doc! {"$exists": false});
    } else if let Some(key) = key_field(case, question.collection, target) {
        let keys = appended_keys(&update.spec.modify, &key);
        if !keys.is_empty() {
            guarded.insert(format!("{target}.{key}"), doc! {"$nin": keys});
        }
    }
    let is_guarded = guarded != *question.filter;
    Some(Sighting {
        span: case.span(question.ran, &CommandPath::argument("filter")),
        values: vec![
            ("n", again.len().to_string()),
            ("id", after.as_ref().and_then(|after| after.get("_id")).map(shown).unwrap_or_default()),
        ],
        evidence: vec![Evidence::Write { before, after }],
        fix: is_guarded.then(|| case.with_filter(question, &guarded)).flatten(),
        ..Sighting::default()
    })
}

/// The array that an update appends to.
fn appended(modify: &Modify) -> Option<&str> {
    match modify {
        Modify::Operators(change) => {
            let push = change.get("$push").and_then(Bson::as_document)?;
            push.keys().next().map(String::as_str).filter(|path| !path.contains('$'))
        }
        Modify::Pipeline(stages) => stages.iter().flatten().find_map(|(name, fields)| {
            let fields = fields.as_document().filter(|_| name == "$set" || name == "$addFields")?;
            let joins = |(path, value): &(&String, &Bson)| {
                let parts = value.as_document().and_then(|value| value.get("$concatArrays")).and_then(Bson::as_array);
                parts.is_some_and(|parts| parts.iter().any(|part| reads(part, &format!("${path}"))))
            };
            fields.iter().find(joins).map(|(path, _)| path.as_str())
        }),
        Modify::Replacement(_) => None,
    }
}

/// The keys, written as text, of what an update appends.
fn appended_keys(modify: &Modify, key: &str) -> Vec<Bson> {
    let mut found = Vec::new();
    let whole = match modify {
        Modify::Operators(change) => change.get("$push").cloned().unwrap_or(Bson::Null),
        Modify::Pipeline(stages) => Bson::from(stages.clone()),
        Modify::Replacement(_) => Bson::Null,
    };
    keys_in(&whole, key, &mut found);
    found
}

fn keys_in(value: &Bson, key: &str, found: &mut Vec<Bson>) {
    match value {
        Bson::Document(inner) => {
            let own = inner.get_str(key).ok().filter(|own| !own.starts_with('$')).map(Bson::from);
            found.extend(own.filter(|own| !found.contains(own)));
            inner.values().for_each(|value| keys_in(value, key, found));
        }
        Bson::Array(list) => list.iter().for_each(|value| keys_in(value, key, found)),
        _ => {}
    }
}

/// Whether a part of `$concatArrays` is the field itself, or the field with a stand-in for a missing one.
fn reads(part: &Bson, field: &str) -> bool {
    let itself = |value: &Bson| value.as_str() == Some(field);
    let stand_in = part.as_document().and_then(|part| part.get("$ifNull")).and_then(Bson::as_array);
    itself(part) || stand_in.is_some_and(|parts| parts.first().is_some_and(itself))
}
