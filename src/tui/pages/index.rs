//! The walk through an index: the step just done, what was done so far, and the entries around it in their order.

use crate::design::walker::{IndexEntry, Totals, Walk};
use crate::tui::page::{Line, Page};
use crate::tui::pages::documents::one_line;
use crate::tui::role::Role;
use crate::value::View;
use crate::words::{Lang, Words};

const NO_WALK: Words = Words::new(
    "Run a find: its way through the index is shown here, step by step. After a write, the entries written.",
    "Führe ein find aus: Sein Weg durch den Index steht dann hier, Schritt für Schritt. Nach einem Schreiben die Einträge.",
);
const NO_INDEX: Words = Words::new(
    "No index is used: the documents are read one after the other.",
    "Kein Index wird benutzt: Die Dokumente werden nacheinander gelesen.",
);
const STEP: Words = Words::new("Step {at} of {all}", "Schritt {at} von {all}");
const BEFORE: Words = Words::new("before the first step; ↓ does it", "vor dem ersten Schritt; ↓ tut ihn");
const ENTRIES: Words = Words::new(
    "Entries {first} to {last} of {all}; ▌ marks those this run looks at, ► the present one",
    "Einträge {first} bis {last} von {all}; ▌ steht vor denen, die dieser Lauf ansieht, ► vor dem jetzigen",
);

/// Entries shown before the present one.
const ABOVE: usize = 5;
/// Entries shown from the present one on.
const BELOW: usize = 10;

/// The walk at its present step.
#[must_use]
pub fn page(walk: Option<&Walk>, lang: Lang) -> Page {
    let mut page = Page::new();
    let Some(walk) = walk else {
        page.say(Role::Quiet, NO_WALK.get(lang));
        return page;
    };
    step(&mut page, walk, lang);
    totals(&mut page, walk.totals(), lang);
    page.gap();
    if walk.entries().is_empty() {
        page.say(Role::Info, NO_INDEX.get(lang));
    } else {
        entries(&mut page, walk, lang);
    }
    page
}

/// Every step in words, then the totals.
#[must_use]
pub fn listing(walk: &Walk, lang: Lang) -> Page {
    let mut page = Page::new();
    walk.listing(lang).into_iter().for_each(|line| page.say(Role::Text, line));
    page
}

fn step(page: &mut Page, walk: &Walk, lang: Lang) {
    let (at, all) = (walk.at().to_string(), walk.steps().len().to_string());
    let mut line = Line::of(Role::Heading, STEP.fill(lang, &[("at", &at), ("all", &all)])).hang(2);
    match walk.at().checked_sub(1).and_then(|at| walk.steps().get(at)) {
        Some(step) => line.push(Role::Strong, format!("  {}", walk.line(step, lang))),
        None => line.push(Role::Quiet, format!("  {}", BEFORE.get(lang))),
    }
    page.line(line);
}

fn totals(page: &mut Page, totals: Totals, lang: Lang) {
    let figures = [
        (totals.seeks, Words::new("seeks", "Sprünge")),
        (totals.keys, Words::new("keysExamined", "keysExamined")),
        (totals.docs, Words::new("docsExamined", "docsExamined")),
        (totals.dropped, Words::new("duplicates dropped", "Doppelte verworfen")),
        (totals.rejected, Words::new("filtered out", "ausgefiltert")),
        (totals.returned, Words::new("returned", "zurückgegeben")),
    ];
    let mut line = Line::new().hang(2);
    for (figure, words) in figures {
        line.push(Role::Figure, format!("{figure} "));
        line.push(Role::Text, format!("{}  ", words.get(lang)));
    }
    page.line(line);
}

fn entries(page: &mut Page, walk: &Walk, lang: Lang) {
    let window = walk.window(ABOVE, BELOW);
    let (first, last) = ((window.first + 1).to_string(), (window.first + window.entries.len()).to_string());
    let all = walk.entries().len().to_string();
    page.line(Line::of(Role::Quiet, ENTRIES.fill(lang, &[("first", &first), ("last", &last), ("all", &all)])));
    for (at, entry) in window.entries.iter().enumerate() {
        let present = window.present == Some(window.first + at);
        page.line(line(walk, window.first + at, entry, present));
    }
}

fn line(walk: &Walk, at: usize, entry: &IndexEntry, present: bool) -> Line {
    let (sign, role) = match (present, entry.scanned) {
        (true, _) => ("►", Role::First),
        (false, true) => ("▌", Role::Figure),
        (false, false) => (" ", Role::Quiet),
    };
    let mut line = Line::of(role, format!("{sign} ")).and(Role::Quiet, format!("{:>5}  ", at + 1)).code().hang(9);
    line.push(Role::Code, "(");
    for (part, value) in entry.key.iter().enumerate() {
        line.push(Role::Code, if part == 0 { "" } else { ", " });
        one_line(&mut line, View::from(value));
    }
    line.push(Role::Code, ")");
    line.and(Role::Quiet, format!(" → _id {}", walk.id(entry.record)))
}
