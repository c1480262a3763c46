//! Which collection names are allowed (manual: *MongoDB Limits and Thresholds*, naming restrictions; `namespace_string.h`).

use crate::error::{CommandError, CommandPath, ErrorCode, Result};

/// The longest namespace in bytes, database and dot included.
const MAX_NAMESPACE_BYTES: usize = 255;

/// Checks the name of a collection that is to be read or written.
pub(super) fn check_name(database: &str, collection: &str) -> Result<()> {
    let refuse = |message: String| {
        Err(CommandError::new(ErrorCode::InvalidNamespace, message).at(CommandPath::argument("collection")))
    };
    let namespace = format!("{database}.{collection}");
    if collection.is_empty() || collection.starts_with('.') || collection.contains('\0') {
        return refuse(format!("Invalid namespace specified '{}'", namespace.replace('\0', "\\0")));
    }
    if namespace.len() > MAX_NAMESPACE_BYTES {
        let length = namespace.len();
        return refuse(format!(
            "Fully qualified namespace is too long. Namespace: {namespace} Max: {MAX_NAMESPACE_BYTES} Length: {length}"
        ));
    }
    Ok(())
}

/// Checks the name of a collection that a command would make.
pub(super) fn check_new_name(database: &str, collection: &str) -> Result<()> {
    check_name(database, collection)?;
    let refuse = |message: String| {
        Err(CommandError::new(ErrorCode::InvalidNamespace, message).at(CommandPath::argument("collection")))
    };
    if collection.contains('$') {
        return refuse(format!("Invalid collection name: {collection}"));
    }
    if collection.starts_with("system.") {
        return refuse(format!("Invalid system namespace: {database}.{collection}"));
    }
    Ok(())
}
