//! A write that touches many entries of a multikey index.

use crate::error::CommandPath;
use crate::pitfall::indexing::made::standing;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::Ran;
use crate::words::Words;

/// More entries touched than this by the write of one document is worth a word.
const TOUCHED: u64 = 20;

/// More entries than this for each document is worth a word.
const PER_DOCUMENT: u64 = 10;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "multikey-write-cost",
    level: Level::Cost,
    weight: 9,
    title: Words::new("Every element is an index entry", "Jedes Element ist ein Indexeintrag"),
    explanation: Words::new(
        "One document with n attributes has n entries; values repeat their key in every entry. One index is not \
         automatically smaller than several sparse ones.",
        "Ein Dokument mit n Attributen hat n Einträge; jeder Eintrag wiederholt seinen Schlüssel. Ein Index ist nicht \
         automatisch kleiner als mehrere dünne.",
    ),
    message: Words::new(
        "`{index}`: {entries} index entries for {documents} documents.",
        "`{index}`: {entries} Indexeinträge für {documents} Dokumente.",
    ),
    cure: Words::new(
        "Keep only attributes that are searched in the array; the rest in a plain sub-document.",
        "Lass nur Attribute im Array, nach denen gesucht wird; den Rest in einem einfachen Unterdokument.",
    ),
    example: "db.c.updateOne({_id: 1}, {$set: {specs: [/* 40 elements rewritten */]}})",
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let creations = standing(case).into_iter().filter_map(|(made, collection, index)| {
        let documents = collection.len() as u64;
        let entries = index.info().entries;
        let heavy = index.info().multikey && documents > 0 && entries > documents * PER_DOCUMENT;
        heavy.then(|| Sighting { span: made.span(case), ..sighting(index.name(), entries, documents) })
    });
    creations.chain(case.ran.iter().filter_map(|ran| written(case, ran))).collect()
}

/// A write of one document whose elements were many entries before and after.
fn written(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let run = ran.result.as_ref().ok()?;
    let [document] = run.writes.documents.as_slice() else { return None };
    let both = document.before.is_some() && document.after.is_some();
    let (index, added, removed) = run.writes.keys.iter().max_by_key(|(_, added, removed)| added + removed)?;
    let span = case.span(ran, &CommandPath::argument("update"));
    (both && added + removed > TOUCHED).then(|| Sighting { span, ..sighting(index, added + removed, 1) })
}

fn sighting(index: &str, entries: u64, documents: u64) -> Sighting {
    let counts = vec![("entries".to_owned(), entries), ("documents".to_owned(), documents)];
    Sighting {
        values: vec![
            ("index", index.to_owned()),
            ("entries", entries.to_string()),
            ("documents", documents.to_string()),
        ],
        evidence: vec![Evidence::Counts { of: index.to_owned(), counts }],
        ..Sighting::default()
    }
}
