//! Many single indexes on the fields of one sub-document.

use crate::pitfall::indexing::made::{Made, standing};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::{Collection, Index};
use crate::words::Words;

/// More single indexes than this on siblings are worth a word.
const SEVERAL: usize = 5;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "wildcard-would-do",
    level: Level::Hint,
    weight: 4,
    title: Words::new("Flat attributes with one wildcard index", "Flache Attribute mit einem Wildcard-Index"),
    explanation: Words::new(
        "One wildcard index serves equality and ranges on any single field below it; since 7.0 it can have a fixed prefix. \
         It cannot answer which keys exist, qualifiers such as units, a sort on another field, or absence.",
        "Ein Wildcard-Index dient Gleichheit und Bereichen auf jedem einzelnen Feld darunter; seit 7.0 auch mit festem Feld \
         davor. Er beantwortet nicht, welche Schlüssel es gibt, keine Zusätze wie Einheiten, keine Sortierung nach einem \
         anderen Feld und kein Fehlen.",
    ),
    message: Words::new(
        "One index on `{parent}.$**` could replace {n indexes} with {entries entries}.",
        "Ein Index auf `{parent}.$**` könnte {n Indexe} mit {entries Einträgen} ersetzen.",
    ),
    cure: Words::new("Compare both on your own queries.", "Vergleiche beides an deinen eigenen Abfragen."),
    example: r#"db.c.createIndex({"attrs.$**": 1}) // attrs: {color: "red", ram: 16}"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    // What is said of one holds for all of a text: the last one tells it.
    let standing = standing(case);
    standing.last().and_then(|(made, collection, index)| sight(case, made, collection, index)).into_iter().collect()
}

fn sight(case: &Case<'_>, made: &Made<'_>, collection: &Collection, index: &Index) -> Option<Sighting> {
    let parent = parent(index)?;
    let arrays = case.profile(made.collection)?.arrays();
    let crosses = |path: &str| path == parent || parent.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    let siblings: Vec<&Index> =
        collection.indexes().iter().filter(|other| self::parent(other).as_ref() == Some(&parent)).collect();
    if siblings.len() <= SEVERAL || arrays.keys().any(|path| crosses(path)) {
        return None;
    }
    let entries: u64 = siblings.iter().map(|index| index.info().entries).sum();
    let counts = siblings.iter().map(|index| (index.name().to_owned(), index.info().entries)).collect();
    Some(Sighting {
        span: made.span(case),
        values: vec![("parent", parent.clone()), ("n", siblings.len().to_string()), ("entries", entries.to_string())],
        evidence: vec![Evidence::Counts { of: parent, counts }],
        ..Sighting::default()
    })
}

/// The sub-document that an index on one of its fields belongs to.
fn parent(index: &Index) -> Option<String> {
    let [part] = &index.info().parts[..] else { return None };
    let path = part.path.to_string();
    path.rsplit_once('.').filter(|_| !part.wildcard).map(|(parent, _)| parent.to_owned())
}
