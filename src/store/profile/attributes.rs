//! Attribute arrays: which field of the elements is the key, which the value, which the unit; and what each key holds.

use std::collections::BTreeMap;

use super::arrays::{ArrayFacts, SubField};
use super::{Sign, count, count_in};
use crate::value::{ArrayView, DocView, View, type_alias};

/// Names that are taken for the key where several fields qualify, best first.
const KEY_NAMES: [&str; 16] = [
    "k",
    "key",
    "name",
    "n",
    "attr",
    "location",
    "lang",
    "code",
    "date",
    "id",
    "attribute",
    "property",
    "label",
    "merkmal",
    "eigenschaft",
    "bezeichnung",
];
/// Names that are taken for the value, best first.
const VALUE_NAMES: [&str; 8] = ["v", "value", "val", "date", "text", "steps", "n", "wert"];
/// Names that are taken for the unit.
const UNIT_NAMES: [&str; 4] = ["u", "unit", "uom", "einheit"];

/// What a field of an attribute array's elements does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeRole {
    /// It says which attribute.
    Key,
    /// It holds the value.
    Value,
    /// It names the value's unit.
    Unit,
}

/// The role that a field of this name usually has.
#[must_use]
pub fn usual_role(name: &str) -> Option<AttributeRole> {
    let roles = [
        (AttributeRole::Value, &VALUE_NAMES[..3]),
        (AttributeRole::Unit, &UNIT_NAMES[..]),
        (AttributeRole::Key, &KEY_NAMES[..]),
        (AttributeRole::Value, &VALUE_NAMES[3..]),
    ];
    roles.into_iter().find(|(_, names)| names.contains(&name)).map(|(role, _)| role)
}

/// An array of key-value documents, and what its keys hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttributeFacts {
    /// The array's path.
    pub path: String,
    /// The key field: text in at least nine of ten elements, with values that repeat.
    pub key: String,
    /// The value field.
    pub value: String,
    /// The unit field, if there is one.
    pub unit: Option<String>,
    /// Documents that have the array.
    pub documents: u64,
    /// Elements in all.
    pub elements: u64,
    /// Documents in which some key stands in two elements or more.
    pub documents_with_duplicates: u64,
    /// What each key holds.
    pub keys: BTreeMap<String, KeyFacts>,
}

/// What one key of an attribute array holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyFacts {
    /// Elements with the key.
    pub elements: u64,
    /// Documents with the key.
    pub documents: u64,
    /// Documents with the key in two elements or more.
    pub duplicates: u64,
    /// Elements whose value is null or missing.
    pub nulls: u64,
    /// Values by `$type` alias, `missing` among them.
    pub types: BTreeMap<&'static str, u64>,
    /// Units with their counts; elements without one do not count.
    pub units: BTreeMap<String, u64>,
}

/// The attribute arrays among the arrays, still without counts.
pub(super) fn detect(arrays: &BTreeMap<String, ArrayFacts>) -> Vec<AttributeFacts> {
    arrays.iter().filter_map(|(path, facts)| detect_one(path, facts)).collect()
}

fn detect_one(path: &str, facts: &ArrayFacts) -> Option<AttributeFacts> {
    let key = pick(facts, &KEY_NAMES, |field| is_key(field, facts))?;
    let unit = UNIT_NAMES.into_iter().find(|name| facts.fields.contains_key(*name) && *name != key);
    let rest = |name: &str| name != key && Some(name) != unit;
    let most = facts.fields.iter().filter(|(name, _)| rest(name)).map(|(_, field)| field.elements).max()?;
    let named = VALUE_NAMES.into_iter().find(|name| rest(name) && facts.fields.contains_key(*name));
    let value = named.map(str::to_owned).or_else(|| {
        let mut often = facts.fields.iter().filter(|(name, field)| rest(name) && field.elements == most);
        often.next().map(|(name, _)| name.clone())
    })?;
    Some(AttributeFacts {
        path: path.to_owned(),
        key: key.to_owned(),
        value,
        unit: unit.map(str::to_owned),
        ..AttributeFacts::default()
    })
}

/// Text in at least nine of ten elements, with values that repeat over the collection.
fn is_key(field: &SubField, array: &ArrayFacts) -> bool {
    let texts: u64 = field.texts.values().sum();
    let repeats = field.texts.values().any(|times| *times > 1);
    array.documents > 0 && texts * 10 >= array.elements * 9 && repeats
}

/// The field of the best name among those that qualify; else the one that stands first in its elements.
fn pick<'f>(facts: &'f ArrayFacts, names: &[&str], fits: impl Fn(&SubField) -> bool) -> Option<&'f str> {
    let fitting: Vec<(&String, &SubField)> = facts.fields.iter().filter(|(_, field)| fits(field)).collect();
    let named = names.iter().find_map(|wanted| fitting.iter().find(|(name, _)| name == wanted));
    // Places are sums over elements: compared as fractions, without dividing.
    let first = || fitting.iter().min_by_key(|(_, field)| field.places * 1000 / field.elements.max(1));
    named.or_else(first).map(|(name, _)| name.as_str())
}

impl AttributeFacts {
    /// Whether the fields are told apart in the same way.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.path == other.path && self.key == other.key && self.value == other.value && self.unit == other.unit
    }

    /// Counts one document.
    pub(super) fn tally(&mut self, document: DocView<'_>, sign: Sign) {
        let parts: Vec<String> = self.path.split('.').map(str::to_owned).collect();
        let mut times = BTreeMap::new();
        let mut arrays = 0;
        self.descend(View::Document(document), &parts, &mut times, &mut arrays, sign);
        count(&mut self.documents, if arrays > 0 { sign } else { 0 });
        let mut repeated = false;
        for (key, times) in times {
            repeated |= times > 1;
            let facts = self.keys.entry(key.clone()).or_default();
            count(&mut facts.documents, sign);
            count(&mut facts.duplicates, if times > 1 { sign } else { 0 });
            if facts.elements == 0 {
                self.keys.remove(&key);
            }
        }
        count(&mut self.documents_with_duplicates, if repeated { sign } else { 0 });
    }

    fn descend(
        &mut self,
        value: View<'_>,
        parts: &[String],
        times: &mut BTreeMap<String, u64>,
        arrays: &mut u64,
        sign: Sign,
    ) {
        match (value, parts.split_first()) {
            (View::Document(document), Some((first, rest))) => {
                if let Some(inner) = document.get(first) {
                    self.descend(inner, rest, times, arrays, sign);
                }
            }
            (View::Array(array), Some(_)) => {
                array.iter().filter(|element| matches!(element, View::Document(_))).for_each(|element| {
                    self.descend(element, parts, times, arrays, sign);
                });
            }
            (View::Array(array), None) => {
                *arrays += 1;
                self.array(array, times, sign);
            }
            _ => {}
        }
    }

    fn array(&mut self, array: ArrayView<'_>, times: &mut BTreeMap<String, u64>, sign: Sign) {
        for element in array.iter() {
            count(&mut self.elements, sign);
            let View::Document(element) = element else { continue };
            let Some(View::String(key)) = element.get(&self.key) else { continue };
            *times.entry(key.to_owned()).or_default() += 1;
            let facts = self.keys.entry(key.to_owned()).or_default();
            count(&mut facts.elements, sign);
            let value = element.get(&self.value);
            count_in(&mut facts.types, value.map_or("missing", type_alias), sign);
            count(&mut facts.nulls, if matches!(value, None | Some(View::Null)) { sign } else { 0 });
            let unit = self.unit.as_ref().and_then(|unit| element.get(unit));
            if let Some(View::String(unit)) = unit {
                count_in(&mut facts.units, unit.to_owned(), sign);
            }
        }
    }
}
