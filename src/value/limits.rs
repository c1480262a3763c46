//! How large and how deep a document may be (manual: *MongoDB Limits and Thresholds*).

use super::view::{DocView, View};
use crate::error::{CommandError, ErrorCode, Result};

/// The greatest size of a document in bytes.
pub const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;
/// How many levels of documents and arrays a document may have.
pub const MAX_NESTING: usize = 100;

/// Checks size and nesting.
///
/// # Errors
/// `BSONObjectTooLarge` beyond 16 MiB, `Overflow` beyond 100 levels.
pub fn check_limits<'a>(document: impl Into<DocView<'a>>) -> Result<()> {
    let document = document.into();
    check_nesting_at(View::Document(document), 0)?;
    check_size(document_bytes(document))
}

fn is_deeper(value: View<'_>, levels: usize) -> bool {
    match value {
        View::Document(document) => levels == 0 || document.iter().any(|(_, inner)| is_deeper(inner, levels - 1)),
        View::Array(array) => levels == 0 || array.iter().any(|inner| is_deeper(inner, levels - 1)),
        _ => false,
    }
}

/// Checks how deep a value is nested that is put so many levels below a document.
///
/// # Errors
/// `Overflow` where it reaches beyond 100 levels.
pub fn check_nesting_at(value: View<'_>, depth: usize) -> Result<()> {
    if depth > MAX_NESTING || is_deeper(value, MAX_NESTING - depth) {
        return too_deep();
    }
    Ok(())
}

/// Checks how many levels a document has, itself counted.
///
/// # Errors
/// `Overflow` beyond 100.
pub fn check_levels(levels: usize) -> Result<()> {
    if levels > MAX_NESTING { too_deep() } else { Ok(()) }
}

fn too_deep() -> Result<()> {
    let message = format!("Document exceeds maximum nesting depth of {MAX_NESTING}");
    Err(CommandError::new(ErrorCode::Overflow, message))
}

/// Checks a document's size in bytes.
///
/// # Errors
/// `BSONObjectTooLarge` beyond 16 MiB.
pub fn check_size(size: usize) -> Result<()> {
    if size > MAX_DOCUMENT_BYTES {
        let message = format!(
            "BSONObj size: {size} (0x{size:X}) is invalid. Size must be between 0 and {MAX_DOCUMENT_BYTES}(16MB)"
        );
        return Err(CommandError::new(ErrorCode::BSONObjectTooLarge, message));
    }
    Ok(())
}

/// The size of a document as BSON bytes.
#[must_use]
pub fn document_bytes<'a>(document: impl Into<DocView<'a>>) -> usize {
    match document.into() {
        DocView::Raw(raw) => raw.as_bytes().len(),
        owned @ DocView::Owned(_) => {
            5 + owned.iter().map(|(name, value)| name.len() + 2 + value_bytes(value)).sum::<usize>()
        }
    }
}

/// The size of a value as BSON bytes, without its type and name.
#[must_use]
pub fn value_bytes(value: View<'_>) -> usize {
    match value {
        View::MinKey | View::MaxKey | View::Undefined | View::Null => 0,
        View::Boolean(_) => 1,
        View::Int32(_) => 4,
        View::Int64(_) | View::Double(_) | View::DateTime(_) | View::Timestamp { .. } => 8,
        View::ObjectId(_) => 12,
        View::Decimal(_) => 16,
        View::String(text) | View::Symbol(text) | View::Code(text) => text.len() + 5,
        View::DbPointer { namespace, .. } => namespace.len() + 17,
        View::Regex { pattern, options } => pattern.len() + options.len() + 2,
        // The old binary subtype has a second length inside.
        View::Binary { subtype, bytes } => bytes.len() + if subtype == 2 { 9 } else { 5 },
        View::Document(document) => document_bytes(document),
        View::Array(array) => array_bytes(array),
        View::CodeWithScope(code, scope) => 4 + code.len() + 5 + document_bytes(scope),
    }
}

fn array_bytes(array: super::view::ArrayView<'_>) -> usize {
    match array {
        super::view::ArrayView::Raw(raw) => raw.as_bytes().len(),
        super::view::ArrayView::Owned(items) => {
            let name = |at: usize| at.checked_ilog10().map_or(1, |log| log as usize + 1);
            5 + items.iter().enumerate().map(|(at, item)| name(at) + 2 + value_bytes(item.into())).sum::<usize>()
        }
    }
}
