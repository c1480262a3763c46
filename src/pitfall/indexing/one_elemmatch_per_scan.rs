//! Several attributes asked for, of which one scan follows one.

use std::collections::BTreeSet;

use crate::pitfall::case::shown;
use crate::pitfall::indexing::asked::{Asked, each_asked};
use crate::pitfall::indexing::conditions::{Condition, conditions};
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::plan::{IndexScan, value_notation};
use crate::store::AttributeFacts;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "one-elemmatch-per-scan",
    level: Level::Cost,
    weight: 12,
    title: Words::new(
        "Only one of several attributes narrows the scan",
        "Nur eines von mehreren Attributen engt den Scan ein",
    ),
    explanation: Words::new(
        "One multikey scan can follow one element. The planner offers one plan per `$elemMatch` and picks the most \
         selective by trial; the rest is checked per document.",
        "Ein Multikey-Scan kann einem Element folgen. Der Planer bietet je `$elemMatch` einen Plan an und wählt im Versuch \
         den engsten; der Rest wird je Dokument geprüft.",
    ),
    message: Words::new(
        "The scan followed {first}; {rest} was checked on {docs fetched documents} for {n results}.",
        "Der Scan folgte {first}; {rest} wurde an {docs geholten Dokumenten} geprüft, für {n Ergebnisse}.",
    ),
    cure: Words::new(
        "Make one selective attribute a field of its own or a prefix of the index; do not expect more indexes to add up.",
        "Mach ein enges Attribut zu einem eigenen Feld oder stell ein Feld davor in den Index; mehr Indexe addieren sich nicht.",
    ),
    example: r#"db.c.find({specs: {$all: [{$elemMatch: {k: "color", v: "red"}}, {$elemMatch: {k: "ean", v: "400123"}}]}})"#,
    detect: |case| each_asked(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let scan = asked.scan()?;
    let [_, docs, found] = asked.cost();
    let conditions = conditions(&asked.question.tree);
    let mut arrays = case.attributes(asked.question.collection).iter();
    let (first, rest) = arrays.find_map(|array| divided(array, &conditions, scan))?;
    (docs > found * 2).then(|| Sighting {
        span: asked.span.clone(),
        values: vec![("first", first), ("rest", rest.join(", ")), ("docs", docs.to_string()), ("n", found.to_string())],
        evidence: vec![asked.counts()],
        level: asked.is_small().then_some(Level::Hint),
        ..Sighting::default()
    })
}

/// The key that the scan follows, and the keys asked for in other elements.
fn divided(array: &AttributeFacts, conditions: &[Condition<'_>], scan: &IndexScan) -> Option<(String, Vec<String>)> {
    let keys: Vec<&Condition<'_>> =
        conditions.iter().filter(|condition| condition.element.is_some() && condition.on_key(array)).collect();
    let elements: BTreeSet<Option<usize>> = keys.iter().map(|condition| condition.element).collect();
    let bounds = scan.bounds.part(&format!("{}.{}", array.path, array.key)).filter(|bounds| bounds.is_point())?;
    let followed = value_notation(&bounds.0.first()?.start);
    let values = keys.iter().filter_map(|condition| condition.value());
    let (own, rest): (Vec<_>, Vec<_>) = values.partition(|value| value_notation(value) == followed);
    let rest: Vec<String> = rest.into_iter().map(shown).collect();
    (elements.len() > 1 && !rest.is_empty()).then(|| Some((shown(own.first()?), rest))).flatten()
}
