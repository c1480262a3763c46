//! A sparse index on attribute paths, which leaves out next to nothing.

use crate::pitfall::indexing::made::{inside, standing};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "sparse-does-not-thin-array",
    level: Level::Surprise,
    weight: 4,
    title: Words::new("sparse on a k/v index", "sparse auf einem k/v-Index"),
    explanation: Words::new(
        "Sparse leaves out documents in which all indexed fields are missing, not elements. Nothing is saved, and queries \
         for missing attributes may not use it.",
        "Sparse lässt Dokumente aus, denen alle indizierten Felder fehlen, nicht Elemente. Es spart nichts, und Abfragen nach \
         fehlenden Attributen können ihn nicht nutzen.",
    ),
    message: Words::new("sparse saves {n entries} of {m}.", "sparse spart {n} von {m Einträgen}."),
    cure: Words::new("Leave it out.", "Lass es weg."),
    example: r#"db.c.createIndex({"specs.k": 1, "specs.v": 1}, {sparse: true})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let found = standing(case).into_iter().filter_map(|(made, collection, index)| {
        let info = index.info();
        let within = |array: &&crate::store::AttributeFacts| {
            info.parts.iter().all(|part| !part.wildcard && inside(array, &part.path.to_string()))
        };
        let array = case.attributes(made.collection).iter().find(within).filter(|_| info.sparse)?;
        let all = collection.len() as u64;
        let saved = all.saturating_sub(array.documents);
        let counts = [("entries", info.entries), ("left out", saved)];
        let counts = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        (array.documents * 100 > all * 95).then(|| Sighting {
            span: made.span(case),
            values: vec![("n", saved.to_string()), ("m", (info.entries + saved).to_string())],
            evidence: vec![Evidence::Counts { of: info.name.clone(), counts }],
            fix: made.without(case, "sparse"),
            ..Sighting::default()
        })
    });
    found.collect()
}
