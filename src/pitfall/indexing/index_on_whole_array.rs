//! An index on the attribute array itself, whose entries are whole elements.

use crate::pitfall::case::shown;
use crate::pitfall::indexing::asked::{Asked, compound, each_scan};
use crate::pitfall::indexing::conditions::conditions;
use crate::pitfall::indexing::made::inside;
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::store::{AttributeFacts, Index};
use crate::value::Bson;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "index-on-whole-array",
    level: Level::Cost,
    weight: 12,
    title: Words::new("Index on the array field itself", "Index auf dem Array selbst"),
    explanation: Words::new(
        "The entries are whole sub-documents; they serve only the comparison of a whole element.",
        "Die Einträge sind ganze Unterdokumente; sie helfen nur beim Vergleich eines ganzen Elements.",
    ),
    message: Words::new(
        "`{index}` stores whole elements such as {entry}; it cannot look up `{key}` inside them, so {docs documents} {docs|was|were} read.",
        "`{index}` enthält ganze Elemente wie {entry}; darin lässt sich `{key}` nicht nachschlagen, also wurden \
         {docs Dokumente} gelesen.",
    ),
    cure: Words::new("Index the sub-paths, key first.", "Indiziere die Unterpfade, den Schlüssel zuerst."),
    example: r#"db.c.createIndex({specs: 1}); db.c.find({specs: {$elemMatch: {k: "color", v: "red"}}})"#,
    detect: |case| each_scan(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let conditions = conditions(&asked.question.tree);
    let wanted = |array: &AttributeFacts| conditions.iter().any(|condition| inside(array, &condition.path));
    let mut arrays = case.attributes(asked.question.collection).iter().filter(|array| wanted(array));
    let (array, index) = arrays.find_map(|array| Some((array, on_whole(asked, array)?)))?;
    let keys = compound(array);
    let entry = index.entries().find_map(|entry| sample(entry.key.decode(index.order())));
    let gain = asked.gain(case, &keys, Some(index))?;
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![
            ("index", index.name().to_owned()),
            ("entry", entry.as_ref().map(shown).unwrap_or_default()),
            ("key", array.key.clone()),
            ("docs", asked.cost()[1].to_string()),
        ],
        evidence: vec![gain.evidence],
        fix: asked.with_keys_instead(case, index, &keys),
        level: Some(gain.level),
        ..Sighting::default()
    })
}

fn on_whole<'a>(asked: &Asked<'a>, array: &AttributeFacts) -> Option<&'a Index> {
    asked
        .indexes()
        .find(|index| index.info().parts.iter().any(|part| !part.wildcard && part.path.to_string() == array.path))
}

fn sample(key: Vec<Bson>) -> Option<Bson> {
    key.into_iter().find(|value| matches!(value, Bson::Document(_)))
}
