//! Field names that are data: days, numbers, ids.

use std::collections::BTreeSet;

use crate::pitfall::touch::{Part, Touch};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::Profile;
use crate::value::Bson;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "values-as-keys",
    level: Level::Risk,
    weight: 25,
    title: Words::new("Values used as field names", "Werte als Feldnamen"),
    explanation: Words::new(
        "A filter compares values, never names: there is no range of days, no \"any day above 10000\", and one index per \
         name. A pipeline can, but only after `$objectToArray` on every document, without an index.",
        "Ein Filter vergleicht Werte, nie Namen: Es gibt keinen Bereich von Tagen, kein „irgendein Tag über 10000“ und \
         einen Index je Name. Eine Pipeline kann es, aber erst nach `$objectToArray` auf jedem Dokument, ohne Index.",
    ),
    message: Words::new(
        "`{path}` has {n} different field names that are data, such as `{name}`. A filter cannot search names.",
        "`{path}` hat {n} verschiedene Feldnamen, die Daten sind, etwa `{name}`. Ein Filter kann Namen nicht durchsuchen.",
    ),
    cure: Words::new(
        "Make the name a value: an array of `{date, steps}`, or one document per day.",
        "Mach den Namen zum Wert: ein Array von `{date, steps}` oder ein Dokument je Tag.",
    ),
    example: r#"db.c.insertOne({person: "p1", steps: {"20140201": 10800, "20140202": 5906}})"#,
    detect,
};

/// More names than these, most of them rare, are taken for data whatever they look like.
const MANY: usize = 20;
/// A closed set of slots, such as the days of a month, has no more names.
const SLOTS: usize = 31;
/// How many names the evidence lists.
const LISTED: usize = 10;

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let touches = case.touches();
    let mut told = BTreeSet::new();
    touches.iter().rev().flat_map(|touch| sights(case, touch, &mut told)).collect()
}

fn sights(case: &Case<'_>, touch: &Touch<'_>, told: &mut BTreeSet<(String, String)>) -> Vec<Sighting> {
    let Some(profile) = case.profile(touch.collection) else { return Vec::new() };
    parents(touch, profile)
        .into_iter()
        .filter(|path| !told.contains(&(touch.collection.to_owned(), path.clone())))
        .collect::<Vec<_>>()
        .into_iter()
        .filter_map(|path| {
            let sighting = sight(case, touch, profile, &path)?;
            told.insert((touch.collection.to_owned(), path));
            Some(sighting)
        })
        .collect()
}

/// The sub-documents that are named or lie above a named path, and the root.
fn parents(touch: &Touch<'_>, profile: &Profile) -> BTreeSet<String> {
    let holds = |path: &str| profile.path(path).is_some_and(|facts| facts.types.contains_key("object"));
    let named = touch.mentions.iter().flat_map(|mention| prefixes(&mention.path)).filter(|path| holds(path));
    named.map(str::to_owned).chain([String::new()]).collect()
}

fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('.').map(|(at, _)| &path[..at]).chain([path])
}

fn sight(case: &Case<'_>, touch: &Touch<'_>, profile: &Profile, path: &str) -> Option<Sighting> {
    let names: Vec<(&str, u64)> = profile.field_names(path).filter(|(name, _)| *name != "_id").collect();
    let data: Vec<(&str, u64)> = names.iter().copied().filter(|(name, _)| is_data(name)).collect();
    let looks = data.len() >= 2 && data.len() * 5 >= names.len() * 4 && !is_closed(touch, path, &data);
    let grows = !path.is_empty() && is_growing(&names, profile.documents());
    let shown = if looks { &data } else { &names };
    (looks || grows).then(|| Sighting {
        span: case.span(touch.ran, &crate::error::CommandPath::default()),
        values: vec![
            ("path", if path.is_empty() { touch.collection.to_owned() } else { path.to_owned() }),
            ("n", shown.len().to_string()),
            ("name", shown[0].0.to_owned()),
        ],
        evidence: vec![Evidence::Counts {
            of: path.to_owned(),
            counts: shown.iter().take(LISTED).map(|(name, documents)| ((*name).to_owned(), *documents)).collect(),
        }],
        ..Sighting::default()
    })
}

/// Many names, most of them in less than a tenth of the documents.
fn is_growing(names: &[(&str, u64)], documents: u64) -> bool {
    let rare = names.iter().filter(|(_, held)| held * 10 < documents).count();
    names.len() > MANY && rare * 2 > names.len()
}

/// Whether the names are numbered slots of a closed set, and no filter compares the sub-document as a whole.
fn is_closed(touch: &Touch<'_>, path: &str, names: &[(&str, u64)]) -> bool {
    let slots = names.len() <= SLOTS && names.iter().all(|(name, _)| name.parse::<usize>().is_ok_and(|at| at <= SLOTS));
    let compared = touch.mentions.iter().any(|mention| {
        mention.part == Part::Filter && mention.path == path && !matches!(mention.value, Bson::Boolean(_))
    });
    slots && !compared
}

/// Whether a name is a day, a month, a number, an object id or an address.
fn is_data(name: &str) -> bool {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let plain = name.bytes().all(|byte| byte.is_ascii_digit() || b"-/:_TZ+ ".contains(&byte));
    let number = digits > 0 && plain;
    let object_id = name.len() == 24 && digits > 0 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let address = name.split_once('@').is_some_and(|(who, place)| !who.is_empty() && !place.is_empty());
    number || object_id || address
}
