//! What the cost lab found, as a page.

use crate::design::lab::{LabLine, LabReport, lab_lines};
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::words::Lang;

/// The lab's tables and findings; a table's rows are cut where the screen ends, not broken.
#[must_use]
pub fn page(report: &LabReport, lang: Lang) -> Page {
    let mut page = Page::new();
    let mut found = false;
    for line in lab_lines(report, lang) {
        match line {
            LabLine::Title(text) => page.say(Role::Strong, text),
            LabLine::Figure(name) => {
                page.gap();
                page.say(Role::Heading, name);
            }
            LabLine::Row(text) => page.line(Line { row: true, ..Line::of(Role::Text, text) }),
            LabLine::Note(text) => page.say(Role::Quiet, text),
            LabLine::Finding(text) => {
                if !std::mem::replace(&mut found, true) {
                    page.gap();
                }
                page.line(Line::of(Role::Text, text).hang(2));
            }
        }
    }
    page
}
