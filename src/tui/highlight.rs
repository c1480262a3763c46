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

/// The parts of each line that have a meaning, as byte ranges.
#[must_use]
pub fn spans<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Vec<(Range<usize>, Role)>> {
    let Some(set) = grammar() else { return lines.map(|_| Vec::new()).collect() };
    let Some(syntax) = set.syntaxes().first() else { return Vec::new() };
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    lines.map(|line| line_spans(&mut state, &mut stack, set, line)).collect()
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
