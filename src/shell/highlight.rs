//! What the parts of mongosh text are, for colouring it: a small grammar of our own, read by syntect.
//!
//! It works line by line and keeps no brackets, so that no text is too deep for it, and stops at a length, so that none is
//! too long.

use std::ops::Range;
use std::sync::OnceLock;

use syntect::dumps::from_uncompressed_data;
use syntect::parsing::{ParseState, ScopeStack, SyntaxSet};

/// Longer lines are left plain.
const LONGEST_LINE: usize = 4_000;
/// What stands behind so many bytes is left plain.
const LONGEST_TEXT: usize = 200_000;

/// What a part of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A comment.
    Comment,
    /// An operator or stage, with or without quotes.
    Operator,
    /// A key of an object.
    Field,
    /// A text or a regular expression.
    Literal,
    /// A number, a date, or what makes one.
    Number,
    /// A word of the language, and `db`.
    Keyword,
    /// A name that is called.
    Method,
}

/// The parts of a line that have a meaning, as byte ranges in order.
pub type Meanings = Vec<(Range<usize>, Meaning)>;

/// The parts of each line that have a meaning.
#[must_use]
pub fn highlight<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Meanings> {
    let lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    let mut highlighted = Highlighted::default();
    highlighted.update(&lines);
    let mut found: Vec<Meanings> = highlighted.lines.into_iter().map(|line| line.meanings).collect();
    found.resize(lines.len(), Vec::new());
    found
}

/// The meanings of a text that changes: only lines that changed, and those below that they change, are looked at anew.
#[derive(Debug, Default)]
pub struct Highlighted {
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    text: String,
    meanings: Meanings,
    /// What is open at the end of the line.
    after: (ParseState, ScopeStack),
}

impl Highlighted {
    /// The parts of a line that have a meaning.
    #[must_use]
    pub fn line(&self, number: usize) -> &[(Range<usize>, Meaning)] {
        self.lines.get(number).map_or(&[], |line| line.meanings.as_slice())
    }

    /// Follows a change of the text.
    pub fn update(&mut self, texts: &[String]) {
        let Some((set, syntax)) = grammar().and_then(|set| Some((set, set.syntaxes().first()?))) else { return };
        let same = self.lines.iter().zip(texts).take_while(|(line, text)| line.text == **text).count();
        let old = self.lines.split_off(same);
        let start = || (ParseState::new(syntax), ScopeStack::new());
        let mut state = self.lines.last().map_or_else(start, |line| line.after.clone());
        let mut read: usize = self.lines.iter().map(|line| line.text.len()).sum();
        for (at, text) in texts.iter().enumerate().skip(same) {
            read = read.saturating_add(text.len());
            if read > LONGEST_TEXT {
                return;
            }
            let meanings = meanings(&mut state, set, text);
            self.lines.push(Line { text: text.clone(), meanings, after: state.clone() });
            if let Some(rest) = unchanged(&old, texts, at, &state) {
                self.lines.extend(old.into_iter().skip(rest));
                return;
            }
        }
    }
}

/// From which of the old lines on everything stays as it was, when a line has just been looked at anew.
fn unchanged(old: &[Line], texts: &[String], at: usize, state: &(ParseState, ScopeStack)) -> Option<usize> {
    let below = &texts[at + 1..];
    let first = old.len().checked_sub(below.len()).filter(|first| *first > 0)?;
    let same = old[first - 1].after == *state && old[first..].iter().zip(below).all(|(line, text)| line.text == *text);
    same.then_some(first)
}

fn grammar() -> Option<&'static SyntaxSet> {
    static SET: OnceLock<Option<SyntaxSet>> = OnceLock::new();
    // As `build.rs` has read it: reading the grammar would take longer than a start may.
    SET.get_or_init(|| from_uncompressed_data(include_bytes!(concat!(env!("OUT_DIR"), "/mongosh.packdump"))).ok())
        .as_ref()
}

fn meanings((state, stack): &mut (ParseState, ScopeStack), set: &SyntaxSet, line: &str) -> Meanings {
    if line.len() > LONGEST_LINE {
        return Vec::new();
    }
    let Ok(operations) = state.parse_line(line, set) else { return Vec::new() };
    let mut found = Vec::new();
    let mut start = 0;
    for (at, operation) in operations {
        found.extend(meaning(stack).filter(|_| at > start).map(|meaning| (start..at, meaning)));
        start = at;
        // A grammar of our own never pops what it has not pushed.
        let _ = stack.apply(&operation);
    }
    found.extend(meaning(stack).filter(|_| line.len() > start).map(|meaning| (start..line.len(), meaning)));
    found
}

fn meaning(stack: &ScopeStack) -> Option<Meaning> {
    Some(match stack.as_slice().last()?.build_string().as_str() {
        "comment" => Meaning::Comment,
        "operator" => Meaning::Operator,
        "field" => Meaning::Field,
        "literal" => Meaning::Literal,
        "number" => Meaning::Number,
        "keyword" => Meaning::Keyword,
        "method" => Meaning::Method,
        _ => return None,
    })
}
