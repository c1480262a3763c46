//! The usual slips behind a syntax error, each with what to type instead.

use super::lex::{Token, TokenKind, tokens};
use super::script::Span;
use crate::words::{Lang, Words};

/// A slip found: where, and the advice.
pub(super) struct Slip {
    pub(super) span: Span,
    pub(super) advice: String,
    /// Whether the advice says all, and the engine's own words would only puzzle.
    pub(super) whole: bool,
}

const SMART: Words = Words::new(
    "`{found}` is a typographic quote: type straight quotes, \" or '.",
    "`{found}` ist ein typografisches Anführungszeichen: tippe gerade, \" oder '.",
);
const SQL: Words = Words::new("This is SQL. Here one types {instead}.", "Das ist SQL. Hier tippt man {instead}.");
const PROMPT: Words = Words::new("Leave out the prompt `{found}`.", "Lass die Eingabeaufforderung `{found}` weg.");
const HASH: Words =
    Words::new("`{found}` begins no comment: type // instead.", "`{found}` beginnt keinen Kommentar: tippe //.");
const OPEN_TEXT: Words = Words::new(
    "This text has no closing quote: type {found} at its end.",
    "Diesem Text fehlt das schließende Anführungszeichen: tippe {found} an sein Ende.",
);
const OPEN: Words = Words::new(
    "`{found}` is never closed: type a `{wanted}` where it ends.",
    "`{found}` wird nie geschlossen: tippe `{wanted}` dort, wo es endet.",
);
const MISMATCH: Words = Words::new(
    "`{found}` cannot close a `{open}`: type `{wanted}` here.",
    "`{found}` kann kein `{open}` schließen: tippe hier `{wanted}`.",
);
const EXTRA: Words = Words::new(
    "There is no open bracket for this `{found}`: remove it.",
    "Zu diesem `{found}` ist nichts offen: entferne es.",
);
const COMMA: Words = Words::new("A comma is missing before `{found}`.", "Vor `{found}` fehlt ein Komma.");
const COLON: Words = Words::new(
    "A colon is missing between the key and `{found}`.",
    "Zwischen dem Schlüssel und `{found}` fehlt ein Doppelpunkt.",
);
const EQUALS: Words = Words::new(
    "In an object a colon joins key and value: type `:` instead of `{found}`.",
    "In einem Objekt verbindet ein Doppelpunkt Schlüssel und Wert: tippe `:` statt `{found}`.",
);
const QUOTE_KEY: Words = Words::new(
    "This key needs quotes: type \"{found}\".",
    "Dieser Schlüssel braucht Anführungszeichen: tippe \"{found}\".",
);
const QUOTE_VALUE: Words =
    Words::new("A text needs quotes: type \"{found}\".", "Ein Text braucht Anführungszeichen: tippe \"{found}\".");
const SEMICOLON: Words = Words::new(
    "Inside brackets a comma separates: type `,` instead of `;`.",
    "In Klammern trennt ein Komma: tippe `,` statt `;`.",
);
const BRACES: Words = Words::new(
    "Key and value need braces around them: type {…} inside the parentheses.",
    "Schlüssel und Wert brauchen geschweifte Klammern: tippe {…} in die runden.",
);
const ALONE: Words = Words::new(
    "This is a document and no statement: put it into db.NAME.find(…) or db.NAME.insertOne(…).",
    "Das ist ein Dokument und keine Anweisung: setz es in db.NAME.find(…) oder db.NAME.insertOne(…).",
);
const DOT: Words = Words::new(
    "The statement ends with a dot: a method's name is missing.",
    "Die Anweisung endet mit einem Punkt: es fehlt der Name einer Methode.",
);
const WORD_AND: Words =
    Words::new("`{found}` is no operator here: type {wanted}.", "`{found}` ist hier kein Operator: tippe {wanted}.");
const TWO: Words = Words::new(
    "Two statements in one line need a `;` between them: type it before `{found}`.",
    "Zwei Anweisungen in einer Zeile brauchen ein `;` dazwischen: tippe es vor `{found}`.",
);
const CALL: Words = Words::new(
    "A call needs parentheses: type ( before this `{found}` and ) behind what it opens.",
    "Ein Aufruf braucht runde Klammern: tippe ( vor dieses `{found}` und ) hinter das, was es öffnet.",
);
const INVISIBLE: Words = Words::new(
    "An invisible character ({code}) stands here: delete it.",
    "Hier steht ein unsichtbares Zeichen ({code}): lösche es.",
);
const LOOKALIKE: Words = Words::new(
    "`{found}` only looks like `{wanted}`: type `{wanted}`.",
    "`{found}` sieht nur aus wie `{wanted}`: tippe `{wanted}`.",
);
const LEFT_OUT: Words = Words::new(
    "`{found}` stands for something left out: type what belongs here.",
    "`{found}` steht für etwas Ausgelassenes: tippe, was hierher gehört.",
);
const COMPARE: Words = Words::new(
    "In a filter a comparison is an operator: type {key}: {wanted}.",
    "In einem Filter ist ein Vergleich ein Operator: tippe {key}: {wanted}.",
);
const OPEN_REGEX: Words =
    Words::new("This regular expression has no closing /.", "Diesem regulären Ausdruck fehlt das schließende /.");
const KEY: Words = Words::new(
    "A key belongs here; to begin another object, close the one before with `}`.",
    "Hierher gehört ein Schlüssel; um ein weiteres Objekt zu beginnen, schließe das vorige mit `}`.",
);
const JOINED: Words = Words::new(
    "Conditions are joined by a comma; if only one has to hold, type $or: [{…}, {…}].",
    "Bedingungen verbindet ein Komma; soll nur eine gelten, tippe $or: [{…}, {…}].",
);
const SPACED: Words = Words::new(
    "A collection name with a space needs brackets: db[\"{name}\"].",
    "Ein Collection-Name mit Leerzeichen braucht Klammern: db[\"{name}\"].",
);
const OUTSIDE: Words = Words::new(
    "`{found}` is a command of your system's shell: type exit to go back there.",
    "`{found}` ist ein Befehl der Shell deines Systems: tippe exit, um dorthin zurückzukehren.",
);
const OPERATOR: Words = Words::new(
    "An operator and its value need braces of their own: type {key}: {wanted}.",
    "Ein Operator und sein Wert brauchen eigene geschweifte Klammern: tippe {key}: {wanted}.",
);
const OPEN_COMMENT: Words = Words::new("This comment has no closing */.", "Diesem Kommentar fehlt das schließende */.");

/// Programs that are typed into this shell by mistake.
const PROGRAMS: &[&str] = &[
    "apt",
    "brew",
    "cat",
    "cd",
    "clear",
    "docker",
    "git",
    "ls",
    "mongo",
    "mongod",
    "mongodump",
    "mongoexport",
    "mongoimport",
    "mongorestore",
    "mongosh",
    "node",
    "npm",
    "npx",
    "pegboard",
    "pip",
    "pwd",
    "python",
    "sudo",
];

const NUL: Words = Words::new("The text holds a NUL byte: remove it.", "Der Text enthält ein NUL-Byte: entferne es.");

/// Looks for the slip behind a syntax error at a byte; none where it is not a usual one.
pub(super) fn find(text: &str, at: usize, lang: Lang) -> Option<Slip> {
    if let Some(at) = text.find('\0') {
        return Some(Slip { span: at..at + 1, advice: NUL.get(lang).to_owned(), whole: true });
    }
    let all: Vec<Token> = tokens(text).into_iter().filter(|token| token.kind != TokenKind::Comment).collect();
    let open = text
        .rfind("/*")
        .filter(|open| !text[*open..].contains("*/") && all.last().is_none_or(|last| last.span.end <= *open));
    let look = Look { text, all: &all, lang };
    if let Some(open) = open {
        return Some(look.slip(open..open + 2, OPEN_COMMENT, &[]));
    }
    look.whole_text().or_else(|| look.brackets(at)).or_else(|| look.around(at)).or_else(|| look.unclosed())
}

/// The advice on a program's name.
pub(super) fn program(name: &str, lang: Lang) -> Option<String> {
    PROGRAMS.contains(&name).then(|| OUTSIDE.fill(lang, &[("found", name)]))
}

/// The advice on a prompt that was pasted with its statement.
pub(super) fn prompt(found: &str, lang: Lang) -> String {
    PROMPT.fill(lang, &[("found", found)])
}

struct Look<'a> {
    text: &'a str,
    all: &'a [Token],
    lang: Lang,
}

impl Look<'_> {
    fn word(&self, at: usize) -> &str {
        self.all.get(at).map_or("", |token| &self.text[token.span.clone()])
    }

    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.all.get(at).map(|token| token.kind)
    }

    fn slip(&self, span: Span, words: Words, values: &[(&str, &str)]) -> Slip {
        let found = &self.text[span.clone()];
        let mut all = vec![("found", found)];
        all.extend(values);
        let whole = [
            SQL, ALONE, PROMPT, SMART, TWO, CALL, INVISIBLE, LOOKALIKE, COMPARE, OPEN, OPERATOR, JOINED, SPACED,
            OUTSIDE, KEY,
        ]
        .contains(&words);
        Slip { span, advice: words.fill(self.lang, &all), whole }
    }

    fn here(&self, at: usize, words: Words, values: &[(&str, &str)]) -> Option<Slip> {
        Some(self.slip(self.all.get(at)?.span.clone(), words, values))
    }

    /// Slips that show in the text as a whole.
    fn whole_text(&self) -> Option<Slip> {
        let smart = |token: &&Token| {
            token.kind == TokenKind::Sign
                && self.text[token.span.clone()].contains(['“', '”', '„', '‟', '‘', '’', '‚', '«', '»'])
        };
        if let Some(token) = self.all.iter().find(smart) {
            return Some(self.slip(token.span.clone(), SMART, &[]));
        }
        self.sql().or_else(|| self.line_starts()).or_else(|| self.document_alone()).or_else(|| self.foreign_sign())
    }

    fn sql(&self) -> Option<Slip> {
        let (first, second) = (self.word(0).to_ascii_lowercase(), self.kind(1)?);
        let verb = second == TokenKind::Word || matches!(self.word(1), "*");
        let instead = match first.as_str() {
            "select" => "db.NAME.find({…})",
            "insert" => "db.NAME.insertOne({…})",
            "update" => "db.NAME.updateMany({…}, {$set: {…}})",
            "delete" => "db.NAME.deleteMany({…})",
            "create" => "db.NAME.createIndex({…})",
            "drop" | "truncate" => "db.NAME.drop()",
            "alter" => "db.NAME.updateMany({}, {$set: {…}})",
            "describe" | "desc" => "db.NAME.findOne()",
            "show" => "show collections",
            "use" => "use NAME",
            _ if PROGRAMS.contains(&first.as_str()) => return self.here(0, OUTSIDE, &[]),
            _ => return None,
        };
        if verb { self.here(0, SQL, &[("instead", instead)]) } else { None }
    }

    /// A pasted prompt, or a comment sign of another language.
    fn line_starts(&self) -> Option<Slip> {
        for (at, token) in self.all.iter().enumerate().filter(|(_, token)| token.leads) {
            match self.word(at) {
                ">" => return self.here(at, PROMPT, &[]),
                "#" | "--" => return self.here(at, HASH, &[]),
                "..." if at > 0 && self.is_continuation(at) => return self.here(at, PROMPT, &[]),
                // A prompt may name its deployment: `rs0 [direct: primary] test> `.
                _ if token.kind == TokenKind::Word && self.word(at + 1) == "[" => {
                    let close = self.closer(at + 1).filter(|close| self.word(close + 2) == ">");
                    let line = close.filter(|close| !self.all[at + 1..close + 3].iter().any(|token| token.leads));
                    if let Some(close) = line {
                        return Some(self.slip(token.span.start..self.all[close + 2].span.end, PROMPT, &[]));
                    }
                }
                _ if token.kind == TokenKind::Word && self.word(at + 1) == ">" && self.word(at + 2) == "db" => {
                    return Some(self.slip(token.span.start..self.all[at + 1].span.end, PROMPT, &[]));
                }
                _ => {}
            }
        }
        None
    }

    /// Three dots before a line that goes on are no spread.
    fn is_continuation(&self, at: usize) -> bool {
        let spreads = matches!(self.word(at - 1), "[" | "(" | "{" | ",");
        !spreads || self.word(at + 2) == ":" || matches!(self.word(at + 1), "}" | ")" | "]" | "." | "{" | "")
    }

    /// Signs that a word processor or another keyboard has put in.
    fn foreign_sign(&self) -> Option<Slip> {
        self.all.iter().filter(|token| token.kind == TokenKind::Sign).find_map(|token| {
            let letter = self.text[token.span.clone()].chars().next()?;
            let wanted = match letter {
                '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}' | '\u{202a}'..='\u{202e}' => {
                    let code = format!("U+{:04X}", u32::from(letter));
                    return Some(self.slip(token.span.clone(), INVISIBLE, &[("code", &code)]));
                }
                '…' => return Some(self.slip(token.span.clone(), LEFT_OUT, &[])),
                '–' | '—' | '−' => "-",
                // The full-width forms stand in the order of ASCII.
                '\u{ff01}'..='\u{ff5e}' => {
                    let plain = char::from_u32(u32::from(letter) - 0xfee0)?.to_string();
                    return Some(self.slip(token.span.clone(), LOOKALIKE, &[("wanted", &plain)]));
                }
                '、' => ",",
                '。' => ".",
                '´' => "'",
                _ => return None,
            };
            Some(self.slip(token.span.clone(), LOOKALIKE, &[("wanted", wanted)]))
        })
    }

    fn document_alone(&self) -> Option<Slip> {
        let key = matches!(self.kind(1), Some(TokenKind::Text(true) | TokenKind::Word)) && self.word(2) == ":";
        let closes = self.all.last().is_some_and(|token| &self.text[token.span.clone()] == "}");
        let alone = self.word(0) == "{" && key && closes && self.closer(0) == Some(self.all.len() - 1);
        alone.then(|| self.slip(self.all[0].span.clone(), ALONE, &[]))
    }

    /// The token that closes the bracket at a position.
    fn closer(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in open..self.all.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Brackets that close nothing or the wrong thing, unless another slip before them has upset the parser.
    fn brackets(&self, error: usize) -> Option<Slip> {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.all.len() {
            let word = self.word(at);
            if let Some(wanted) = closing(word) {
                let _ = wanted;
                open.push(at);
            } else if matches!(word, ")" | "]" | "}") {
                match open.pop() {
                    None if self.all[at].span.start <= error.max(self.all[at].span.start) => {
                        return self.here(at, EXTRA, &[]);
                    }
                    None => return None,
                    Some(start) if closing(self.word(start)) != Some(word) => {
                        if self.all[at].span.start > error {
                            return None;
                        }
                        let wanted = closing(self.word(start)).unwrap_or_default();
                        return self.here(at, MISMATCH, &[("open", self.word(start)), ("wanted", wanted)]);
                    }
                    Some(_) => {}
                }
            }
        }
        None
    }

    fn unclosed(&self) -> Option<Slip> {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.all.len() {
            match self.word(at) {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    open.pop();
                }
                _ => {}
            }
        }
        let last = *open.last()?;
        self.here(last, OPEN, &[("wanted", closing(self.word(last)).unwrap_or_default())])
    }

    /// Slips at the place the engine names.
    fn around(&self, error: usize) -> Option<Slip> {
        if let Some(token) = self.all.iter().find(|token| token.kind == TokenKind::Text(false)) {
            let quote = self.text[token.span.clone()].get(..1).unwrap_or("\"");
            let advice = OPEN_TEXT.fill(self.lang, &[("found", quote)]);
            return Some(Slip { span: token.span.clone(), advice, whole: false });
        }
        let at = self.all.iter().position(|token| token.span.end > error);
        let Some(at) = at else { return self.at_end() };
        let inside = self.enclosing(at);
        self.in_object(at, inside).or_else(|| self.anywhere(at, inside))
    }

    fn at_end(&self) -> Option<Slip> {
        let last = self.all.len().checked_sub(1)?;
        if self.word(last) == "." { self.here(last, DOT, &[]) } else { None }
    }

    /// The innermost bracket that is open before a token.
    fn enclosing(&self, before: usize) -> Option<usize> {
        let mut open = Vec::new();
        for at in 0..before {
            match self.word(at) {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    open.pop();
                }
                _ => {}
            }
        }
        open.pop()
    }

    /// Whether a token is where a key of an object stands.
    fn is_key(&self, at: usize) -> bool {
        at > 0 && matches!(self.word(at - 1), "{" | ",")
    }

    fn in_object(&self, at: usize, inside: Option<usize>) -> Option<Slip> {
        if inside.map(|open| self.word(open)) != Some("{") {
            return None;
        }
        match self.word(at) {
            "=" | "=>" | "==" | "===" => return self.here(at, EQUALS, &[]),
            ";" => return self.here(at, SEMICOLON, &[]),
            ">" | "<" | ">=" | "<=" | "!=" | "!==" => return self.comparison(at),
            "and" | "AND" | "or" | "OR" | "&&" | "||" => return self.here(at, JOINED, &[]),
            "{" | "[" if self.is_key(at) && self.word(at - 1) == "," => return self.here(at, KEY, &[]),
            "." | "-" => return self.dotted_key(at),
            ":" => return self.bare_operator(at),
            _ => {}
        }
        let before = at.checked_sub(1)?;
        if self.is_key(before) && matches!(self.word(before), "and" | "AND" | "or" | "OR") {
            return self.here(before, JOINED, &[]);
        }
        // `{a 1}`: a key and then a value.
        if self.is_key(before)
            && matches!(self.kind(before), Some(TokenKind::Word | TokenKind::Text(true)))
            && self.begins_value(at)
        {
            return self.here(at, COLON, &[]);
        }
        None
    }

    /// `{price: $gt: 5}`, at its second colon, or `{price: $gt 5}`, at its value.
    fn bare_operator(&self, at: usize) -> Option<Slip> {
        let (key, operator) = (at.checked_sub(3)?, at - 1);
        let is_one = self.word(operator).starts_with('$') && self.word(at - 2) == ":" && self.is_key(key);
        let wanted = format!("{{{}: …}}", self.word(operator));
        is_one.then(|| self.here(operator, OPERATOR, &[("key", self.word(key)), ("wanted", &wanted)])).flatten()
    }

    /// `{price > 5}` and `{price: > 5}`.
    fn comparison(&self, at: usize) -> Option<Slip> {
        let key = if self.word(at - 1) == ":" { at.checked_sub(2)? } else { at - 1 };
        let wanted = match self.word(at) {
            ">" => "$gt",
            "<" => "$lt",
            ">=" => "$gte",
            "<=" => "$lte",
            _ => "$ne",
        };
        let key = matches!(self.kind(key), Some(TokenKind::Word | TokenKind::Text(true))).then(|| self.word(key))?;
        let wanted = format!("{{{wanted}: …}}");
        self.here(at, COMPARE, &[("key", key), ("wanted", &wanted)])
    }

    /// `{specs.k: 1}`, `{my-key: 1}`: the run of words, dots and dashes before the colon.
    fn dotted_key(&self, at: usize) -> Option<Slip> {
        let start = (0..at).rev().find(|start| matches!(self.word(*start), "{" | ","))? + 1;
        let end = (at..self.all.len()).find(|end| matches!(self.word(*end), ":" | "," | "}"))?;
        if self.word(end) != ":" || end - start < 2 {
            return None;
        }
        Some(self.slip(self.all[start].span.start..self.all[end - 1].span.end, QUOTE_KEY, &[]))
    }

    fn begins_value(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(TokenKind::Word | TokenKind::Number | TokenKind::Text(_) | TokenKind::Regex))
            || matches!(self.word(at), "{" | "[")
    }

    fn ends_value(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(TokenKind::Word | TokenKind::Number | TokenKind::Text(true) | TokenKind::Regex))
            || matches!(self.word(at), "}" | "]" | ")")
    }

    fn anywhere(&self, at: usize, inside: Option<usize>) -> Option<Slip> {
        let open = inside.map(|open| self.word(open));
        let before = at.checked_sub(1)?;
        match self.word(at) {
            "and" | "AND" => return self.here(at, WORD_AND, &[("wanted", "&&")]),
            "or" | "OR" => return self.here(at, WORD_AND, &[("wanted", "||")]),
            ":" if matches!(open, Some("(" | "[")) => {
                return Some(self.slip(self.all[before].span.start..self.all[at].span.end, BRACES, &[]));
            }
            ":" if open.is_none() && matches!(self.kind(before), Some(TokenKind::Text(true))) => {
                return self.here(before, ALONE, &[]);
            }
            ";" if open.is_some() && open != Some("{") => return self.here(at, SEMICOLON, &[]),
            _ => {}
        }
        // `16GB` and `2024-05-01T…` begin like numbers.
        if let Some(TokenKind::Number) =
            self.kind(at).filter(|_| self.word(at).ends_with(|letter: char| letter.is_alphabetic()))
        {
            return self.here(at, QUOTE_VALUE, &[]);
        }
        if self.word(at) == "{"
            && self.kind(before) == Some(TokenKind::Word)
            && before > 0
            && self.word(before - 1) == "."
        {
            return self.here(at, CALL, &[]);
        }
        if self.word(at) == "/" && !self.ends_value(before) {
            return self.here(at, OPEN_REGEX, &[]);
        }
        if open == Some("(") && self.word(before).eq_ignore_ascii_case("where") && self.begins_value(at) {
            return self.here(before, SQL, &[("instead", "{field: {$gt: value}}")]);
        }
        if open.is_some() && self.ends_value(before) && self.begins_value(at) {
            return self.bare_operator(at).or_else(|| self.here(at, COMMA, &[]));
        }
        if before > 1
            && self.word(before - 1) == "."
            && self.word(before - 2) == "db"
            && self.kind(at) == Some(TokenKind::Word)
        {
            let span = self.all[before].span.start..self.all[at].span.end;
            let name = self.text[span.clone()].to_owned();
            return Some(self.slip(span, SPACED, &[("name", &name)]));
        }
        if open.is_none() && self.ends_value(before) && self.begins_value(at) && !self.all[at].leads {
            return self.here(at, TWO, &[]);
        }
        if self.word(before) == "." && !matches!(self.kind(at), Some(TokenKind::Word)) {
            return self.here(before, DOT, &[]);
        }
        None
    }
}

fn closing(open: &str) -> Option<&'static str> {
    match open {
        "(" => Some(")"),
        "[" => Some("]"),
        "{" => Some("}"),
        _ => None,
    }
}
