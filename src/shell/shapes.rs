//! A single object written where all other documents hold an array: queries that look into elements pass it by.

use bson::{Bson, Document};

use crate::engine::{Command, Modify, Reply, Run};
use crate::error::CommandPath;
use crate::store::Profile;
use crate::words::{Lang, Words};

const OBJECT: Words = Words::new(
    "`{path}` is a single object here and an array in the other {n documents}: `$elemMatch` does not look into it. Type \
     brackets around it: {path}: [{…}].",
    "`{path}` ist hier ein einzelnes Objekt und in den übrigen {n Dokumenten} ein Array: `$elemMatch` sieht nicht hinein. \
     Tippe eckige Klammern darum: {path}: [{…}].",
);

/// Of many inserted documents the first speak for the rest.
const READ: usize = 20;

/// An object that a command writes under a name.
pub(super) struct Written {
    pub(super) path: String,
    pub(super) at: CommandPath,
}

/// The objects that a command wrote to whole fields, each name once.
pub(super) fn written(command: &Command) -> Vec<Written> {
    let mut found: Vec<Written> = Vec::new();
    let mut look = |document: &Document, at: &CommandPath| {
        for (name, value) in document {
            let is_first = found.iter().all(|known| known.path != *name);
            if is_first && matches!(value, Bson::Document(_)) {
                found.push(Written { path: name.clone(), at: at.field(name) });
            }
        }
    };
    if let Command::Insert(insert) = command {
        for (position, document) in insert.documents.iter().enumerate().take(READ) {
            look(document, &CommandPath::argument("documents").index(position));
        }
    }
    let update = CommandPath::argument("update");
    match command.modify() {
        Some(Modify::Replacement(document)) => look(document, &update),
        Some(Modify::Operators(operators)) => {
            if let Ok(set) = operators.get_document("$set") {
                look(set, &update.field("$set"));
            }
        }
        _ => {}
    }
    found
}

/// What is said of an object under a name, where all documents but those written now hold an array there.
pub(super) fn remark(path: &str, run: &Run, facts: &Profile, lang: Lang) -> Option<String> {
    let now = match &run.reply {
        Reply::Inserted { ids, .. } => ids.len() as u64,
        Reply::Updated(update) => update.modified + u64::from(update.upserted.is_some()),
        Reply::Document(_) => 1,
        _ => return None,
    };
    let arrays = facts.arrays().get(path)?.arrays();
    let objects = facts.path(path)?.documents.checked_sub(arrays)?;
    let others = arrays > 0 && (1..=now).contains(&objects);
    others.then(|| OBJECT.fill(lang, &[("path", path), ("n", &arrays.to_string())]))
}
