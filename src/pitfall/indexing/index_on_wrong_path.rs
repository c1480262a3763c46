//! An index on a path that no document has.

use crate::engine::{Command, IndexRequest};
use crate::pitfall::indexing::asked::{Asked, asked};
use crate::pitfall::indexing::conditions::conditions;
use crate::pitfall::indexing::made::{Made, standing};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::nearest;
use crate::store::{AttributeFacts, AttributeRole, Index, Profile, usual_role};
use crate::value::{Bson, Document};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "index-on-wrong-path",
    level: Level::Cost,
    weight: 20,
    title: Words::new("Index on a path that no document has", "Index auf einem Pfad, den kein Dokument hat"),
    explanation: Words::new(
        "The index is built without complaint: one `null` entry per document. It never serves the query and costs every \
         write.",
        "Der Index entsteht ohne Widerspruch: je Dokument ein Eintrag `null`. Er hilft keiner Abfrage und kostet bei jedem \
         Schreiben.",
    ),
    message: Words::new(
        "`{path}` exists in none of the {n documents}. Did you mean `{other}`?",
        "`{path}` gibt es in keinem der {n Dokumente}. Meintest du `{other}`?",
    ),
    cure: Words::new(
        "Index the full path and drop the dead index.",
        "Indiziere den ganzen Pfad und lösche den toten Index.",
    ),
    example: r#"db.c.createIndex({date: 1}) // data: {steps_made: [{date: "20140201", steps: 10800}]}"#,
    detect,
};

/// A path of an index that leads nowhere, and what it may have meant: one path, or those of key and value.
struct Astray {
    path: String,
    others: Vec<String>,
}

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let creations: Vec<Sighting> =
        standing(case).into_iter().filter_map(|(made, _, index)| creation(case, &made, index)).collect();
    if creations.is_empty() {
        return asked(case).iter().filter(|asked| asked.reads_all()).filter_map(|asked| unused(case, asked)).collect();
    }
    creations
}

fn creation(case: &Case<'_>, made: &Made<'_>, index: &Index) -> Option<Sighting> {
    let profile = case.profile(made.collection)?;
    let astray = astray(profile, index);
    let keys = corrected(&made.request.keys, &astray);
    let mut options = made.request.options.clone();
    options.remove("name");
    Some(Sighting {
        span: made.span(case),
        fix: made.replaced(case, &[IndexRequest { keys, options }]),
        ..sighting(profile, index, astray.first()?)
    })
}

/// A question that reads every document, though an index was meant for it.
fn unused(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let profile = case.profile(asked.question.collection)?;
    let conditions = conditions(&asked.question.tree);
    let (index, astray) = asked.indexes().find_map(|index| {
        let astray = astray(profile, index);
        let asked = |astray: &Astray| conditions.iter().any(|condition| astray.others.contains(&condition.path));
        astray.iter().any(asked).then_some((index, astray))
    })?;
    let keys = corrected(&index.info().key_pattern, &astray);
    let drop =
        Command::DropIndexes { collection: asked.question.collection.into(), index: Bson::String(index.name().into()) };
    let mut sighting = sighting(profile, index, astray.first()?);
    // An index that leads nowhere costs every write, be it that the right one spares this question nothing.
    sighting.evidence.extend(asked.gain(case, &keys, Some(index)).map(|gain| gain.evidence));
    Some(Sighting {
        span: asked.span.clone(),
        fix: asked.after_commands(case, &[drop, asked.creation(&keys)]),
        ..sighting
    })
}

fn sighting(profile: &Profile, index: &Index, astray: &Astray) -> Sighting {
    let info = index.info();
    let counts = [("entries".to_owned(), info.entries), (astray.path.clone(), 0)];
    let others = astray.others.iter().map(|other| documents(profile, other));
    Sighting {
        values: vec![
            ("path", astray.path.clone()),
            ("n", profile.documents().to_string()),
            ("other", astray.others.join("`, `")),
        ],
        evidence: vec![Evidence::Counts { of: info.name.clone(), counts: counts.into_iter().chain(others).collect() }],
        ..Sighting::default()
    }
}

fn documents(profile: &Profile, path: &str) -> (String, u64) {
    (path.to_owned(), profile.path(path).map_or(0, |facts| facts.documents))
}

/// The paths of an index that lead nowhere.
fn astray(profile: &Profile, index: &Index) -> Vec<Astray> {
    let parts = index.info().parts.iter().filter(|part| !part.wildcard);
    let lost = parts.map(|part| part.path.to_string()).filter_map(|path| {
        let others = meant(profile, &path)?;
        Some(Astray { path, others })
    });
    lost.collect()
}

/// The path that one leading nowhere may have meant: without signs that only other languages know, or the shortest
/// longer path with the same end, or one that differs in its parent only, or what its last name says of an attribute array.
fn meant(profile: &Profile, path: &str) -> Option<Vec<String>> {
    let names: Vec<&str> = path.split('.').collect();
    let plain: Vec<&str> = names.iter().copied().filter(|name| name.parse::<usize>().is_err()).collect();
    if path.is_empty() || profile.documents() == 0 || profile.path(&plain.join(".")).is_some() {
        return None;
    }
    let bare: Vec<&str> =
        plain.iter().map(|name| name.trim_end_matches("[]")).filter(|name| !["*", "$", ""].contains(name)).collect();
    let bare = bare.join(".");
    if profile.path(&bare).is_some() {
        return Some(vec![bare]);
    }
    let end = format!(".{bare}");
    let longer = profile.paths().keys().filter(|known| known.ends_with(&end)).min_by_key(|known| known.len());
    let other = longer
        .cloned()
        .or_else(|| in_role(profile, &bare))
        .or_else(|| beside(profile, &bare))
        .or_else(|| in_only_array(profile, &bare))
        .or_else(|| near(profile, &bare));
    key_as_field(profile, &bare).or_else(|| other.map(|other| vec![other]))
}

/// The field of an attribute array that does what the name usually does: key, value or unit.
fn in_role(profile: &Profile, path: &str) -> Option<String> {
    let (above, last) = path.rsplit_once('.')?;
    let array = profile.attribute_array(above)?;
    Some(format!("{above}.{}", role_in(array, last)?))
}

fn role_in<'a>(array: &'a AttributeFacts, name: &str) -> Option<&'a str> {
    Some(match usual_role(name)? {
        AttributeRole::Key => &array.key,
        AttributeRole::Value => &array.value,
        AttributeRole::Unit => array.unit.as_ref()?,
    })
}

/// The path with its last name exchanged for the nearest one beside it.
fn near(profile: &Profile, path: &str) -> Option<String> {
    let (above, last) = path.rsplit_once('.').unwrap_or(("", path));
    let near = nearest(last, profile.field_names(above).map(|(name, _)| name))?;
    Some(if above.is_empty() { near.to_owned() } else { format!("{above}.{near}") })
}

/// The path that differs in its parent only: `specs.k` where `attributes.k` was written.
fn beside(profile: &Profile, path: &str) -> Option<String> {
    let (above, last) = path.rsplit_once('.')?;
    let depth = above.split('.').count();
    let like = |known: &&String| {
        known.rsplit_once('.').is_some_and(|(other, name)| name == last && other.split('.').count() == depth)
    };
    profile.paths().keys().find(like).cloned()
}

/// The field of the only attribute array, wherever that lies, where the path's parent is nowhere.
fn in_only_array(profile: &Profile, path: &str) -> Option<String> {
    let (above, last) = path.rsplit_once('.')?;
    let [array] = profile.attributes() else { return None };
    let is_own =
        [Some(&array.key), Some(&array.value), array.unit.as_ref()].into_iter().flatten().any(|own| own == last);
    let field = if is_own { last } else { role_in(array, last)? };
    profile.path(above).is_none().then(|| format!("{}.{field}", array.path))
}

/// The fields of key and value, where a path names a key of an attribute array as if it were a field.
fn key_as_field(profile: &Profile, path: &str) -> Option<Vec<String>> {
    let (above, name) = path.rsplit_once('.')?;
    let array = profile.attribute_array(above).filter(|array| array.keys.contains_key(name))?;
    Some(vec![format!("{above}.{}", array.key), format!("{above}.{}", array.value)])
}

/// The keys with what was meant in place of every path that leads nowhere, each once.
fn corrected(keys: &Document, astray: &[Astray]) -> Document {
    let mut corrected = Document::new();
    for (name, direction) in keys {
        let lost = astray.iter().find(|astray| astray.path == *name);
        for other in lost.map_or_else(|| vec![name], |astray| astray.others.iter().collect()) {
            corrected.entry(other.clone()).or_insert_with(|| direction.clone());
        }
    }
    corrected
}
