//! Breaks of pipelines and indexes.

use super::table::Facts;
use crate::pitfall::entries::{Change, entries, key, objects, only, span, without};
use crate::shell::{NodeId, Script, Syntax};

/// The `$match` behind an `$unwind` is dropped.
pub(super) fn drop_match(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let mut found = Vec::new();
    for (_, node) in script.nodes() {
        let Syntax::Array(stages) = &node.syntax else { continue };
        let named = |id: &NodeId| only(script, *id).map(key);
        let Some(unwind) = stages.iter().position(|id| named(id) == Some("$unwind")) else { continue };
        let second = (unwind + 1..stages.len()).find(|at| named(&stages[*at]) == Some("$match"));
        if let Some(at) = second {
            let bytes = script.node(stages[at - 1]).span.end..script.node(stages[at]).span.end;
            found.push(vec![Change::new(bytes, "")]);
        }
    }
    found
}

/// `$unwind` drops the documents without elements again.
pub(super) fn drop_empty(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let all = objects(script);
    all.filter_map(|(_, entries)| {
        let at = entries.iter().position(|entry| key(entry) == "preserveNullAndEmptyArrays")?;
        Some(vec![without(script, entries, at)])
    })
    .collect()
}

/// The owner is dropped from the `_id` of a `$group`.
pub(super) fn mix_owners(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let groups = objects(script).flat_map(|(_, entries)| entries).filter(|entry| key(entry) == "$group");
    groups
        .filter_map(|entry| {
            let id = entries(script, entry.value?)?.iter().find(|inner| key(inner) == "_id")?;
            let parts = entries(script, id.value?).filter(|parts| parts.len() > 1)?;
            Some(vec![without(script, parts, 0)])
        })
        .collect()
}

/// The calls of a method.
fn calls<'s>(script: &'s Script, method: &'s str) -> impl Iterator<Item = &'s [NodeId]> {
    script.nodes().filter_map(move |(_, node)| {
        let Syntax::Call { callee, arguments, .. } = &node.syntax else { return None };
        let Syntax::Member { name, .. } = &script.node(*callee).syntax else { return None };
        (name == method).then_some(arguments.as_slice())
    })
}

/// The projection of a `find` is forgotten.
pub(super) fn drop_projection(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let finds = calls(script, "find").filter_map(|arguments| match arguments {
        [filter, projection] => Some(script.node(*filter).span.end..script.node(*projection).span.end),
        _ => None,
    });
    finds.map(|bytes| vec![Change::new(bytes, "")]).collect()
}

/// The last field of an index is left out.
pub(super) fn drop_field(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let fields = calls(script, "createIndex").filter_map(|arguments| entries(script, *arguments.first()?));
    let several = fields.filter(|fields| fields.len() > 1);
    several.map(|fields| vec![without(script, fields, fields.len() - 1)]).collect()
}

/// The first two fields of an index change places.
pub(super) fn swap_fields(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let mut found = Vec::new();
    for arguments in calls(script, "createIndex") {
        let fields = arguments.first().and_then(|first| entries(script, *first));
        if let Some([first, second, ..]) = fields {
            let (first, second) = (span(script, first), span(script, second));
            let text = script.text();
            let swapped = [Change::new(first.clone(), &text[second.clone()]), Change::new(second, &text[first])];
            found.push(swapped.to_vec());
        }
    }
    found
}
