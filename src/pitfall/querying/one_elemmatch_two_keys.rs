//! Two attributes asked of one array element.

use super::asks::levels;
use crate::pitfall::case::{Case, shown};
use crate::pitfall::grain::each_array;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::{Bson, Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "one-elemmatch-two-keys",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("Two attributes asked of one element", "Zwei Attribute von einem Element verlangt"),
    explanation: Words::new(
        "No element has two keys, so the result is always empty, with or without an index.",
        "Kein Element hat zwei Schlüssel, also ist das Ergebnis immer leer, mit oder ohne Index.",
    ),
    message: Words::new(
        "One element cannot be both {one} and {two}: 0 results here, {n} with `$all` of two `$elemMatch`.",
        "Ein Element kann nicht zugleich {one} und {two} sein: hier 0 Ergebnisse, {n} mit `$all` aus zwei `$elemMatch`.",
    ),
    cure: Words::new("Ask for two elements with `$all`.", "Verlange mit `$all` zwei Elemente."),
    example: r#"db.c.find({specs: {$elemMatch: {$and: [{k: "color", v: "red"}, {k: "size", v: "XL"}]}}})"#,
    detect: |case| each_array(case, sight),
};

/// The grouping is read from the filter as it was sent; its normal form has lost it.
fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let (one, two) = two_keys(&question.tree, array)?;
    let cured = regrouped(&question.filter, "", array);
    let meant = Filter::parse(&cured).ok()?;
    let verdict = Verdict::of(case, question, &meant)?;
    let values = vec![("one", shown(one)), ("two", shown(two)), ("n", verdict.meant.len().to_string())];
    let sighting = verdict.sighting(case, question, &meant, values);
    let fix = (cured != *question.filter).then(|| case.with_filter(question, &cured)).flatten();
    Some(Sighting { fix, ..sighting })
}

/// Two keys that are asked of one element of the array.
fn two_keys<'f>(filter: &'f Filter, array: &AttributeFacts) -> Option<(&'f Bson, &'f Bson)> {
    let levels = levels(filter);
    let inside = levels.into_iter().filter(|level| level.array.to_string() == array.path && !level.negated);
    inside.into_iter().find_map(|level| {
        let keys = level.parts.iter().filter_map(|part| match part {
            Filter::Field(Predicate { path, test: Test::Compare(Comparison::Eq, key) }) => {
                (path.to_string() == array.key).then_some(key)
            }
            _ => None,
        });
        let keys: Vec<&Bson> = keys.collect();
        let first = *keys.first()?;
        keys.into_iter().find(|key| *key != first).map(|key| (first, key))
    })
}

/// The filter with an `$elemMatch` for each part of an `$and` inside one, and for each of several keys.
fn regrouped(filter: &Document, above: &str, array: &AttributeFacts) -> Document {
    let entry = |(name, value): (&String, &Bson)| {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        let value = match value {
            Bson::Document(inner) if path == array.path => {
                apart(inner, array).map_or_else(|| value.clone(), Bson::from)
            }
            Bson::Document(inner) => match inner.get("$elemMatch") {
                Some(Bson::Document(element)) => doc! {"$elemMatch": regrouped(element, &path, array)}.into(),
                _ => value.clone(),
            },
            Bson::Array(list) if name.starts_with('$') => {
                let part = |part: &Bson| {
                    part.as_document().map_or_else(|| part.clone(), |own| regrouped(own, above, array).into())
                };
                Bson::Array(list.iter().map(part).collect())
            }
            other => other.clone(),
        };
        (name.clone(), value)
    };
    filter.iter().map(entry).collect()
}

/// One `$elemMatch` of the array taken apart; none where it asks for one key only.
fn apart(tests: &Document, array: &AttributeFacts) -> Option<Document> {
    let element = tests.get_document("$elemMatch").ok().filter(|_| tests.len() == 1)?;
    let each = |parts: Vec<Document>| {
        let elements: Vec<Document> = parts.into_iter().map(|part| doc! {"$elemMatch": part}).collect();
        doc! {"$all": elements}
    };
    if let Ok(keys) = element.get_document(&array.key).and_then(|key| key.get_array("$all")) {
        let with = |key: &Bson| {
            let mut part = element.clone();
            part.insert(&array.key, key.clone());
            part
        };
        return Some(each(keys.iter().map(with).collect()));
    }
    let parts = element.get_array("$and").ok().filter(|_| element.len() == 1)?;
    let parts: Vec<Document> = parts.iter().filter_map(Bson::as_document).cloned().collect();
    parts.iter().all(|part| part.contains_key(&array.key)).then(|| each(parts))
}
