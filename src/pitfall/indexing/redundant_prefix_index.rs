//! An index that is the beginning of another.

use std::collections::BTreeSet;

use crate::engine::Command;
use crate::pitfall::indexing::made::{Made, standing};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::to_statement;
use crate::store::{Collection, Index};
use crate::value::Bson;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "redundant-prefix-index",
    level: Level::Cost,
    weight: 6,
    title: Words::new("Index that is a prefix of another", "Index, der Anfang eines anderen ist"),
    explanation: Words::new(
        "The longer one serves both; the shorter one only costs writes and memory.",
        "Der längere dient für beides; der kürzere kostet nur Schreiben und Speicher.",
    ),
    message: Words::new(
        "`{short}` ({entries entries}, {bytes bytes}) is contained in `{long}`.",
        "`{short}` ({entries Einträge}, {bytes Bytes}) ist in `{long}` enthalten.",
    ),
    cure: Words::new("Drop the shorter one.", "Lösche den kürzeren."),
    example: r#"db.c.createIndex({"specs.k": 1}); db.c.createIndex({"specs.k": 1, "specs.v": 1})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    // A text that makes both is told once of the one.
    let mut told: BTreeSet<(String, String)> = BTreeSet::new();
    let found = standing(case).into_iter().filter_map(|(made, collection, index)| {
        let (short, long) = redundant(collection, index)?;
        let first = told.insert((made.collection.to_owned(), short.name().to_owned()));
        first.then(|| sight(case, &made, short, long))
    });
    found.collect()
}

/// An index that is the beginning of another, and that other; one of them is this one.
fn redundant<'c>(collection: &'c Collection, index: &'c Index) -> Option<(&'c Index, &'c Index)> {
    let others = || collection.indexes().iter();
    let shorter = others().find(|other| is_prefix(other, index)).map(|short| (short, index));
    shorter.or_else(|| others().find(|other| is_prefix(index, other)).map(|long| (index, long)))
}

fn sight(case: &Case<'_>, made: &Made<'_>, short: &Index, long: &Index) -> Sighting {
    let info = short.info();
    let counts = vec![("entries".to_owned(), info.entries), ("bytes".to_owned(), info.bytes)];
    let drop = Command::DropIndexes { collection: made.collection.into(), index: Bson::String(info.name.clone()) };
    let end = case.script.text().trim_end().trim_end_matches(';').len();
    Sighting {
        span: made.span(case),
        values: vec![
            ("short", info.name.clone()),
            ("long", long.name().to_owned()),
            ("entries", info.entries.to_string()),
            ("bytes", info.bytes.to_string()),
        ],
        evidence: vec![Evidence::Counts { of: info.name.clone(), counts }],
        fix: case.replaced(&(end..end), &format!("; {}", to_statement(&drop))),
        ..Sighting::default()
    }
}

/// Whether one index is the beginning of a longer one with the same options.
fn is_prefix(short: &Index, long: &Index) -> bool {
    let (short, long) = (short.info(), long.info());
    let fits = short.key_pattern.len() < long.key_pattern.len()
        && short.key_pattern.iter().zip(&long.key_pattern).all(|(one, other)| one.0 == other.0)
        && short
            .parts
            .iter()
            .zip(long.parts.iter())
            .all(|(one, other)| one.direction == other.direction && !one.wildcard && !other.wildcard);
    let options = short.unique == long.unique
        && short.sparse == long.sparse
        && short.hidden == long.hidden
        && short.partial_filter == long.partial_filter
        && short.collation == long.collation;
    fits && options && short.name != "_id_"
}
