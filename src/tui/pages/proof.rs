//! One piece of proof as a page: the document with the elements that decided, results, bounds, work and counts.

use std::collections::BTreeMap;

use crate::pitfall::Evidence;
use crate::shell::literal;
use crate::tui::page::{Line, Page};
use crate::tui::pages::documents::{self, Mark, Reading};
use crate::tui::role::Role;
use crate::value::{Bson, Document, View, equal};
use crate::words::{Lang, Words};

const GIVES: Words = Words::new("Your text gives {count}", "Dein Text ergibt {count}");
const MEANT: Words = Words::new("What it seems to mean gives {count}", "Das wohl Gemeinte ergibt {count}");
const PROOF: Words =
    Words::new("This document was judged by the marked parts", "Über dieses Dokument entschieden die markierten Teile");
const MADE: Words = Words::new(
    "Your data shows no difference; this document was made for the proof and is misjudged",
    "Deine Daten zeigen keinen Unterschied; dieses Dokument wurde für den Beweis gemacht und wird falsch beurteilt",
);
const YOURS: Words = Words::new("as typed", "wie getippt");
const CURED: Words = Words::new("cured", "behoben");
const BEFORE: Words = Words::new("before", "vorher");
const AFTER: Words = Words::new("after", "nachher");
const NO_DOCUMENT: Words = Words::new("no document", "kein Dokument");
const STORED: Words = Words::new("as MongoDB orders them", "wie MongoDB sie ordnet");
const INTENDED: Words = Words::new("as meant", "wie gemeint");

/// So many ids are written out; the rest are counted.
const IDS: usize = 12;

/// A piece of proof.
#[must_use]
pub fn page(evidence: &Evidence, lang: Lang) -> Page {
    match evidence {
        Evidence::Results { learner, meant } => results(learner, meant, lang),
        Evidence::Document { document, deciding, made } => marked(document, deciding, *made, lang),
        Evidence::Bounds { learner, cured } => pair([YOURS, CURED], bounds(learner), bounds(cured), lang),
        Evidence::Cost { learner, cured } => pair([YOURS, CURED], cost(*learner), cost(*cured), lang),
        Evidence::Write { before, after } => {
            pair([BEFORE, AFTER], written(before.as_ref(), lang), written(after.as_ref(), lang), lang)
        }
        Evidence::Counts { of, counts } => counted(of, counts),
        Evidence::Orders { stored, meant } => pair([STORED, INTENDED], ids(stored), ids(meant), lang),
        Evidence::Refusal { code, message } => {
            let mut page = Page::new();
            page.line(Line::of(Role::Bad, format!("{code} ")).and(Role::Text, message.clone()).hang(2));
            page
        }
    }
}

/// Two parts side by side, each under its name.
fn pair(names: [Words; 2], left: Page, right: Page, lang: Lang) -> Page {
    let named = |name: Words, part: Page| {
        let mut page = Page::new();
        page.say(Role::Heading, name.get(lang));
        page.append(part);
        page
    };
    let mut page = Page::new();
    page.beside(&[named(names[0], left), named(names[1], right)]);
    page
}

fn results(learner: &[Bson], meant: &[Bson], lang: Lang) -> Page {
    let mut page = Page::new();
    for (words, list, other, sign) in [(GIVES, learner, meant, TOO_MANY), (MEANT, meant, learner, LACKING)] {
        let extra: Vec<&Bson> = list.iter().filter(|id| !other.iter().any(|known| is(id, known))).collect();
        page.say(Role::Heading, words.fill(lang, &[("count", &list.len().to_string())]));
        page.append(signed(list, &extra, sign));
    }
    page
}

fn is(left: &Bson, right: &Bson) -> bool {
    equal(View::from(left), View::from(right))
}

/// The ids of documents in a value, or the value itself.
#[must_use]
pub fn documents(value: &Bson) -> Vec<Bson> {
    let id = |item: &Bson| item.as_document().and_then(|document| document.get("_id")).unwrap_or(item).clone();
    value.as_array().map_or_else(|| vec![value.clone()], |items| items.iter().map(id).collect())
}

/// The sign of what should not be there.
const TOO_MANY: (Role, &str) = (Role::Bad, "✗");
/// The sign of what the other list lacks.
const LACKING: (Role, &str) = (Role::Good, "+");

/// Values in a line.
#[must_use]
pub fn ids(list: &[Bson]) -> Page {
    signed(list, &[], TOO_MANY)
}

/// Values in a line; those that only this list has are marked with a sign, and come first so that none of them is cut off.
fn signed(list: &[Bson], extra: &[&Bson], mark: (Role, &'static str)) -> Page {
    let is_extra = |id: &&Bson| extra.iter().any(|known| is(id, known));
    let (first, rest): (Vec<&Bson>, Vec<&Bson>) = list.iter().partition(is_extra);
    let mut line = Line::of(Role::Figure, format!("{} ", list.len())).and(Role::Quiet, "_id ").hang(2);
    let marked = first.len();
    for (at, id) in first.into_iter().chain(rest).take(IDS).enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let (role, sign) = if at < marked { mark } else { (Role::Code, "") };
        line = line.and(Role::Code, comma).and(role, format!("{sign}{}", literal(id)));
    }
    if let Some(more) = list.len().checked_sub(IDS).filter(|more| *more > 0) {
        line.push(Role::Quiet, format!(", … {more}"));
    }
    let mut page = Page::new();
    page.line(line);
    page
}

/// A document whose deciding elements are numbered, each with what it met.
fn marked(document: &Document, deciding: &[(String, String)], made: bool, lang: Lang) -> Page {
    let mut page = Page::new();
    page.say(Role::Heading, if made { MADE.get(lang) } else { PROOF.get(lang) });
    let marks = marks(deciding);
    page.append(documents::page(&[Bson::Document(document.clone())], &Reading { marks, ..Reading::default() }));
    page
}

/// The marks of the elements that hold the deciding paths, numbered in the order of the predicates.
fn marks(deciding: &[(String, String)]) -> BTreeMap<String, Mark> {
    let mut elements: Vec<(String, Vec<String>)> = Vec::new();
    for (path, role) in deciding {
        let (element, inner) = element(path);
        let said = if role.is_empty() { inner.to_owned() } else { format!("{inner} = {role}") };
        match elements.iter_mut().find(|(known, _)| known == element) {
            Some((_, parts)) => parts.push(said),
            None => elements.push((element.to_owned(), vec![said])),
        }
    }
    let mark = |(at, (path, parts)): (usize, (String, Vec<String>))| {
        let role = if at % 2 == 0 { Role::First } else { Role::Second };
        (format!("0.{path}"), Mark { role, note: format!("{}: {}", at + 1, parts.join(", ")) })
    };
    elements.into_iter().enumerate().map(mark).collect()
}

/// A path cut behind its last array position, and what follows; a path without positions is its own element.
fn element(path: &str) -> (&str, &str) {
    let mut end = 0;
    let mut start = 0;
    for part in path.split('.') {
        let stop = start + part.len();
        if start > 0 && part.bytes().all(|byte| byte.is_ascii_digit()) {
            end = stop;
        }
        start = stop + 1;
    }
    match (end, path.get(end + 1..)) {
        (0, _) => (path, path),
        (_, None) => (path, path),
        (_, Some(inner)) => (&path[..end], inner),
    }
}

fn bounds(parts: &[(String, Vec<String>)]) -> Page {
    let mut page = Page::new();
    for (field, intervals) in parts {
        page.line(Line::of(Role::Field, field.clone()).and(Role::Code, format!(": {}", intervals.join(", "))).hang(2));
    }
    page
}

fn cost([keys, documents, returned]: [u64; 3]) -> Page {
    let mut page = Page::new();
    for (name, figure) in [("keysExamined", keys), ("docsExamined", documents), ("nReturned", returned)] {
        page.line(Line::of(Role::Figure, format!("{figure:>6}")).and(Role::Text, format!(" {name}")).hang(7));
    }
    page
}

fn written(document: Option<&Document>, lang: Lang) -> Page {
    let mut page = Page::new();
    match document {
        Some(document) => page.append(documents::value(&Bson::Document(document.clone()), &Reading::default())),
        None => page.say(Role::Quiet, NO_DOCUMENT.get(lang)),
    }
    page
}

fn counted(of: &str, counts: &[(String, u64)]) -> Page {
    let mut page = Page::new();
    page.say(Role::Heading, of);
    for (name, count) in counts {
        page.line(Line::of(Role::Figure, format!("{count:>6}")).and(Role::Text, format!(" {name}")).hang(7));
    }
    page
}
