//! 'Does not have' written inside an `$elemMatch`.

use super::asks::{parts, simple};
use crate::pitfall::case::{Case, shown};
use crate::pitfall::exchange::{field, replaced};
use crate::pitfall::grain::each_array;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting, rewrite};
use crate::query::{Filter, Predicate, Test};
use crate::store::AttributeFacts;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "elemmatch-ne-matches-almost-all",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("'Does not have' written inside $elemMatch", "„Hat nicht“ im $elemMatch"),
    explanation: Words::new(
        "It asks for some element that is something else; nearly every document has one. Documents with an empty or missing array, which really lack the attribute, are left out.",
        "Gefragt ist irgendein Element, das etwas anderes ist; fast jedes Dokument hat eines. Dokumente mit leerem oder fehlendem Array, denen das Attribut wirklich fehlt, bleiben draußen.",
    ),
    message: Words::new(
        "You asked for some element of `{array}` other than {key}; {n} of the {m documents} found do have it, such as _id {id}.",
        "Du fragst nach irgendeinem Element von `{array}` außer {key}; {n} von {m gefundenen Dokumenten} {n|hat|haben} es trotzdem, etwa _id {id}.",
    ),
    cure: Words::new(
        "Put the negation around the `$elemMatch`, or use `$ne` on the dotted path.",
        "Setze die Verneinung um das `$elemMatch` oder nimm `$ne` auf dem Punktpfad.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: {$ne: "warranty"}}}})"#,
    detect: |case| each_array(case, sight),
};

/// Said where none of the documents found has the key, but others without it are left out.
const LEFT_OUT: Words = Words::new(
    "You asked for some element of `{array}` other than {key}; {left} {left|document that has|documents that have} no \
     element at all {left|lacks|lack} it too and {left|was|were} left out, such as _id {id}.",
    "Du fragst nach irgendeinem Element von `{array}` außer {key}; {left Dokumenten} ganz ohne Element fehlt es \
     auch, und {left|es blieb|sie blieben} draußen, etwa _id {id}.",
);

/// Said where no document is judged otherwise.
const BY_CHANCE: Words = Words::new(
    "You asked for some element of `{array}` other than {key}, not for documents without it; {n} of the {m documents} found \
     have it now.",
    "Du fragst nach irgendeinem Element von `{array}` außer {key}, nicht nach Dokumenten ohne es; {n} der {m} gefundenen \
     Dokumente haben es jetzt.",
);

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let meant = replaced(&question.tree, &|part| {
        let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = part else { return None };
        (path.to_string() == array.path).then(|| outside(part, inner, array)).flatten()
    });
    if rewrite::same(&meant, &question.tree) {
        return None;
    }
    let verdict = Verdict::of(case, question, &meant)?;
    let key = refused_key(&question.tree, array)?;
    let values = vec![
        ("array", array.path.clone()),
        ("key", key),
        ("n", verdict.extra.len().to_string()),
        ("m", verdict.learner.len().to_string()),
        ("id", verdict.example()),
        ("left", verdict.missed.len().to_string()),
    ];
    let words = if verdict.extra.is_empty() {
        Some(if verdict.missed.is_empty() { BY_CHANCE } else { LEFT_OUT })
    } else {
        None
    };
    Some(Sighting { words, ..verdict.sighting(case, question, &meant.normalised(), values) })
}

/// The negation of each part around an `$elemMatch` of its own, where all parts are negations on the key.
fn outside(whole: &Filter, inner: &Filter, array: &AttributeFacts) -> Option<Filter> {
    let Filter::Field(predicate) = whole else { return None };
    let each = parts(inner).into_iter().map(|part| {
        let Filter::Not(positive) = part else { return None };
        let on_key = simple(positive)?.0.path.to_string() == array.key;
        let element = field(predicate.path.clone(), Test::ElemMatchObject(positive.clone()));
        on_key.then(|| Filter::Not(Box::new(element)))
    });
    each.collect::<Option<Vec<_>>>().map(Filter::And)
}

fn refused_key(filter: &Filter, array: &AttributeFacts) -> Option<String> {
    let levels = super::asks::levels(filter);
    let mut refused =
        levels.iter().filter(|level| level.array.to_string() == array.path).flat_map(|level| &level.parts);
    let (predicate, _) = refused.find_map(|part| simple(part).filter(|(_, negated)| *negated))?;
    let literals = super::asks::literals(&predicate.test);
    Some(if literals.is_empty() {
        format!("`{}`", predicate.path)
    } else {
        literals.into_iter().map(shown).collect::<Vec<_>>().join(", ")
    })
}
