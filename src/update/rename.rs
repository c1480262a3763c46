//! `$rename`: its two paths and their checks (`src/mongo/db/update/rename_node.cpp`).

use super::leaf::Leaf;
use super::path::UpdatePath;
use super::tree::Fields;
use crate::error::{ErrorCode, Result, refuse};
use crate::value::{Bson, DocView, Path, View, array_index, shown};

/// Hangs both ends into the tree.
pub(super) fn insert(tree: &mut Fields, from: &UpdatePath, operand: &Bson) -> Result<Path> {
    tree.insert(from, Leaf::RenameFrom)?;
    let Bson::String(target) = operand else {
        return refuse(
            ErrorCode::BadValue,
            format!("The 'to' field for $rename must be a string: {}: {}", from.text, shown(operand)),
        );
    };
    if target.contains('\0') {
        return refuse(ErrorCode::BadValue, "The 'to' field for $rename cannot contain an embedded null byte");
    }
    let to = UpdatePath::parse(target)?;
    check_ends(from, &to)?;
    let source = Path::from_parts(from.names());
    tree.insert(&to, Leaf::RenameTo(source.clone()))?;
    Ok(source)
}

fn check_ends(from: &UpdatePath, to: &UpdatePath) -> Result<()> {
    let pair = format!("{}: \"{}\"", from.text, to.text);
    if from == to {
        return refuse(ErrorCode::BadValue, format!("The source and target field for $rename must differ: {pair}"));
    }
    if from.parts.starts_with(&to.parts) || to.parts.starts_with(&from.parts) {
        return refuse(
            ErrorCode::BadValue,
            format!("The source and target field for $rename must not be on the same path: {pair}"),
        );
    }
    if from.is_dynamic() {
        return refuse(ErrorCode::BadValue, format!("The source field for $rename may not be dynamic: {}", from.text));
    }
    if to.is_dynamic() {
        return refuse(
            ErrorCode::BadValue,
            format!("The destination field for $rename may not be dynamic: {}", to.text),
        );
    }
    Ok(())
}

/// The value at a source, where no array lies on the way. A source that cannot be reached, since a part of it is neither a
/// field nor a position of what it comes to, is refused before arrays are looked for (`findLongestPrefix`).
pub(super) fn source_value(document: DocView<'_>, source: &Path, id: &str) -> Result<Option<Bson>> {
    let mut current = View::Document(document);
    let mut array = None;
    let mut before = "";
    for part in source.parts() {
        let next = match current {
            View::Document(inner) => inner.get(part),
            View::Array(items) if array_index(part).is_some() => {
                array = Some(before);
                array_index(part).and_then(|index| items.get(index))
            }
            other => {
                let element = format!("{{{before}: {}}}", shown(other));
                let message = format!("cannot use the part ({before} of {source}) to traverse the element ({element})");
                return refuse(ErrorCode::PathNotViable, message);
            }
        };
        let Some(next) = next else { return Ok(None) };
        (current, before) = (next, part);
    }
    match array {
        None => Ok(Some(current.to_bson())),
        Some(array) => through_array("source", source, id, array),
    }
}

/// Refuses a target behind an array.
pub(super) fn check_target(document: DocView<'_>, target: &Path, id: &str) -> Result<()> {
    let mut current = View::Document(document);
    let mut array = None;
    let mut before = "";
    for part in target.parts() {
        let next = match current {
            View::Document(inner) => inner.get(part),
            View::Array(items) => {
                array = Some(before);
                array_index(part).and_then(|index| items.get(index))
            }
            _ => None,
        };
        let Some(next) = next else { break };
        (current, before) = (next, part);
    }
    array.map_or(Ok(()), |array| through_array("destination", target, id, array))
}

fn through_array<T>(end: &str, path: &Path, id: &str, array: &str) -> Result<T> {
    let message = format!(
        "The {end} field cannot be an array element, '{path}' in doc with {id} has an array field called '{array}'"
    );
    refuse(ErrorCode::BadValue, message)
}
