//! An `$elemMatch` on what some documents store as a bare object.

use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::conversion::{in_front, update_all};
use crate::pitfall::exchange::{field, replaced};
use crate::pitfall::grain::each_question;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::{Filter, Predicate, Test};
use crate::store::Profile;
use crate::value::{Path, RawDocument, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "elemmatch-on-non-array",
    level: Level::WrongResult,
    weight: 9,
    title: Words::new("$elemMatch on something that is no array", "$elemMatch auf etwas, das kein Array ist"),
    explanation: Words::new(
        "`$elemMatch` matches arrays only. A document with a bare sub-document is skipped, while dot notation would find it.",
        "`$elemMatch` passt nur auf Arrays. Ein Dokument mit bloßem Unterdokument wird übergangen, die Punktschreibweise fände es.",
    ),
    message: Words::new(
        "{bare documents} {bare|holds|hold} a single object at `{array}`; `$elemMatch` never looks into them. {n} of them would match, such as _id {id}.",
        "{bare Dokumente} {bare|hat|haben} an `{array}` ein einzelnes Objekt; `$elemMatch` schaut dort nie hinein. {n} davon würden passen, etwa _id {id}.",
    ),
    cure: Words::new(
        "Always store an array, also for one attribute.",
        "Speichere immer ein Array, auch für ein einziges Attribut.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color", v: "red"}}}) // one document has specs: {k: "color", v: "red"}"#,
    detect: |case| each_question(case, sightings),
};

/// Said where such an object would match but for another condition.
const BY_CHANCE: Words = Words::new(
    "{bare} {bare|document holds|documents hold} a single object at `{array}`; `$elemMatch` never looks into it. It would match in _id {id}, \
     which another condition of your filter keeps out.",
    "{bare} {bare|Dokument hat|Dokumente haben} an `{array}` ein einzelnes Objekt; `$elemMatch` schaut dort nie hinein. In _id {id} würde es \
     passen, was eine andere Bedingung deines Filters ausschließt.",
);

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let Some(profile) = case.profile(question.collection) else { return Vec::new() };
    let levels = super::asks::levels(&question.tree);
    let arrays = levels.iter().map(|level| &level.array).filter(|array| !array.is_empty());
    arrays.filter_map(|array| sight(case, question, profile, array)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, profile: &Profile, array: &Path) -> Option<Sighting> {
    let name = array.to_string();
    let objects = profile.path(&name)?.types.get("object").copied().unwrap_or_default();
    let inside = profile.arrays().get(&name).map_or(0, |facts| facts.documents);
    let bare = objects.checked_sub(inside).filter(|bare| *bare > 0)?;
    let meant = replaced(&question.tree, &|part| {
        let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = part else { return None };
        (path == array).then(|| Filter::Or(vec![part.clone(), of_bare(path, inner)]))
    });
    let verdict = Verdict::of(case, question, &meant)?;
    let elsewhere = || if verdict.is_right() { bare_match(case, question, array) } else { None };
    let document = verdict.missed.first().copied().or_else(elsewhere)?;
    let values = vec![
        ("array", name.clone()),
        ("bare", bare.to_string()),
        ("n", verdict.missed.len().to_string()),
        ("id", shown(&id(document))),
    ];
    let mut sighting = verdict.sighting(case, question, &meant, values);
    let arrays = profile.arrays().get(&name).map_or(0, crate::store::ArrayFacts::arrays);
    let counts = vec![("array".to_owned(), arrays), ("object".to_owned(), bare)];
    sighting.evidence.push(Evidence::Counts { of: name.clone(), counts });
    sighting.fix = wrapped(case, question, &name);
    sighting.words = verdict.is_right().then_some(BY_CHANCE);
    Some(sighting)
}

/// The first document whose bare object meets what is asked of an element.
fn bare_match<'c>(case: &Case<'c>, question: &Question<'_>, array: &Path) -> Option<&'c RawDocument> {
    let levels = super::asks::levels(&question.tree);
    let level = levels.iter().find(|level| level.array == *array && !level.negated)?;
    let inner = Filter::And(level.parts.iter().copied().cloned().collect());
    case.matching(question, &of_bare(array, &inner).normalised()).first().copied()
}

/// The same conditions on a bare object: dotted, and no array there.
fn of_bare(path: &Path, inner: &Filter) -> Filter {
    let dotted = replaced(inner, &|part| {
        let Filter::Field(Predicate { path: own, test }) = part else { return None };
        Some(field(path.join(own), test.clone()))
    });
    let any_element = field(path.clone(), Test::ElemMatchObject(Box::new(Filter::And(Vec::new()))));
    Filter::And(vec![dotted, Filter::Not(Box::new(any_element))])
}

/// The text with an update in front of the statement that wraps bare objects.
fn wrapped(case: &Case<'_>, question: &Question<'_>, array: &str) -> Option<String> {
    if !case.leads_straight(question.collection, array) {
        return None;
    }
    let value = format!("${array}");
    let wrap = doc! {"$set": {array: {"$cond": [{"$isArray": &value}, &value, [&value]]}}};
    let update = update_all(question.collection, doc! {array: {"$exists": true}}, vec![wrap]);
    Some(in_front(case, question.ran, &update, case.script.text()))
}
