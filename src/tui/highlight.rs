//! The colours of mongosh text: what the shell says its parts are, as roles.

use std::ops::Range;

use crate::shell::{Highlighted, Meaning, highlight};
use crate::tui::page::Line;
use crate::tui::role::Role;

/// The coloured parts of a line: bytes and role.
pub type Spans = Vec<(Range<usize>, Role)>;

/// The parts of each line that have a role, as byte ranges.
#[must_use]
pub fn spans<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Spans> {
    highlight(lines).iter().map(|meanings| roles(meanings)).collect()
}

/// The colours of a text that changes.
#[derive(Debug, Default)]
pub struct Kept(Highlighted);

impl Kept {
    /// The coloured parts of a line.
    #[must_use]
    pub fn line(&self, number: usize) -> Spans {
        roles(self.0.line(number))
    }

    /// Follows a change of the text.
    pub fn update(&mut self, texts: &[String]) {
        self.0.update(texts);
    }
}

fn roles(meanings: &[(Range<usize>, Meaning)]) -> Spans {
    meanings.iter().map(|(at, meaning)| (at.clone(), role(*meaning))).collect()
}

fn role(meaning: Meaning) -> Role {
    match meaning {
        Meaning::Comment => Role::Comment,
        Meaning::Operator => Role::Operator,
        Meaning::Field => Role::Field,
        Meaning::Literal => Role::Literal,
        Meaning::Number => Role::Number,
        Meaning::Keyword => Role::Keyword,
        Meaning::Method => Role::Method,
    }
}

/// Code as lines of a page.
#[must_use]
pub fn lines(code: &str) -> Vec<Line> {
    let spans = spans(code.lines());
    code.lines().zip(spans).map(|(text, spans)| coloured(text, &spans)).collect()
}

fn coloured(text: &str, spans: &[(Range<usize>, Role)]) -> Line {
    let mut line = Line::new().code();
    let mut at = 0;
    for (range, role) in spans {
        line.push(Role::Code, &text[at..range.start]);
        line.push(*role, &text[range.clone()]);
        at = range.end;
    }
    line.push(Role::Code, &text[at..]);
    line
}
