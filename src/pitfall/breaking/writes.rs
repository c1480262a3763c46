//! Breaks of updates.

use super::table::Facts;
use crate::pitfall::entries::{Change, key, objects, without};
use crate::shell::{Script, Syntax};

/// The identifier of `arrayFilters` is forgotten: `$[s]` becomes `$[]`, and every element is changed.
pub(super) fn drop_array_filter(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let mut changes = Vec::new();
    for (_, entries) in objects(script) {
        for (at, entry) in entries.iter().enumerate() {
            if key(entry) == "arrayFilters" {
                changes.push(without(script, entries, at));
            } else if let Some(every) = every_element(key(entry)) {
                changes.push(Change::new(entry.key_span.clone(), format!("{every:?}")));
            }
        }
    }
    if changes.len() > 1 { vec![changes] } else { Vec::new() }
}

/// A path with its named positions as `$[]`; none where it names no position.
fn every_element(path: &str) -> Option<String> {
    let part = |part: &str| if part.starts_with("$[") && part != "$[]" { "$[]".to_owned() } else { part.to_owned() };
    let parts: Vec<String> = path.split('.').map(part).collect();
    let every = parts.join(".");
    (every != path).then_some(every)
}

/// One document is written instead of all.
pub(super) fn one_of_many(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let other = |name: &str| match name {
        "updateMany" => Some("updateOne"),
        "deleteMany" => Some("deleteOne"),
        _ => None,
    };
    let members = script.nodes().filter_map(|(_, node)| match &node.syntax {
        Syntax::Member { name, name_span, .. } => Some(vec![Change::new(name_span.clone(), other(name)?)]),
        _ => None,
    });
    members.collect()
}
