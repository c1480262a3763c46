//! `$unwind` gives nothing for a document without elements, and a group is missing for it.

use super::pipe::{Pipe, each_pipe, reads, stage, unwound};
use crate::engine::Database;
use crate::pitfall::case::{only_in, shown};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::PathFacts;
use crate::value::{Bson, Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unwind-drops-documents",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("$unwind loses documents without attributes", "$unwind verliert Dokumente ohne Attribute"),
    explanation: Words::new(
        "A document whose array is empty or missing gives no row, so no later stage sees it.",
        "Ein Dokument, dessen Array leer ist oder fehlt, ergibt keine Zeile, und keine spätere Stufe sieht es.",
    ),
    message: Words::new(
        "{n documents} disappeared at `$unwind`, such as _id {id}, and {m groups} with them.",
        "{n Dokumente} {n|verschwand|verschwanden} bei `$unwind`, etwa _id {id}, und mit ihnen {m Gruppen}.",
    ),
    cure: Words::new(
        "`preserveNullAndEmptyArrays: true`, or `$size` with `$ifNull` where elements are counted.",
        "`preserveNullAndEmptyArrays: true`, oder `$size` mit `$ifNull`, wo Elemente gezählt werden.",
    ),
    example: r#"db.c.aggregate([{$unwind: "$specs"}, {$group: {_id: "$_id", n: {$sum: 1}}}])"#,
    detect: |case| each_pipe(case, sight),
};

/// Said where other documents keep the groups of those that are lost.
const BY_CHANCE: Words = Words::new(
    "{n documents} disappeared at `$unwind`, such as _id {id}; {n|its group is|their groups are} kept by other \
     documents, and {m} are missing.",
    "{n} {n|Dokument verschwand|Dokumente verschwanden} bei `$unwind`, etwa _id {id}; {n|seine Gruppe bleibt|ihre Gruppen \
     bleiben} durch andere Dokumente erhalten, und {m} fehlen.",
);

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let stages = pipe.stages();
    let at = stages.iter().position(|document| unwound(document).is_some())?;
    let array = unwound(&stages[at])?;
    let group = grouped(stages, at, array)?;
    let profile = case.profile(pipe.collection)?;
    let filled = profile.arrays().get(array).is_none_or(|facts| !facts.lengths.contains_key(&0));
    let everywhere = |facts: &PathFacts| facts.documents == profile.documents() && !facts.types.contains_key("null");
    if at == 0 && filled && profile.path(array).is_some_and(everywhere) {
        return None;
    }
    let bare = doc! {"$or": [{array: {"$exists": false}}, {array: null}, {array: {"$size": 0}}]};
    let lost = pipe.rows(case, at, vec![doc! {"$match": bare}])?;
    let first = lost.first()?;
    let kept = preserving(pipe, at, array);
    if kept == stages {
        return None;
    }
    let learner = keys(&pipe.rows(case, group + 1, Vec::new())?);
    let meant = keys(&pipe.tried(case, kept[..=group].to_vec())?);
    let missing = only_in(&meant, &learner).len();
    let right = missing == 0;
    let lost_groups = |database: &Database| {
        let groups = |stages: &[Document]| Some(keys(&pipe.on(database, stages.to_vec())?));
        let both = groups(&stages[..=group]).zip(groups(&kept[..=group]));
        both.is_some_and(|(learner, meant)| !only_in(&meant, &learner).is_empty())
    };
    let evidence = if right {
        pipe.made(case, &lost_groups)
    } else {
        first.get("_id").and_then(|id| pipe.stored(case, id)).into_iter().collect()
    };
    Some(Sighting {
        span: pipe.span(case, at),
        values: vec![
            ("n", lost.len().to_string()),
            ("id", first.get("_id").map(shown).unwrap_or_default()),
            ("m", missing.to_string()),
        ],
        evidence: std::iter::once(Evidence::Results { learner, meant }).chain(evidence).collect(),
        level: right.then_some(Level::Risk),
        words: right.then_some(BY_CHANCE),
        fix: cured(pipe, at, group, array, kept).and_then(|stages| pipe.with_pipeline(case, &stages)),
        ..Sighting::default()
    })
}

/// The `$group` right behind, whose groups are told apart by fields outside of the array.
fn grouped(stages: &[Document], at: usize, array: &str) -> Option<usize> {
    let group = at + 1 + stages[at + 1..].iter().position(|next| stage(next).0 != "$sort")?;
    let id = stages[group].get_document("$group").ok()?.get("_id")?;
    let by_field = matches!(id, Bson::String(path) if path.starts_with('$')) || matches!(id, Bson::Document(_));
    (by_field && !reads(id, array)).then_some(group)
}

fn preserving(pipe: &Pipe<'_>, at: usize, array: &str) -> Vec<Document> {
    let unwind = doc! {"$unwind": {"path": format!("${array}"), "preserveNullAndEmptyArrays": true}};
    pipe.spliced(at..at + 1, vec![unwind])
}

fn keys(rows: &[Document]) -> Vec<Bson> {
    rows.iter().filter_map(|row| row.get("_id").cloned()).collect()
}

/// Elements counted per document are the array's size; anything else that does not count rows keeps the documents.
fn cured(pipe: &Pipe<'_>, at: usize, group: usize, array: &str, kept: Vec<Document>) -> Option<Vec<Document>> {
    let operand = pipe.stages()[group].get_document("$group").ok()?;
    let counts =
        |value: &Bson| value.as_document().is_some_and(|sum| *sum == doc! {"$sum": 1} || *sum == doc! {"$count": {}});
    let fields: Vec<(&String, &Bson)> = operand.iter().filter(|(name, _)| *name != "_id").collect();
    if !fields.iter().any(|(_, value)| counts(value)) {
        return Some(kept);
    }
    let by_document =
        operand.get_str("_id").is_ok_and(|id| id == "$_id") && fields.iter().all(|(_, value)| counts(value));
    if !by_document || group != at + 1 {
        return None;
    }
    let size = doc! {"$size": {"$ifNull": [format!("${array}"), []]}};
    let sizes: Document = fields.iter().map(|(name, _)| ((*name).clone(), Bson::from(size.clone()))).collect();
    Some(pipe.spliced(at..group + 1, vec![doc! {"$project": sizes}]))
}
