//! An equality with null on a path through an array.

use super::asks::{Ask, asks};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting, rewrite};
use crate::query::{Comparison, Test};
use crate::value::{Bson, Path};
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
        "{n} of {m} results match because another element has no value, such as _id {id}; `{key}` has one there.",
        "{n} von {m} Ergebnissen passen, weil ein anderes Element keinen Wert hat, etwa _id {id}; `{key}` hat dort einen.",
    ),
    cure: Words::new(
        "Ask for null inside `$elemMatch`; for a missing field use `$exists: false`.",
        "Frage im `$elemMatch` nach null; für ein fehlendes Feld nimm `$exists: false`.",
    ),
    example: r#"db.c.find({"specs.k": "color", "specs.v": null})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.questions().iter().flat_map(|question| sightings(case, question)).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let asks = asks(case, question);
    asks.iter().filter_map(|ask| sight(case, question, ask)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let array = ask.array.filter(|_| !ask.bound && !ask.negated && !ask.keys.is_empty())?;
    if !ask.tests.iter().any(|test| asks_null(test)) {
        return None;
    }
    let meant = rewrite::bound(&question.tree, &Path::new(&array.path))?;
    let verdict = Verdict::of(case, question, &meant)?;
    let values = vec![
        ("n", verdict.extra.len().to_string()),
        ("m", verdict.learner.len().to_string()),
        ("id", shown(&id(verdict.extra.first()?))),
        ("key", ask.name()),
    ];
    Some(verdict.sighting(case, question, &meant, values))
}

fn asks_null(test: &Test) -> bool {
    match test {
        Test::Compare(Comparison::Eq, literal) => *literal == Bson::Null,
        Test::In(list) => list.values.contains(&Bson::Null),
        _ => false,
    }
}
