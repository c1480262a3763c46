//! What may be stored: `_id` rules, field names, nesting and size (`src/mongo/db/update/storage_validation.cpp`).

use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::value::{
    self, Bson, DocView, Document, DocumentBuilder, RawDocument, RawDocumentBuf, View, identical, shown, type_alias,
};

/// Ends an update that was computed elsewhere, as by a pipeline: keeps `_id`, checks what is stored; none where nothing
/// changed.
///
/// # Errors
/// `ImmutableField` for a changed `_id`, `BSONObjectTooLarge` for what is too large for a result, and what
/// [`check_storable`] refuses.
pub fn finished(before: &RawDocument, after: &RawDocument, upsert: bool) -> Result<Option<RawDocumentBuf>> {
    value::check_result(after.as_bytes().len())?;
    let before = DocView::from(before);
    let whole = with_id_first(before, after.into());
    if before.get("_id").is_some() {
        check_id_replaced(before, (&whole).into())?;
    }
    check_storable(&whole, upsert)?;
    Ok(if value::identical_documents(before, &whole) { None } else { Some(whole) })
}

/// A new document with its `_id`, or else the old one's, in front.
pub(super) fn with_id_first(before: DocView<'_>, after: DocView<'_>) -> RawDocumentBuf {
    let mut whole = DocumentBuilder::new();
    if let Some(id) = after.get("_id").or_else(|| before.get("_id")) {
        whole.append("_id", id);
    }
    after.iter().filter(|(name, _)| *name != "_id").for_each(|(name, value)| whole.append(name, value));
    whole.finish()
}

/// Checks a document that an update is about to store: what [`check_id`] says, the levels of nesting, the size.
pub(super) fn check_storable(document: &RawDocument, upsert: bool) -> Result<()> {
    check_id(document)?;
    value::check_nesting_at(View::Document(document.into()), 0)?;
    value::check_updated(document.as_bytes().len(), upsert)
}

/// Checks the `_id` of a document that is about to be stored.
///
/// # Errors
/// `InvalidIdField` for an array, regular expression or undefined, `DollarPrefixedFieldName` inside it.
pub fn check_id<'a>(document: impl Into<DocView<'a>>) -> Result<()> {
    match document.into().get("_id") {
        Some(id @ (View::Array(_) | View::Regex { .. } | View::Undefined)) => {
            let message = format!("The '_id' value cannot be of type {}", type_alias(id));
            refuse(ErrorCode::InvalidIdField, message).map_err(|error: CommandError| error.inside_field("_id"))
        }
        Some(View::Document(id)) => match id.iter().find(|(name, _)| is_operator_name(name)) {
            Some((name, _)) => {
                let message = format!(
                    "_id fields may not contain '$'-prefixed fields: The dollar ($) prefixed field '{name}' in '{name}' \
                     is not valid for storage."
                );
                refuse(ErrorCode::DollarPrefixedFieldName, message)
                    .map_err(|error: CommandError| error.inside_field("_id"))
            }
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn is_operator_name(name: &str) -> bool {
    name.starts_with('$') && !matches!(name, "$ref" | "$id" | "$db")
}

/// Refuses field names with a NUL byte, which BSON cannot hold.
pub(super) fn check_names(document: &Document) -> Result<()> {
    if has_nul(document) {
        return refuse(ErrorCode::BadValue, "key names cannot contain NUL bytes");
    }
    Ok(())
}

fn has_nul(document: &Document) -> bool {
    document.iter().any(|(name, value)| name.as_bytes().contains(&0) || has_nul_inside(value))
}

fn has_nul_inside(value: &Bson) -> bool {
    match value {
        Bson::Document(inner) => has_nul(inner),
        Bson::Array(items) => items.iter().any(has_nul_inside),
        _ => false,
    }
}

/// A replacement's own names may not begin with `$`; those deeper down may, since 5.0.
pub(super) fn check_replacement(document: &Document) -> Result<()> {
    match document.keys().find(|name| is_operator_name(name)) {
        None => Ok(()),
        Some(name) => dollar_field(name).map_err(|error: CommandError| error.inside_field(name)),
    }
}

fn dollar_field(name: &str) -> Result<()> {
    refuse(
        ErrorCode::DollarPrefixedFieldName,
        format!(
            "The dollar ($) prefixed field '{name}' in '{name}' is not allowed in the context of an update's \
             replacement document. Consider using an aggregation pipeline with $replaceWith."
        ),
    )
}

/// An operator may not put a value into a document's own field whose name begins with `$`, but for the three names of a
/// database reference in their order (`storage_validation.cpp`, `validateDollarPrefixElement`).
pub(super) fn check_dollar_field(document: DocView<'_>, name: &str, value: View<'_>) -> Result<()> {
    if !name.starts_with('$') {
        return Ok(());
    }
    let names: Vec<&str> = document.iter().map(|(name, _)| name).collect();
    let at = names.iter().position(|other| *other == name).unwrap_or(names.len());
    let follows = |before: &str| at.checked_sub(1).is_some_and(|left| names[left] == before);
    let invalid = |message: &str| refuse(ErrorCode::InvalidDBRef, message);
    match name {
        "$ref" | "$db" if !matches!(value, View::String(_)) => {
            invalid(&format!("The DBRef {name} field must be a String, not a {}", type_alias(value)))
        }
        "$db" if !follows("$id") => invalid("Found $db field without a $id before it, which is invalid."),
        "$id" if !follows("$ref") => invalid("Found $id field without a $ref before it, which is invalid."),
        "$ref" if names.get(at + 1) != Some(&"$id") => invalid("The DBRef $ref field must be followed by a $id field"),
        "$ref" | "$id" | "$db" => Ok(()),
        _ => dollar_field(name),
    }
}

/// An operator may not change `_id`.
pub(super) fn check_id_kept(before: &RawDocument, after: &RawDocument) -> Result<()> {
    let before = DocView::from(before);
    if same_id(before, after.into()) || before.get("_id").is_none() {
        return Ok(());
    }
    let message = "Performing an update on the path '_id' would modify the immutable field '_id'";
    refuse(ErrorCode::ImmutableField, message)
}

/// A replacement may not change `_id`.
pub(super) fn check_id_replaced(before: DocView<'_>, after: DocView<'_>) -> Result<()> {
    if same_id(before, after) {
        return Ok(());
    }
    let id = after.get("_id").map_or("missing".into(), |id| format!("_id: {}", shown(id)));
    let message =
        format!("After applying the update, the (immutable) field '_id' was found to have been altered to {id}");
    refuse(ErrorCode::ImmutableField, message)
}

fn same_id(before: DocView<'_>, after: DocView<'_>) -> bool {
    match (before.get("_id"), after.get("_id")) {
        (Some(old), Some(new)) => identical(old, new),
        (old, new) => old.is_none() && new.is_none(),
    }
}
