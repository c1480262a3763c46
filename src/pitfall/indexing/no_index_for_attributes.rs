//! A question about attributes that reads every document.

use crate::pitfall::indexing::asked::{Asked, compound, each_scan};
use crate::pitfall::indexing::conditions::conditions;
use crate::pitfall::indexing::made::inside;
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::store::{AttributeFacts, Index, Profile};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "no-index-for-attributes",
    level: Level::Cost,
    weight: 20,
    title: Words::new("Attribute query without an index", "Abfrage nach Attributen ohne Index"),
    explanation: Words::new(
        "Every document is read. The pattern saves nothing until the index exists.",
        "Jedes Dokument wird gelesen. Das Muster spart nichts, solange der Index fehlt.",
    ),
    message: Words::new(
        "{docs documents} {docs|was|were} read for {n results}: no index covers `{path}`.",
        "{docs Dokumente} {docs|wurde|wurden} für {n Ergebnisse} gelesen: Kein Index deckt `{path}` ab.",
    ),
    cure: Words::new(
        "One compound index, key first, value second.",
        "Ein zusammengesetzter Index, erst Schlüssel, dann Wert.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color", v: "red"}}})"#,
    detect: |case| each_scan(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let conditions = conditions(&asked.question.tree);
    let wanted = |array: &&AttributeFacts| conditions.iter().any(|condition| condition.on_key(array));
    let array = case.attributes(asked.question.collection).iter().find(wanted)?;
    let profile = case.profile(asked.question.collection)?;
    if asked.indexes().any(|index| reaches(index, array, profile)) {
        return None;
    }
    let keys = compound(array);
    let [_, docs, found] = asked.cost();
    let gain = asked.gain(case, &keys, None)?;
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![
            ("docs", docs.to_string()),
            ("n", found.to_string()),
            ("path", format!("{}.{}", array.path, array.key)),
        ],
        evidence: vec![gain.evidence],
        fix: asked.with_creation(case, &keys),
        level: Some(gain.level),
        ..Sighting::default()
    })
}

/// Whether an index has a key path at or inside the array that leads to something; what is wrong with such an index is
/// another pitfall.
fn reaches(index: &Index, array: &AttributeFacts, profile: &Profile) -> bool {
    index.info().parts.iter().any(|part| {
        let path = part.path.to_string();
        let leads = part.wildcard || profile.path(&path).is_some();
        path == array.path || (inside(array, &path) && leads) || (part.wildcard && path.is_empty())
    })
}
