//! A key that occurs nowhere, where a similar one does.

use crate::pitfall::literal::{literals, rewritten};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Question, Sighting};
use crate::query::Filter;
use crate::store::{ArrayFacts, Profile, SubField};
use crate::value::{Bson, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "label-changed-in-migration",
    level: Level::Risk,
    weight: 6,
    title: Words::new("Keys renamed on the way", "Schlüssel unterwegs umbenannt"),
    explanation: Words::new(
        "What was `release_US` may have become `USA`. A query for the old label finds nothing, and no error says so: any key \
         is allowed.",
        "Was `release_US` hieß, heißt nun vielleicht `USA`. Eine Abfrage nach dem alten Namen findet nichts, und kein Fehler \
         sagt es: Jeder Schlüssel ist erlaubt.",
    ),
    message: Words::new(
        "`{key}` occurs 0 times in `{path}`; similar: {list}.",
        "`{key}` kommt in `{path}` 0-mal vor; ähnlich: {list}.",
    ),
    cure: Words::new(
        "Derive the key from the field's name by a rule, and list the mapping.",
        "Leite den Schlüssel nach einer Regel aus dem Feldnamen ab und halte die Zuordnung fest.",
    ),
    example: r#"db.c.find({releases: {$elemMatch: {location: "US"}}})"#,
    detect,
};

/// A shorter text of at most this many letters is taken for an abbreviation.
const CODE: usize = 3;

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.filters().flat_map(|question| sights(case, question)).collect()
}

fn sights(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let Some(profile) = case.profile(question.collection) else { return Vec::new() };
    let fields = profile.arrays().iter().filter_map(|(path, facts)| Some((path, key_field(path, facts, profile)?)));
    fields
        .flat_map(|(path, (name, field))| {
            let place = format!("{path}.{name}");
            let asked = literals(&question.filter, &place).into_iter().filter(|key| !field.texts.contains_key(key));
            asked.filter_map(move |key| sight(case, question, &place, field, &key)).collect::<Vec<_>>()
        })
        .collect()
}

/// The key field: that of the attribute array, else the only text field of the elements.
fn key_field<'p>(path: &str, facts: &'p ArrayFacts, profile: &'p Profile) -> Option<(&'p str, &'p SubField)> {
    if let Some(array) = profile.attribute_array(path) {
        return facts.fields.get(&array.key).map(|field| (array.key.as_str(), field));
    }
    let mut texts = facts.fields.iter().filter(|(_, field)| !field.texts.is_empty());
    let (name, field) = texts.next()?;
    texts.next().is_none().then_some((name, field))
}

fn sight(case: &Case<'_>, question: &Question<'_>, place: &str, field: &SubField, key: &str) -> Option<Sighting> {
    let similar: Vec<(&String, &u64)> = field.texts.iter().filter(|(held, _)| is_similar(key, held)).collect();
    // A write may have changed the last of those that it found.
    let holding = Filter::parse(&doc! {place: key}).ok()?;
    if similar.is_empty() || !case.matching(question, &holding).is_empty() {
        return None;
    }
    let list: Vec<String> = similar.iter().map(|(held, times)| format!("`{held}` ({times})")).collect();
    let only = similar.first().filter(|_| similar.len() == 1);
    let meant = only.map(|(held, _)| rewritten(&question.filter, place, "", key, &Bson::from(held.as_str())));
    let tree = meant.as_ref().and_then(|meant| Filter::parse(meant).ok());
    let verdict = tree.and_then(|tree| Verdict::of(case, question, &tree)).filter(|verdict| !verdict.is_right());
    let counts = Evidence::Counts {
        of: place.to_owned(),
        counts: field.texts.iter().take(20).map(|(held, times)| (held.clone(), *times)).collect(),
    };
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![("key", key.to_owned()), ("path", place.to_owned()), ("list", list.join(", "))],
        evidence: verdict.iter().flat_map(|verdict| verdict.evidence(Vec::new())).chain([counts]).collect(),
        fix: meant.and_then(|meant| case.with_filter(question, &meant)),
        // Documents are missed already.
        level: verdict.map(|_| Level::WrongResult),
        ..Sighting::default()
    })
}

/// Whether one is a part of the other between separators, or an abbreviation of it.
fn is_similar(asked: &str, held: &str) -> bool {
    let (asked, held) = (asked.to_lowercase(), held.to_lowercase());
    let (short, long) = if asked.len() <= held.len() { (&asked, &held) } else { (&held, &asked) };
    let part = long.split(['_', '-', ' ', '.']).any(|part| part == short);
    let code = (2..=CODE).contains(&short.chars().count()) && abbreviates(short, long);
    short != long && (part || code)
}

/// Whether the letters stand in the longer text in their order, the first one first.
fn abbreviates(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    short.chars().next() == long.chars().next() && short.chars().all(|wanted| letters.any(|letter| letter == wanted))
}
