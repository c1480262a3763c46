//! A write that touches many entries of a multikey index.

use crate::error::CommandPath;
use crate::pitfall::indexing::made::{inside, standing};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::Ran;
use crate::store::{AttributeFacts, Index};
use crate::value::Path;
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
        "`{index}`: {entries index entries} for {documents documents}.",
        "`{index}`: {entries Indexeinträge} für {documents Dokumente}.",
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
        let heavy = index.info().multikey && documents > 0 && index.info().entries > documents * PER_DOCUMENT;
        heavy.then(|| Sighting {
            span: made.span(case),
            ..sighting(case, made.collection, index, index.info().entries, documents)
        })
    });
    creations.chain(case.ran.iter().filter_map(|ran| written(case, ran))).collect()
}

/// A write of one document whose elements were many entries before and after.
fn written(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let run = ran.result.as_ref().ok()?;
    let [document] = run.writes.documents.as_slice() else { return None };
    let both = document.before.is_some() && document.after.is_some();
    let (name, added, removed) = run.writes.keys.iter().max_by_key(|(_, added, removed)| added + removed)?;
    let collection = case.after.collection(&document.collection)?;
    let index = collection.indexes().iter().find(|index| index.name() == name)?;
    let span = case.span(ran, &CommandPath::argument("update"));
    let touched = added + removed;
    (both && touched > TOUCHED).then(|| Sighting { span, ..sighting(case, &document.collection, index, touched, 1) })
}

fn sighting(case: &Case<'_>, collection: &str, index: &Index, entries: u64, documents: u64) -> Sighting {
    let held = case.after.collection(collection).map_or(0, |held| held.len() as u64);
    let arrays = case.attributes(collection).iter();
    let array =
        arrays.into_iter().find(|array| index.info().parts.iter().any(|part| inside(array, &part.path.to_string())));
    let mut counts = vec![
        ("entries".to_owned(), entries),
        ("documents".to_owned(), documents),
        ("entries in all".to_owned(), index.info().entries),
        ("entries per document".to_owned(), index.info().entries / held.max(1)),
        ("bytes".to_owned(), index.info().bytes),
    ];
    if let Some(array) = array {
        counts.push(("single indexes for the same keys".to_owned(), array.keys.len() as u64));
        counts.push(("bytes without the keys".to_owned(), singles(index, array)));
    }
    Sighting {
        values: vec![
            ("index", index.name().to_owned()),
            ("entries", entries.to_string()),
            ("documents", documents.to_string()),
        ],
        evidence: vec![Evidence::Counts { of: index.name().to_owned(), counts }],
        ..Sighting::default()
    }
}

/// What the entries take without the text of their key, which a sparse index of each attribute would not repeat.
fn singles(index: &Index, array: &AttributeFacts) -> u64 {
    let keyed = index.info().parts.iter().any(|part| part.path == Path::new(&array.path).join(&Path::new(&array.key)));
    let repeated: u64 = array.keys.iter().map(|(key, facts)| key.len() as u64 * facts.elements).sum();
    index.info().bytes.saturating_sub(if keyed { repeated } else { 0 })
}
