//! Lays out a statement: one line where it fits, else one part a line, brackets indented.

use super::lex::{Token, TokenKind, tokens};

/// Columns a line may take.
const WIDTH: usize = 80;

/// Formats a text. Its tokens stay as they are, only the space between them changes; a text with an unclosed string or
/// bracket, with a comment or a template of several lines is given back unchanged.
#[must_use]
pub fn format(text: &str) -> String {
    let all = tokens(text);
    let fixed = |token: &Token| {
        token.kind == TokenKind::Comment
            || token.kind == TokenKind::Text(false)
            || text[token.span.clone()].contains('\n')
    };
    if all.iter().any(fixed) || unbalanced(text, &all) {
        return text.to_owned();
    }
    let parts: Vec<Part<'_>> = all
        .iter()
        .enumerate()
        .map(|(at, token)| Part {
            text: &text[token.span.clone()],
            spaced: at > 0 && all[at - 1].span.end < token.span.start,
            broken: at > 0 && text[all[at - 1].span.end..token.span.start].contains('\n'),
            kind: token.kind,
        })
        .collect();
    let mut layout = Layout { parts: &parts, out: String::new(), indent: 0 };
    layout.run(0, parts.len());
    layout.out
}

fn unbalanced(text: &str, all: &[Token]) -> bool {
    let mut depth = 0_i32;
    for token in all {
        match &text[token.span.clone()] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return true;
        }
    }
    depth != 0
}

struct Part<'a> {
    text: &'a str,
    spaced: bool,
    broken: bool,
    kind: TokenKind,
}

struct Layout<'a> {
    parts: &'a [Part<'a>],
    out: String,
    indent: usize,
}

impl Layout<'_> {
    fn word(&self, at: usize) -> &str {
        self.parts.get(at).map_or("", |part| part.text)
    }

    fn column(&self) -> usize {
        self.out.rsplit('\n').next().map_or(0, |line| line.chars().count())
    }

    /// Whether nothing but the indent stands on the line yet.
    fn begins_line(&self) -> bool {
        self.column() == self.indent && self.out.ends_with(' ')
    }

    fn line(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.out.push_str(&" ".repeat(self.indent));
    }

    /// The position behind the bracket that closes the one at a position.
    fn behind(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.parts.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth -= 1;
                    if depth == 0 {
                        return at + 1;
                    }
                }
                _ => {}
            }
        }
        self.parts.len()
    }

    fn run(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            if matches!(self.word(at), "(" | "[" | "{") {
                let end = self.behind(at);
                self.bracket(at, end);
                at = end;
            } else {
                self.token(at);
                at += 1;
            }
        }
    }

    fn token(&mut self, at: usize) {
        if self.parts[at].broken && self.indent == 0 {
            self.line();
        } else if self.gap(at) {
            self.out.push(' ');
        }
        self.out.push_str(self.parts[at].text);
    }

    /// A bracket with a block of statements keeps its lines; any other is broken up only where it is too wide.
    fn bracket(&mut self, open: usize, end: usize) {
        if self.gap(open) && !self.begins_line() {
            self.out.push(' ');
        }
        let flat = self.flat(open, end);
        let block = self.word(open) == "{" && (open + 1..end).any(|at| self.word(at) == ";");
        let tail = usize::from(matches!(self.word(end), "," | ";" | ")"));
        if !block && self.column() + flat.chars().count() + tail <= WIDTH {
            self.out.push_str(&flat);
            return;
        }
        let only = open + 2 < end && matches!(self.word(open + 1), "{" | "[") && self.behind(open + 1) == end - 1;
        self.out.push_str(self.parts[open].text);
        if only {
            // `find({ … })`: the two brackets share their lines.
            self.bracket(open + 1, end - 1);
        } else {
            self.broken(open, end, block);
        }
        self.out.push_str(self.parts[end - 1].text);
    }

    fn broken(&mut self, open: usize, end: usize, block: bool) {
        self.indent += 2;
        self.line();
        let mut at = open + 1;
        let mut fresh = true;
        while at < end - 1 {
            if matches!(self.word(at), "(" | "[" | "{") {
                let behind = self.behind(at);
                self.bracket(at, behind);
                at = behind;
            } else {
                if !fresh && self.gap(at) {
                    self.out.push(' ');
                }
                self.out.push_str(self.parts[at].text);
                at += 1;
            }
            fresh = false;
            let ends = self.word(at - 1) == ","
                || self.word(at - 1) == ";"
                || (block && at < end - 1 && self.parts[at].broken);
            if ends && at < end - 1 {
                self.line();
                fresh = true;
            }
        }
        self.indent -= 2;
        self.line();
    }

    fn flat(&self, open: usize, end: usize) -> String {
        let mut text = String::new();
        for at in open..end {
            if at > open && self.gap(at) {
                text.push(' ');
            }
            text.push_str(self.parts[at].text);
        }
        text
    }

    /// Whether a space stands before a token.
    fn gap(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| &self.parts[before]) else { return false };
        let (left, right) = (before.text, self.parts[at].text);
        if matches!(right, "," | ";" | ")" | "]" | ":" | "." | "?.")
            || matches!(left, "(" | "[" | "." | "?." | "..." | "!")
        {
            // A colon of `a ? b : c` keeps the space it has.
            return right == ":" && self.parts[at].spaced && before.spaced && left != "\"";
        }
        match (left, right) {
            ("{", "}") => false,
            ("{", _) | (_, "}") => true,
            ("," | ":" | ";", _) => true,
            (_, "(" | "[") => {
                self.parts[at].spaced && before.kind != TokenKind::Word
                    || matches!(left, "if" | "for" | "while" | "return" | "of" | "in" | "const" | "let" | "var")
                    || left.starts_with(['=', '+', '<', '>', '&', '|', '?'])
            }
            _ => self.parts[at].spaced || left.starts_with("=>") || right.starts_with("=>"),
        }
    }
}
