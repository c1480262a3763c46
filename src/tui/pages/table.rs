//! Documents as a table: a column per top-level field, values in one line.

use bson::{Bson, Document};

use crate::tui::page::{Line, Page};
use crate::tui::pages::documents::one_line;
use crate::tui::role::Role;
use crate::value::View;

/// The widest column; longer values are cut.
const WIDEST: usize = 28;

/// The table.
#[must_use]
pub fn page(items: &[Bson]) -> Page {
    let documents: Vec<&Document> = items.iter().filter_map(Bson::as_document).collect();
    let mut names: Vec<&str> = Vec::new();
    for name in documents.iter().flat_map(|document| document.keys()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let cells: Vec<Vec<Line>> =
        documents.iter().map(|document| names.iter().map(|name| cell(document, name)).collect()).collect();
    let wide = |column: usize, name: &str| {
        let widest = cells.iter().filter_map(|row| row.get(column)).map(Line::width).max().unwrap_or(0);
        widest.max(Line::of(Role::Text, name).width())
    };
    let widths: Vec<usize> = names.iter().enumerate().map(|(column, name)| wide(column, name)).collect();
    let mut page = Page::new();
    page.line(row(names.iter().map(|name| Line::of(Role::Field, *name)), &widths));
    for cells in cells {
        page.line(row(cells.into_iter(), &widths));
    }
    page
}

fn cell(document: &Document, name: &str) -> Line {
    let mut line = Line::new();
    match document.get(name) {
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
