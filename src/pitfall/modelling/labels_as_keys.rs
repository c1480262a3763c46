//! Languages as field names, and attribute keys in several languages.

use std::collections::BTreeSet;

use crate::error::CommandPath;
use crate::pitfall::elements::folded;
use crate::pitfall::grain::each_touched_array;
use crate::pitfall::touch::{Part, Touch};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::{AttributeFacts, Profile};
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
        "{n languages} {n|is|are} field names below `{path}` ({list}); a search over all of them needs {n conditions} and \
         {n indexes}.",
        "{n Sprachen} {n|ist|sind} Feldnamen unter `{path}` ({list}); eine Suche über alle braucht {n Bedingungen} und \
         {n Indexe}.",
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

const TRANSLATED: Words = Words::new(
    "`{key}` and {others} are one attribute under several names: {own documents} {own|has|have} the one and {n documents} \
     the other, and each search finds one of them.",
    "`{key}` und {others} sind ein Attribut unter mehreren Namen: {own Dokumente} {own|hat|haben} das eine und {n Dokumente} \
     das andere, und jede Suche findet eines davon.",
);

/// What attributes are often called, in English, German, French and Spanish: lower case, without signs in between.
const ATTRIBUTES: [&[&str]; 22] = [
    &["color", "colour", "farbe", "couleur"],
    &["size", "größe", "groesse", "taille", "tamaño", "talla"],
    &["weight", "gewicht", "poids", "peso"],
    &["length", "länge", "laenge", "longueur", "longitud"],
    &["width", "breite", "largeur", "ancho"],
    &["height", "höhe", "hoehe", "hauteur", "altura"],
    &["depth", "tiefe", "profondeur", "profundidad"],
    &["diameter", "durchmesser", "diamètre", "diámetro"],
    &["volume", "volumen", "inhalt"],
    &["material", "werkstoff", "matériau", "matière"],
    &["brand", "marke", "marque", "marca"],
    &["maker", "manufacturer", "hersteller", "fabricant", "fabricante"],
    &["price", "preis", "prix", "precio"],
    &["year", "jahr", "baujahr", "année", "año"],
    &["language", "sprache", "langue", "idioma"],
    &["country", "land", "pays", "país"],
    &["power", "leistung", "puissance", "potencia"],
    &["memory", "speicher", "arbeitsspeicher", "mémoire", "memoria"],
    &["warranty", "garantie", "gewährleistung", "garantía"],
    &["shape", "form", "forme", "forma"],
    &["pattern", "muster", "motif"],
    &["origin", "herkunft", "origine", "origen"],
];

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let languages = case.touches().iter().flat_map(|touch| sights(case, touch));
    languages.chain(each_touched_array(case, translated)).collect()
}

/// A key that is named while the array has the same attribute in another language.
fn translated(case: &Case<'_>, touch: &Touch<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let keys = touch.keys(array, &[Part::Filter, Part::Stored]);
    keys.into_iter().find_map(|key| {
        let group = ATTRIBUTES.iter().find(|names| names.contains(&&*folded(key)))?;
        let other = |held: &&String| folded(held) != folded(key) && group.contains(&&*folded(held));
        let others: Vec<(&String, u64)> =
            array.keys.keys().filter(other).map(|held| (held, array.keys[held].documents)).collect();
        // A name that no document has is no second name of what the others have.
        let own = array.keys.get(key).map(|facts| facts.documents).filter(|own| *own > 0)?;
        (!others.is_empty()).then(|| Sighting {
            span: case.span(touch.ran, &touch.place_of_key(array, key)),
            values: vec![
                ("key", key.to_owned()),
                ("others", others.iter().map(|(held, _)| format!("`{held}`")).collect::<Vec<_>>().join(", ")),
                ("own", own.to_string()),
                ("n", others.iter().map(|(_, documents)| documents).sum::<u64>().to_string()),
            ],
            evidence: vec![Evidence::Counts {
                of: format!("{}.{}", array.path, array.key),
                counts: others
                    .iter()
                    .map(|(held, count)| ((*held).clone(), *count))
                    .chain([(key.to_owned(), own)])
                    .collect(),
            }],
            words: Some(TRANSLATED),
            ..Sighting::default()
        })
    })
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
