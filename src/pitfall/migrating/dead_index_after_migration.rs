//! An index whose field a migration has removed.

use std::collections::BTreeSet;

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::elements::all_values;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::{Ran, to_statement};
use crate::store::{Collection, Direction, Profile};
use crate::value::{Bson, Path, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "dead-index-after-migration",
    level: Level::Cost,
    weight: 6,
    title: Words::new("Indexes of the old fields remain", "Indexe der alten Felder bleiben"),
    explanation: Words::new(
        "An index on a field that no document has any more still keeps one null entry per document, written with every insert.",
        "Ein Index auf ein Feld, das kein Dokument mehr hat, behält je Dokument einen Eintrag mit null, den jedes Einfügen \
         mitschreibt.",
    ),
    message: Words::new(
        "{list}: nothing but null is left in it, {n entries}.",
        "{list}: Darin steht nur noch null, {n Einträge}.",
    ),
    cure: Words::new("`dropIndex` after the migration.", "`dropIndex` nach der Migration."),
    example: r#"db.c.updateMany({}, {$unset: {color: ""}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let updates = case.ran.iter().filter_map(|ran| match &ran.command {
        Command::Update(update) => Some((ran, update.collection.as_str())),
        _ => None,
    });
    let mut told = BTreeSet::new();
    updates
        .filter(|(_, collection)| told.insert(*collection))
        .filter_map(|(ran, name)| sight(case, ran, name))
        .collect()
}

fn sight(case: &Case<'_>, ran: &Ran, name: &str) -> Option<Sighting> {
    let after = case.after.collection(name)?;
    let dead = dead(after, case.profile(name)?);
    let lived = |path: &str| {
        let path = Path::new(path);
        let before = case.before.collection(name)?.scan(Direction::Ascending);
        before.into_iter().find(|(_, document)| !all_values(View::Document((*document).into()), &path).is_empty())
    };
    let dead: Vec<&(String, String)> = dead.iter().filter(|(_, path)| lived(path).is_some()).collect();
    let list: Vec<String> = dead.iter().map(|(index, _)| format!("`{index}`")).collect();
    let drops: Vec<String> = dead
        .iter()
        .map(|(index, _)| Command::DropIndexes { collection: name.to_owned(), index: Bson::String(index.clone()) })
        .map(|drop| to_statement(&drop))
        .collect();
    let text = case.script.text().trim_end().trim_end_matches(';');
    (!dead.is_empty()).then(|| Sighting {
        fix: Some(format!("{text}; {}", drops.join("; "))),
        span: case.span(ran, &CommandPath::argument("update")),
        values: vec![("list", list.join(", ")), ("n", after.len().to_string())],
        evidence: vec![Evidence::Counts {
            of: name.to_owned(),
            counts: dead.iter().map(|(index, _)| (index.clone(), after.len() as u64)).collect(),
        }],
        ..Sighting::default()
    })
}

/// The indexes of which no document has the first path, with that path; sparse and partial ones keep no such entries.
fn dead(collection: &Collection, profile: &Profile) -> Vec<(String, String)> {
    let plain = collection.indexes().iter().filter(|index| !index.info().sparse && index.partial_filter().is_none());
    plain
        .filter_map(|index| {
            let part = index.info().parts.first().filter(|part| !part.wildcard)?;
            let path = part.path.to_string();
            profile.path(&path).is_none().then(|| (index.name().to_owned(), path))
        })
        .collect()
}
