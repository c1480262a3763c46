//! Completion: what may stand at the cursor, from the position in the statement and from the data.

use std::collections::{BTreeMap, BTreeSet};

use bson::{Bson, RawBsonRef, RawDocument};

use super::about::Role;
use super::lex::{Token, TokenKind, tokens};
use super::names;
use super::operators;
use super::positions::{Expected, Position, position};
use super::script::Span;
use super::statement::literal;

/// What the data of one collection offers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vocabulary {
    /// Dotted field paths.
    pub fields: BTreeSet<String>,
    /// For each path of texts inside arrays, such as `specs.k`: each text with the literals that stand beside it.
    pub pairs: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
    /// For each path the literals that stand there, as far as they are few.
    pub values: BTreeMap<String, BTreeSet<String>>,
    /// Names of indexes.
    pub indexes: BTreeSet<String>,
}

/// Levels of documents that are looked at.
const DEEPEST: usize = 6;
/// Different values remembered for one attribute key or path.
const VALUES: usize = 50;
/// Bytes of a text that is remembered as a value.
const LONGEST: usize = 60;

impl Vocabulary {
    /// Reads documents; a sample of a large collection is enough.
    pub fn of<'a>(documents: impl IntoIterator<Item = &'a RawDocument>) -> Self {
        let mut words = Self::default();
        for document in documents {
            words.document(document, "", 0);
        }
        words
    }

    fn document(&mut self, document: &RawDocument, prefix: &str, depth: usize) {
        for (name, value) in document.iter().flatten() {
            let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
            match value {
                RawBsonRef::Document(inner) if depth < DEEPEST => self.document(inner, &path, depth + 1),
                RawBsonRef::Array(array) if depth < DEEPEST => {
                    for element in array.into_iter().flatten() {
                        match element {
                            RawBsonRef::Document(inner) => {
                                self.document(inner, &path, depth + 1);
                                self.pair(inner, &path);
                            }
                            value => self.value(&path, value),
                        }
                    }
                }
                value => self.value(&path, value),
            }
            self.fields.insert(path);
        }
    }

    fn value(&mut self, path: &str, value: RawBsonRef<'_>) {
        let plain = matches!(
            value,
            RawBsonRef::String(_)
                | RawBsonRef::Int32(_)
                | RawBsonRef::Double(_)
                | RawBsonRef::Boolean(_)
                | RawBsonRef::Null
        );
        let long = matches!(value, RawBsonRef::String(text) if text.len() > LONGEST);
        let known = self.values.entry(path.to_owned()).or_default();
        if let (true, false, true, Ok(value)) = (plain, long, known.len() < VALUES, Bson::try_from(value)) {
            known.insert(literal(&value));
        }
    }

    /// The same words with the names of indexes.
    #[must_use]
    pub fn with_indexes(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.indexes = names.into_iter().collect();
        self
    }

    /// Each text of an element may be an attribute's key; what stands beside it are its values.
    fn pair(&mut self, element: &RawDocument, path: &str) {
        let fields: Vec<(String, RawBsonRef<'_>)> =
            element.iter().flatten().map(|(name, value)| (name.to_string(), value)).collect();
        for (name, value) in &fields {
            let RawBsonRef::String(key) = value else { continue };
            let values = self.pairs.entry(format!("{path}.{name}")).or_default().entry((*key).to_owned()).or_default();
            for (other, value) in &fields {
                if let (true, true, Ok(value)) = (other != name, values.len() < VALUES, Bson::try_from(*value)) {
                    values.insert(format!("{other}: {}", literal(&value)));
                }
            }
        }
    }
}

/// What kind of thing is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Offer {
    /// A collection.
    Collection,
    /// A field path.
    Field,
    /// A key or value of an attribute.
    Value,
    /// An operator or stage, by where it stands.
    Operator(Role),
    /// A method.
    Method,
    /// A global name.
    Name,
}

/// What may stand at the cursor.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Completion {
    /// The bytes that a choice replaces.
    pub span: Span,
    /// The choices, the likeliest kinds first.
    pub choices: Vec<(Offer, String)>,
}

/// Completes a text at a byte; the data of each collection by its name.
#[must_use]
pub fn complete(text: &str, at: usize, data: &BTreeMap<String, Vocabulary>) -> Completion {
    let before = text.get(..at).unwrap_or(text);
    let all: Vec<Token> = tokens(before).into_iter().filter(|token| token.kind != TokenKind::Comment).collect();
    let partial = all.last().filter(|token| {
        token.span.end == before.len() && token.kind != TokenKind::Sign && token.kind != TokenKind::Text(true)
    });
    let span = partial.map_or(before.len()..before.len(), |token| token.span.clone());
    let known = if partial.is_some() { &all[..all.len() - 1] } else { &all[..] };
    let typed = before[span.clone()].trim_start_matches(['"', '\'', '`']);
    let quote = before[span.clone()].chars().next().filter(|first| matches!(first, '"' | '\'' | '`'));
    let mut choices = Cursor { text: before, known, data }.offers(quote.is_some());
    choices.retain(|(_, choice)| choice.trim_start_matches('"').to_lowercase().starts_with(&typed.to_lowercase()));
    choices.sort();
    let mut seen = BTreeSet::new();
    choices.retain(|(_, choice)| seen.insert(choice.clone()));
    if let Some(quote) = quote {
        for (_, choice) in &mut choices {
            *choice = format!("{quote}{}{quote}", choice.trim_matches('"'));
        }
    }
    Completion { span, choices }
}

struct Cursor<'a> {
    text: &'a str,
    known: &'a [Token],
    data: &'a BTreeMap<String, Vocabulary>,
}

/// Where in a call the cursor stands.
#[derive(Default)]
pub(super) struct Place {
    collection: String,
    pub(super) method: String,
    pub(super) argument: usize,
    /// The keys from the argument inwards; arrays add nothing.
    pub(super) keys: Vec<String>,
    /// Whether a key is expected and not a value.
    pub(super) key: bool,
    /// Whether an array is the outermost bracket of the argument.
    pub(super) pipeline: bool,
    /// The keys and texts written before in the innermost object.
    beside: Vec<(String, String)>,
}

impl Cursor<'_> {
    fn word(&self, at: usize) -> &str {
        self.known.get(at).map_or("", |token| &self.text[token.span.clone()])
    }

    fn plain(&self, at: usize) -> String {
        self.word(at).trim_matches(['"', '\'', '`']).to_owned()
    }

    fn offers(&self, quoted: bool) -> Vec<(Offer, String)> {
        let last = self.known.len().wrapping_sub(1);
        if self.word(last) == "." && !quoted {
            return self.members(last);
        }
        if let Some(line) = self.shell_line() {
            return line;
        }
        match self.place() {
            Some(place) => self.written(&place, quoted),
            None => self.outside(),
        }
    }

    /// What follows `use` and `show`.
    fn shell_line(&self) -> Option<Vec<(Offer, String)>> {
        let last = self.known.last().filter(|token| token.leads)?;
        let behind = self.text[last.span.end..].trim_start_matches([' ', '\t']);
        let alone = !behind.contains('\n') && last.span.end < self.text.len();
        match &self.text[last.span.clone()] {
            "show" if alone => Some(offer(Offer::Name, ["collections", "dbs"])),
            "use" if alone => Some(Vec::new()),
            _ => None,
        }
    }

    /// Outside of any call: names, and in an object that may become a filter the fields of all collections.
    fn outside(&self) -> Vec<(Offer, String)> {
        let object = self.open_before(self.known.len()).filter(|open| self.word(*open) == "{");
        let key = object.is_some_and(|open| self.expects_key(open, self.known.len()));
        let stands = object.and_then(|open| open.checked_sub(1)).map(|before| self.word(before));
        if key && !matches!(stands, None | Some(")" | ";" | "=>" | "else" | "try" | "do")) {
            let mut all = offer(Offer::Operator(Role::Filter), operators::FILTER.iter().copied());
            all.extend(self.data.values().flat_map(|words| fields(words, &[])));
            return all;
        }
        if self.word(self.known.len().wrapping_sub(1)) == "[" && self.word(self.known.len().wrapping_sub(2)) == "db" {
            return self.data.keys().map(|name| (Offer::Collection, quoted(name))).collect();
        }
        offer(Offer::Name, names::GLOBAL.iter().copied())
    }

    /// What follows a dot.
    fn members(&self, dot: usize) -> Vec<(Offer, String)> {
        let before = dot.wrapping_sub(1);
        if self.word(before) == "db" {
            let mut all = offer(Offer::Method, names::DATABASE.iter().copied());
            all.extend(self.data.keys().map(|name| (Offer::Collection, name.clone())));
            return all;
        }
        let called = if self.word(before) == ")" { self.called(before) } else { None };
        let names = match called.as_deref() {
            None if self.word(before) == ")" => names::CURSOR,
            None => names::COLLECTION,
            Some(method) => names::given_by(method),
        };
        offer(Offer::Method, names.iter().copied())
    }

    /// The method whose parentheses end at a token.
    fn called(&self, close: usize) -> Option<String> {
        let open = self.opener(close)?;
        open.checked_sub(1).map(|name| self.word(name).to_owned())
    }

    fn opener(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in (0..=close).rev() {
            match self.word(at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => {
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

    /// Walks back through the open brackets to the call around the cursor.
    fn place(&self) -> Option<Place> {
        let mut place = Place::default();
        let (mut innermost, mut outermost) = (true, String::new());
        let mut end = self.known.len();
        loop {
            let open = self.open_before(end)?;
            match self.word(open) {
                "{" => {
                    if innermost {
                        place.key = self.expects_key(open, end);
                        place.beside = self.entries(open, end);
                    }
                    if let Some(key) = self.key_before(open, end).filter(|_| !innermost || !place.key) {
                        place.keys.insert(0, key);
                    }
                }
                "[" => {}
                _ => {
                    place.pipeline = outermost == "[";
                    let method = open.checked_sub(1)?;
                    self.word(method).clone_into(&mut place.method);
                    place.argument = self.commas(open, end);
                    place.collection = self.collection(method);
                    return Some(place);
                }
            }
            innermost = false;
            self.word(open).clone_into(&mut outermost);
            end = open;
        }
    }

    /// The innermost bracket that is open at a token.
    fn open_before(&self, end: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in (0..end).rev() {
            match self.word(at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth == 0 => return Some(at),
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Positions between a bracket and a token that are not inside further brackets.
    fn level(&self, open: usize, end: usize) -> Vec<usize> {
        let mut depth = 0_usize;
        let mut level = Vec::new();
        for at in open + 1..end {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ if depth == 0 => level.push(at),
                _ => {}
            }
        }
        level
    }

    fn commas(&self, open: usize, end: usize) -> usize {
        self.level(open, end).into_iter().filter(|at| self.word(*at) == ",").count()
    }

    fn expects_key(&self, open: usize, end: usize) -> bool {
        let level = self.level(open, end);
        !level.iter().rev().take_while(|at| self.word(**at) != ",").any(|at| self.word(*at) == ":")
    }

    /// The key whose value stands before a token.
    fn key_before(&self, open: usize, end: usize) -> Option<String> {
        let level = self.level(open, end);
        let colon = level.iter().rev().take_while(|at| self.word(**at) != ",").find(|at| self.word(**at) == ":")?;
        colon.checked_sub(1).map(|key| self.plain(key))
    }

    fn entries(&self, open: usize, end: usize) -> Vec<(String, String)> {
        let level = self.level(open, end);
        let colons = level.iter().filter(|at| self.word(**at) == ":");
        colons
            .map(|colon| (self.plain(colon - 1), if colon + 1 < end { self.plain(colon + 1) } else { String::new() }))
            .collect()
    }

    /// The collection a method chain begins with.
    fn collection(&self, method: usize) -> String {
        let start = (0..method).rev().find(|at| self.word(*at) == "db");
        start
            .map(|start| match (self.word(start + 1), self.word(start + 2)) {
                (".", "getCollection") => self.plain(start + 4),
                ("[", _) => self.plain(start + 2),
                _ => self.word(start + 2).to_owned(),
            })
            .unwrap_or_default()
    }

    fn vocabulary(&self, place: &Place) -> Option<&Vocabulary> {
        self.data.get(&place.collection)
    }

    /// What a place expects, as it is written there.
    fn written(&self, place: &Place, in_quotes: bool) -> Vec<(Offer, String)> {
        let Position { expected, prefix } = position(place);
        let words = self.vocabulary(place);
        let names = |words: Option<&Vocabulary>| -> Vec<(Offer, String)> {
            words.iter().flat_map(|words| &words.fields).map(|field| (Offer::Field, quoted(field))).collect()
        };
        expected
            .into_iter()
            .flat_map(|expected| match expected {
                Expected::Operators(role, names) => offer(Offer::Operator(role), names.iter().copied()),
                Expected::Options(names) => offer(Offer::Name, names.iter().copied()),
                Expected::Words(names) => {
                    offer(Offer::Name, names.iter().copied().filter(|name| !in_quotes || name.starts_with('"')))
                }
                Expected::Fields => words.map(|words| fields(words, &prefix)).unwrap_or_default(),
                Expected::Paths => {
                    names(words).into_iter().map(|(kind, name)| (kind, name.replacen('"', "\"$", 1))).collect()
                }
                Expected::FieldNames => names(words),
                Expected::ForeignFieldNames => {
                    let from = place.beside.iter().find(|(name, _)| name == "from");
                    names(from.and_then(|(_, from)| self.data.get(from)))
                }
                Expected::Collections => self.data.keys().map(|name| (Offer::Collection, quoted(name))).collect(),
                Expected::Indexes => {
                    words.iter().flat_map(|words| &words.indexes).map(|name| (Offer::Value, quoted(name))).collect()
                }
                Expected::Data => words.map(|words| held(words, &prefix, &place.beside)).unwrap_or_default(),
            })
            .collect()
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// The fields below a path; a dotted one needs quotes.
fn fields(words: &Vocabulary, prefix: &[String]) -> Vec<(Offer, String)> {
    let prefix = if prefix.is_empty() { String::new() } else { format!("{}.", prefix.join(".")) };
    let below = words.fields.iter().filter_map(|path| path.strip_prefix(&prefix));
    below.map(|path| (Offer::Field, if path.contains('.') { quoted(path) } else { path.to_owned() })).collect()
}

/// Values that the data hold at a path: keys of attributes, what stands beside the key written before, plain values.
fn held(words: &Vocabulary, path: &[String], beside_it: &[(String, String)]) -> Vec<(Offer, String)> {
    let full = path.join(".");
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let mut all: Vec<(Offer, String)> =
        beside_it.iter().flat_map(|(name, key)| beside(words, &path, name, key)).collect();
    if all.is_empty() {
        let keys = words.pairs.get(&full).into_iter().flat_map(BTreeMap::keys);
        all.extend(keys.map(|key| (Offer::Value, quoted(key))));
        let plain = words.values.get(&full).into_iter().flatten();
        all.extend(plain.map(|value| (Offer::Value, value.clone())));
    }
    all
}

/// Values of the path's last field in elements that hold a key.
fn beside(words: &Vocabulary, path: &[&str], name: &str, key: &str) -> Vec<(Offer, String)> {
    let Some((last, parents)) = path.split_last() else { return Vec::new() };
    let full = parents.iter().copied().chain([name]).collect::<Vec<_>>().join(".");
    let values = words.pairs.get(&full).and_then(|keys| keys.get(key));
    let of_field = values.into_iter().flatten().filter_map(|value| value.strip_prefix(&format!("{last}: ")));
    of_field.map(|value| (Offer::Value, value.to_owned())).collect()
}

fn offer<'a>(kind: Offer, names: impl IntoIterator<Item = &'a str>) -> Vec<(Offer, String)> {
    names.into_iter().map(|name| (kind, name.to_owned())).collect()
}
