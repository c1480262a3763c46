//! The text as it is handed to the JavaScript engine: shell lines made calls, literals tagged with their place in the tree.

use super::lex::{Token, TokenKind, tokens};
use super::script::{NodeId, Script, Span, Syntax};

/// A text made from the learner's, with the way back to his byte offsets.
#[derive(Debug, Default)]
pub(super) struct Edited {
    pub(super) text: String,
    /// Offset in `text`, offset in the source: each piece runs on one to one from there.
    pieces: Vec<(usize, usize)>,
    /// Where each line of `text` begins.
    lines: Vec<usize>,
}

/// One change: the source span and what stands in its place.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    span: Span,
    text: String,
}

impl Edited {
    /// Applies changes sorted by place; of two insertions at one place the first given comes first.
    pub(super) fn new(source: &str, mut edits: Vec<Edit>) -> Self {
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let mut made = Self::default();
        let mut from = 0;
        for edit in edits {
            made.keep(source, from..edit.span.start);
            made.pieces.push((made.text.len(), edit.span.start));
            made.text.push_str(&edit.text);
            from = edit.span.end;
        }
        made.keep(source, from..source.len());
        made.lines = std::iter::once(0).chain(made.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        made
    }

    fn keep(&mut self, source: &str, span: Span) {
        self.pieces.push((self.text.len(), span.start));
        self.text.push_str(&source[span]);
    }

    /// The source offset of a line and column (both from 1, columns in bytes) of this text.
    pub(super) fn source_offset(&self, line: usize, column: usize) -> usize {
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len());
        self.to_source(start + column.saturating_sub(1))
    }

    fn to_source(&self, offset: usize) -> usize {
        let at = self.pieces.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let Some((start, source)) = self.pieces.get(at) else { return offset };
        let limit = self.pieces.get(at + 1).map_or(usize::MAX, |(_, next)| *next);
        (source + (offset - start)).min(limit)
    }
}

/// Shell lines (`use shop`, `show collections`, `it`, `help`, `exit`) as calls.
pub(super) fn shell_lines(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut depth = 0_usize;
    let all: Vec<&Token> = tokens.iter().filter(|token| token.kind != TokenKind::Comment).collect();
    let mut begins = true;
    for (at, token) in all.iter().enumerate() {
        let starts = token.kind == TokenKind::Word && (begins || token.leads);
        begins = text[token.span.clone()] == *";";
        match &text[token.span.clone()] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            word if depth == 0 && starts => {
                edits.extend(shell_line(text, word, token, all.get(at + 1).copied()));
            }
            _ => {}
        }
    }
    edits
}

fn shell_line(text: &str, word: &str, token: &Token, next: Option<&Token>) -> Option<Edit> {
    let end = text[token.span.end..].find(['\n', ';']).map_or(text.len(), |at| token.span.end + at);
    let rest = text[token.span.end..end].split("//").next().unwrap_or_default().trim();
    match word {
        "use" | "show" if rest.is_empty() && next.is_none_or(|next| next.leads || text[next.span.clone()] == *";") => {
            Some(Edit { text: format!("{word}()"), span: token.span.clone() })
        }
        "use" | "show" => {
            let next = next.filter(|next| next.span.start < end)?;
            let plain =
                matches!(next.kind, TokenKind::Word | TokenKind::Number) || text[next.span.clone()].starts_with('$');
            let named = plain && !rest.contains(['(', '=', '"', '\'', '`']);
            let span = token.span.start..next.span.start + rest.len();
            named.then(|| Edit { text: format!("{word}({rest:?})"), span })
        }
        "help" | "exit" | "quit" | "cls" if rest.is_empty() => {
            let call = if word == "cls" { "console.clear()".to_owned() } else { format!("{word}()") };
            Some(Edit { text: call, span: token.span.clone() })
        }
        _ => None,
    }
}

/// The same text with every changed span made one name of the same length, so that a parser keeps all offsets.
pub(super) fn mask(text: &str, edits: &[Edit]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
        for byte in &mut bytes[edit.span.clone()] {
            if !byte.is_ascii_alphanumeric() {
                *byte = b'_';
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Nothing runs beside a script, so `await` outside of functions is a call that waits.
pub(super) fn awaits(script: &Script) -> Vec<Edit> {
    let wait = |span: &Span| {
        let keyword = span.start..span.start + "await".len();
        [Edit { span: keyword, text: "__wait(".to_owned() }, Edit { span: span.end..span.end, text: ")".to_owned() }]
    };
    script.awaits.iter().flat_map(wait).collect()
}

/// Whether a text brings whole numbers of any length into play.
pub(super) fn uses_long_numbers(text: &str, tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        let word = &text[token.span.clone()];
        match token.kind {
            TokenKind::Number => word.ends_with('n'),
            TokenKind::Word => word.contains("BigInt"),
            TokenKind::Text(_) => word.contains("BigInt") || word.contains("${"),
            _ => word == "\\",
        }
    })
}

/// Marks the start of each statement but the first, and wraps each literal as `__tag(number, literal)`; numbers count from `base`.
///
/// Where numbers of any length are in play, products and powers are wrapped too, to look at how long they have become.
pub(super) fn tags(script: &Script, base: u32, long_numbers: bool) -> Vec<Edit> {
    let insert = |at: usize, text: String| Edit { span: at..at, text };
    let mut edits = Vec::new();
    for (number, id) in script.statements().iter().enumerate().skip(1) {
        if !is_declared_function(script, *id) {
            edits.push(insert(script.node(*id).span.start, format!("var __at=__tag(-{});", number + 1)));
        }
    }
    // What begins with a literal wraps it.
    for span in script.products.iter().filter(|_| long_numbers) {
        edits.push(insert(span.start, "__big(".to_owned()));
        edits.push(insert(span.end, ")".to_owned()));
    }
    for (NodeId(id), node) in script.nodes() {
        if matches!(node.syntax, Syntax::Object(_) | Syntax::Array(_)) {
            edits.push(insert(node.span.start, format!("__tag({},", base + id)));
            edits.push(insert(node.span.end, ")".to_owned()));
        }
    }
    edits
}

/// A part of an edited text as the learner wrote it: without the calls that were put around its literals and products.
pub(super) fn untagged(edited: &str) -> String {
    let all = tokens(edited);
    let word = |at: usize| all.get(at).map_or("", |token: &Token| &edited[token.span.clone()]);
    let (mut out, mut from, mut at) = (String::with_capacity(edited.len()), 0, 0);
    let mut ours = Vec::new();
    while at < all.len() {
        let begins = match word(at) {
            "__tag" if word(at + 1) == "(" && word(at + 3) == "," => 4,
            "__big" if word(at + 1) == "(" => 2,
            _ => 0,
        };
        if begins > 0 {
            out.push_str(&edited[from..all[at].span.start]);
            at += begins;
            from = all[at - 1].span.end;
            ours.push(true);
            continue;
        }
        match word(at) {
            "(" | "[" | "{" => ours.push(false),
            ")" | "]" | "}" if ours.pop() == Some(true) => {
                out.push_str(&edited[from..all[at].span.start]);
                from = all[at].span.end;
            }
            _ => {}
        }
        at += 1;
    }
    out.push_str(&edited[from..]);
    out
}

/// Function declarations are hoisted; a mark before one would only move nothing.
fn is_declared_function(script: &Script, id: NodeId) -> bool {
    let source = script.source(id);
    source.starts_with("function") || source.starts_with("async function")
}
