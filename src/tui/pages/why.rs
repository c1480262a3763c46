//! Why a document matched or not: the filter's parts with what settled each, and the document with these places marked.

use std::collections::BTreeMap;

use crate::pitfall::Inquiry;
use crate::proof::{Marked, Said, Sign, marked};
use crate::query::Why;
use crate::tui::highlight;
use crate::tui::page::{Line, Page};
use crate::tui::pages::documents::{self, Mark, Reading};
use crate::tui::role::Role;
use crate::value::Bson;
use crate::words::{Lang, Words};

const EMPTY: Words = Words::new("The collection holds no document.", "Die Collection hält kein Dokument.");
const DOCUMENT: Words = Words::new("The document", "Das Dokument");
const BEFORE: Words = Words::new("The document before the change", "Das Dokument vor der Änderung");

/// Why the document at a position matched or not.
#[must_use]
pub fn page(inquiry: &Inquiry, at: usize, lang: Lang) -> Page {
    let mut page = Page::new();
    if inquiry.documents.is_empty() {
        page.say(Role::Quiet, EMPTY.get(lang));
    }
    match inquiry.said(at, lang) {
        Ok(lines) => lines.iter().for_each(|said| page.line(said_line(said))),
        Err(error) => page.say(Role::Bad, error.message),
    }
    if let (Some(Ok(why)), Some(document)) = (inquiry.why(at), inquiry.document(at)) {
        page.gap();
        page.say(Role::Heading, if inquiry.changed { BEFORE } else { DOCUMENT }.get(lang));
        let reading = Reading { marks: marks(&why), ..Reading::default() };
        page.append(documents::page(&[Bson::Document(document)], &reading));
    }
    page
}

/// A line of why.
pub(super) fn said_line(said: &Said) -> Line {
    let role = match said.sign {
        Sign::Met => Role::Good,
        Sign::Failed => Role::Bad,
        Sign::None => Role::Text,
    };
    let indent = 2 * said.depth;
    let mut line = Line::of(Role::Text, " ".repeat(indent)).and(role, said.sign.symbol()).hang(indent + 4);
    code(&mut line, &said.condition);
    code(&mut line, &said.behind());
    line.and(if said.depth == 0 { Role::Strong } else { Role::Info }, said.remark())
}

/// Adds code in its colours.
fn code(line: &mut Line, text: &str) {
    line.pieces.extend(highlight::lines(text).into_iter().flat_map(|code| code.pieces));
}

/// The places of the document that settled the filter; what met two conditions says both.
fn marks(why: &Why) -> BTreeMap<String, Mark> {
    let mut marks: BTreeMap<String, Mark> = BTreeMap::new();
    for Marked { place, good, condition } in marked(why) {
        let (role, sign) = if good { (Role::Good, "✓") } else { (Role::Bad, "✗") };
        let note = format!("{sign} {condition}");
        marks
            .entry(format!("0.{place}"))
            .and_modify(|mark| mark.note = format!("{}, {note}", mark.note))
            .or_insert(Mark { role, note });
    }
    marks
}
