//! The elements of an attribute array, read from a document.

use crate::pitfall::Case;
use crate::store::{AttributeFacts, Direction};
use crate::value::{DocView, RawDocument, View};

/// One element that has a key.
#[derive(Debug, Clone, Copy)]
pub struct Element<'a> {
    /// The key.
    pub key: &'a str,
    /// The value, if there is one.
    pub value: Option<View<'a>>,
    /// The unit, if there is one.
    pub unit: Option<&'a str>,
}

/// The value at a path of nested documents.
#[must_use]
pub fn at<'a>(document: &'a RawDocument, path: &str) -> Option<View<'a>> {
    path.split('.').try_fold(View::Document(DocView::from(document)), |value, name| match value {
        View::Document(inner) => inner.get(name),
        _ => None,
    })
}

/// The elements of the array in one document; none where the array is missing or inside another one.
#[must_use]
pub fn elements<'a>(document: &'a RawDocument, array: &AttributeFacts) -> Vec<Element<'a>> {
    let Some(View::Array(list)) = at(document, &array.path) else { return Vec::new() };
    list.iter().filter_map(|element| read(element, array)).collect()
}

fn read<'a>(element: View<'a>, array: &AttributeFacts) -> Option<Element<'a>> {
    let View::Document(element) = element else { return None };
    let text = |value| if let View::String(text) = value { Some(text) } else { None };
    let key = element.get(&array.key).and_then(text)?;
    let unit = array.unit.as_ref().and_then(|unit| element.get(unit)).and_then(text);
    Some(Element { key, value: element.get(&array.value), unit })
}

/// The documents as they are after the text.
pub fn present<'a>(case: &Case<'a>, collection: &str) -> impl Iterator<Item = &'a RawDocument> + use<'a> {
    let held = case.after.collection(collection);
    held.into_iter().flat_map(|held| held.scan(Direction::Ascending)).map(|(_, document)| document)
}

/// Whether a text begins with year, month and day, with or without hyphens.
#[must_use]
pub fn begins_with_day(text: &str) -> bool {
    let digits: String = text.chars().filter(|letter| *letter != '-').take(8).collect();
    let part = |from: usize, to: usize| digits.get(from..to).and_then(|part| part.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (part(0, 4), part(4, 6), part(6, 8)) else { return false };
    (1900..2200).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day)
}
