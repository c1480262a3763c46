//! What a text gave: printed lines, documents or value, or the error with its place in the text.

use std::sync::Arc;

use bson::Bson;

use crate::error::ErrorCode;
use crate::pitfall::remarks;
use crate::shell::{Failure, FailureKind, Outcome, Shown, Span};
use crate::tui::answer::Answer;
use crate::tui::highlight;
use crate::tui::page::{Line, Page};
use crate::tui::pages::documents::{self, Reading};
use crate::tui::pages::{json, table};
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const DONE: Words = Words::new("Done; the text has no value.", "Fertig; der Text hat keinen Wert.");
const NO_DOCUMENTS: Words = Words::new("No document matches.", "Kein Dokument passt.");
const ONE: Words = Words::new("1 document", "1 Dokument");
const MANY: Words = Words::new("{count documents}", "{count Dokumente}");
const PLACE: Words = Words::new("line {line}, column {column}", "Zeile {line}, Spalte {column}");
const HINT: Words = Words::new("Try", "Versuche");

const THERE: Words = Words::new(
    "{reset} puts the data back, if what stands there came from an earlier run.",
    "{reset} stellt die Daten wieder her, falls das dort aus einem früheren Lauf stammt.",
);
/// How the data are put back: by a key, or by a command where lines are typed.
const RESET: [&str; 2] = ["Alt-R", ":reset"];

/// How documents are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// Trees that fold.
    #[default]
    Tree,
    /// A row per document.
    Table,
    /// Extended JSON.
    Json,
}

impl Shape {
    /// The next shape, in a circle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Tree => Self::Table,
            Self::Table => Self::Json,
            Self::Json => Self::Tree,
        }
    }
}

/// The documents of a value, where it is a list of nothing else.
#[must_use]
pub fn listed(outcome: &Outcome) -> Option<Vec<Bson>> {
    let are_documents = |items: &[Bson]| !items.is_empty() && items.iter().all(|item| item.as_document().is_some());
    match outcome.value.as_ref().ok()? {
        Shown::Documents { documents, .. } => Some(documents.clone()),
        shown @ (Shown::Value(_) | Shown::Whole(_)) => match shown.to_bson() {
            Bson::Array(items) if are_documents(&items) => Some(items),
            _ => None,
        },
        Shown::Nothing | Shown::Text(_) => None,
    }
}

/// What a text gave.
#[must_use]
pub fn page(answer: &Answer, lang: Lang) -> Page {
    let mut page = Page::new();
    let outcome = &answer.outcome;
    for line in outcome.printed.iter().flat_map(|text| text.lines()) {
        page.line(Line::of(Role::Text, line).code());
    }
    page.gap();
    let findings: Vec<_> = answer.noticed.iter().map(|noticed| &noticed.finding).collect();
    for note in remarks(&outcome.notes, &findings) {
        page.line(Line::of(Role::Info, note.message.clone()).hang(2));
    }
    match &outcome.value {
        Ok(shown) => value(&mut page, answer, shown, lang),
        Err(failure) => page.append(failed(failure, outcome.script.text(), lang)),
    }
    page
}

fn value(page: &mut Page, answer: &Answer, shown: &Shown, lang: Lang) {
    match shown {
        Shown::Nothing if answer.outcome.printed.is_empty() => page.say(Role::Quiet, DONE.get(lang)),
        Shown::Nothing => {}
        Shown::Text(text) => text.lines().for_each(|line| page.line(Line::of(Role::Text, line).code())),
        Shown::Value(_) | Shown::Whole(_) | Shown::Documents { .. } => match &answer.documents {
            Some(items) => list(page, items, &answer.reading, answer.shape, lang),
            None => page.append(documents::value(&shown.to_bson(), &answer.reading)),
        },
    }
}

fn list(page: &mut Page, items: &Arc<Vec<Bson>>, reading: &Reading, shape: Shape, lang: Lang) {
    let count = items.len().to_string();
    let heading = match items.len() {
        0 => NO_DOCUMENTS.get(lang).to_owned(),
        1 => ONE.get(lang).to_owned(),
        _ => MANY.fill(lang, &[("count", &count)]),
    };
    page.say(Role::Heading, heading);
    page.append(match (shape, items.len() > documents::MANY) {
        (Shape::Table, _) => table::page(items),
        (Shape::Tree, true) => documents::long(items, reading),
        (Shape::Tree, false) => documents::page(items, reading),
        (Shape::Json, true) => json::long(items, reading),
        (Shape::Json, false) => json::page(items),
    });
}

/// A failure: what, with MongoDB's code and code name, where, and what to type instead.
fn failed(failure: &Failure, text: &str, lang: Lang) -> Page {
    let mut page = Page::new();
    let mut head = Line::of(Role::Bad, failure.class()).hang(2);
    if let FailureKind::Command(_, error) = &failure.kind {
        head.push(Role::Bad, format!(" {} {}", error.code.number(), error.code.name()));
    }
    if let Some((line, column)) = failure.position(text) {
        let (line, column) = (line.to_string(), column.to_string());
        head.push(Role::Quiet, format!("  {}", PLACE.fill(lang, &[("line", &line), ("column", &column)])));
    }
    page.line(head);
    for line in failure.message.lines() {
        page.say(Role::Text, line);
    }
    if let Some(span) = &failure.span {
        page.gap();
        page.append(excerpt(text, span, Role::ErrorSpan));
    }
    let is_there = failure.code().is_some_and(|code| code == ErrorCode::DuplicateKey);
    let hints = failure.hint.as_ref().map(|hint| [(); 2].map(|()| hint.clone()));
    let there = || RESET.map(|reset| THERE.fill(lang, &[("reset", reset)]));
    if let Some([drawn, read]) = hints.or_else(|| is_there.then(there)) {
        let head = format!("{}: ", HINT.get(lang));
        page.gap();
        page.line(Line::of(Role::Key, head.clone()).and(Role::Text, drawn).hang(2).read_as(head + &read));
    }
    page
}

/// The line a span begins in, with the span underlined by signs below it.
pub(super) fn excerpt(text: &str, span: &Span, role: Role) -> Page {
    let mut page = Page::new();
    let start = span.start.min(text.len());
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let number = text[..start].matches('\n').count() + 1;
    let gutter = format!("{number:>3} | ");
    let mut line = Line::of(Role::Quiet, gutter.clone()).code().hang(gutter.len());
    line.pieces.extend(highlight::lines(&text[from..to]).into_iter().flat_map(|line| line.pieces));
    let at = |byte: usize| gutter.len() + byte - from;
    page.line(line.under(at(start)..at(span.end.clamp(start, to)), role));
    page
}
