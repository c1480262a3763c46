//! An update's call with only those arguments written anew that become others.

use super::change::Change;
use crate::engine::{Command, Modify};
use crate::error::CommandPath;
use crate::pitfall::Case;
use crate::pitfall::entries::{self, changed, without};
use crate::pitfall::wording::Wording;
use crate::shell::{NodeId, Syntax};
use crate::value::{Bson, Document};

/// What an update is made of.
struct Parts<'c> {
    filter: &'c Document,
    modify: &'c Modify,
    array_filters: &'c [Document],
    upsert: bool,
}

/// The whole text with an update's call turned into another update; none where a part was not typed as a literal.
pub(super) fn in_place(case: &Case<'_>, change: &Change<'_>, command: &Command) -> Option<String> {
    let (old, new) = (parts(change.question.command)?, parts(command)?);
    let ran = change.question.ran;
    let node = |name: &str| ran.places.literal(&CommandPath::argument(name));
    let span = |node: NodeId| case.script.node(node).span.clone();
    let wording = Wording::of(case, ran);
    let update = node("update")?;
    let mut changes = Vec::new();
    if old.filter != new.filter {
        changes.push(entries::Change::new(span(node("filter")?), wording.filter(new.filter)));
    }
    if old.modify != new.modify {
        changes.push(entries::Change::new(span(update), wording.value(&written(new.modify))));
    }
    if old.upsert && !new.upsert {
        changes.push(without_option(case, change, "upsert")?);
    }
    let filters = Bson::Array(new.array_filters.iter().cloned().map(Bson::Document).collect());
    match (old.array_filters == new.array_filters, node("arrayFilters")) {
        (true, _) => {}
        (false, Some(_)) if new.array_filters.is_empty() => changes.push(without_option(case, change, "arrayFilters")?),
        (false, Some(node)) => changes.push(entries::Change::new(span(node), wording.value(&filters))),
        (false, None) => {
            changes.push(with_option(case, update, &format!("arrayFilters: {}", wording.value(&filters)))?);
        }
    }
    changed(case.script.text(), changes)
}

fn parts(command: &Command) -> Option<Parts<'_>> {
    match command {
        Command::Update(update) => Some(Parts {
            filter: &update.spec.filter,
            modify: &update.spec.modify,
            array_filters: &update.spec.array_filters,
            upsert: update.spec.upsert,
        }),
        Command::FindAndModify(modify) => Some(Parts {
            filter: &modify.filter,
            modify: modify.modify.as_ref()?,
            array_filters: &modify.array_filters,
            upsert: modify.upsert,
        }),
        _ => None,
    }
}

fn written(modify: &Modify) -> Bson {
    match modify {
        Modify::Operators(document) | Modify::Replacement(document) => Bson::Document(document.clone()),
        Modify::Pipeline(stages) => Bson::Array(stages.iter().cloned().map(Bson::Document).collect()),
    }
}

/// Puts an option behind the update: into the options where there are some.
fn with_option(case: &Case<'_>, update: NodeId, option: &str) -> Option<entries::Change> {
    let script = case.script;
    let end = script.node(update).span.end;
    let argument = script.nodes().find_map(|(_, node)| match &node.syntax {
        Syntax::Call { arguments, .. } => Some((arguments, arguments.iter().position(|given| *given == update)?)),
        _ => None,
    });
    let Some((arguments, at)) = argument else {
        // An operation of a bulk write.
        return Some(entries::Change::new(end..end, format!(", {option}")));
    };
    let Some(options) = arguments.get(at + 1) else {
        return Some(entries::Change::new(end..end, format!(", {{{option}}}")));
    };
    let Syntax::Object(own) = &script.node(*options).syntax else { return None };
    let start = script.node(*options).span.start + 1;
    let text = if own.is_empty() { option.to_owned() } else { format!("{option}, ") };
    Some(entries::Change::new(start..start, text))
}

/// Takes an option away, and the options with it where it is the only one.
fn without_option(case: &Case<'_>, change: &Change<'_>, name: &str) -> Option<entries::Change> {
    let script = case.script;
    let call = change.question.ran.span.clone()?;
    let (object, own) = entries::objects(script).find(|(object, own)| {
        let span = &script.node(*object).span;
        let inside = call.start <= span.start && span.end <= call.end;
        inside && own.iter().any(|entry| entry.key.as_deref() == Some(name))
    })?;
    if own.len() > 1 {
        return Some(without(script, own, own.iter().position(|entry| entry.key.as_deref() == Some(name))?));
    }
    let before = script.nodes().find_map(|(_, node)| match &node.syntax {
        Syntax::Call { arguments, .. } => {
            let at = arguments.iter().position(|given| *given == object)?.checked_sub(1)?;
            Some(script.node(arguments[at]).span.end)
        }
        _ => None,
    })?;
    Some(entries::Change::new(before..script.node(object).span.end, ""))
}
