//! A value compared without its unit.

use std::collections::BTreeMap;

use super::asks::{Ask, each_ask, parts};
use crate::pitfall::case::Case;
use crate::pitfall::elements::{all_elements, all_values, key_of};
use crate::pitfall::exchange::{equals, field, replaced};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::{Filter, Predicate, Test};
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
        "`{key}` is stored in {units}. {n} of {m} matches are not in {main}{example}.",
        "`{key}` ist in {units} gespeichert. {n} von {m Treffern} {n|ist|sind} nicht in {main}{example}.",
    ),
    cure: Words::new(
        "Add the unit to the `$elemMatch`, or store one unit per key.",
        "Nimm die Einheit ins `$elemMatch` auf oder speichere je Schlüssel eine Einheit.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "volume", v: {$gte: 100}}}}) // u: "ml" and u: "ounces""#,
    detect: |case| each_ask(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let array = ask.array.filter(|_| ask.bound && !ask.negated && !ask.names_unit)?;
    let several = |key: &&str| array.keys.get(*key).is_some_and(|facts| facts.units.len() > 1);
    let key = ask.keys.iter().copied().find(several).filter(|_| !ask.tests.is_empty())?;
    let (unit, units) = (array.unit.as_deref()?, &array.keys.get(key)?.units);
    let found = matched_units(case, question, ask, key, unit)?;
    // Of units that are found as often, the one that is stored more often is meant.
    let times = |unit: &String| (found.get(unit).copied().unwrap_or_default(), units.get(unit).copied());
    let main = units.keys().max_by_key(|unit| times(unit))?.clone();
    let in_main = equals(unit, main.clone());
    let in_main = if ask.keys.len() == 1 {
        in_main
    } else {
        Filter::Or(vec![Filter::Not(Box::new(equals(&array.key, key))), in_main])
    };
    let meant = with_unit(&question.tree, ask, &in_main);
    let verdict = Verdict::of(case, question, &meant)?;
    let values = vec![
        ("key", key.to_owned()),
        ("units", units.iter().map(|(unit, count)| format!("{unit} ({count})")).collect::<Vec<_>>().join(", ")),
        ("n", verdict.extra.len().to_string()),
        ("m", verdict.learner.len().to_string()),
        ("main", main.clone()),
        ("example", verdict.bracketed()),
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
    key: &str,
    unit: &str,
) -> Option<BTreeMap<String, u64>> {
    let array = ask.array?;
    let tests = ask.tests.iter().map(|test| field(Path::default(), (*test).clone())).collect();
    let matcher = question.matcher(&Filter::And(tests))?;
    let (path, tail) = (Path::new(&array.path), ask.tail());
    let mut units = BTreeMap::new();
    for document in case.seen(question).iter().copied() {
        let elements = all_elements(document, &path).into_iter();
        for element in elements.filter(|element| key_of(*element, &array.key) == Some(key)) {
            let View::Document(fields) = element else { continue };
            let Some(View::String(unit)) = fields.get(unit) else { continue };
            if all_values(element, &tail).into_iter().any(|value| matcher.matches_value(value)) {
                *units.entry(unit.to_owned()).or_default() += 1;
            }
        }
    }
    Some(units)
}

fn with_unit(filter: &Filter, ask: &Ask<'_>, in_main: &Filter) -> Filter {
    let mine = |part: &&Filter| matches!(part, Filter::Field(predicate) if ask.tests.iter().any(|test| std::ptr::eq(*test, &raw const predicate.test)));
    replaced(filter, &|part| {
        let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = part else { return None };
        let siblings = parts(inner);
        siblings.iter().find(|part| mine(part))?;
        let all = siblings.into_iter().cloned().chain([in_main.clone()]).collect();
        Some(field(path.clone(), Test::ElemMatchObject(Box::new(Filter::And(all)))))
    })
}
