//! A compound index whose first field the filter does not name.

use crate::pitfall::indexing::asked::{Asked, each_scan};
use crate::pitfall::indexing::conditions::{Condition, conditions};
use crate::pitfall::indexing::made::inside;
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::store::{AttributeFacts, Index};
use crate::value::Document;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "prefix-missing",
    level: Level::Cost,
    weight: 12,
    title: Words::new("Leading field of the index not in the query", "Erstes Feld des Index fehlt in der Abfrage"),
    explanation: Words::new(
        "An index can only be entered from the left.",
        "In einen Index kommt man nur von links hinein.",
    ),
    message: Words::new(
        "`{index}` starts with `{first}`, which your filter does not name: {docs documents} {docs|was|were} read for {n results}.",
        "`{index}` beginnt mit `{first}`, das dein Filter nicht nennt: {docs Dokumente} {docs|wurde|wurden} für {n Ergebnisse} gelesen.",
    ),
    cure: Words::new(
        "Name the field in the query, or keep a second index without it if both are needed.",
        "Nenne das Feld in der Abfrage, oder halte einen zweiten Index ohne es, wenn beides gebraucht wird.",
    ),
    example: r#"db.c.createIndex({category: 1, "specs.k": 1, "specs.v": 1}); db.c.find({specs: {$elemMatch: {k: "color", v: "red"}}})"#,
    detect: |case| each_scan(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let conditions = conditions(&asked.question.tree);
    let mut arrays = case.attributes(asked.question.collection).iter();
    let (index, keys) = arrays.find_map(|array| {
        asked.indexes().find_map(|index| Some((index, without_prefix(index, array, &conditions)?)))
    })?;
    let [_, docs, found] = asked.cost();
    let gain = asked.gain(case, &keys, None)?;
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![
            ("index", index.name().to_owned()),
            ("first", index.info().key_pattern.keys().next().cloned().unwrap_or_default()),
            ("docs", docs.to_string()),
            ("n", found.to_string()),
        ],
        evidence: vec![gain.evidence],
        fix: asked.with_creation(case, &keys),
        level: Some(gain.level),
        ..Sighting::default()
    })
}

/// The key pattern from the first part that the filter names, where that lies in the array and the part before it does not.
fn without_prefix(index: &Index, array: &AttributeFacts, conditions: &[Condition<'_>]) -> Option<Document> {
    let info = index.info();
    let named = |path: &str| conditions.iter().any(|condition| condition.path == path);
    let first = info.key_pattern.keys().next()?;
    let place = info.key_pattern.keys().position(|path| inside(array, path) && named(path))?;
    let barred = place > 0 && !named(first) && !inside(array, first) && info.parts.iter().all(|part| !part.wildcard);
    barred.then(|| info.key_pattern.iter().skip(place).map(|(name, way)| (name.clone(), way.clone())).collect())
}
