//! A question and an index that compare text differently.

use crate::pitfall::indexing::asked::{Asked, asked};
use crate::pitfall::indexing::conditions::{Condition, conditions};
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::query::Collation;
use crate::store::Index;
use crate::value::Document;
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
        "`{index}` compares text by {held}, your query by {asked}: {docs} documents were read for {n} results.",
        "`{index}` vergleicht Text nach {held}, deine Abfrage nach {asked}: {docs} Dokumente wurden für {n} Ergebnisse gelesen.",
    ),
    cure: Words::new(
        "The same collation on both, or normalise on write.",
        "Dieselbe Collation auf beiden, oder vereinheitliche beim Schreiben.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color", v: "RED"}}}).collation({locale: "en", strength: 2})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    asked(case).iter().filter(|asked| asked.reads_all()).filter_map(sight).collect()
}

fn sight(asked: &Asked<'_>) -> Option<Sighting> {
    let conditions = conditions(&asked.question.tree);
    let wanted = completed(asked.explain.collation.as_ref())?;
    let serving: Vec<&Index> = asked.indexes().filter(|index| is_entered_by_text(index, &conditions)).collect();
    let held: Vec<Collation> = serving.iter().filter_map(|index| completed(index.info().collation.as_ref())).collect();
    if held.iter().any(|held| held.to_document() == wanted.to_document()) {
        return None;
    }
    let (index, held) = serving.first().zip(held.first())?;
    let [_, docs, found] = asked.cost();
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![
            ("index", index.name().to_owned()),
            ("held", named(held)),
            ("asked", named(&wanted)),
            ("docs", docs.to_string()),
            ("n", found.to_string()),
        ],
        evidence: vec![asked.counts()],
        level: asked.is_small().then_some(Level::Hint),
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

/// Whether the filter asks for text on the index's first part.
fn is_entered_by_text(index: &Index, conditions: &[Condition<'_>]) -> bool {
    let first = index.info().parts.first().filter(|part| !part.wildcard).map(|part| part.path.to_string());
    conditions.iter().any(|condition| Some(&condition.path) == first.as_ref() && condition.is_text())
}
