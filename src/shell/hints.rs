//! What to type instead where a script or a command failed: nearest names, missing quotes, methods of something else.

use super::names::{self, nearest};
use super::operators;
use super::script::{NodeId, Script, Span, Syntax};
use super::slips;
use crate::error::CommandError;
use crate::words::{Lang, Words};

const MEANT: Words = Words::new("Did you mean {name}?", "Meintest du {name}?");
const PATH: Words =
    Words::new("A field path is a text: type \"{name}\".", "Ein Feldpfad ist ein Text: tippe \"{name}\".");
const QUOTES: Words = Words::new(
    "If {name} is a text, it needs quotes: \"{name}\".",
    "Wenn {name} ein Text ist, braucht er Anführungszeichen: \"{name}\".",
);
const LITERAL: Words = Words::new("Here this is written {name}.", "Hier schreibt man das {name}.");
const OF_COLLECTION: Words = Words::new(
    "{method} belongs to a collection: type db.NAME.{method}(…), with the collection's name.",
    "{method} gehört zu einer Sammlung: tippe db.NAME.{method}(…), mit dem Namen der Sammlung.",
);
const OF_CURSOR: Words = Words::new(
    "{method} belongs to a cursor: type db.NAME.find({{…}}).{method}(…).",
    "{method} gehört zu einem Cursor: tippe db.NAME.find({{…}}).{method}(…).",
);
const NO_METHOD: Words = Words::new("There is no method {method}.", "Es gibt keine Methode {method}.");
const DASHED: Words = Words::new(
    "A collection name with a dash needs brackets: db[\"{name}\"].",
    "Ein Sammlungsname mit Bindestrich braucht Klammern: db[\"{name}\"].",
);
const NO_COLLECTION: Words = Words::new(
    "There is no collection `{name}`, so nothing can match.",
    "Es gibt keine Sammlung `{name}`, also passt nichts.",
);

/// The name that is not defined, where a message says so.
fn undefined_name(message: &str) -> Option<&str> {
    message.strip_suffix(" is not defined").map(|name| name.trim_matches('\''))
}

/// The hint for an exception of the script at a byte.
pub(super) fn exception(
    script: &Script,
    class: &str,
    message: &str,
    at: Option<usize>,
    lang: Lang,
) -> (Option<String>, Option<Span>) {
    if let (Some(name), "ReferenceError") = (undefined_name(message), class) {
        return (Some(undefined(script, name, at, lang)), None);
    }
    let called = at.filter(|_| message.ends_with("not a function")).and_then(|at| called(script, at));
    match called {
        Some((object, name, span)) => (Some(no_method(&object, &name, lang)), Some(span)),
        None => (None, None),
    }
}

fn undefined(script: &Script, name: &str, at: Option<usize>, lang: Lang) -> String {
    if name.starts_with('$') {
        return PATH.fill(lang, &[("name", name)]);
    }
    let literal = match name {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        "None" | "NULL" | "Null" | "nil" => Some("null"),
        _ => None,
    };
    if let Some(literal) = literal {
        return LITERAL.fill(lang, &[("name", literal)]);
    }
    let behind = at.and_then(|at| script.text().get(at..)).and_then(|rest| rest.strip_prefix(name));
    if behind.is_some_and(|behind| behind.trim_start().starts_with("> db")) {
        return slips::prompt(&format!("{name}>"), lang);
    }
    if let Some(dashed) = at.and_then(|at| dashed_collection(script, name, at)) {
        return DASHED.fill(lang, &[("name", &dashed)]);
    }
    if let Some(near) = nearest(name, names::GLOBAL.iter().copied().chain(declared(script))) {
        return MEANT.fill(lang, &[("name", near)]);
    }
    QUOTES.fill(lang, &[("name", name)])
}

fn declared(script: &Script) -> impl Iterator<Item = &str> {
    script.nodes().filter_map(|(_, node)| {
        if let Syntax::Declaration { name, .. } = &node.syntax { Some(name.as_str()) } else { None }
    })
}

/// `db.my-items.find()` reads as a subtraction.
fn dashed_collection(script: &Script, name: &str, at: usize) -> Option<String> {
    let before = script.text().get(..at)?;
    let start = before.rfind("db.")?;
    let middle = before.get(start + 3..)?.trim_end();
    let first = middle.strip_suffix('-')?.trim_end();
    (!first.is_empty() && first.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter)))
        .then(|| format!("{first}-{name}"))
}

/// The innermost method call around a byte whose method nobody knows: its object's text, the method, and where it stands.
fn called(script: &Script, at: usize) -> Option<(String, String, Span)> {
    let known = |name: &str| names::COLLECTION.contains(&name) || names::CURSOR.contains(&name);
    let mut found: Vec<(usize, NodeId, String, Span)> = Vec::new();
    for (_, node) in script.nodes() {
        let Syntax::Call { callee, .. } = &node.syntax else { continue };
        let Syntax::Member { object, name, name_span } = &script.node(*callee).syntax else { continue };
        if node.span.start <= at && at <= node.span.end {
            let rank = usize::from(known(name) && script.source(*object) != "db");
            found.push((rank * 1_000_000 + node.span.len(), *object, name.clone(), name_span.clone()));
        }
    }
    let (_, object, name, span) = found.into_iter().min_by_key(|(rank, ..)| *rank)?;
    Some((script.source(object).to_owned(), name, span))
}

fn no_method(object: &str, name: &str, lang: Lang) -> String {
    if object == "db" && names::COLLECTION.contains(&name) {
        return OF_COLLECTION.fill(lang, &[("method", name)]);
    }
    let on_cursor = object.ends_with(')');
    if !on_cursor && names::CURSOR.contains(&name) {
        return OF_CURSOR.fill(lang, &[("method", name)]);
    }
    let names = if on_cursor {
        names::CURSOR
    } else if object == "db" {
        names::DATABASE
    } else {
        names::COLLECTION
    };
    match nearest(name, names.iter().copied()) {
        Some(near) => MEANT.fill(lang, &[("name", near)]),
        None => NO_METHOD.fill(lang, &[("method", name)]),
    }
}

/// The hint for a refused command: the nearest operator to one that is not known.
pub(super) fn command(error: &CommandError, lang: Lang) -> Option<String> {
    let message = error.message.to_ascii_lowercase();
    let complains = ["unknown", "unrecognized", "invalid operator", "not supported", "unsupported"];
    if !complains.iter().any(|word| message.contains(word)) {
        return None;
    }
    let start = error.message.rfind('$')?;
    let rest = &error.message[start + 1..];
    let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
    let wrong = &error.message[start..=start + end];
    let near = nearest(wrong, operators::all())?;
    Some(MEANT.fill(lang, &[("name", near)]))
}

/// The note on a collection that does not exist.
pub(super) fn missing_collection<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, lang: Lang) -> String {
    let note = NO_COLLECTION.fill(lang, &[("name", name)]);
    match nearest(name, known) {
        Some(near) => format!("{note} {}", MEANT.fill(lang, &[("name", &format!("`{near}`"))])),
        None => note,
    }
}
