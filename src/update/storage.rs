//! What may be stored: `_id` rules, field names, nesting and size (`src/mongo/db/update/storage_validation.cpp`).

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{self, Bson, Document, identical, shown, type_alias};

fn refuse<T>(code: ErrorCode, message: String) -> Result<T> {
    Err(CommandError::new(code, message))
}

/// Ends an update that was computed elsewhere, as by a pipeline: keeps `_id`, checks what is stored; none where nothing
/// changed.
///
/// # Errors
/// `ImmutableField` for a changed `_id`, and what [`check_storable`] refuses.
pub fn finished(before: &Document, after: Document) -> Result<Option<Document>> {
    let mut whole = Document::new();
    if let Some(id) = after.get("_id").or_else(|| before.get("_id")) {
        whole.insert("_id", id.clone());
    }
    whole.extend(after.into_iter().filter(|(name, _)| name != "_id"));
    if before.contains_key("_id") {
        check_id_replaced(before, &whole)?;
    }
    check_storable(&whole)?;
    Ok(if value::identical_documents(before, &whole) { None } else { Some(whole) })
}

/// Checks a document that is about to be stored.
///
/// # Errors
/// `InvalidIdField` for an array, regular expression or undefined as `_id`, `DollarPrefixedFieldName` inside `_id`,
/// `Overflow` beyond 100 levels of nesting, `BSONObjectTooLarge` beyond 16 MiB.
pub fn check_storable(document: &Document) -> Result<()> {
    match document.get("_id") {
        Some(id @ (Bson::Array(_) | Bson::RegularExpression(_) | Bson::Undefined)) => {
            let message = format!("The '_id' value cannot be of type {}", type_alias(id.into()));
            return refuse(ErrorCode::InvalidIdField, message).map_err(|error: CommandError| error.inside_field("_id"));
        }
        Some(Bson::Document(id)) => {
            if let Some(name) =
                id.keys().find(|name| name.starts_with('$') && !matches!(name.as_str(), "$ref" | "$id" | "$db"))
            {
                let message = format!(
                    "_id fields may not contain '$'-prefixed fields: The dollar ($) prefixed field '{name}' in '{name}' \
                     is not valid for storage."
                );
                return refuse(ErrorCode::DollarPrefixedFieldName, message)
                    .map_err(|error: CommandError| error.inside_field("_id"));
            }
        }
        _ => {}
    }
    value::check_limits(document)
}

/// A replacement's own names may not begin with `$`; those deeper down may, since 5.0.
pub(super) fn check_replacement(document: &Document) -> Result<()> {
    match document.keys().find(|name| name.starts_with('$') && !matches!(name.as_str(), "$ref" | "$id" | "$db")) {
        None => Ok(()),
        Some(name) => refuse(
            ErrorCode::DollarPrefixedFieldName,
            format!(
                "The dollar ($) prefixed field '{name}' in '{name}' is not allowed in the context of an update's \
                 replacement document. Consider using an aggregation pipeline with $replaceWith."
            ),
        )
        .map_err(|error: CommandError| error.inside_field(name)),
    }
}

/// An operator may not change `_id`.
pub(super) fn check_id_kept(before: &Document, after: &Document) -> Result<()> {
    if same_id(before, after) || !before.contains_key("_id") {
        return Ok(());
    }
    let message = "Performing an update on the path '_id' would modify the immutable field '_id'";
    refuse(ErrorCode::ImmutableField, message.into())
}

/// A replacement may not change `_id`.
pub(super) fn check_id_replaced(before: &Document, after: &Document) -> Result<()> {
    if same_id(before, after) {
        return Ok(());
    }
    let id = after.get("_id").map_or("missing".into(), |id| format!("_id: {}", shown(id)));
    let message =
        format!("After applying the update, the (immutable) field '_id' was found to have been altered to {id}");
    refuse(ErrorCode::ImmutableField, message)
}

fn same_id(before: &Document, after: &Document) -> bool {
    match (before.get("_id"), after.get("_id")) {
        (Some(old), Some(new)) => identical(old.into(), new.into()),
        (old, new) => old.is_none() && new.is_none(),
    }
}
