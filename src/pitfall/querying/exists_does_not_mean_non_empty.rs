//! An `$exists` on an array path, which an empty array passes too.

use super::asks::levels;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{elements, value_at};
use crate::pitfall::exchange::{field, replaced};
use crate::pitfall::grain::each_question;
use crate::pitfall::made;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, rewrite};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Path, RawDocument, View};
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
        "{n} of {m results} {n|has|have} nothing in `{array}`, such as _id {id}.",
        "{n} von {m Ergebnissen} {n|hat|haben} nichts in `{array}`, etwa _id {id}.",
    ),
    cure: Words::new("Test that the first element exists.", "Prüfe, ob das erste Element existiert."),
    example: "db.c.find({specs: {$exists: true}})",
    detect: |case| each_question(case, sightings),
};

/// Said where no document found has an empty array or none, though others have.
const BY_CHANCE: Words = Words::new(
    "{others} {others|document has|documents have} nothing in `{array}` and {others|meets|meet} this condition all the same; \
     {n} of the {m results} {m|is|are} like that.",
    "{others} {others|Dokument hat|Dokumente haben} nichts in `{array}` und {others|erfüllt|erfüllen} diese Bedingung \
     trotzdem; unter den {m Ergebnissen} {m|ist|sind} {n} davon.",
);

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
    let right = verdict.is_right();
    let others = if right && !question.names_one() { empty_but_present(case, question, &path) } else { 0 };
    let document = verdict.extra.first();
    if document.is_none() && others == 0 {
        return None;
    }
    let values = vec![
        ("n", verdict.extra.len().to_string()),
        ("m", verdict.learner.len().to_string()),
        ("array", array.to_owned()),
        ("id", document.map(|document| shown(&id(document))).unwrap_or_default()),
        ("others", others.to_string()),
    ];
    let mut sighting = verdict.sighting(case, question, &meant, values);
    sighting.words = right.then_some(BY_CHANCE);
    if let Some(matcher) = question.matcher(&meant).filter(|_| right) {
        let empty = |own: &RawDocument| elements(own, &path).is_none_or(|elements| elements.is_empty());
        let is_array = |own: &RawDocument| matches!(value_at(own, &path), Some(View::Array(_)) | None);
        let made =
            made::judged(case, question, &meant, &|own| (empty(own) && is_array(own)).then(|| matcher.matches(own)));
        sighting.evidence.extend(made);
    }
    let filled = verdict.meant.len() as u64;
    let counts = vec![("empty".to_owned(), empty.unwrap_or_default()), ("filled".to_owned(), filled)];
    sighting.evidence.push(Evidence::Counts { of: array.to_owned(), counts });
    Some(sighting)
}

/// How many documents meet the test of presence by itself, though the array has no element.
fn empty_but_present(case: &Case<'_>, question: &Question<'_>, path: &Path) -> usize {
    let levels = levels(&question.tree);
    let parts = levels.iter().filter(|level| level.array.is_empty() && !level.negated).flat_map(|level| &level.parts);
    let Some(part) = parts.into_iter().find(|part| is_presence(part, path)) else { return 0 };
    let first = field(path.join(&Path::new("0")), Test::Exists);
    let empty = Filter::And(vec![(*part).clone(), Filter::Not(Box::new(first))]);
    case.matching(question, &empty.normalised()).len()
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
