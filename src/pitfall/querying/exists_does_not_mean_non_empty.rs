//! An `$exists` on an array path, which an empty array passes too.

use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::exchange::{field, replaced};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, rewrite};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Path};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "exists-does-not-mean-non-empty",
    level: Level::WrongResult,
    weight: 9,
    title: Words::new("$exists on the array", "$exists auf dem Array"),
    explanation: Words::new(
        "An empty array exists. A missing field in turn is not equal to an empty array.",
        "Ein leeres Array existiert. Ein fehlendes Feld wiederum ist nicht gleich einem leeren Array.",
    ),
    message: Words::new(
        "{n} of {m} results have nothing in `{array}`, such as _id {id}.",
        "{n} von {m} Ergebnissen haben nichts in `{array}`, etwa _id {id}.",
    ),
    cure: Words::new("Test that the first element exists.", "Prüfe, ob das erste Element existiert."),
    example: "db.c.find({specs: {$exists: true}})",
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.questions().iter().flat_map(|question| sightings(case, question)).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let Some(profile) = case.profile(question.collection) else { return Vec::new() };
    let arrays = profile.arrays().iter().filter(|(_, facts)| facts.documents > 0);
    arrays.filter_map(|(name, facts)| sight(case, question, name, facts.lengths.get(&0).copied())).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &str, empty: Option<u64>) -> Option<Sighting> {
    if !question.reads() {
        return None;
    }
    let path = Path::new(array);
    let meant = replaced(&question.tree, &|part| {
        is_presence(part, &path).then(|| field(path.join(&Path::new("0")), Test::Exists))
    });
    if rewrite::same(&meant, &question.tree) {
        return None;
    }
    let verdict = Verdict::of(case, question, &meant)?;
    let document = verdict.extra.first()?;
    let values = vec![
        ("n", verdict.extra.len().to_string()),
        ("m", verdict.learner.len().to_string()),
        ("array", array.to_owned()),
        ("id", shown(&id(document))),
    ];
    let mut sighting = verdict.sighting(case, question, &meant, values);
    let filled = verdict.meant.len() as u64;
    let counts = vec![("empty".to_owned(), empty.unwrap_or_default()), ("filled".to_owned(), filled)];
    sighting.evidence.push(Evidence::Counts { of: array.to_owned(), counts });
    Some(sighting)
}

/// Whether a part is `$exists: true` on the array, or `$ne: []`.
fn is_presence(part: &Filter, array: &Path) -> bool {
    match part {
        Filter::Field(Predicate { path, test: Test::Exists }) => path == array,
        Filter::Not(inner) => match &**inner {
            Filter::Field(Predicate { path, test: Test::Compare(Comparison::Eq, Bson::Array(items)) }) => {
                path == array && items.is_empty()
            }
            _ => false,
        },
        _ => false,
    }
}
