//! Object literals joined by a logical operator of JavaScript, of which one is dropped unseen.

use super::render::Note;
use super::script::{NodeId, Script, Syntax};
use super::session::NOTES;
use crate::words::{Lang, Words};

const LAST_OBJECT: Words = Words::new(
    "`&&` joins no objects: JavaScript keeps the last one, and {lost} was never sent. Put all conditions into one object, \
     parted by commas.",
    "`&&` verbindet keine Objekte: JavaScript behält das letzte, und {lost} wurde nie gesendet. Setze alle Bedingungen in ein \
     Objekt, getrennt durch Kommas.",
);
const FIRST_OBJECT: Words = Words::new(
    "`||` joins no objects: JavaScript keeps the first one, and {lost} was never sent. Alternatives are written $or: [{…}, {…}].",
    "`||` verbindet keine Objekte: JavaScript behält das erste, und {lost} wurde nie gesendet. Alternativen schreibt man $or: [{…}, {…}].",
);

/// What is said of object literals joined by a logical operator of JavaScript, of which one is dropped unseen.
pub(super) fn notes(script: &Script, lang: Lang) -> Vec<Note> {
    let found = script.nodes().filter_map(|(_, node)| {
        let Syntax::Other(parts) = &node.syntax else { return None };
        let &[left, right] = parts.as_slice() else { return None };
        let between = script.text().get(script.node(left).span.end..script.node(right).span.start)?;
        let (words, lost) = match between.trim() {
            "&&" => (LAST_OBJECT, left),
            "||" => (FIRST_OBJECT, right),
            _ => return None,
        };
        let source = script.source(lost);
        let short = if source.len() < 60 { source } else { "{…}" };
        let joins = is_object(script, left) && is_object(script, right);
        joins
            .then(|| Note { span: Some(script.node(lost).span.clone()), message: words.fill(lang, &[("lost", short)]) })
    });
    found.take(NOTES).collect()
}

/// Whether an expression gives one of the object literals it is made of.
fn is_object(script: &Script, id: NodeId) -> bool {
    match &script.node(id).syntax {
        Syntax::Object(_) => true,
        Syntax::Other(parts) => {
            let is_plain = match parts.as_slice() {
                [_] => script.source(id).starts_with('('),
                [left, right] => {
                    let between = script.text().get(script.node(*left).span.end..script.node(*right).span.start);
                    between.is_some_and(|between| matches!(between.trim(), "&&" | "||"))
                }
                _ => false,
            };
            is_plain && parts.iter().all(|part| is_object(script, *part))
        }
        _ => false,
    }
}
