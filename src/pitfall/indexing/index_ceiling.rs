//! One index per attribute, until there may be no more.

use crate::error::ErrorCode;
use crate::pitfall::indexing::made::{Made, made};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::{Collection, Index, MAX_INDEXES, Profile};
use crate::words::Words;

/// So many indexes on sparse siblings are no longer a choice of a few.
const MANY: usize = 10;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "index-ceiling",
    level: Level::Risk,
    weight: 15,
    title: Words::new("One index per attribute", "Ein Index je Attribut"),
    explanation: Words::new(
        "64 indexes per collection, `_id` included. Long before that every insert writes to all of them and the cache holds \
         them all.",
        "64 Indexe je Collection, `_id` eingeschlossen. Lange vorher schreibt jedes Einfügen in alle, und der Cache hält sie \
         alle.",
    ),
    message: Words::new(
        "{n} of {all indexes} {n|is|are} on fields that most documents lack; {nulls} of their {entries entries} {entries|is|are} null. The limit \
         is {limit}.",
        "{n} von {all Indexen} {n|liegt|liegen} auf Feldern, die den meisten Dokumenten fehlen; {nulls} ihrer {entries Einträge} {entries|ist|sind} \
         null. Die Grenze ist {limit}.",
    ),
    cure: Words::new(
        "The attribute pattern with one compound index, or a wildcard index on the sub-document of attributes.",
        "Das Attributmuster mit einem zusammengesetzten Index, oder ein Wildcard-Index auf dem Unterdokument der Attribute.",
    ),
    example: "db.c.createIndex({color: 1}); db.c.createIndex({size: 1}); … // the 64th is refused",
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    // What is said of one holds for all of a text: the last one tells it.
    made(case).last().and_then(|made| sight(case, made)).into_iter().collect()
}

fn sight(case: &Case<'_>, made: &Made<'_>) -> Option<Sighting> {
    let collection = case.after.collection(made.collection)?;
    let profile = case.profile(made.collection)?;
    let sparse: Vec<(&Index, u64)> =
        collection.indexes().iter().filter_map(|index| Some((index, missing(index, profile)?))).collect();
    let refused = made.refusal().filter(|error| error.code == ErrorCode::CannotCreateIndex && is_full(collection));
    if sparse.len() <= MANY && refused.is_none() {
        return None;
    }
    let entries: u64 = sparse.iter().map(|(index, _)| index.info().entries).sum();
    let bytes: u64 = sparse.iter().map(|(index, _)| index.info().bytes).sum();
    let nulls: u64 = sparse.iter().map(|(_, missing)| missing).sum();
    let counts = [("entries", entries), ("null", nulls), ("bytes", bytes)];
    let counts = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    let refusal = refused.map(|error| Evidence::Refusal { code: error.code.number(), message: error.message.clone() });
    Some(Sighting {
        span: made.span(case),
        values: vec![
            ("n", sparse.len().to_string()),
            ("all", collection.indexes().len().to_string()),
            ("nulls", nulls.to_string()),
            ("entries", entries.to_string()),
            ("limit", MAX_INDEXES.to_string()),
        ],
        evidence: [Evidence::Counts { of: made.collection.into(), counts }].into_iter().chain(refusal).collect(),
        level: refused.map(|_| Level::Refused),
        ..Sighting::default()
    })
}

fn is_full(collection: &Collection) -> bool {
    collection.indexes().len() >= MAX_INDEXES
}

/// How many null entries an index on one field holds that fewer than half of the documents have.
fn missing(index: &Index, profile: &Profile) -> Option<u64> {
    let info = index.info();
    let [part] = &info.parts[..] else { return None };
    let present = profile.path(&part.path.to_string()).map_or(0, |facts| facts.documents);
    let single = info.name != "_id_" && !part.wildcard && present * 2 < profile.documents();
    let skipped = info.sparse || info.partial_filter.is_some();
    single.then(|| if skipped { 0 } else { profile.documents() - present })
}
