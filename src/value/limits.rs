//! How large and how deep a document may be (manual: *MongoDB Limits and Thresholds*).

use super::view::{DocView, View};
use crate::error::{ErrorCode, Result, refuse};

/// The greatest size of a document in bytes.
pub const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;
/// The greatest size in bytes of a document on its way, such as a result (`BSONObjMaxInternalSize`).
const MAX_INTERNAL_BYTES: usize = MAX_DOCUMENT_BYTES + 16 * 1024;
/// How many levels of documents and arrays a stored document may have; what is empty is no level of its own
/// (`BSONDepth::getMaxDepthForUserStorage`).
const MAX_NESTING: usize = 180;

fn is_deeper(value: View<'_>, levels: usize) -> bool {
    match value {
        View::Document(document) => document.iter().any(|(_, inner)| levels == 0 || is_deeper(inner, levels - 1)),
        View::Array(array) => array.iter().any(|inner| levels == 0 || is_deeper(inner, levels - 1)),
        _ => false,
    }
}

/// Checks how deep a value is nested that an update puts so many levels below a document (`storage_validation.cpp`).
///
/// # Errors
/// `Overflow` where it reaches beyond 180 levels.
pub fn check_nesting_at(value: View<'_>, depth: usize) -> Result<()> {
    if depth > MAX_NESTING || is_deeper(value, MAX_NESTING - depth) {
        let message = format!("Document exceeds maximum nesting depth of {MAX_NESTING}");
        return refuse(ErrorCode::Overflow, message);
    }
    Ok(())
}

/// Checks the levels, the document itself counted, and the size of a document to be inserted (`fixDocumentForInsert`,
/// `src/mongo/db/ops/insert.cpp`).
///
/// # Errors
/// `BadValue` beyond 16 MiB, `Overflow` beyond 180 levels, and those of [`check_result`].
pub fn check_insert(levels: usize, size: usize) -> Result<()> {
    check_result(size)?;
    if size > MAX_DOCUMENT_BYTES {
        let message = format!("object to insert too large. size in bytes: {size}, max size: {MAX_DOCUMENT_BYTES}");
        return refuse(ErrorCode::BadValue, message);
    }
    if levels > MAX_NESTING {
        let message = format!("cannot insert document because it exceeds {MAX_NESTING} levels of nesting");
        return refuse(ErrorCode::Overflow, message);
    }
    Ok(())
}

/// Checks the size of what an update made of a document, or of nothing (`update_stage.cpp`, `upsert_stage.cpp`).
///
/// # Errors
/// 17419 beyond 16 MiB, 17420 for an upsert.
pub fn check_updated(size: usize, upsert: bool) -> Result<()> {
    if size <= MAX_DOCUMENT_BYTES {
        return Ok(());
    }
    let (code, what) = if upsert { (17420, "Document to upsert") } else { (17419, "Resulting document after update") };
    refuse(code, format!("{what} is larger than {MAX_DOCUMENT_BYTES}"))
}

/// Checks the size of a document that is given back, or is still to be checked for its use.
///
/// # Errors
/// `BSONObjectTooLarge` beyond 16 MiB and 16 KiB.
pub fn check_result(size: usize) -> Result<()> {
    if size > MAX_INTERNAL_BYTES {
        let message = format!(
            "BSONObj size: {size} (0x{size:X}) is invalid. Size must be between 0 and {MAX_INTERNAL_BYTES}(16MB)"
        );
        return refuse(ErrorCode::BSONObjectTooLarge, message);
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
