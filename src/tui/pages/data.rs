//! What is stored: collections with their indexes, and which field or attribute key stands in how many documents.

use std::collections::BTreeMap;

use crate::store::{Catalog, Collection};
use crate::tui::page::{Line, Page};
use crate::tui::pages::documents::one_line;
use crate::tui::role::Role;
use crate::value::{DocView, View};
use crate::words::{Lang, Words};

const EMPTY: Words = Words::new("Nothing is stored yet.", "Noch nichts gespeichert.");
const SIZE: Words = Words::new("{count documents}, {bytes bytes}", "{count Dokumente}, {bytes Bytes}");
const INDEXES: Words = Words::new("Indexes", "Indexe");
const ENTRIES: Words = Words::new(
    "{entries entries}, {keys different keys}, {bytes bytes} (compressed, estimate: {estimate})",
    "{entries Einträge}, {keys} verschiedene Schlüssel, {bytes Bytes} (komprimiert, geschätzt: {estimate})",
);
const FIELDS: Words = Words::new("Fields, and in how many documents", "Felder, und in wie vielen Dokumenten");
const KEYS: Words = Words::new("Keys in {path}, and how often", "Schlüssel in {path}, und wie oft");
const LOOKED_AT: Words = Words::new("(the first {count documents})", "(die ersten {count Dokumente})");

/// So many documents are looked at for presence.
const MOST: usize = 2_000;

/// The widest bar.
const BAR: usize = 12;

/// All collections.
#[must_use]
pub fn page(catalog: &Catalog, lang: Lang) -> Page {
    let mut page = Page::new();
    for (name, collection) in catalog.iter() {
        page.gap();
        head(&mut page, name, collection, lang);
        indexes(&mut page, collection, lang);
        presence(&mut page, collection, lang);
    }
    if page.lines.is_empty() {
        page.say(Role::Quiet, EMPTY.get(lang));
    }
    page
}

fn head(page: &mut Page, name: &str, collection: &Collection, lang: Lang) {
    let (count, bytes) = (collection.len().to_string(), collection.data_bytes().to_string());
    let size = SIZE.fill(lang, &[("count", &count), ("bytes", &bytes)]);
    page.line(Line::of(Role::Title, name).and(Role::Quiet, format!("  {size}")));
}

fn indexes(page: &mut Page, collection: &Collection, lang: Lang) {
    page.say(Role::Heading, INDEXES.get(lang));
    for index in collection.indexes() {
        let info = index.info();
        let mut line = Line::of(Role::Text, "  ").and(Role::Strong, info.name.clone()).and(Role::Text, "  ").hang(4);
        one_line(&mut line, View::Document(DocView::from(&info.key_pattern)));
        let options =
            [("multikey", info.multikey), ("unique", info.unique), ("sparse", info.sparse), ("hidden", info.hidden)];
        for (option, _) in options.iter().filter(|(_, set)| *set) {
            line.push(Role::Info, format!(" {option}"));
        }
        if let Some(filter) = &info.partial_filter {
            line.push(Role::Info, " partial ");
            one_line(&mut line, View::Document(DocView::from(filter)));
        }
        page.line(line);
        let (entries, keys, bytes) = (info.entries.to_string(), info.distinct_keys.to_string(), info.bytes.to_string());
        let estimate = index.estimated_prefix_compressed_bytes().to_string();
        let values = [("entries", &*entries), ("keys", &keys), ("bytes", &bytes), ("estimate", &estimate)];
        let text = ENTRIES.fill(lang, &values);
        page.line(Line::of(Role::Quiet, format!("    {text}")).hang(4));
    }
}

/// How often each name stands, in order of first sight.
#[derive(Default)]
struct Counts(Vec<(String, usize)>);

impl Counts {
    fn add(&mut self, name: &str) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => self.0.push((name.to_owned(), 1)),
        }
    }
}

fn presence(page: &mut Page, collection: &Collection, lang: Lang) {
    let mut fields = Counts::default();
    let mut keys: BTreeMap<String, Counts> = BTreeMap::new();
    let scanned = collection.scan(crate::store::Direction::Ascending).take(MOST);
    for (name, value) in scanned.flat_map(|(_, document)| DocView::from(document).iter()) {
        fields.add(name);
        for key in attribute_keys(value) {
            keys.entry(name.to_owned()).or_default().add(&key);
        }
    }
    let looked_at = collection.len().min(MOST);
    let count = looked_at.to_string();
    let mut heading = Line::of(Role::Heading, FIELDS.get(lang));
    if looked_at < collection.len() {
        heading.push(Role::Quiet, format!(" {}", LOOKED_AT.fill(lang, &[("count", &count)])));
    }
    page.line(heading);
    bars(page, fields, looked_at);
    for (path, keys) in keys {
        page.say(Role::Heading, KEYS.fill(lang, &[("path", &path)]));
        bars(page, keys, looked_at);
    }
}

/// The `k` of each `{k, v}` element, or the field names of a sub-document.
fn attribute_keys(value: View<'_>) -> Vec<String> {
    match value {
        View::Array(array) => array
            .iter()
            .filter_map(|element| match element {
                View::Document(document) => match document.get("k") {
                    Some(View::String(key)) => Some(key.to_owned()),
                    _ => None,
                },
                _ => None,
            })
            .collect(),
        View::Document(document) => document.iter().map(|(name, _)| name.to_owned()).collect(),
        _ => Vec::new(),
    }
}

/// A bar and the figure for each name, the most frequent first.
fn bars(page: &mut Page, mut counts: Counts, all: usize) {
    counts.0.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let widest = counts.0.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(24);
    for (name, count) in counts.0 {
        let filled = (count * BAR).div_ceil(all.max(1)).min(BAR);
        page.line(
            Line::of(Role::Field, format!("  {name:widest$} "))
                .and(Role::Drawing, "█".repeat(filled))
                .and(Role::Drawing, "░".repeat(BAR - filled))
                .and(Role::Drawing, " ")
                .and(Role::Figure, count.to_string())
                .and(Role::Quiet, format!(" / {all}")),
        );
    }
}
