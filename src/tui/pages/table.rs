//! Documents as a table: a column per top-level field, values in one line.

use std::collections::BTreeMap;
use std::sync::Arc;

use bson::{Bson, Document};

use crate::tui::long::Long;
use crate::tui::page::{Line, Page, Target};
use crate::tui::pages::documents::one_line;
use crate::tui::role::Role;
use crate::value::View;

/// The widest column; longer values are cut.
const WIDEST: usize = 28;

/// So many documents say how wide the columns are.
const MEASURED: usize = 500;

/// The table, a row per document.
#[must_use]
pub fn page(items: &Arc<Vec<Bson>>) -> Page {
    let names = names(items);
    let wide = |name: &String| {
        let cells = items.iter().take(MEASURED).map(|item| cell(item, name).width());
        cells.chain([Line::of(Role::Text, name).width()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = names.iter().map(wide).collect();
    let mut page = Page::of(row(names.iter().map(|name| Line::of(Role::Field, name)), &widths));
    let write = move |item: &Bson, number: usize| {
        let cells = names.iter().zip(&widths).map(|(name, width)| cell(item, name).cut(*width));
        row(cells, &widths).target(Target::Row(number))
    };
    page.long = Some(Long::new(items, BTreeMap::new(), write));
    page
}

/// The names of all fields, in the order of their first sight.
fn names(items: &[Bson]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in items.iter().filter_map(Bson::as_document).flat_map(Document::keys) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn cell(item: &Bson, name: &str) -> Line {
    let mut line = Line::new();
    match item.as_document().and_then(|document| document.get(name)) {
        Some(value) => one_line(&mut line, View::from(value)),
        None => line.push(Role::Quiet, "–"),
    }
    line.cut(WIDEST)
}

fn row(cells: impl Iterator<Item = Line>, widths: &[usize]) -> Line {
    let mut line = Line { row: true, ..Line::new() };
    for (cell, width) in cells.zip(widths) {
        let gap = if line.is_empty() { "" } else { "  " };
        let fill = width.saturating_sub(cell.width());
        line.push(Role::Text, gap);
        line.pieces.extend(cell.pieces);
        line.push(Role::Text, " ".repeat(fill));
    }
    line
}
