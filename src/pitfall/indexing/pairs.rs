//! The key-value pairs of one document.

use crate::store::AttributeFacts;
use crate::value::{Bson, RawDocument, View};

/// Key and value of each element of an attribute array; a missing field is null, as in an index entry.
pub(super) fn pairs(document: &RawDocument, array: &AttributeFacts) -> Vec<(Bson, Bson)> {
    let mut here = View::Document(document.into());
    for name in array.path.split('.') {
        let View::Document(inner) = here else { return Vec::new() };
        let Some(value) = inner.get(name) else { return Vec::new() };
        here = value;
    }
    let View::Array(elements) = here else { return Vec::new() };
    elements.iter().map(|element| (field(element, &array.key), field(element, &array.value))).collect()
}

fn field(element: View<'_>, name: &str) -> Bson {
    let View::Document(element) = element else { return Bson::Null };
    element.get(name).map_or(Bson::Null, |value| value.to_bson())
}
