//! Places of a text exchanged, and the object literals of its tree, entry by entry.

use std::ops::Range;

use crate::shell::{Entry, NodeId, Script, Syntax};

/// Bytes of a text and what stands there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The bytes.
    pub span: Range<usize>,
    /// What stands there instead.
    pub with: String,
}

impl Change {
    /// This text in place of those bytes.
    #[must_use]
    pub fn new(span: Range<usize>, with: impl Into<String>) -> Self {
        Self { span, with: with.into() }
    }
}

/// The text with changes that do not overlap.
#[must_use]
pub fn changed(text: &str, mut changes: Vec<Change>) -> Option<String> {
    changes.sort_by_key(|change| std::cmp::Reverse(change.span.start));
    let mut text = text.to_owned();
    for Change { span, with } in changes {
        text.get(span.clone())?;
        text.replace_range(span, &with);
    }
    Some(text)
}

/// The object literals of a text, in its order.
pub fn objects(script: &Script) -> impl Iterator<Item = (NodeId, &[Entry])> {
    script.nodes().filter_map(|(id, node)| match &node.syntax {
        Syntax::Object(entries) => Some((id, entries.as_slice())),
        _ => None,
    })
}

/// The entries of a node, if it is an object literal whose every entry has a key and a value.
#[must_use]
pub fn entries(script: &Script, id: NodeId) -> Option<&[Entry]> {
    let Syntax::Object(entries) = &script.node(id).syntax else { return None };
    entries.iter().all(|entry| entry.key.is_some() && entry.value.is_some()).then_some(entries)
}

/// The only entry of a node, if it is an object literal of one.
#[must_use]
pub fn only(script: &Script, id: NodeId) -> Option<&Entry> {
    if let [entry] = entries(script, id)? { Some(entry) } else { None }
}

/// The key of an entry.
#[must_use]
pub fn key(entry: &Entry) -> &str {
    entry.key.as_deref().unwrap_or_default()
}

/// An entry's bytes, from its key to the end of its value.
#[must_use]
pub fn span(script: &Script, entry: &Entry) -> Range<usize> {
    let end = entry.value.map_or(entry.key_span.end, |value| script.node(value).span.end);
    entry.key_span.start..end
}

/// An entry's value as typed.
#[must_use]
pub fn value<'s>(script: &'s Script, entry: &Entry) -> &'s str {
    entry.value.map_or("", |value| script.source(value))
}

/// What takes an entry away with the comma beside it.
#[must_use]
pub fn without(script: &Script, all: &[Entry], at: usize) -> Change {
    let own = span(script, &all[at]);
    let before = at.checked_sub(1).and_then(|before| all.get(before));
    let bytes = match (before, all.get(at + 1)) {
        (Some(before), _) => span(script, before).end..own.end,
        (None, Some(next)) => own.start..next.key_span.start,
        (None, None) => own,
    };
    Change::new(bytes, "")
}
