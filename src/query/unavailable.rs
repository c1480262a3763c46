//! Operators of the query language that this store refuses by name.

use crate::error::{CommandError, ErrorCode, Result};

/// Whether an operator on a field is refused by name.
pub(super) fn is(operator: &str) -> bool {
    matches!(operator, "$near" | "$nearSphere" | "$geoNear" | "$geoWithin" | "$geoIntersects" | "$within")
}

/// Refuses an operator: where the server would miss an index or its JavaScript engine, with the server's own words.
pub(super) fn refuse<T>(operator: &str) -> Result<T> {
    let (code, message) = match operator {
        "$where" => (ErrorCode::BadValue, "no globalScriptEngine in $where parsing".to_owned()),
        "$text" => (ErrorCode::IndexNotFound, "text index required for $text query".into()),
        "$near" | "$nearSphere" | "$geoNear" => {
            (ErrorCode::NoQueryExecutionPlans, "unable to find index for $geoNear query".into())
        }
        _ => (ErrorCode::NotImplemented, format!("{operator} is not available in this store: it has no geometry")),
    };
    Err(CommandError::new(code, message))
}
