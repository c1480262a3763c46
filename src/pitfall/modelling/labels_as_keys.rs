//! Languages as field names.

use std::collections::BTreeSet;

use crate::error::CommandPath;
use crate::pitfall::touch::{Part, Touch};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::Profile;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "labels-as-keys",
    level: Level::Risk,
    weight: 9,
    title: Words::new("Languages as field names", "Sprachen als Feldnamen"),
    explanation: Words::new(
        "A search over all languages needs one predicate and one index per language, since each language is a path of its \
         own.",
        "Eine Suche über alle Sprachen braucht eine Bedingung und einen Index je Sprache, denn jede Sprache ist ein \
         eigener Pfad.",
    ),
    message: Words::new(
        "{n} languages are field names below `{path}` ({list}); a search over all of them needs {n} conditions and {n} \
         indexes.",
        "{n} Sprachen sind Feldnamen unter `{path}` ({list}); eine Suche über alle braucht {n} Bedingungen und {n} \
         Indexe.",
    ),
    cure: Words::new(
        "Keep the language as a value: `{lang: \"de\", name: \"Auto\"}`.",
        "Speichere die Sprache als Wert: `{lang: \"de\", name: \"Auto\"}`.",
    ),
    example: r#"db.c.find({"names.en": "car"})"#,
    detect,
};

/// ISO 639-1 codes that are met often; others need a region (`xx-yy`).
const LANGUAGES: [&str; 44] = [
    "ar", "bg", "bn", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga", "he", "hi",
    "hr", "hu", "hy", "is", "it", "ja", "ko", "lt", "lv", "mt", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr",
    "sv", "th", "tr", "uk", "vi", "zh",
];

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.touches().iter().flat_map(|touch| sights(case, touch)).collect()
}

fn sights(case: &Case<'_>, touch: &Touch<'_>) -> Vec<Sighting> {
    let Some(profile) = case.profile(touch.collection) else { return Vec::new() };
    let searched = touch.mentions.iter().filter(|mention| matches!(mention.part, Part::Filter | Part::Order));
    let parents: BTreeSet<&str> = searched
        .filter_map(|mention| mention.path.rsplit_once('.'))
        .filter(|(_, name)| is_language(name))
        .map(|(parent, _)| parent)
        .collect();
    parents.into_iter().filter_map(|path| sight(case, touch, profile, path)).collect()
}

fn sight(case: &Case<'_>, touch: &Touch<'_>, profile: &Profile, path: &str) -> Option<Sighting> {
    let names: Vec<(&str, u64)> = profile.field_names(path).collect();
    if names.len() < 2 || !names.iter().all(|(name, _)| is_language(name)) {
        return None;
    }
    let list: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    Some(Sighting {
        span: case.span(touch.ran, &CommandPath::argument("filter")),
        values: vec![("path", path.to_owned()), ("n", names.len().to_string()), ("list", list.join(", "))],
        evidence: vec![Evidence::Counts {
            of: path.to_owned(),
            counts: names.iter().map(|(name, documents)| ((*name).to_owned(), *documents)).collect(),
        }],
        ..Sighting::default()
    })
}

/// A language code, alone or with a region: `de`, `de-de`, `pt_BR`.
fn is_language(name: &str) -> bool {
    let known = |code: &str| LANGUAGES.contains(&code);
    match name.split_once(['-', '_']) {
        None => known(name),
        Some((code, region)) => {
            known(code) && region.len() == 2 && region.bytes().all(|byte| byte.is_ascii_alphabetic())
        }
    }
}
