//! The learner's own documents: Extended JSON, one document a line, and a guess at their design.

use std::collections::BTreeMap;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::design::form::{Design, Form, Layout};
use crate::value::{Bson, Document, from_json};

/// Names of key, value and unit fields that are preferred where several would do.
const KEYS: [&str; 9] = ["k", "key", "name", "n", "attr", "location", "lang", "code", "date"];
const VALUES: [&str; 7] = ["v", "value", "val", "date", "text", "steps", "n"];
const UNITS: [&str; 3] = ["u", "unit", "uom"];

/// A line that is no document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BadLine {
    /// Counted from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// Reads a document from each line; empty lines are passed over.
///
/// # Errors
/// The first line that is no document; nothing is loaded then.
pub fn read_lines(text: &str) -> Result<Vec<Document>, BadLine> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| read_line(line).map_err(|reason| BadLine { line: at + 1, reason })).collect()
}

fn read_line(line: &str) -> Result<Document, String> {
    let Distinct(json) = serde_json::from_str(line).map_err(|error| in_line(&error))?;
    match from_json(&json)? {
        Bson::Document(document) => Ok(document),
        Bson::Array(_) => Err("each line holds one document, not an array of them".into()),
        _ => Err("a document was expected".into()),
    }
}

/// The parser counts lines too, and all of these are its first.
fn in_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).map_or(message.clone(), |bare| format!("{bare}, column {}", error.column()))
}

/// JSON in which no object has a key twice.
struct Distinct(serde_json::Value);

impl<'de> Deserialize<'de> for Distinct {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Distinct;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Distinct, E> {
        Ok(Distinct(serde_json::Value::Null))
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Distinct, E> {
        Ok(Distinct(truth.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Distinct, E> {
        Ok(Distinct(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Distinct, E> {
        Ok(Distinct(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Distinct, E> {
        Ok(Distinct(number.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Distinct, E> {
        Ok(Distinct(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Distinct, A::Error> {
        let mut list = Vec::new();
        while let Some(Distinct(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Distinct(list.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Distinct, A::Error> {
        let mut object = serde_json::Map::new();
        while let Some((name, Distinct(value))) = fields.next_entry::<String, _>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom(format!("the key `{name}` is written twice")));
            }
            object.insert(name, value);
        }
        Ok(Distinct(object.into()))
    }
}

/// The design that documents are in, with the twins to keep beside it: pairs in an array, or fields at the root. Fields that
/// every document has are common; of flat documents the others are attributes.
#[must_use]
pub fn guess(documents: &[Document]) -> (Design, Vec<Design>) {
    let (layout, home) = match pairs_layout(documents) {
        Some(layout) => (layout, Form::Kv),
        None => (Layout::attributes("specs", &always(documents)), Form::Flat),
    };
    let twins = [Form::Flat, Form::Kv, Form::Wildcard].into_iter().filter(|form| *form != home);
    (Design::new(home, &layout), twins.map(|form| Design::new(form, &layout)).collect())
}

/// The root fields that every document has.
fn always(documents: &[Document]) -> Vec<&str> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for name in documents.iter().flat_map(Document::keys) {
        *counts.entry(name).or_default() += 1;
    }
    let all = counts.into_iter().filter(|(name, count)| *name != "_id" && *count == documents.len());
    all.map(|(name, _)| name).collect()
}

/// The names of the first root array that holds pairs.
fn pairs_layout(documents: &[Document]) -> Option<Layout> {
    let roots = documents.iter().flat_map(Document::iter);
    let mut arrays: Vec<&str> = Vec::new();
    for (name, value) in roots {
        let pairs = value.as_array().is_some_and(|list| list.iter().any(|item| item.as_document().is_some()));
        if pairs && !arrays.contains(&name.as_str()) {
            arrays.push(name);
        }
    }
    arrays.into_iter().find_map(|array| layout_of(documents, array))
}

fn layout_of(documents: &[Document], array: &str) -> Option<Layout> {
    let elements: Vec<&Document> = documents
        .iter()
        .filter_map(|document| document.get_array(array).ok())
        .flatten()
        .filter_map(Bson::as_document)
        .collect();
    let texts = |name: &str| elements.iter().filter(|element| element.get_str(name).is_ok()).count();
    let names: Vec<&str> = elements.first()?.keys().map(String::as_str).collect();
    let mostly = |name: &&str| texts(name) * 10 >= elements.len() * 9;
    let key = prefer(&KEYS, &names, mostly)?;
    let value = prefer(&VALUES, &names, |name| *name != key && !UNITS.contains(name))?;
    let unit = UNITS.into_iter().find(|unit| texts(unit) > 0);
    let common: Vec<&str> = documents.iter().flat_map(Document::keys).map(String::as_str).collect();
    let mut layout = Layout::attributes(array, &[]);
    for name in common {
        if name != "_id" && name != array && !layout.common.iter().any(|known| known == name) {
            layout.common.push(name.into());
        }
    }
    layout.key = key.into();
    layout.value = value.into();
    layout.unit = unit.map(str::to_owned);
    Some(layout)
}

fn prefer<'a>(order: &[&'a str], names: &[&'a str], fits: impl Fn(&&'a str) -> bool) -> Option<&'a str> {
    let preferred = order.iter().copied().filter(|name| names.contains(name)).find(&fits);
    preferred.or_else(|| names.iter().copied().find(&fits))
}
