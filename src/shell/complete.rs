//! Completion: what may stand at the cursor, from the position in the statement and from the data.

use std::collections::{BTreeMap, BTreeSet};

use bson::{Bson, RawBsonRef, RawDocument};

use super::lex::{Token, TokenKind, tokens};
use super::names;
use super::operators;
use super::script::Span;
use super::statement::literal;

/// What the data of one collection offers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vocabulary {
    /// Dotted field paths.
    pub fields: BTreeSet<String>,
    /// For each path of texts inside arrays, such as `specs.k`: each text with the literals that stand beside it.
    pub pairs: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

/// Levels of documents that are looked at.
const DEEPEST: usize = 6;
/// Different values remembered for one attribute key.
const VALUES: usize = 50;

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
                        if let RawBsonRef::Document(inner) = element {
                            self.document(inner, &path, depth + 1);
                            self.pair(inner, &path);
                        }
                    }
                }
                _ => {}
            }
            self.fields.insert(path);
        }
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
    /// An operator or stage.
    Operator,
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
    choices.dedup();
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
struct Place {
    collection: String,
    method: String,
    argument: usize,
    /// The keys from the argument inwards; arrays add nothing.
    keys: Vec<String>,
    /// Whether a key is expected and not a value.
    key: bool,
    /// Whether an array is the innermost bracket.
    list: bool,
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
        match self.place() {
            Some(place) if place.key => self.keys(&place),
            Some(place) => self.values(&place),
            None => offer(Offer::Name, names::GLOBAL.iter().copied()),
        }
    }

    /// What follows a dot.
    fn members(&self, dot: usize) -> Vec<(Offer, String)> {
        let before = dot.wrapping_sub(1);
        if self.word(before) == "db" {
            let mut all = offer(Offer::Method, names::DATABASE.iter().copied());
            all.extend(self.data.keys().map(|name| (Offer::Collection, name.clone())));
            return all;
        }
        let cursor = self.word(before) == ")"
            && !self.called(before).is_some_and(|method| method == "getCollection" || method == "explain");
        offer(Offer::Method, if cursor { names::CURSOR } else { names::COLLECTION }.iter().copied())
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
        let mut innermost = true;
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
                "[" => place.list |= innermost,
                _ => {
                    let method = open.checked_sub(1)?;
                    self.word(method).clone_into(&mut place.method);
                    place.argument = self.commas(open, end);
                    place.collection = self.collection(method);
                    return Some(place);
                }
            }
            innermost = false;
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

    fn fields(&self, place: &Place) -> Vec<(Offer, String)> {
        let inside: Vec<&str> = place.keys.iter().map(String::as_str).filter(|key| !key.starts_with('$')).collect();
        let prefix = if inside.is_empty() { String::new() } else { format!("{}.", inside.join(".")) };
        let fields = self.data.get(&place.collection).map(|words| &words.fields);
        let below = fields.into_iter().flatten().filter_map(|path| path.strip_prefix(&prefix));
        below
            .map(|path| (Offer::Field, if path.contains('.') { format!("\"{path}\"") } else { path.to_owned() }))
            .collect()
    }

    fn keys(&self, place: &Place) -> Vec<(Offer, String)> {
        let stage = place.keys.first().map(String::as_str).unwrap_or_default();
        let mut all = match (place.method.as_str(), place.argument, place.keys.len()) {
            ("aggregate", 0, 0) => return offer(Offer::Operator, operators::STAGE.iter().copied()),
            ("aggregate", 0, _) if stage != "$match" => offer(Offer::Operator, operators::EXPRESSION.iter().copied()),
            ("updateOne" | "updateMany" | "findOneAndUpdate", 1, 0) => {
                let list = if place.list { operators::STAGE } else { operators::UPDATE };
                return offer(Offer::Operator, list.iter().copied());
            }
            ("updateOne" | "updateMany" | "findOneAndUpdate", 1, _) => {
                offer(Offer::Operator, operators::UPDATE.iter().copied())
            }
            ("sort" | "createIndex" | "createIndexes" | "hint" | "project" | "projection", ..) => Vec::new(),
            ("find" | "findOne", 1, _) => offer(Offer::Operator, ["$elemMatch", "$slice", "$meta"]),
            _ => offer(Offer::Operator, operators::FILTER.iter().copied()),
        };
        all.extend(self.fields(place));
        all
    }

    /// Keys of attributes, and the values that stand beside the key written before.
    fn values(&self, place: &Place) -> Vec<(Offer, String)> {
        let path: Vec<&str> = place.keys.iter().map(String::as_str).filter(|key| !key.starts_with('$')).collect();
        let mut all = Vec::new();
        if let Some(words) = self.data.get(&place.collection) {
            if let Some(keys) = words.pairs.get(&path.join(".")) {
                all.extend(keys.keys().map(|key| (Offer::Value, format!("\"{key}\""))));
            }
            all.extend(place.beside.iter().flat_map(|(name, key)| beside(words, &path, name, key)));
            let expression = place.method == "aggregate" || place.keys.iter().any(|key| key == "$expr");
            if expression {
                all.extend(words.fields.iter().map(|field| (Offer::Field, format!("\"${field}\""))));
            }
        }
        all.extend(offer(Offer::Name, ["true", "false", "null", "ObjectId", "ISODate", "NumberLong", "NumberDecimal"]));
        all
    }
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
