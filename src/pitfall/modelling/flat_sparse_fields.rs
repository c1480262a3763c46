//! Many sibling fields that few documents have.

use std::collections::BTreeMap;

use crate::error::CommandPath;
use crate::pitfall::conversion::{in_front, update_all};
use crate::pitfall::exchange::{equals, field, replaced};
use crate::pitfall::touch::{Part, Touch};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::query::{Filter, Predicate, Test};
use crate::store::Profile;
use crate::value::{Bson, Document, Path, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "flat-sparse-fields",
    level: Level::Risk,
    weight: 15,
    title: Words::new("Many sparse sibling fields", "Viele dünn besetzte Nachbarfelder"),
    explanation: Words::new(
        "A question over all of them needs one predicate and one index per field, and a new field needs new code and a new \
         index.",
        "Eine Frage über alle braucht eine Bedingung und einen Index je Feld, und ein neues Feld braucht neuen Code und \
         einen neuen Index.",
    ),
    message: Words::new(
        "{n fields} such as `{name}` are alike, and each is present in {percent} % of the documents on average.",
        "{n Felder} wie `{name}` gleichen sich, und jedes ist im Mittel in {percent} % der Dokumente vorhanden.",
    ),
    cure: Words::new(
        "The attribute pattern: `releases: [{location, date}]` with one index.",
        "Das Attributmuster: `releases: [{location, date}]` mit einem Index.",
    ),
    example: r#"db.films.find({release_US: {$gte: ISODate("1977-01-01")}})"#,
    detect,
};

/// More rare siblings than these are one attribute each.
const SIBLINGS: usize = 8;
/// Siblings whose names begin or end alike, from this many on.
const ALIKE: usize = 3;
/// Siblings of like names count when they are present in less than this many percent of the documents on average.
const SPARSE: u64 = 80;

type Fields<'p> = Vec<(&'p str, u64)>;

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.touches().iter().filter_map(|touch| sight(case, touch)).collect()
}

fn sight(case: &Case<'_>, touch: &Touch<'_>) -> Option<Sighting> {
    let profile = case.profile(touch.collection)?;
    let mut asked = touch.mentions.iter().filter(|mention| matches!(mention.part, Part::Filter | Part::Order));
    let (group, name) = asked.find_map(|mention| group(&mention.path, profile))?;
    let present: u64 = group.iter().map(|(_, documents)| documents).sum();
    let percent = present * 100 / (group.len() as u64 * profile.documents().max(1));
    Some(Sighting {
        span: case.span(touch.ran, &CommandPath::argument("filter")),
        values: vec![("n", group.len().to_string()), ("name", name), ("percent", percent.to_string())],
        evidence: vec![Evidence::Counts {
            of: touch.collection.to_owned(),
            counts: group.iter().map(|(name, documents)| ((*name).to_owned(), *documents)).collect(),
        }],
        fix: cured(case, touch, &group),
        ..Sighting::default()
    })
}

/// The fields made attributes of one array by an update in front, and the filter asked of these; none for fields of
/// sub-documents.
fn cured(case: &Case<'_>, touch: &Touch<'_>, group: &Fields<'_>) -> Option<String> {
    let question = case.questions().iter().find(|question| std::ptr::eq(question.ran, touch.ran))?;
    let names: Vec<&str> = group.iter().map(|(name, _)| *name).collect();
    let (array, keys) = named(&names);
    let free = case.profile(touch.collection)?.path(&array).is_none();
    let tree = replaced(&question.tree, &|part| {
        let Filter::Field(Predicate { path, test }) = part else { return None };
        let at = names.iter().position(|name| Path::new(name) == *path)?;
        let element = Filter::And(vec![equals("k", keys[at].as_str()), field(Path::new("v"), test.clone())]);
        Some(field(Path::new(&array), Test::ElemMatchObject(Box::new(element))))
    });
    if tree == question.tree || !free {
        return None;
    }
    let object: Document =
        names.iter().zip(&keys).map(|(name, key)| (key.clone(), Bson::from(format!("${name}")))).collect();
    let made = doc! {"$set": {&array: {"$objectToArray": object}}};
    let update = update_all(touch.collection, Document::new(), vec![made, doc! {"$unset": names}]);
    Some(in_front(case, touch.ran, &update, &case.with_filter(question, &written(&tree))?))
}

/// A name for the array and the keys in it: what the fields' names share, and the rest of each.
fn named(names: &[&str]) -> (String, Vec<String>) {
    let rest = |part: fn(&str) -> Option<(&str, &str)>| {
        let parts: Vec<(&str, &str)> = names.iter().map(|name| part(name)).collect::<Option<_>>()?;
        let shared = parts.first()?.0;
        let keys = parts.iter().map(|(_, key)| (*key).to_owned()).collect();
        parts.iter().all(|(own, _)| *own == shared).then(|| (format!("{shared}s"), keys))
    };
    let front = rest(|name| name.split_once('_'));
    let back = || rest(|name| name.rsplit_once('_').map(|(key, shared)| (shared, key)));
    front
        .or_else(back)
        .unwrap_or_else(|| ("attributes".to_owned(), names.iter().map(|name| (*name).to_owned()).collect()))
}

/// The sparse siblings that a named path belongs to, with its name.
fn group<'p>(path: &str, profile: &'p Profile) -> Option<(Fields<'p>, String)> {
    let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
    let siblings: Fields<'p> = profile.field_names(parent).filter(|(name, _)| *name != "_id").collect();
    let documents = profile.documents();
    let rare: Fields<'p> = siblings.iter().copied().filter(|(_, held)| held * 10 < documents * 3).collect();
    let belongs = |fields: &Fields<'_>| fields.iter().any(|(field, _)| *field == name);
    if rare.len() > SIBLINGS && belongs(&rare) {
        return Some((rare, name.to_owned()));
    }
    let alike = [first as fn(&str) -> Option<&str>, last].into_iter().flat_map(|part| by_part(&siblings, part));
    let sparse = |fields: &Fields<'_>| {
        let present: u64 = fields.iter().map(|(_, held)| held).sum();
        present * 100 < SPARSE * documents * fields.len() as u64
    };
    alike
        .into_iter()
        .find(|fields| fields.len() >= ALIKE && belongs(fields) && sparse(fields))
        .map(|f| (f, name.to_owned()))
}

fn by_part<'p>(siblings: &Fields<'p>, part: fn(&str) -> Option<&str>) -> Vec<Fields<'p>> {
    let mut groups: BTreeMap<&str, Fields<'p>> = BTreeMap::new();
    for (name, documents) in siblings {
        if let Some(part) = part(name) {
            groups.entry(part).or_default().push((name, *documents));
        }
    }
    groups.into_values().collect()
}

fn first(name: &str) -> Option<&str> {
    name.split_once('_').map(|(part, _)| part).filter(|part| !part.is_empty())
}

fn last(name: &str) -> Option<&str> {
    name.rsplit_once('_').map(|(_, part)| part).filter(|part| !part.is_empty())
}
