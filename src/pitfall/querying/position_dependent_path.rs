//! A fixed array position in a path.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::all_elements;
use crate::pitfall::exchange::{equals, field, replaced};
use crate::pitfall::verdict::proof;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::proof::written;
use crate::query::{Filter, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::{Document, Path, RawDocument, View, array_index};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "position-dependent-path",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("Fixed array position in a path", "Feste Array-Position im Pfad"),
    explanation: Words::new(
        "The path reads whichever attribute happens to be there. Order in the array is the order of insertion, not meaning.",
        "Der Pfad liest das Attribut, das zufällig dort steht. Die Reihenfolge im Array ist die des Einfügens und sagt nichts aus.",
    ),
    message: Words::new(
        "Position {at} of `{array}` is {keys}; in _id {id} it is `{other}`.",
        "Position {at} von `{array}` ist {keys}; in _id {id} ist es `{other}`.",
    ),
    cure: Words::new(
        "Address the element by its key with `$elemMatch`.",
        "Sprich das Element mit `$elemMatch` über seinen Schlüssel an.",
    ),
    example: r#"db.c.find({"specs.0.v": "16"})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.questions().iter().flat_map(|question| sightings(case, question)).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let arrays = case.attributes(question.collection).iter();
    arrays.filter_map(|array| sight(case, question, array)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let (at, place) = fixed(question, array)?;
    let path = Path::new(&array.path);
    let mut keys: BTreeMap<&str, (u64, &RawDocument)> = BTreeMap::new();
    for document in case.seen(question).iter().copied() {
        if let Some(key) = key_at(document, &path, at, array) {
            keys.entry(key).or_insert((0, document)).0 += 1;
        }
    }
    let main = keys.iter().max_by_key(|(_, (count, _))| *count).map(|(key, _)| *key)?;
    let (other, (_, document)) = keys.iter().find(|(key, _)| **key != main)?;
    let mut evidence = vec![Evidence::Counts {
        of: format!("{path}.{at}.{}", array.key),
        counts: keys.iter().map(|(key, (count, _))| ((*key).to_owned(), *count)).collect(),
    }];
    evidence.extend(proof(document, vec![(format!("{path}.{at}"), (*other).to_owned())]));
    let list: Vec<String> = keys.iter().map(|(key, (count, _))| format!("`{key}` ({count})")).collect();
    Some(Sighting {
        span: case.span(question.ran, &place),
        values: vec![
            ("at", at.to_string()),
            ("array", array.path.clone()),
            ("keys", list.join(", ")),
            ("id", shown(&id(document))),
            ("other", (*other).to_owned()),
        ],
        evidence,
        fix: cured(question, array, at, main).and_then(|tree| case.with_filter(question, &written(&tree))),
        level: None,
    })
}

/// The position in the first path of filter, sort or projection that goes on behind a position of the array.
fn fixed(question: &Question<'_>, array: &AttributeFacts) -> Option<(usize, CommandPath)> {
    let path = Path::new(&array.path);
    let position = |full: &Path| {
        let rest = full.parts().strip_prefix(path.parts())?;
        let (at, behind) = rest.split_first()?;
        array_index(at).filter(|_| !behind.is_empty())
    };
    let asked: BTreeSet<usize> = question.tree.paths().into_iter().filter_map(position).collect();
    let is_key = |full: &Path| full.parts().last().is_some_and(|last| **last == *array.key);
    let paths = question.tree.paths();
    let named: BTreeSet<usize> = paths.into_iter().filter(|full| is_key(full)).filter_map(position).collect();
    if let Some(at) = asked.difference(&named).next() {
        return Some((*at, question.at.clone()));
    }
    let Command::Find(find) = question.command else { return None };
    let in_document = |document: Option<&Document>, place: &str| {
        let positions = document.into_iter().flat_map(Document::keys).filter_map(|name| position(&Path::new(name)));
        let mut open = positions.filter(|at| !named.contains(at));
        open.next().map(|at| (at, CommandPath::argument(place)))
    };
    in_document(find.sort.as_ref(), "sort").or_else(|| in_document(find.projection.as_ref(), "projection"))
}

/// The filter that asks for the element by its key, the most frequent one at the position.
fn cured(question: &Question<'_>, array: &AttributeFacts, at: usize, key: &str) -> Option<Filter> {
    let position = Path::new(&array.path).join(&Path::new(&at.to_string()));
    let tree = replaced(&question.tree, &|part| {
        let Filter::Field(Predicate { path, test }) = part else { return None };
        let rest = path.parts().strip_prefix(position.parts()).filter(|rest| !rest.is_empty())?;
        let tests = vec![equals(&array.key, key), field(Path::from_parts(rest.to_vec()), test.clone())];
        Some(field(Path::new(&array.path), Test::ElemMatchObject(Box::new(Filter::And(tests)))))
    });
    (tree != question.tree).then_some(tree)
}

fn key_at<'d>(document: &'d RawDocument, path: &Path, at: usize, array: &AttributeFacts) -> Option<&'d str> {
    let View::Document(element) = all_elements(document, path).get(at).copied()? else { return None };
    if let Some(View::String(key)) = element.get(&array.key) { Some(key) } else { None }
}
