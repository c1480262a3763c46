//! A forgiving split of the text into words, strings, comments and signs; it never fails, whatever was pasted.

use super::script::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A string or template; the flag tells whether it is closed.
    Text(bool),
    /// A regular expression.
    Regex,
    /// A comment; an open one runs to the end.
    Comment,
    /// Anything else, one sign each (`=>`, `==`, `...` and their like together).
    Sign,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// Whether only space stands before it on its line.
    pub(super) leads: bool,
}

/// Splits a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let (mut at, mut leads, mut regex, mut tries) = (0, true, true, 0);
    while let Some(letter) = text[at..].chars().next() {
        if letter.is_whitespace() {
            leads |= letter == '\n';
            tries = if letter == '\n' { 0 } else { tries };
            at += letter.len_utf8();
            continue;
        }
        let (kind, length) = token(&text[at..], letter, regex && tries < SLASHES);
        // A slash that begins nothing has been looked at up to the line's end.
        tries += usize::from(letter == '/' && regex && kind == TokenKind::Sign);
        let span = at..at + length;
        if kind != TokenKind::Comment {
            regex = regex_may_follow(kind, &text[span.clone()]);
        }
        found.push(Token { kind, span, leads });
        leads = false;
        at += length;
    }
    found
}

/// Slashes in one line that may turn out to begin no regular expression.
const SLASHES: usize = 50;

/// The deepest nesting of brackets, whether or not they are closed.
pub(super) fn depth(tokens: &[Token], text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for token in tokens.iter().filter(|token| token.kind == TokenKind::Sign) {
        match &text[token.span.clone()] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// About how many names are declared.
pub(super) fn declared(tokens: &[Token], text: &str) -> usize {
    let (mut depth, mut declaring, mut names) = (0_usize, None, 0);
    for token in tokens.iter().filter(|token| matches!(token.kind, TokenKind::Sign | TokenKind::Word)) {
        match &text[token.span.clone()] {
            "let" | "var" | "const" | "function" | "class" => {
                declaring = Some(depth);
                names += 1;
            }
            "," if declaring == Some(depth) => names += 1,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            ";" => declaring = None,
            _ => {}
        }
    }
    names
}

/// Whether a statement is not at its end: a bracket, a template or a comment is open.
#[must_use]
pub fn is_open(text: &str) -> bool {
    let all = tokens(text);
    let depth = all.iter().fold(0_i32, |depth, token| match (token.kind, &text[token.span.clone()]) {
        (TokenKind::Sign, "(" | "[" | "{") => depth + 1,
        (TokenKind::Sign, ")" | "]" | "}") => depth - 1,
        _ => depth,
    });
    let goes_on = |token: &Token| match (token.kind, &text[token.span.clone()]) {
        (TokenKind::Text(false), template) => template.starts_with('`'),
        (TokenKind::Comment, comment) => comment.starts_with("/*") && !comment[2..].ends_with("*/"),
        _ => false,
    };
    depth > 0 || all.last().is_some_and(goes_on)
}

/// After a value a slash divides; elsewhere it opens a regular expression.
fn regex_may_follow(kind: TokenKind, text: &str) -> bool {
    match kind {
        TokenKind::Word => matches!(text, "return" | "typeof" | "case" | "in" | "of" | "void"),
        TokenKind::Sign => !matches!(text, ")" | "]" | "}"),
        _ => false,
    }
}

fn token(rest: &str, letter: char, regex: bool) -> (TokenKind, usize) {
    match letter {
        '"' | '\'' | '`' => string(rest, letter),
        '/' if rest.starts_with("//") => (TokenKind::Comment, rest.find('\n').unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => (TokenKind::Comment, rest[2..].find("*/").map_or(rest.len(), |end| end + 4)),
        '/' if regex => regular_expression(rest).map_or((TokenKind::Sign, 1), |length| (TokenKind::Regex, length)),
        _ if is_word(letter) && !letter.is_ascii_digit() => (TokenKind::Word, run(rest, is_word)),
        _ if letter.is_ascii_digit() => (TokenKind::Number, run(rest, |other| is_word(other) || other == '.')),
        _ => (TokenKind::Sign, sign(rest, letter)),
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

fn run(rest: &str, belongs: impl Fn(char) -> bool) -> usize {
    rest.find(|letter| !belongs(letter)).unwrap_or(rest.len())
}

fn sign(rest: &str, letter: char) -> usize {
    const LONG: [&str; 18] = [
        "...", "===", "!==", "**=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "**",
    ];
    LONG.iter().find(|long| rest.starts_with(**long)).map_or(letter.len_utf8(), |long| long.len())
}

/// A string ends at its quote; one in plain quotes ends, unclosed, at the line's end.
fn string(rest: &str, quote: char) -> (TokenKind, usize) {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if letter == '\\' {
            escaped = true;
        } else if letter == quote {
            return (TokenKind::Text(true), at + 1);
        } else if letter == '\n' && quote != '`' {
            return (TokenKind::Text(false), at);
        }
    }
    (TokenKind::Text(false), rest.len())
}

fn regular_expression(rest: &str) -> Option<usize> {
    let (mut escaped, mut class) = (false, false);
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '/' if !class => return Some(at + 1 + run(&rest[at + 1..], |flag| flag.is_ascii_alphabetic())),
            _ => {}
        }
    }
    None
}
