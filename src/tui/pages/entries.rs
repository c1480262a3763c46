//! The index entries that a text wrote or made, where it asked nothing whose way through an index could be walked.

use crate::design::{Holding, holdings};
use crate::engine::{Command, Database, Run};
use crate::shell::Outcome;
use crate::tui::page::{Line, Page};
use crate::tui::pages::documents::one_line;
use crate::tui::role::Role;
use crate::value::{Bson, DocView, View};
use crate::words::{Lang, Words};

const WRITTEN: Words = Words::new(
    "Entries that lead to what was written in {collection}",
    "Einträge, die zu dem führen, was in {collection} geschrieben wurde",
);
const MADE: Words = Words::new("What the indexes of {collection} hold", "Was die Indexe von {collection} halten");
const TOUCHED: Words =
    Words::new("{index}: {added} added, {removed} removed", "{index}: {added} hinzugefügt, {removed} entfernt");
const SIZE: Words = Words::new(
    "entries: {entries}, bytes: {bytes} (compressed, estimate: {estimate})",
    "Einträge: {entries}, Bytes: {bytes} (komprimiert, geschätzt: {estimate})",
);
const NONE: Words = Words::new("none of them in this index", "keiner davon in diesem Index");

/// Documents whose entries are looked for.
const DOCUMENTS: usize = 8;
/// Entries shown of each index.
const ENTRIES: usize = 24;

/// The last run of a text that wrote index entries or made an index.
fn wrote(outcome: &Outcome) -> Option<(&str, &Run)> {
    outcome.ran.iter().rev().find_map(|ran| {
        let run = ran.result.as_deref().ok()?;
        let collection = match &ran.command {
            Command::CreateIndexes(made) => made.collection.as_str(),
            _ => &run.writes.documents.last()?.collection,
        };
        Some((collection, run))
    })
}

/// Whether a text wrote index entries or made an index.
#[must_use]
pub fn has_written(outcome: &Outcome) -> bool {
    wrote(outcome).is_some()
}

/// The entries of the last such run; none where there is none, or its collection is gone.
#[must_use]
pub fn page(outcome: &Outcome, database: &Database, lang: Lang) -> Option<Page> {
    let (name, run) = wrote(outcome)?;
    let collection = database.collection(name)?;
    let written =
        run.writes.documents.iter().rev().filter_map(|written| written.after.as_ref().or(written.before.as_ref()));
    let id = |raw| DocView::from(raw).get("_id").map(|id| id.to_bson());
    let ids: Vec<Bson> = written.filter_map(id).take(DOCUMENTS).collect();
    let mut page = Page::new();
    let heading = if ids.is_empty() { MADE } else { WRITTEN };
    page.say(Role::Heading, heading.fill(lang, &[("collection", name)]));
    for (index, added, removed) in &run.writes.keys {
        let values = [("index", index.as_str()), ("added", &added.to_string()), ("removed", &removed.to_string())];
        page.say(Role::Figure, TOUCHED.fill(lang, &values));
    }
    for holding in holdings(collection, &ids, ENTRIES) {
        page.gap();
        held(&mut page, &holding, lang);
    }
    Some(page)
}

fn held(page: &mut Page, holding: &Holding, lang: Lang) {
    let info = &holding.index;
    let mut head = Line::of(Role::Strong, info.name.clone()).and(Role::Text, "  ").hang(2);
    one_line(&mut head, View::Document(DocView::from(&info.key_pattern)));
    let (entries, bytes) = (info.entries.to_string(), info.bytes.to_string());
    let estimate = holding.estimated_bytes.to_string();
    let size = SIZE.fill(lang, &[("entries", &entries), ("bytes", &bytes), ("estimate", &estimate)]);
    page.line(head.and(Role::Quiet, format!("  {size}")));
    if holding.entries.is_empty() {
        page.say(Role::Quiet, format!("  {}", NONE.get(lang)));
    }
    for entry in &holding.entries {
        let mut line = Line::of(Role::Quiet, format!("{:>5}  ", entry.place + 1)).code().hang(7);
        line.push(Role::Code, "(");
        for (part, value) in entry.key.iter().enumerate() {
            line.push(Role::Code, if part == 0 { "" } else { ", " });
            one_line(&mut line, View::from(value));
        }
        line.push(Role::Code, ")");
        page.line(line.and(Role::Quiet, format!(" → _id {}", entry.id)));
    }
}
