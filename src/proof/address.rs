//! Every part of a document by its address, and documents with a part taken away or exchanged.

use crate::value::{Bson, Document, Path};

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    Field(String),
    Index(usize),
}

/// The way from a document to one of its parts.
pub(super) type Address = Vec<Key>;

/// The addresses of all parts but the `_id`, outer ones before inner ones.
pub(super) fn addresses(document: &Document) -> Vec<Address> {
    let mut found = Vec::new();
    for (name, value) in document.iter().filter(|(name, _)| *name != "_id") {
        found.push(vec![Key::Field(name.clone())]);
        inner(value, &[Key::Field(name.clone())], &mut found);
    }
    found.sort_by_key(Vec::len);
    found
}

fn inner(value: &Bson, above: &[Key], found: &mut Vec<Address>) {
    let mut visit = |key: Key, value: &Bson| {
        let address: Address = above.iter().cloned().chain([key]).collect();
        found.push(address.clone());
        inner(value, &address, found);
    };
    match value {
        Bson::Document(fields) => fields.iter().for_each(|(name, value)| visit(Key::Field(name.clone()), value)),
        Bson::Array(items) => items.iter().enumerate().for_each(|(at, value)| visit(Key::Index(at), value)),
        _ => {}
    }
}

/// The value at an address.
pub(super) fn at<'d>(document: &'d mut Document, address: &[Key]) -> Option<&'d mut Bson> {
    let (Key::Field(name), rest) = address.split_first()? else { return None };
    let first = document.get_mut(name)?;
    rest.iter().try_fold(first, |value, key| match (value, key) {
        (Bson::Document(fields), Key::Field(name)) => fields.get_mut(name),
        (Bson::Array(items), Key::Index(at)) => items.get_mut(*at),
        _ => None,
    })
}

/// The document without the part at an address.
pub(super) fn without(document: &Document, address: &[Key]) -> Document {
    let mut less = document.clone();
    let Some((last, above)) = address.split_last() else { return less };
    match last {
        Key::Field(name) if above.is_empty() => _ = less.remove(name),
        Key::Field(name) => {
            if let Some(Bson::Document(fields)) = at(&mut less, above) {
                fields.remove(name);
            }
        }
        Key::Index(index) => {
            if let Some(Bson::Array(items)) = at(&mut less, above)
                && *index < items.len()
            {
                items.remove(*index);
            }
        }
    }
    less
}

/// The dotted path of an address, positions left out.
pub(super) fn path(address: &[Key]) -> Path {
    let names =
        address.iter().filter_map(|key| if let Key::Field(name) = key { Some(name.as_str().into()) } else { None });
    Path::from_parts(names.collect())
}
