//! The colours of mongosh text, by a small grammar of our own.

use std::ops::Range;
use std::sync::OnceLock;

use syntect::parsing::{ParseState, ScopeStack, SyntaxDefinition, SyntaxSet, SyntaxSetBuilder};

use crate::tui::page::Line;
use crate::tui::role::Role;

/// Longer lines are shown without colours, so that a huge paste stays quick.
const LONGEST: usize = 4000;

fn grammar() -> Option<&'static SyntaxSet> {
    static SET: OnceLock<Option<SyntaxSet>> = OnceLock::new();
    SET.get_or_init(|| {
        let text = include_str!("mongosh.sublime-syntax");
        let mut set = SyntaxSetBuilder::new();
        set.add(SyntaxDefinition::load_from_str(text, false, None).ok()?);
        Some(set.build())
    })
    .as_ref()
}

/// The coloured parts of a line: bytes and meaning.
pub type Spans = Vec<(Range<usize>, Role)>;

/// The parts of each line that have a meaning, as byte ranges.
#[must_use]
pub fn spans<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Spans> {
    let mut kept = Kept::default();
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    kept.update(&lines);
    kept.lines.into_iter().map(|line| line.spans).collect()
}

/// The colours of a text that changes: only lines that changed, and those below that they change, are looked at anew.
#[derive(Debug, Default)]
pub struct Kept {
    lines: Vec<Coloured>,
}

#[derive(Debug)]
struct Coloured {
    text: String,
    spans: Spans,
    /// What is open at the end of the line.
    after: (ParseState, ScopeStack),
}

impl Kept {
    /// The coloured parts of a line.
    #[must_use]
    pub fn line(&self, number: usize) -> &[(Range<usize>, Role)] {
        self.lines.get(number).map_or(&[], |line| line.spans.as_slice())
    }

    /// Follows a change of the text.
    pub fn update(&mut self, texts: &[String]) {
        let Some((set, syntax)) = grammar().and_then(|set| Some((set, set.syntaxes().first()?))) else { return };
        let same = self.lines.iter().zip(texts).take_while(|(line, text)| line.text == **text).count();
        let old = self.lines.split_off(same);
        let start = || (ParseState::new(syntax), ScopeStack::new());
        let mut state = self.lines.last().map_or_else(start, |line| line.after.clone());
        for (at, text) in texts.iter().enumerate().skip(same) {
            let spans = line_spans(&mut state.0, &mut state.1, set, text);
            self.lines.push(Coloured { text: text.clone(), spans, after: state.clone() });
            if let Some(rest) = unchanged(&old, texts, at, &state) {
                self.lines.extend(old.into_iter().skip(rest));
                return;
            }
        }
    }
}

/// From which of the old lines on everything stays as it was, when a line has just been looked at anew.
fn unchanged(old: &[Coloured], texts: &[String], at: usize, state: &(ParseState, ScopeStack)) -> Option<usize> {
    let below = &texts[at + 1..];
    let first = old.len().checked_sub(below.len()).filter(|first| *first > 0)?;
    let same = old[first - 1].after == *state && old[first..].iter().zip(below).all(|(line, text)| line.text == *text);
    same.then_some(first)
}

fn line_spans(
    state: &mut ParseState,
    stack: &mut ScopeStack,
    set: &SyntaxSet,
    line: &str,
) -> Vec<(Range<usize>, Role)> {
    if line.len() > LONGEST {
        return Vec::new();
    }
    let Ok(operations) = state.parse_line(line, set) else { return Vec::new() };
    let mut spans = Vec::new();
    let mut start = 0;
    for (at, operation) in operations {
        spans.extend(role(stack).filter(|_| at > start).map(|role| (start..at, role)));
        start = at;
        // A grammar of our own never pops what it has not pushed.
        let _ = stack.apply(&operation);
    }
    spans.extend(role(stack).filter(|_| line.len() > start).map(|role| (start..line.len(), role)));
    spans
}

fn role(stack: &ScopeStack) -> Option<Role> {
    let scope = stack.as_slice().last()?.build_string();
    Some(match scope.as_str() {
        "comment" => Role::Comment,
        "operator" => Role::Operator,
        "field" => Role::Field,
        "literal" => Role::Literal,
        "number" => Role::Number,
        "keyword" => Role::Keyword,
        "method" => Role::Method,
        _ => return None,
    })
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
