//! An array of dated elements that grows with time.

use std::collections::BTreeSet;

use crate::engine::{Command, Insert, Modify};
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::days::begins_with_day;
use crate::pitfall::elements::value_at;
use crate::pitfall::touch::{Part, Touch};
use crate::pitfall::{Evidence, Level, Pitfall, Sighting};
use crate::store::{ArrayFacts, Profile, SubField};
use crate::value::{Bson, Document, MAX_DOCUMENT_BYTES, Path, RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unbounded-array",
    level: Level::Risk,
    weight: 16,
    title: Words::new("Array that grows for ever", "Array, das immer weiterwächst"),
    explanation: Words::new(
        "Each write rewrites the document, and every reader gets it whole; 16 MB is the hard end.",
        "Jedes Schreiben erneuert das ganze Dokument, und jeder Leser bekommt es ganz; bei 16 MB ist Schluss.",
    ),
    message: Words::new(
        "`{path}` of _id {id} has {n elements} in {bytes bytes} and grows with every day; about {left} more fit until 16 MB.",
        "`{path}` von _id {id} hat {n Elemente} in {bytes Bytes} und wächst mit jedem Tag; bis 16 MB passen noch etwa {left}.",
    ),
    cure: Words::new(
        "One document per day, or buckets of bounded size such as a month.",
        "Ein Dokument je Tag oder Eimer begrenzter Größe, etwa ein Monat.",
    ),
    example: r#"db.c.updateOne({person: "p1"}, {$push: {days: {date: ISODate("2014-02-01"), steps: 712}}})"#,
    detect,
};

/// Longer arrays of dated elements are taken to grow without an end.
const LONG: usize = 100;

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let mut told = BTreeSet::new();
    let touches = case.touches();
    let sights = touches.iter().rev().flat_map(|touch| sights(case, touch));
    sights.filter(|(key, _)| told.insert(key.clone())).map(|(_, sighting)| sighting).collect()
}

type Keyed = ((String, String), Sighting);

fn sights(case: &Case<'_>, touch: &Touch<'_>) -> Vec<Keyed> {
    let Some(profile) = case.profile(touch.collection) else { return Vec::new() };
    let pushed = pushed(touch.command);
    let grows = |path: &str, facts: &ArrayFacts| {
        let long =
            facts.longest() > LONG && touch.names(path, &[Part::Filter, Part::Order, Part::Stored, Part::Pipeline]);
        is_dated(path, facts, profile) && (long || pushed.contains(&path))
    };
    let arrays = profile.arrays().iter().filter(|(path, facts)| grows(path, facts));
    arrays
        .filter_map(|(path, _)| Some(((touch.collection.to_owned(), path.clone()), sight(case, touch, path)?)))
        .collect()
}

/// The paths of `$push` without `$slice`.
fn pushed(command: &Command) -> Vec<&str> {
    let modify = match command {
        Command::Update(update) => Some(&update.spec.modify),
        Command::FindAndModify(modify) => modify.modify.as_ref(),
        _ => None,
    };
    let Some(Modify::Operators(change)) = modify else { return Vec::new() };
    let push = change.get("$push").and_then(Bson::as_document).into_iter().flatten();
    let bounded = |value: &Bson| value.as_document().is_some_and(|pushed| pushed.contains_key("$slice"));
    push.filter(|(_, value)| !bounded(value)).map(|(path, _)| path.as_str()).collect()
}

/// Whether the elements are told apart by a day: they have one, and no other key.
fn is_dated(path: &str, facts: &ArrayFacts, profile: &Profile) -> bool {
    let other = profile
        .attribute_array(path)
        .is_some_and(|array| facts.fields.get(&array.key).is_none_or(|key| !is_day(key, facts)));
    !other && facts.documents > 0 && facts.fields.values().any(|field| is_day(field, facts))
}

/// A field that holds a date, or a text that begins with year, month and day, in every element.
fn is_day(field: &SubField, array: &ArrayFacts) -> bool {
    let dates = field.types.get("date").copied().unwrap_or(0);
    let texts: u64 = field.texts.iter().filter(|(text, _)| begins_with_day(text)).map(|(_, times)| times).sum();
    dates + texts == array.elements
}

fn sight(case: &Case<'_>, touch: &Touch<'_>, path: &str) -> Option<Sighting> {
    let array = Path::new(path);
    let length = |document: &RawDocument| match value_at(document, &array) {
        Some(View::Array(array)) => array.len(),
        _ => 0,
    };
    let (length, document) = case
        .present(touch.collection)
        .iter()
        .map(|document| (length(document), *document))
        .max_by_key(|(length, _)| *length)
        .filter(|(length, _)| *length > 0)?;
    let bytes = document.as_bytes().len();
    let each = bytes / length;
    let left = MAX_DOCUMENT_BYTES.saturating_sub(bytes) / each.max(1);
    let counts = [("elements", length), ("bytes", bytes), ("bytes per element", each), ("elements left", left)];
    Some(Sighting {
        span: case.span(touch.ran, &CommandPath::argument("update")),
        values: vec![
            ("path", path.to_owned()),
            ("id", shown(&id(document))),
            ("n", length.to_string()),
            ("bytes", bytes.to_string()),
            ("left", left.to_string()),
        ],
        evidence: vec![Evidence::Counts {
            of: path.to_owned(),
            counts: counts.into_iter().map(|(name, count)| (name.to_owned(), count as u64)).collect(),
        }],
        fix: own_document(case, touch, path),
        ..Sighting::default()
    })
}

/// The pushed element as a document of its own, beside what the filter names its owner by.
fn own_document(case: &Case<'_>, touch: &Touch<'_>, path: &str) -> Option<String> {
    let Command::Update(update) = touch.command else { return None };
    let Modify::Operators(change) = &update.spec.modify else { return None };
    let element = change.get_document("$push").ok()?.get_document(path).ok()?;
    if element.keys().any(|name| name.starts_with('$')) || change.len() > 1 || path.contains('.') {
        return None;
    }
    let owned = |(name, value): (&String, &Bson)| match value {
        Bson::Document(_) | Bson::Array(_) | Bson::RegularExpression(_) => None,
        _ if name.contains(['.', '$']) => None,
        _ if name == "_id" => Some((format!("{}_id", touch.collection), value.clone())),
        _ => Some((name.clone(), value.clone())),
    };
    let mut document = update.spec.filter.iter().map(owned).collect::<Option<Document>>()?;
    document.extend(element.clone());
    let insert = Insert { collection: path.to_owned(), documents: vec![document], ..Insert::default() };
    let free = case.after.collection(path).is_none();
    case.with_command(touch.ran, &Command::Insert(insert)).filter(|_| free && !case.is_operation(touch.ran))
}
