//! A fixed array position in a path.

use std::collections::BTreeMap;

use super::asks::{levels, parts};
use super::sorting::{Sorting, sortings};
use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::aggregating::positions_in_stages;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{all_elements, key_of};
use crate::pitfall::exchange::{equals, field, replaced};
use crate::pitfall::grain::each_question;
use crate::pitfall::verdict::{Verdict, proof};
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, rewrite};
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

const BY_VALUE: Words = Words::new(
    "Position {at} of `{array}` is {keys}; in _id {id} it is `{other}`. The fix takes `{key}` for the key that is meant: {n elements} with such a value {n|has|have} it{alone|.|, more than any other key.}",
    "Position {at} von `{array}` ist {keys}; in _id {id} ist es `{other}`. Die Korrektur nimmt `{key}` als gemeinten \
     Schlüssel: {n Elemente} mit so einem Wert {n|hat|haben} ihn{alone|.|, mehr als jeden anderen Schlüssel.}",
);

const BY_PLACE: Words = Words::new(
    "Position {at} of `{array}` is {keys}; in _id {id} it is `{other}`. The fix takes `{key}` for the key that is meant: it \
     stands there most often, in {n documents}.",
    "Position {at} von `{array}` ist {keys}; in _id {id} ist es `{other}`. Die Korrektur nimmt `{key}` als gemeinten \
     Schlüssel: er steht dort am häufigsten, in {n Dokumenten}.",
);

/// The key that the learner seems to mean, and what speaks for it.
struct Guess<'d> {
    key: &'d str,
    /// How many elements or documents speak for it.
    count: u64,
    /// Whether no other key has such a value.
    alone: bool,
    /// How it is told; nothing where the learner names the key.
    words: Option<Words>,
}

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let sorted = sortings(case);
    let sorted = sorted.iter().flat_map(|sorting| self::sorted(case, sorting));
    each_question(case, sightings).into_iter().chain(sorted).chain(positions_in_stages(case)).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let arrays = case.attributes(question.collection).iter();
    let placed = arrays.filter_map(|array| Some((array, fixed(question, array)?)));
    placed.filter_map(|(array, (at, place))| sight(case, question, array, at, &place)).collect()
}

/// The `$sort` of a pipeline.
fn sorted(case: &Case<'_>, sorting: &Sorting<'_>) -> Vec<Sighting> {
    let question = &sorting.question;
    let arrays = case.attributes(question.collection).iter().filter(|_| sorting.stage.is_some());
    let at = |array: &AttributeFacts| sorting.sort.keys().find_map(|name| position(&Path::new(name), array));
    let placed = arrays.filter_map(|array| Some((array, at(array)?)));
    let sights = placed.filter_map(|(array, at)| sight(case, question, array, at, &sorting.at));
    sights.map(|sighting| Sighting { fix: None, ..sighting }).collect()
}

fn sight(
    case: &Case<'_>,
    question: &Question<'_>,
    array: &AttributeFacts,
    at: usize,
    place: &CommandPath,
) -> Option<Sighting> {
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
    let by_value = guess(case, question, array, at);
    // Of keys for which as much speaks none is taken for the one that is meant.
    let is_clear = by_value.is_some() || keys.values().filter(|(count, _)| *count == keys[main].0).count() == 1;
    let guess = by_value.unwrap_or(Guess { key: main, count: keys[main].0, alone: false, words: Some(BY_PLACE) });
    let tree = cured(question, array, at, guess.key).filter(|_| is_clear);
    let verdict = tree.as_ref().and_then(|tree| Verdict::of(case, question, tree));
    let misjudged = verdict.as_ref().and_then(Verdict::misjudged);
    let (other, document) = misjudged
        .and_then(|document| Some((key_at(document, &path, at, array)?, document)))
        .unwrap_or((*other, *document));
    evidence.extend(verdict.as_ref().into_iter().flat_map(Verdict::results));
    evidence.extend(proof(document, vec![(format!("{path}.{at}"), other.to_owned())]));
    let fix = tree.and_then(|tree| case.with_filter(question, &written(&tree)));
    let list: Vec<String> = keys.iter().map(|(key, (count, _))| format!("`{key}` ({count})")).collect();
    Some(Sighting {
        span: case.span(question.ran, place),
        values: vec![
            ("at", at.to_string()),
            ("array", array.path.clone()),
            ("keys", list.join(", ")),
            ("id", shown(&id(document))),
            ("other", other.to_owned()),
            ("key", guess.key.to_owned()),
            ("n", guess.count.to_string()),
            ("alone", u8::from(guess.alone).to_string()),
        ],
        evidence,
        words: guess.words.filter(|_| fix.is_some()),
        fix,
        level: verdict.and_then(|verdict| verdict.level()),
        ..Sighting::default()
    })
}

/// The key whose elements have what the filter asks for at the position, or the one it names there.
fn guess<'d>(case: &Case<'d>, question: &Question<'_>, array: &AttributeFacts, at: usize) -> Option<Guess<'d>> {
    let position = Path::new(&array.path).join(&Path::new(&at.to_string()));
    let asked: Vec<Filter> = levels(&question.tree)
        .iter()
        .flat_map(|level| &level.parts)
        .filter_map(|part| of_element(part, &position))
        .collect();
    let named = asked.iter().any(|part| part.paths().iter().any(|path| path.to_string() == array.key));
    let matcher = question.matcher(&Filter::And(asked).normalised())?;
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for document in case.seen(question).iter().copied() {
        let elements = all_elements(document, &Path::new(&array.path));
        for element in elements.into_iter().filter(|element| matcher.matches_element(*element)) {
            *counts.entry(key_of(element, &array.key)?).or_default() += 1;
        }
    }
    let (key, count) = counts.iter().max_by_key(|(_, count)| **count)?;
    if counts.values().filter(|other| *other == count).count() > 1 {
        return None;
    }
    Some(Guess { key, count: *count, alone: counts.len() == 1, words: (!named).then_some(BY_VALUE) })
}

/// What a part asks of the element at a position.
fn of_element(part: &Filter, position: &Path) -> Option<Filter> {
    let Filter::Field(Predicate { path, test }) = part else { return None };
    let rest = path.parts().strip_prefix(position.parts()).filter(|rest| !rest.is_empty())?;
    Some(field(Path::from_parts(rest.to_vec()), test.clone()))
}

/// The position in the first path of filter, sort or projection that goes on behind a position of the array.
fn fixed(question: &Question<'_>, array: &AttributeFacts) -> Option<(usize, CommandPath)> {
    let position = |full: &Path| position(full, array);
    let asked = question.tree.paths().into_iter().find_map(position);
    if let Some(at) = asked {
        return Some((at, question.at.clone()));
    }
    let (sort, projection) = match question.command {
        Command::Find(find) => (&find.sort, &find.projection),
        Command::FindAndModify(modify) => (&modify.sort, &modify.projection),
        _ => return None,
    };
    let in_document = |document: Option<&Document>, place: &str| {
        let mut positions = document.into_iter().flat_map(Document::keys).filter_map(|name| position(&Path::new(name)));
        positions.next().map(|at| (at, CommandPath::argument(place)))
    };
    in_document(sort.as_ref(), "sort").or_else(|| in_document(projection.as_ref(), "projection"))
}

/// The position of the array that a path goes through.
fn position(full: &Path, array: &AttributeFacts) -> Option<usize> {
    let rest = full.parts().strip_prefix(Path::new(&array.path).parts())?;
    let (at, behind) = rest.split_first()?;
    array_index(at).filter(|_| !behind.is_empty())
}

/// The filter that asks for the element by its key: the one that is named at the position, else the most frequent there.
fn cured(question: &Question<'_>, array: &AttributeFacts, at: usize, key: &str) -> Option<Filter> {
    let position = Path::new(&array.path).join(&Path::new(&at.to_string()));
    let tree = replaced(&question.tree, &|part| {
        let (mine, mut rest): (Vec<&Filter>, Vec<&Filter>) =
            parts(part).into_iter().partition(|part| of_element(part, &position).is_some());
        let mut tests: Vec<Filter> = mine.into_iter().filter_map(|part| of_element(part, &position)).collect();
        let named = tests.iter().any(|test| test.paths().iter().any(|path| path.to_string() == array.key));
        if tests.is_empty() {
            return None;
        }
        if !named {
            tests.insert(0, equals(&array.key, key));
        }
        let element = field(Path::new(&array.path), Test::ElemMatchObject(Box::new(Filter::And(tests).normalised())));
        Some(Filter::And(std::iter::once(element).chain(rest.drain(..).cloned()).collect()))
    });
    (!rewrite::same(&tree, &question.tree)).then(|| tree.normalised())
}

fn key_at<'d>(document: &'d RawDocument, path: &Path, at: usize, array: &AttributeFacts) -> Option<&'d str> {
    let View::Document(element) = all_elements(document, path).get(at).copied()? else { return None };
    if let Some(View::String(key)) = element.get(&array.key) { Some(key) } else { None }
}
