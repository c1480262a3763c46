//! The document an upsert starts from: the equalities of its filter (`src/mongo/db/update/path_support.cpp`).

use std::collections::BTreeMap;

use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Document, Path};

/// The document an upsert starts from; a replacement takes only `_id` over.
///
/// # Errors
/// `NotSingleValueField` where two equalities speak of one path, or of a path and a part of it.
pub fn upsert_seed(filter: &Filter, replacement: bool) -> Result<Document> {
    let mut equalities = BTreeMap::new();
    collect(filter, replacement, &mut equalities)?;
    let mut document = Document::new();
    // `_id` comes first, the others in the order of their paths.
    let (ids, others): (Vec<_>, Vec<_>) = equalities.into_iter().partition(|(path, _)| &*path.parts()[0] == "_id");
    for (path, value) in ids.into_iter().chain(others) {
        put(&mut document, path.parts(), value);
    }
    Ok(document)
}

fn collect(filter: &Filter, only_id: bool, found: &mut BTreeMap<Path, Bson>) -> Result<()> {
    match filter {
        Filter::And(parts) => parts.iter().try_for_each(|part| collect(part, only_id, found)),
        Filter::Or(parts) if parts.len() == 1 => collect(&parts[0], only_id, found),
        Filter::Field(Predicate { path, test: Test::Compare(Comparison::Eq, value) }) => {
            let about_id = path.parts().first().is_some_and(|part| &**part == "_id");
            if path.is_empty() || only_id && !about_id {
                return Ok(());
            }
            if only_id && path.parts().len() > 1 {
                let message = format!("field at '_id' must be exactly specified, field at sub-path '{path}'found");
                return Err(CommandError::new(ErrorCode::NotExactValueField, message));
            }
            add(path, value, found)
        }
        _ => Ok(()),
    }
}

fn add(path: &Path, value: &Bson, found: &mut BTreeMap<Path, Bson>) -> Result<()> {
    if found.contains_key(path) {
        return refuse(
            ErrorCode::NotSingleValueField,
            format!("cannot infer query fields to set, path '{path}' is matched twice"),
        );
    }
    if let Some(other) = found.keys().find(|other| other.is_prefix_of(path) || path.is_prefix_of(other)) {
        let (short, long) = if other.is_prefix_of(path) { (other, path) } else { (path, other) };
        return refuse(
            ErrorCode::NotSingleValueField,
            format!("cannot infer query fields to set, both paths '{long}' and '{short}' are matched"),
        );
    }
    found.insert(path.clone(), value.clone());
    Ok(())
}

fn put(document: &mut Document, parts: &[Box<str>], value: Bson) {
    let (first, rest) = parts.split_first().expect("the empty path was left out");
    if rest.is_empty() {
        document.insert(first.to_string(), value);
        return;
    }
    let inner = document.entry(first.to_string()).or_insert_with(|| Bson::Document(Document::new()));
    if let Bson::Document(inner) = inner {
        put(inner, rest, value);
    }
}
