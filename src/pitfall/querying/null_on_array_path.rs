//! An equality with null on a path through an array.

use super::asks::{Ask, each_ask_of_documents};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::all_elements;
use crate::pitfall::exchange::{field, replaced};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, rewrite};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Path, View, member};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "null-on-array-path",
    level: Level::WrongResult,
    weight: 6,
    title: Words::new("null on a path through an array", "null auf einem Pfad durch ein Array"),
    explanation: Words::new(
        "It is true if some element has a null or missing value, or if the array itself is missing or a scalar; it is false for an empty array.",
        "Das gilt, wenn irgendein Element null oder gar keinen Wert hat oder das Array selbst fehlt oder ein Skalar ist; für ein leeres Array gilt es nicht.",
    ),
    message: Words::new(
        "{n} of {m results} {n|has|have} no such element, such as _id {id}: null on `{path}` is also met where another element has \
         no value or the array is missing.",
        "{n} von {m Ergebnissen} {n|hat|haben} kein solches Element, etwa _id {id}: null auf `{path}` gilt auch, wo ein anderes \
         Element keinen Wert hat oder das Array fehlt.",
    ),
    cure: Words::new(
        "Ask for null inside `$elemMatch`; for a missing field use `$exists: false`.",
        "Frage im `$elemMatch` nach null; für ein fehlendes Feld nimm `$exists: false`.",
    ),
    example: r#"db.c.find({"specs.k": "color", "specs.v": null})"#,
    detect: |case| each_ask_of_documents(case, sight),
};

/// Said where all documents found are meant.
const BY_CHANCE: Words = Words::new(
    "{lacking} {lacking|element has|elements have} no value at `{path}`; null there is met by any such element, whatever its key. {n} of {m results} \
     {n|is|are} found by another element now.",
    "{lacking} {lacking|Element hat|Elemente haben} an `{path}` keinen Wert; null gilt dort für jedes solche Element, welcher Schlüssel auch darin steht. \
     {n} von {m Ergebnissen} {n|kommt|kommen} jetzt durch ein anderes Element.",
);

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let array = ask.array.filter(|_| !ask.bound && !ask.negated)?;
    let lacking: u64 = array.keys.values().map(|facts| facts.nulls).sum();
    if lacking == 0 || !ask.tests.iter().any(|test| asks_null(test)) {
        return None;
    }
    let path = Path::new(&array.path);
    let meant =
        rewrite::bound(case, question, &question.tree, &path).unwrap_or_else(|| in_element(&question.tree, ask, &path));
    let verdict = Verdict::of(case, question, &meant)?;
    let right = verdict.is_right();
    if verdict.extra.is_empty() && !right {
        return None;
    }
    let values = vec![
        ("n", verdict.extra.len().to_string()),
        ("m", verdict.learner.len().to_string()),
        ("id", verdict.extra.first().map(|document| shown(&id(document))).unwrap_or_default()),
        ("lacking", lacking.to_string()),
        ("path", ask.path.to_string()),
    ];
    let mut sighting = verdict.sighting(case, question, &meant, values);
    sighting.evidence.push(reasons(&verdict, ask, &path));
    sighting.words = right.then_some(BY_CHANCE);
    Some(sighting)
}

/// The test of the value inside an `$elemMatch` of its own.
fn in_element(filter: &Filter, ask: &Ask<'_>, array: &Path) -> Filter {
    replaced(filter, &|part| {
        let Filter::Field(Predicate { path, test }) = part else { return None };
        let element = Test::ElemMatchObject(Box::new(field(ask.tail(), test.clone())));
        (*path == ask.path && asks_null(test)).then(|| field(array.clone(), element))
    })
}

/// The results by reason: null written in an element that is meant, no value there, another element, no array.
fn reasons(verdict: &Verdict<'_>, ask: &Ask<'_>, array: &Path) -> Evidence {
    let mut counts = [("explicit null", 0), ("element without value", 0), ("another element", 0), ("no array", 0)];
    for document in &verdict.learner {
        let elements = all_elements(document, array);
        let own = elements.iter().filter(|element| ask.has_key(**element));
        let values: Vec<Option<View<'_>>> = own.map(|own| member(*own, ask.value())).collect();
        let reason = if elements.is_empty() {
            3
        } else if values.iter().any(|value| matches!(value, Some(View::Null))) {
            0
        } else if values.iter().any(Option::is_none) {
            1
        } else {
            2
        };
        counts[reason].1 += 1;
    }
    let counts = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    Evidence::Counts { of: ask.path.to_string(), counts }
}

fn asks_null(test: &Test) -> bool {
    match test {
        Test::Compare(Comparison::Eq, literal) => *literal == Bson::Null,
        Test::In(list) => list.values.contains(&Bson::Null),
        _ => false,
    }
}
