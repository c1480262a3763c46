//! `$rename`: its two paths and their checks (`src/mongo/db/update/rename_node.cpp`).

use super::leaf::Leaf;
use super::path::UpdatePath;
use super::tree::Fields;
use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::value::{Bson, DocView, Path, View, shown};

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

/// The value at a source, where no array lies on the way.
pub(super) fn source_value(document: DocView<'_>, source: &Path, id: &str) -> Result<Option<Bson>> {
    let mut current = document;
    let (last, before) = source.parts().split_last().expect("a checked path has parts");
    for part in before {
        match current.get(part) {
            Some(View::Document(inner)) => current = inner,
            Some(View::Array(_)) => {
                return refuse(
                    ErrorCode::BadValue,
                    format!(
                        "The source field cannot be an array element, '{source}' in doc with {id} has an array field called \
                     '{part}'"
                    ),
                );
            }
            Some(other) => {
                let message = format!(
                    "cannot use the part ({part} of {source}) to traverse the element ({{{part}: {}}})",
                    shown(other)
                );
                return Err(CommandError::new(ErrorCode::PathNotViable, message));
            }
            None => return Ok(None),
        }
    }
    Ok(current.get(last).map(|value| value.to_bson()))
}

/// Refuses a target behind an array.
pub(super) fn check_target(document: DocView<'_>, target: &Path, id: &str) -> Result<()> {
    let mut current = document;
    for part in target.parts() {
        match current.get(part) {
            Some(View::Document(inner)) => current = inner,
            Some(View::Array(_)) if target.parts().last() != Some(part) => {
                return refuse(
                    ErrorCode::BadValue,
                    format!(
                        "The destination field cannot be an array element, '{target}' in doc with {id} has an array field \
                     called '{part}'"
                    ),
                );
            }
            _ => return Ok(()),
        }
    }
    Ok(())
}
