//! Values of several types under one key.

use std::collections::BTreeMap;

use crate::error::CommandPath;
use crate::pitfall::conversion::{beside, keys_to_numbers};
use crate::pitfall::elements::attributes;
use crate::pitfall::grain::each_touched_array;
use crate::pitfall::touch::{Part, Touch};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::{AttributeFacts, KeyFacts};
use crate::value::{RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "mixed-types-per-key",
    level: Level::Risk,
    weight: 20,
    title: Words::new("One key, several value types", "Ein Schlüssel, mehrere Werttypen"),
    explanation: Words::new(
        "A range sees one type, equality misses the other, and a sort puts all numbers before all texts.",
        "Ein Bereich sieht nur einen Typ, Gleichheit übersieht den anderen, und beim Sortieren stehen alle Zahlen vor allen \
         Texten.",
    ),
    message: Words::new(
        "The values of `{key}` have {n types}: {list}.",
        "Die Werte von `{key}` haben {n Typen}: {list}.",
    ),
    cure: Words::new(
        "Decide per key, normalise with `$convert` and its `onError`, and guard with a validator.",
        "Entscheide je Schlüssel, vereinheitliche mit `$convert` samt `onError` und sichere mit einem Validator ab.",
    ),
    example: r#"db.c.insertMany([{specs: [{k: "volume", v: "500"}]}, {specs: [{k: "volume", v: 500}]}])"#,
    detect: |case| each_touched_array(case, sights),
};

/// The types that are compared with each other as numbers.
const NUMBERS: [&str; 4] = ["int", "long", "double", "decimal"];

fn sights(case: &Case<'_>, touch: &Touch<'_>, array: &AttributeFacts) -> Vec<Sighting> {
    let named = touch.keys(array, &[Part::Filter, Part::Stored]).into_iter();
    named.filter_map(|key| sight(case, touch, array, key, array.keys.get(key)?)).collect()
}

fn sight(case: &Case<'_>, touch: &Touch<'_>, array: &AttributeFacts, key: &str, facts: &KeyFacts) -> Option<Sighting> {
    let types = kinds(facts);
    let list: Vec<String> = types.iter().map(|(name, times)| format!("{name} {times}")).collect();
    (types.len() > 1).then(|| Sighting {
        span: case.span(touch.ran, &CommandPath::argument("filter")),
        values: vec![("key", key.to_owned()), ("n", types.len().to_string()), ("list", list.join(", "))],
        evidence: vec![Evidence::Counts {
            of: key.to_owned(),
            counts: facts.types.iter().map(|(name, times)| ((*name).to_owned(), *times)).collect(),
        }],
        fix: cured(case, touch, array, key, &types),
        ..Sighting::default()
    })
}

/// The text with the key's texts made numbers after it, where all of them can be.
fn cured(
    case: &Case<'_>,
    touch: &Touch<'_>,
    array: &AttributeFacts,
    key: &str,
    types: &BTreeMap<&'static str, u64>,
) -> Option<String> {
    let is_number = |value: Option<View<'_>>| match value {
        Some(View::String(text)) => text.trim().parse::<f64>().is_ok(),
        _ => true,
    };
    let readable = |document: &&RawDocument| {
        let mut own = attributes(document, array).into_iter().filter(|element| element.key == key);
        own.all(|element| is_number(element.value))
    };
    let two = types.len() == 2 && types.contains_key("number") && types.contains_key("string");
    let known = two && case.present(touch.collection).iter().all(readable);
    let update = keys_to_numbers(case, touch.collection, array, &[key]).filter(|_| known)?;
    beside(case, touch.collection, &update)
}

/// The types with all numbers as one; a missing value and null are no types of their own.
fn kinds(facts: &KeyFacts) -> BTreeMap<&'static str, u64> {
    let mut kinds = BTreeMap::new();
    for (name, times) in facts.types.iter().filter(|(name, _)| !["missing", "null", "undefined"].contains(*name)) {
        *kinds.entry(if NUMBERS.contains(name) { "number" } else { *name }).or_default() += times;
    }
    kinds
}
