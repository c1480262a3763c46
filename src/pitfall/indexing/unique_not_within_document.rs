//! A unique index that is taken to keep keys apart inside one document.

use std::collections::BTreeMap;

use crate::error::CommandPath;
use crate::pitfall::case::{id, shown};
use crate::pitfall::indexing::made::{inside, standing};
use crate::pitfall::indexing::pairs::pairs;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::Ran;
use crate::store::{AttributeFacts, Index};
use crate::value::{Bson, Document, RawDocumentBuf};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unique-not-within-document",
    level: Level::Risk,
    weight: 20,
    title: Words::new(
        "Unique index does not stop duplicates inside one document",
        "Eindeutiger Index verhindert keine Dubletten in einem Dokument",
    ),
    explanation: Words::new(
        "Uniqueness is enforced between documents. Repeated keys of one document are collapsed before the check.",
        "Eindeutigkeit gilt zwischen Dokumenten. Wiederholte Schlüssel eines Dokuments fallen vor der Prüfung zusammen.",
    ),
    message: Words::new(
        "`{index}` compares documents with each other, never the elements of one: {n documents} {n|holds|hold} a key of `{array}` \
         more than once{example}.",
        "`{index}` vergleicht Dokumente miteinander, nie die Elemente eines Dokuments: In {n Dokumenten} steht ein \
         Schlüssel von `{array}` mehrfach{example}.",
    ),
    cure: Words::new(
        "Guard the write with `{\"specs.k\": {$ne: key}}` in the filter, or replace the element in a pipeline.",
        "Sichere das Schreiben mit `{\"specs.k\": {$ne: schlüssel}}` im Filter, oder ersetze das Element in einer Pipeline.",
    ),
    example: r#"db.c.createIndex({sku: 1, "specs.k": 1}, {unique: true})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let creations = standing(case).into_iter().filter_map(|(made, _, index)| {
        let array = guarded(case, made.collection, index)?;
        Some(Sighting { span: made.span(case), ..sighting(index, array, None) })
    });
    creations.chain(case.ran.iter().filter_map(|ran| written(case, ran))).collect()
}

/// The attribute array that a unique index reaches into.
fn guarded<'a>(case: &Case<'a>, collection: &str, index: &Index) -> Option<&'a AttributeFacts> {
    let info = index.info();
    let reached = |array: &&AttributeFacts| info.parts.iter().any(|part| inside(array, &part.path.to_string()));
    case.attributes(collection).iter().find(reached).filter(|_| info.unique)
}

/// A write that left a key twice in one document in spite of the index.
fn written(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let run = ran.result.as_ref().ok()?;
    run.writes.documents.iter().find_map(|written| {
        let after = written.after.as_ref()?;
        let collection = case.after.collection(&written.collection)?;
        let mut indexes = collection.indexes().iter();
        let (index, array) = indexes.find_map(|index| Some((index, guarded(case, &written.collection, index)?)))?;
        let before = written.before.as_ref().map(|before| repeated(before, array)).unwrap_or_default();
        let (key, times) = repeated(after, array).into_iter().find(|(key, times)| before.get(key) != Some(times))?;
        let evidence = Evidence::Write {
            before: written.before.as_ref().and_then(|before| Document::try_from(before.as_ref()).ok()),
            after: Document::try_from(after.as_ref()).ok(),
        };
        let example = format!(" (_id {}: {} × {times})", shown(&id(after)), shown(&Bson::String(key)));
        let sighting = sighting(index, array, Some((example, evidence)));
        Some(Sighting { span: case.span(ran, &CommandPath::argument("update")), ..sighting })
    })
}

fn sighting(index: &Index, array: &AttributeFacts, seen: Option<(String, Evidence)>) -> Sighting {
    let (example, write) = seen.map_or_else(Default::default, |(example, write)| (example, Some(write)));
    let repeated = array.keys.iter().filter(|(_, facts)| facts.duplicates > 0);
    let counts = Evidence::Counts {
        of: format!("{}.{}", array.path, array.key),
        counts: repeated.map(|(key, facts)| (key.clone(), facts.duplicates)).collect(),
    };
    Sighting {
        values: vec![
            ("index", index.name().to_owned()),
            ("n", array.documents_with_duplicates.to_string()),
            ("array", array.path.clone()),
            ("example", example),
        ],
        evidence: write.into_iter().chain([counts]).collect(),
        ..Sighting::default()
    }
}

/// The keys that stand in several elements of a document.
fn repeated(document: &RawDocumentBuf, array: &AttributeFacts) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for (key, _) in pairs(document, array) {
        if let Bson::String(key) = key {
            *times.entry(key).or_insert(0) += 1;
        }
    }
    times.retain(|_, times| *times > 1);
    times
}
