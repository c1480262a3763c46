//! Kinds of values that are easily taken for one another: numbers, text, dates; and documents with values converted.

use std::collections::BTreeMap;

use super::asks::Ask;
use crate::pitfall::case::Case;
use crate::query::Matcher;
use crate::value::{Bson, Document, Path, RawDocument, View};

/// What a value is to the learner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Number,
    Text,
    Date,
}

impl Kind {
    /// The kind of a `$type` alias.
    pub(super) fn of_alias(alias: &str) -> Option<Self> {
        match alias {
            "int" | "long" | "double" | "decimal" => Some(Self::Number),
            "string" => Some(Self::Text),
            "date" => Some(Self::Date),
            _ => None,
        }
    }

    /// The kind of a literal.
    pub(super) fn of(value: &Bson) -> Option<Self> {
        match value {
            Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => Some(Self::Number),
            Bson::String(_) => Some(Self::Text),
            Bson::DateTime(_) => Some(Self::Date),
            _ => None,
        }
    }

    /// MongoDB's word for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Text => "string",
            Self::Date => "date",
        }
    }
}

/// How many values of each `$type` alias are stored in the place asked for.
pub(super) fn types(case: &Case<'_>, collection: &str, ask: &Ask<'_>) -> BTreeMap<&'static str, u64> {
    let Some(array) = ask.array else {
        let facts = case.profile(collection).and_then(|profile| profile.path(&ask.path.to_string()));
        return facts.map(|facts| facts.types.clone()).unwrap_or_default();
    };
    let mut types = BTreeMap::new();
    let asked = array.keys.iter().filter(|(key, _)| ask.keys.is_empty() || ask.keys.contains(&key.as_str()));
    for (alias, count) in asked.flat_map(|(_, facts)| &facts.types) {
        *types.entry(*alias).or_default() += count;
    }
    types
}

/// How many values of each kind are among them.
pub(super) fn kinds(types: &BTreeMap<&'static str, u64>) -> BTreeMap<Kind, u64> {
    let mut kinds = BTreeMap::new();
    for (alias, count) in types {
        if let Some(kind) = Kind::of_alias(alias) {
            *kinds.entry(kind).or_default() += count;
        }
    }
    kinds
}

/// Counts by name, as evidence holds them.
pub(super) fn counted(types: &BTreeMap<&'static str, u64>) -> Vec<(String, u64)> {
    types.iter().map(|(alias, count)| ((*alias).to_owned(), *count)).collect()
}

/// The number that a text is.
pub(super) fn whole_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+' || c == '.');
    if plain { text.parse().ok() } else { None }
}

/// The number that a text begins with, as a person reads "16GB".
pub(super) fn leading_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text
        .char_indices()
        .find(|(at, c)| !(c.is_ascii_digit() || *c == '.' || (*at == 0 && *c == '-')))
        .map_or(text.len(), |(at, _)| at);
    let is_date = text[end..].starts_with(['-', '/', ':', '.']) || text[..end].matches('.').count() > 1;
    if is_date { None } else { text[..end].parse().ok() }
}

/// A number as a value: an int where it is whole.
pub(super) fn number(number: f64) -> Bson {
    let whole = format!("{number}").parse::<i32>();
    whole.map_or(Bson::Double(number), Bson::Int32)
}

/// Whether a document would meet a filter with the values in the place asked for converted.
pub(super) fn meets_converted(
    matcher: &Matcher,
    document: &RawDocument,
    ask: &Ask<'_>,
    with: &dyn Fn(&Bson) -> Option<Bson>,
) -> bool {
    let texts = ask.values(document).into_iter().filter(|value| matches!(value, View::String(_)));
    if texts.into_iter().any(|text| with(&text.to_bson()).is_some()) {
        matcher.matches(&converted(document, ask, with))
    } else {
        matcher.matches(document)
    }
}

/// The document with the values in the place asked for converted, where they can be.
fn converted(document: &RawDocument, ask: &Ask<'_>, with: &dyn Fn(&Bson) -> Option<Bson>) -> Document {
    let mut tree = Bson::Document(Document::try_from(document).unwrap_or_default());
    match ask.array {
        None => change(&mut tree, ask.path.parts(), &mut |value| exchange(value, with)),
        Some(array) => change(&mut tree, Path::new(&array.path).parts(), &mut |value| {
            let asked = value.as_array_mut().into_iter().flatten().filter(|element| ask.has_key((&**element).into()));
            asked.for_each(|element| change(element, ask.tail().parts(), &mut |value| exchange(value, with)));
        }),
    }
    if let Bson::Document(document) = tree { document } else { Document::new() }
}

fn change(value: &mut Bson, parts: &[Box<str>], at: &mut dyn FnMut(&mut Bson)) {
    match (value, parts.split_first()) {
        (value, None) => at(value),
        (Bson::Document(document), Some((first, rest))) => {
            if let Some(inner) = document.get_mut(&**first) {
                change(inner, rest, at);
            }
        }
        (Bson::Array(array), Some(_)) => {
            let documents = array.iter_mut().filter(|element| matches!(element, Bson::Document(_)));
            documents.for_each(|element| change(element, parts, at));
        }
        _ => {}
    }
}

fn exchange(value: &mut Bson, with: &dyn Fn(&Bson) -> Option<Bson>) {
    if let Bson::Array(elements) = value {
        for element in elements {
            exchange(element, with);
        }
    } else if let Some(other) = with(value) {
        *value = other;
    }
}
