//! The elements that a write puts into arrays, as they were typed.

use crate::engine::{Command, Modify};
use crate::error::CommandPath;
use crate::shell::Ran;
use crate::value::{Bson, Document};

/// Of an insert, the first documents speak for the rest.
const READ: usize = 50;

/// An element and its place.
#[derive(Debug, Clone)]
pub(super) struct Put<'a> {
    /// The array's path, positions left out.
    pub array: String,
    /// The element.
    pub element: &'a Bson,
    /// Its place in the command.
    pub at: CommandPath,
}

/// The elements that a run's command puts into arrays, and the collection; none where it writes no literals.
pub(super) fn puts(ran: &Ran) -> Option<(&str, Vec<Put<'_>>)> {
    let mut found = Vec::new();
    let collection = match ran.command.explained() {
        Command::Insert(insert) => {
            for (position, document) in insert.documents.iter().take(READ).enumerate() {
                inside(document, "", &CommandPath::argument("documents").index(position), &mut found);
            }
            &insert.collection
        }
        Command::Update(update) => {
            changed(&update.spec.modify, &mut found);
            &update.collection
        }
        Command::FindAndModify(modify) => {
            modify.modify.iter().for_each(|modify| changed(modify, &mut found));
            &modify.collection
        }
        _ => return None,
    };
    Some((collection, found))
}

fn changed<'a>(modify: &'a Modify, found: &mut Vec<Put<'a>>) {
    let at = CommandPath::argument("update");
    match modify {
        Modify::Operators(operators) => {
            for (operator, fields) in operators {
                let here = at.field(operator);
                for (name, operand) in fields.as_document().into_iter().flatten() {
                    operated(operator, name, operand, &here.field(name), found);
                }
            }
        }
        Modify::Replacement(document) => inside(document, "", &CommandPath::argument("replacement"), found),
        Modify::Pipeline(_) => {}
    }
}

fn operated<'a>(operator: &str, name: &str, operand: &'a Bson, at: &CommandPath, found: &mut Vec<Put<'a>>) {
    let each = operand.as_document().and_then(|modifiers| modifiers.get("$each")).and_then(Bson::as_array);
    match (operator, each) {
        ("$push" | "$addToSet", Some(list)) => {
            let placed = list.iter().enumerate();
            found.extend(placed.map(|(position, element)| Put {
                array: stored(name).0,
                element,
                at: at.field("$each").index(position),
            }));
        }
        ("$push" | "$addToSet", None) => {
            found.push(Put { array: stored(name).0, element: operand, at: at.clone() });
        }
        ("$set" | "$setOnInsert", _) => match stored(name) {
            (array, true) => found.push(Put { array, element: operand, at: at.clone() }),
            (array, false) => value(operand, &array, at, found),
        },
        _ => {}
    }
}

/// A path without its positions, and whether it ends with one.
fn stored(name: &str) -> (String, bool) {
    let is_position = |part: &&str| part.starts_with('$') || crate::value::array_index(part).is_some();
    let parts: Vec<&str> = name.split('.').collect();
    let named: Vec<&str> = parts.iter().filter(|part| !is_position(part)).copied().collect();
    (named.join("."), parts.last().is_some_and(is_position))
}

fn inside<'a>(document: &'a Document, above: &str, at: &CommandPath, found: &mut Vec<Put<'a>>) {
    for (name, inner) in document {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        value(inner, &path, &at.field(name), found);
    }
}

fn value<'a>(value: &'a Bson, path: &str, at: &CommandPath, found: &mut Vec<Put<'a>>) {
    match value {
        Bson::Document(document) => inside(document, path, at, found),
        Bson::Array(list) => found.extend(list.iter().enumerate().map(|(position, element)| Put {
            array: path.to_owned(),
            element,
            at: at.index(position),
        })),
        _ => {}
    }
}
