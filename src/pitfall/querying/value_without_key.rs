//! A value searched without its key.

use std::collections::BTreeMap;

use super::asks::{Ask, each_ask_of_documents};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{all_elements, all_values, key_of};
use crate::pitfall::exchange::{equals, field, replaced};
use crate::pitfall::verdict::{Verdict, proof};
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, rewrite};
use crate::proof::written;
use crate::query::{Filter, Matcher, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::{Path, RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "value-without-key",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("Value searched without its key", "Wert ohne Schlüssel gesucht"),
    explanation: Words::new(
        "The value is found under any key alike. An index on key and value is not entered, since its first field is not bound.",
        "Der Wert wird unter jedem Schlüssel gleich gefunden. Ein Index auf Schlüssel und Wert greift nicht, weil sein erstes Feld nicht gebunden ist.",
    ),
    message: Words::new(
        "`{path}` meets your condition under {n different keys}: {keys}. Say which attribute you mean; _id {id} has it under `{other}`.",
        "`{path}` erfüllt deine Bedingung unter {n} verschiedenen Schlüsseln: {keys}. Sag, welches Attribut du meinst; _id {id} hat den Wert unter `{other}`.",
    ),
    cure: Words::new("Name the key inside `$elemMatch`.", "Nenne den Schlüssel im `$elemMatch`."),
    example: r#"db.c.find({"specs.v": "16"})"#,
    detect: |case| each_ask_of_documents(case, sight),
};

/// Said where a fix is offered.
const GUESSED: Words = Words::new(
    "`{path}` meets your condition under {n} different {n|key|keys}: {keys}. Say which attribute you mean; _id {id} has it under \
     `{other}`. The fix takes `{main}`, under which it is found most: {most} {most|time|times}.",
    "`{path}` erfüllt deine Bedingung unter {n} verschiedenen {n|Schlüssel|Schlüsseln}: {keys}. Sag, welches Attribut du meinst; _id {id} \
     hat den Wert unter `{other}`. Die Korrektur nimmt `{main}`, wo er am häufigsten steht: {most}-mal.",
);

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let array = ask.array.filter(|array| !ask.names_key && array.keys.len() > 1)?;
    let tests: Vec<&Test> = if ask.tests.is_empty() { &ask.refused } else { &ask.tests }.clone();
    if tests.iter().any(|test| matches!(test, Test::Exists | Test::Type(_))) || names_key_elsewhere(question, array) {
        return None;
    }
    let matcher = value_matcher(question, &tests, ask.tests.is_empty())?;
    let mut met: BTreeMap<String, (u64, &RawDocument)> = BTreeMap::new();
    for document in case.seen(question).iter().copied() {
        for (key, value) in pairs(document, array) {
            if matcher.matches_value(value) {
                met.entry(key.to_owned()).or_insert((0, document)).0 += 1;
            }
        }
    }
    let main = met.iter().max_by_key(|(_, (count, _))| *count).map(|(key, _)| key.clone())?;
    let most = met[&main].0;
    // A guess is written only where the data speaks for one key, and where nothing is written by it.
    let clear = question.reads() && met.values().filter(|(count, _)| *count == most).count() == 1;
    let (other, (_, first)) = met.iter().find(|(key, _)| **key != main)?;
    let under = |document: &RawDocument, key: &str| {
        let mut mine = pairs(document, array).into_iter().filter(|(own, _)| *own == key);
        mine.any(|(_, value)| matcher.matches_value(value))
    };
    let verdict = Verdict::by(case, question, |document| under(document, &main) != ask.tests.is_empty());
    let cured =
        with_key(case, question, array, ask, &main).and_then(|tree| case.with_filter(question, &written(&tree)));
    let guessed = clear && cured.is_some();
    // Where no key can be taken for the one that is meant, the readings part on the first document that has it under some.
    let parting = || {
        let seen = case.seen(question);
        let has = |document: &&RawDocument| met.keys().filter(|key| under(document, key)).count();
        seen.iter().copied().find(|document| (1..met.len()).contains(&has(document)))
    };
    let (document, level) = if guessed {
        (verdict.misjudged().unwrap_or(*first), verdict.level())
    } else {
        parting().map_or((*first, Some(Level::Risk)), |document| (document, None))
    };
    let other = pairs(document, array)
        .into_iter()
        .find(|(key, value)| (*key != main || !guessed) && matcher.matches_value(*value))
        .map_or_else(|| other.clone(), |(key, _)| key.to_owned());
    let mut evidence = vec![Evidence::Counts {
        of: ask.path.to_string(),
        counts: met.iter().map(|(key, (count, _))| (key.clone(), *count)).collect(),
    }];
    if guessed {
        evidence.extend(verdict.results());
    }
    evidence.extend(proof(document, deciding(document, array, &other, &matcher)));
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("path", ask.path.to_string()),
            ("n", met.len().to_string()),
            ("keys", met.iter().map(|(key, (count, _))| format!("{key} {count}")).collect::<Vec<_>>().join(", ")),
            ("id", shown(&id(document))),
            ("other", other),
            ("main", main.clone()),
            ("most", most.to_string()),
        ],
        evidence,
        reading: cured.clone().filter(|_| !guessed),
        fix: cured.filter(|_| guessed),
        level,
        words: guessed.then_some(GUESSED),
    })
}

/// The places of the values that meet the condition under a key, each with its value.
fn deciding(document: &RawDocument, array: &AttributeFacts, key: &str, matcher: &Matcher) -> Vec<(String, String)> {
    let value = Path::new(&array.value);
    let elements = all_elements(document, &Path::new(&array.path)).into_iter().enumerate();
    let mine = elements.filter(|(_, element)| key_of(*element, &array.key) == Some(key));
    let met = mine.filter_map(|(at, element)| {
        let met = all_values(element, &value).into_iter().find(|value| matcher.matches_value(*value))?;
        Some((format!("{}.{at}.{}", array.path, array.value), shown(&met.to_bson())))
    });
    met.collect()
}

/// The filter with the value asked beside the key under which it is found most.
fn with_key(
    case: &Case<'_>,
    question: &Question<'_>,
    array: &AttributeFacts,
    ask: &Ask<'_>,
    key: &str,
) -> Option<Filter> {
    let path = Path::new(&array.path);
    if !ask.bound {
        let dotted = equals(&format!("{}.{}", array.path, array.key), key);
        return rewrite::bound(case, question, &Filter::And(vec![dotted, question.tree.clone()]).normalised(), &path);
    }
    let tree = replaced(&question.tree, &|part| {
        let Filter::Field(Predicate { path: own, test: Test::ElemMatchObject(inner) }) = part else { return None };
        let inner = Filter::And(vec![equals(&array.key, key), (**inner).clone()]).normalised();
        (*own == path).then(|| field(own.clone(), Test::ElemMatchObject(Box::new(inner))))
    });
    (!rewrite::same(&tree, &question.tree)).then_some(tree)
}

/// Whether the filter names a key anywhere, so that the value may be meant to lie beside it.
fn names_key_elsewhere(question: &Question<'_>, array: &AttributeFacts) -> bool {
    !super::asks::keys_named(&question.tree, array).is_empty()
}

/// All tests that hold together; of refused ones any.
fn value_matcher(question: &Question<'_>, tests: &[&Test], any: bool) -> Option<Matcher> {
    let tests = tests.iter().map(|test| field(Path::default(), (*test).clone())).collect();
    question.matcher(&if any { Filter::Or(tests) } else { Filter::And(tests) })
}

/// Each key with its values.
fn pairs<'d>(document: &'d RawDocument, array: &AttributeFacts) -> Vec<(&'d str, View<'d>)> {
    let value = Path::new(&array.value);
    let elements = all_elements(document, &Path::new(&array.path)).into_iter().filter_map(|element| match element {
        View::Document(fields) => Some((fields.get(&array.key)?, element)),
        _ => None,
    });
    let keyed =
        elements.filter_map(|(key, element)| if let View::String(key) = key { Some((key, element)) } else { None });
    keyed.flat_map(|(key, element)| all_values(element, &value).into_iter().map(move |value| (key, value))).collect()
}
