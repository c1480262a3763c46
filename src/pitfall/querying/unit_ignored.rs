//! A value compared without its unit.

use std::collections::BTreeMap;

use super::asks::{Ask, asks, parts};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{all_elements, all_values};
use crate::pitfall::exchange::{equals, field, replaced};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::{Filter, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::{Path, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unit-ignored",
    level: Level::WrongResult,
    weight: 15,
    title: Words::new("Value compared without its unit", "Wert ohne Einheit verglichen"),
    explanation: Words::new(
        "100 millilitres and 100 ounces are the same number to MongoDB.",
        "100 Milliliter und 100 Unzen sind für MongoDB dieselbe Zahl.",
    ),
    message: Words::new(
        "`{key}` is stored in {units}. {n} of {m} matches are not in {main}, such as _id {id}.",
        "`{key}` ist in {units} gespeichert. {n} von {m} Treffern sind nicht in {main}, etwa _id {id}.",
    ),
    cure: Words::new(
        "Add the unit to the `$elemMatch`, or store one unit per key.",
        "Nimm die Einheit ins `$elemMatch` auf oder speichere je Schlüssel eine Einheit.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "volume", v: {$gte: 100}}}}) // u: "ml" and u: "ounces""#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.filters().flat_map(|question| sightings(case, question)).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let asks = asks(case, question);
    asks.iter().filter_map(|ask| sight(case, question, ask)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let array = ask.array.filter(|_| ask.bound && !ask.negated && !ask.names_unit)?;
    let [key] = ask.keys[..] else { return None };
    let (unit, units) = (array.unit.as_deref()?, &array.keys.get(key)?.units);
    if units.len() < 2 || ask.tests.is_empty() {
        return None;
    }
    let found = matched_units(case, question, ask, array, unit)?;
    let main = found.iter().max_by_key(|(_, count)| **count).map(|(unit, _)| unit.clone())?;
    if found.len() < 2 {
        return None;
    }
    let meant = with_unit(&question.tree, ask, unit, &main);
    let verdict = Verdict::of(case, question, &meant)?;
    let extra = verdict.extra.first()?;
    let values = vec![
        ("key", key.to_owned()),
        ("units", units.iter().map(|(unit, count)| format!("{unit} ({count})")).collect::<Vec<_>>().join(", ")),
        ("n", verdict.extra.len().to_string()),
        ("m", verdict.learner.len().to_string()),
        ("main", main.clone()),
        ("id", shown(&id(extra))),
    ];
    let mut sighting = verdict.sighting(case, question, &meant, values);
    sighting.evidence.push(Evidence::Counts { of: format!("{key}: {unit}"), counts: found.into_iter().collect() });
    Some(sighting)
}

/// Units of the elements that meet the tests, with their counts.
fn matched_units(
    case: &Case<'_>,
    question: &Question<'_>,
    ask: &Ask<'_>,
    array: &AttributeFacts,
    unit: &str,
) -> Option<BTreeMap<String, u64>> {
    let tests = ask.tests.iter().map(|test| field(Path::default(), (*test).clone())).collect();
    let matcher = question.matcher(&Filter::And(tests))?;
    let (path, tail) = (Path::new(&array.path), ask.tail());
    let mut units = BTreeMap::new();
    for document in case.seen(question).iter().copied() {
        for element in all_elements(document, &path).into_iter().filter(|element| ask.has_key(*element)) {
            let View::Document(fields) = element else { continue };
            let Some(View::String(unit)) = fields.get(unit) else { continue };
            if all_values(element, &tail).into_iter().any(|value| matcher.matches_value(value)) {
                *units.entry(unit.to_owned()).or_default() += 1;
            }
        }
    }
    Some(units)
}

fn with_unit(filter: &Filter, ask: &Ask<'_>, unit: &str, main: &str) -> Filter {
    let mine = |part: &&Filter| matches!(part, Filter::Field(predicate) if ask.tests.iter().any(|test| std::ptr::eq(*test, &raw const predicate.test)));
    replaced(filter, &|part| {
        let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = part else { return None };
        let siblings = parts(inner);
        siblings.iter().find(|part| mine(part))?;
        let all = siblings.into_iter().cloned().chain([equals(unit, main)]).collect();
        Some(field(path.clone(), Test::ElemMatchObject(Box::new(Filter::And(all)))))
    })
}
