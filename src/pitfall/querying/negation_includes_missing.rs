//! A negated attribute: documents without the attribute are found too.

use super::asks::{levels, parts, simple, texts};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::exchange::{equals, replaced};
use crate::pitfall::grain::each_array;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::proof::written;
use crate::query::{Filter, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::doc;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "negation-includes-missing",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new(
        "'Is not red' also returns what has no colour",
        "„Ist nicht rot“ findet auch, was keine Farbe hat",
    ),
    explanation: Words::new(
        "Negation is true for documents without that attribute, with an empty array or without the field.",
        "Eine Verneinung gilt auch für Dokumente ohne das Attribut, mit leerem Array oder ohne das Feld.",
    ),
    message: Words::new(
        "{n} of {m results} {n|has|have} no `{key}` at all, such as _id {id}. If you want only those with another value, ask for the key as well.",
        "{n} von {m Ergebnissen} {n|hat|haben} gar kein `{key}`, etwa _id {id}. Willst du nur die mit anderem Wert, frage auch nach dem Schlüssel.",
    ),
    cure: Words::new("Add a test that the key is present.", "Ergänze die Bedingung, dass der Schlüssel da ist."),
    example: r#"db.c.find({specs: {$not: {$elemMatch: {k: "color", v: "red"}}}})"#,
    detect: |case| each_array(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let key = refused_key(&question.tree, array)?;
    let path = format!("{}.{}", array.path, array.key);
    let meant = replaced(&question.tree, &|part| {
        let mine = negated_element(part, array) == Some(key);
        mine.then(|| Filter::And(vec![equals(&path, key), part.clone()]))
    })
    .normalised();
    let verdict = Verdict::of(case, question, &meant)?;
    // Where no result has the key, "does not have it" may well be what was asked.
    let lacking = verdict.extra.first().filter(|_| !verdict.meant.is_empty())?;
    let mut evidence = verdict.evidence(Vec::new());
    let with = verdict.meant.len() as u64;
    let counts = vec![("another value".to_owned(), with), ("no such attribute".to_owned(), verdict.extra.len() as u64)];
    evidence.push(Evidence::Counts { of: key.to_owned(), counts });
    let mut cured = doc! {&path: key};
    cured.extend(question.filter.clone().into_owned());
    let inner = !parts(&question.tree).iter().any(|part| negated_element(part, array) == Some(key));
    let cured = if inner || question.filter.contains_key(&path) { written(&meant) } else { cured };
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("n", verdict.extra.len().to_string()),
            ("m", verdict.learner.len().to_string()),
            ("key", key.to_owned()),
            ("id", shown(&id(lacking))),
        ],
        evidence,
        fix: case.with_filter(question, &cured),
        ..Sighting::default()
    })
}

/// The key of a negated `$elemMatch` that asks for a value too, where nothing beside it asks for the key.
fn refused_key<'f>(filter: &'f Filter, array: &AttributeFacts) -> Option<&'f str> {
    let levels = levels(filter);
    let level = levels
        .iter()
        .filter(|level| level.array.is_empty())
        .find(|level| level.parts.iter().any(|part| negated_element(part, array).is_some()))?;
    let key = level.parts.iter().find_map(|part| negated_element(part, array))?;
    (!super::asks::keys_named(filter, array).contains(&key)).then_some(key)
}

fn negated_element<'f>(part: &'f Filter, array: &AttributeFacts) -> Option<&'f str> {
    let inner = match part {
        Filter::Not(inner) => inner,
        Filter::Nor(branches) => return branches.iter().find_map(|branch| positive_element(branch, array)),
        _ => return None,
    };
    positive_element(inner, array)
}

fn positive_element<'f>(part: &'f Filter, array: &AttributeFacts) -> Option<&'f str> {
    let Filter::Field(Predicate { path, test: Test::ElemMatchObject(element) }) = part else { return None };
    let Filter::And(parts) = &**element else { return None };
    let on = |name: &str| {
        parts.iter().filter_map(simple).find(|(predicate, negated)| !negated && predicate.path.to_string() == name)
    };
    let asks_value = path.to_string() == array.path && on(&array.value).is_some();
    let (key, _) = on(&array.key).filter(|_| asks_value)?;
    texts(&key.test).first().copied()
}
