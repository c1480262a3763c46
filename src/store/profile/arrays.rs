//! Arrays per path: lengths, and the fields of the documents in them.

use std::collections::BTreeMap;

use super::{Sign, count, count_in};
use crate::value::{ArrayView, DocView, View, type_alias};

/// The arrays at one path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArrayFacts {
    /// Arrays by their length.
    pub lengths: BTreeMap<usize, u64>,
    /// Elements in all.
    pub elements: u64,
    /// Elements that are documents.
    pub documents: u64,
    /// The fields of those documents.
    pub fields: BTreeMap<String, SubField>,
}

/// One field of the documents in an array.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubField {
    /// Elements that have it.
    pub elements: u64,
    /// Values by `$type` alias.
    pub types: BTreeMap<&'static str, u64>,
    /// Text values with their counts.
    pub texts: BTreeMap<String, u64>,
    /// How early the field stands in an element, summed up.
    pub(super) places: u64,
}

impl ArrayFacts {
    /// How many arrays there are.
    #[must_use]
    pub fn arrays(&self) -> u64 {
        self.lengths.values().sum()
    }

    /// The greatest length.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.lengths.keys().next_back().copied().unwrap_or_default()
    }
}

/// Counts one document.
pub(super) fn tally(document: DocView<'_>, facts: &mut BTreeMap<String, ArrayFacts>, sign: Sign) {
    walk(document, "", facts, sign);
    if sign < 0 {
        facts.retain(|_, facts| !facts.lengths.is_empty());
    }
}

fn walk(document: DocView<'_>, before: &str, facts: &mut BTreeMap<String, ArrayFacts>, sign: Sign) {
    for (name, value) in document.iter() {
        match value {
            View::Document(inner) => walk(inner, &joined(before, name), facts, sign),
            View::Array(array) => elements(array, &joined(before, name), facts, sign),
            _ => {}
        }
    }
}

fn joined(before: &str, name: &str) -> String {
    if before.is_empty() { name.to_owned() } else { format!("{before}.{name}") }
}

fn elements(array: ArrayView<'_>, path: &str, facts: &mut BTreeMap<String, ArrayFacts>, sign: Sign) {
    let own = facts.entry(path.to_owned()).or_default();
    let mut length = 0;
    for element in array.iter() {
        length += 1;
        count(&mut own.elements, sign);
        if let View::Document(document) = element {
            count(&mut own.documents, sign);
            fields(document, &mut own.fields, sign);
        }
    }
    count_in(&mut own.lengths, length, sign);
    for element in array.iter() {
        if let View::Document(document) = element {
            walk(document, path, facts, sign);
        }
    }
}

fn fields(document: DocView<'_>, facts: &mut BTreeMap<String, SubField>, sign: Sign) {
    for (place, (name, value)) in document.iter().enumerate() {
        let field = facts.entry(name.to_owned()).or_default();
        count(&mut field.elements, sign);
        count_in(&mut field.types, type_alias(value), sign);
        field.places = field.places.saturating_add_signed(sign * i64::try_from(place).unwrap_or(i64::MAX));
        if let View::String(text) = value {
            count_in(&mut field.texts, text.to_owned(), sign);
        }
        if field.elements == 0 {
            facts.remove(name);
        }
    }
}
