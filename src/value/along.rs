//! All values that a path leads to, as joins take them (`visitAllValuesAtPath`,
//! `src/mongo/db/pipeline/document_path_support.cpp`).

use super::path::Path;
use super::traverse::array_index;
use super::view::{DocView, View};

/// The values at the end of a path, in their order; of an array there its elements, of what is missing nothing.
///
/// Arrays on the way are gone through, documents in them only; a number behind an array names a position, the first part of
/// a path never does.
#[must_use]
pub fn values_along<'a>(document: DocView<'a>, path: &Path) -> Vec<View<'a>> {
    let mut found = Vec::new();
    from_document(document, path.parts(), &mut found);
    found
}

fn from_document<'a>(document: DocView<'a>, parts: &[Box<str>], found: &mut Vec<View<'a>>) {
    let Some((first, mut rest)) = parts.split_first() else { return };
    let Some(mut value) = document.get(first) else { return };
    while let (View::Array(array), Some((next, behind))) = (value, rest.split_first())
        && let Some(position) = array_index(next)
    {
        let Some(element) = array.get(position) else { return };
        (value, rest) = (element, behind);
    }
    match value {
        View::Array(array) if rest.is_empty() => found.extend(array.iter()),
        _ if rest.is_empty() => found.push(value),
        View::Document(inner) => from_document(inner, rest, found),
        View::Array(array) => array.iter().for_each(|element| {
            if let View::Document(inner) = element {
                from_document(inner, rest, found);
            }
        }),
        _ => {}
    }
}
