//! A question and an index that compare text differently.

use crate::engine::{Command, CreateIndexes, IndexRequest};
use crate::pitfall::indexing::asked::{Asked, each_asked};
use crate::pitfall::indexing::conditions::{Condition, conditions};
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::plan::IndexScan;
use crate::query::Collation;
use crate::store::Index;
use crate::value::{Document, Path, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "collation-mismatch",
    level: Level::Cost,
    weight: 6,
    title: Words::new("Query and index collation differ", "Abfrage und Index vergleichen verschieden"),
    explanation: Words::new(
        "Comparisons of text can only use an index with the same collation. `$regex` ignores collation altogether.",
        "Vergleiche von Text können nur einen Index mit derselben Collation nutzen. `$regex` beachtet keine Collation.",
    ),
    message: Words::new(
        "`{index}` compares text by {held}, your query by {asked}: {docs documents} {docs|was|were} read for {n results}.",
        "`{index}` vergleicht Text nach {held}, deine Abfrage nach {asked}: {docs Dokumente} {docs|wurde|wurden} für {n Ergebnisse} gelesen.",
    ),
    cure: Words::new(
        "The same collation on both, or normalise on write.",
        "Dieselbe Collation auf beiden, oder vereinheitliche beim Schreiben.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color", v: "RED"}}}).collation({locale: "en", strength: 2})"#,
    detect: |case| each_asked(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let conditions = conditions(&asked.question.tree);
    let wanted = completed(asked.explain.collation.as_ref())?;
    let serving: Vec<&Index> = asked.indexes().filter(|index| is_wanted(asked, index, &conditions)).collect();
    let held: Vec<Collation> = serving.iter().filter_map(|index| completed(index.info().collation.as_ref())).collect();
    if held.iter().any(|held| held.to_document() == wanted.to_document()) {
        return None;
    }
    let (index, held) = serving.first().zip(held.first())?;
    let [_, docs, found] = asked.cost();
    let creation = creation(asked, index, &wanted);
    let gain = asked.gain_of(case, &creation, None)?;
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![
            ("index", index.name().to_owned()),
            ("held", named(held)),
            ("asked", named(&wanted)),
            ("docs", docs.to_string()),
            ("n", found.to_string()),
        ],
        evidence: vec![gain.evidence],
        fix: asked.after_commands(case, &[creation]),
        level: Some(gain.level),
        ..Sighting::default()
    })
}

fn completed(collation: Option<&Document>) -> Option<Collation> {
    Collation::parse(collation).ok()
}

/// `simple`, or locale and strength.
fn named(collation: &Collation) -> String {
    let Some(document) = collation.to_document() else { return "`simple`".into() };
    let locale = document.get_str("locale").unwrap_or_default();
    document.get_i32("strength").map_or_else(|_| format!("`{locale}`"), |strength| format!("`{locale}`/{strength}"))
}

/// Whether the index could narrow text and does not: nothing is narrowed, or its text parts run over everything.
fn is_wanted(asked: &Asked<'_>, index: &Index, conditions: &[Condition<'_>]) -> bool {
    let loose = |scan: &IndexScan| {
        let text = |path: &Path| conditions.iter().any(|condition| path.is(&condition.path) && condition.is_text());
        scan.index.name == index.name() && scan.bounds.parts.iter().any(|(path, bounds)| bounds.is_all() && text(path))
    };
    (asked.reads_all() && is_entered_by_text(index, conditions)) || asked.scan().is_some_and(loose)
}

/// What makes the index again as the query compares.
fn creation(asked: &Asked<'_>, index: &Index, wanted: &Collation) -> Command {
    let collation = wanted.to_document().cloned().unwrap_or_else(|| doc! {"locale": "simple"});
    let name = format!("{}_{}", index.name(), collation.get_str("locale").unwrap_or_default());
    let options = doc! {"name": name, "collation": collation};
    let request = IndexRequest { keys: index.info().key_pattern.clone(), options };
    Command::CreateIndexes(CreateIndexes { collection: asked.question.collection.into(), indexes: vec![request] })
}

/// Whether the filter asks for text on the index's first part.
fn is_entered_by_text(index: &Index, conditions: &[Condition<'_>]) -> bool {
    let first = index.info().parts.first().filter(|part| !part.wildcard).map(|part| part.path.to_string());
    conditions.iter().any(|condition| Some(&condition.path) == first.as_ref() && condition.is_text())
}
