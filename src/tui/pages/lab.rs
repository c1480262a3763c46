//! What the cost lab found, as a page.

use crate::design::lab::{LabReport, to_text};
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::words::Lang;

/// The lab's tables and findings; a table's rows are cut where the screen ends, not broken.
#[must_use]
pub fn page(report: &LabReport, lang: Lang) -> Page {
    let mut page = Page::new();
    for text in to_text(report, lang).lines() {
        let mut line = Line::of(Role::Text, text);
        line.row = text.starts_with("  ");
        page.line(line);
    }
    page
}
