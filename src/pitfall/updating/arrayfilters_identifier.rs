//! `$[id]` and the array filters do not name the same identifiers.

use std::collections::BTreeSet;

use super::change::{Change, each_change};
use crate::error::CommandPath;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::value::{Bson, Document};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "arrayfilters-identifier",
    level: Level::Refused,
    weight: 6,
    title: Words::new("arrayFilters identifiers", "Bezeichner der arrayFilters"),
    explanation: Words::new(
        "Every `$[id]` needs one array filter whose paths begin with that id, every array filter a use, and an id begins with a small letter and holds only letters and digits.",
        "Jedes `$[id]` braucht genau einen Array-Filter, dessen Pfade mit dieser id beginnen, jeder Array-Filter eine Verwendung, und eine id beginnt mit einem Kleinbuchstaben und enthält nur Buchstaben und Ziffern.",
    ),
    message: Words::new(
        "The update uses {used}, the array filters begin with {given}: the server refused with error {code}.",
        "Die Änderung verwendet {used}, die Array-Filter beginnen mit {given}: Der Server lehnte mit Fehler {code} ab.",
    ),
    cure: Words::new(
        "Begin each path of the filter with the identifier: `s.k`.",
        "Beginne jeden Pfad des Filters mit dem Bezeichner: `s.k`.",
    ),
    example: r#"db.c.updateOne({_id: 1}, {$set: {"specs.$[s].v": 1}}, {arrayFilters: [{k: "color"}]})"#,
    detect: |case| each_change(case, sight),
};

fn sight(case: &Case<'_>, change: &Change<'_>) -> Option<Sighting> {
    let error = change.refusal()?;
    let (used, given) = (used(change), given(change.array_filters));
    let wrong = used != given || used.iter().any(|name| !is_identifier(name));
    if !wrong {
        return None;
    }
    let code = error.code.number();
    let list = |names: &BTreeSet<String>, open: &str, close: &str| match names.len() {
        0 => "–".to_owned(),
        _ => names.iter().map(|name| format!("`{open}{name}{close}`")).collect::<Vec<_>>().join(", "),
    };
    let place = if change.array_filters.is_empty() { "update" } else { "arrayFilters" };
    Some(Sighting {
        span: case.span(change.question.ran, &CommandPath::argument(place)),
        values: vec![("used", list(&used, "$[", "]")), ("given", list(&given, "", "")), ("code", code.to_string())],
        evidence: vec![Evidence::Refusal { code, message: error.message.clone() }],
        fix: cured(case, change, &used, &given),
        ..Sighting::default()
    })
}

/// The identifiers in the update's paths.
fn used(change: &Change<'_>) -> BTreeSet<String> {
    let name = |part: &str| part.strip_prefix("$[").and_then(|part| part.strip_suffix(']')).map(str::to_owned);
    let parts = change.targets().flat_map(|target| target.path.parts().to_vec());
    parts.filter_map(|part| name(&part)).filter(|name| !name.is_empty()).collect()
}

/// The first parts of the array filters' paths.
fn given(filters: &[Document]) -> BTreeSet<String> {
    filters.iter().flat_map(heads).collect()
}

fn heads(filter: &Document) -> BTreeSet<String> {
    let head = |(name, value): (&String, &Bson)| match value {
        Bson::Array(parts) if name.starts_with('$') => {
            parts.iter().filter_map(Bson::as_document).flat_map(heads).collect()
        }
        _ => BTreeSet::from([name.split('.').next().unwrap_or_default().to_owned()]),
    };
    filter.iter().flat_map(head).collect()
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// One identifier and one filter: the filter's paths begin anew.
fn cured(case: &Case<'_>, change: &Change<'_>, used: &BTreeSet<String>, given: &BTreeSet<String>) -> Option<String> {
    let [filter] = change.array_filters else { return None };
    let name = used.first().filter(|name| used.len() == 1 && is_identifier(name))?;
    if filter.keys().any(|path| path.starts_with('$')) {
        return None;
    }
    let fields = fields(case, change);
    let renamed = |path: &str| {
        let (head, rest) = path.split_once('.').unwrap_or((path, ""));
        let own = fields.contains(head) || rest.is_empty() || given.len() > 1;
        if head == name {
            path.to_owned()
        } else if own {
            format!("{name}.{path}")
        } else {
            format!("{name}.{rest}")
        }
    };
    let filter = filter.iter().map(|(path, value)| (renamed(path), value.clone())).collect();
    change.with_command(case, &change.command(change.operators.clone(), vec![filter]))
}

/// The field names of the elements that the update reaches.
fn fields(case: &Case<'_>, change: &Change<'_>) -> BTreeSet<String> {
    let Some(profile) = case.profile(change.question.collection) else { return BTreeSet::new() };
    let arrays = change.targets().filter_map(|target| profile.arrays().get(&target.cut()?.array.to_string()));
    arrays.flat_map(|array| array.fields.keys().cloned()).collect()
}
