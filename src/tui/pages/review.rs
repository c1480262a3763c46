//! What stands above the text while a slip is reviewed.

use crate::course::Slip;
use crate::tui::learning::title_of;
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const REVIEW: Words = Words::new("Review: {title}", "Wiederholung: {title}");
const TIMES: Words =
    Words::new("Happened so far: {count}, last in {place}.", "Bisher passiert: {count}, zuletzt in {place}.");
const FRESH: Words = Words::new(
    "The task as before, on fresh data. F8 judges; without this slip it counts as reviewed.",
    "Die Aufgabe wie zuvor, mit frischen Daten. F8 bewertet; ohne diesen Fehler gilt sie als wiederholt.",
);
const CURE: Words = Words::new(
    "What you wrote then is in the editor. Ask the same without the slip, and run it with F5.",
    "Im Editor steht, was du damals geschrieben hast. Frag dasselbe ohne den Fehler und führe es mit F5 aus.",
);

/// The head of a review; `exercise` tells whether an exercise is solved again, or a statement cured.
#[must_use]
pub fn page(finding: &str, slip: &Slip, exercise: bool, lang: Lang) -> Page {
    let mut page = Page::new();
    let title = title_of(finding, lang);
    page.line(Line::of(Role::Warning, REVIEW.fill(lang, &[("title", &title)])).hang(2));
    let count = slip.count.to_string();
    page.line(Line::of(Role::Quiet, TIMES.fill(lang, &[("count", &count), ("place", &slip.place)])));
    page.line(Line::of(Role::Info, if exercise { FRESH } else { CURE }.get(lang)));
    page.gap();
    page
}
