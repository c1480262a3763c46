//! The walks that detectors share, one for each grain: a pitfall's file says what it sees there and no more.

use crate::pitfall::touch::Touch;
use crate::pitfall::{Case, Question, Sighting};
use crate::shell::Ran;
use crate::store::AttributeFacts;

/// Each run of a text.
pub(super) fn each_run<S>(case: &Case<'_>, sight: impl Fn(&Case<'_>, &Ran) -> S) -> Vec<Sighting>
where
    S: IntoIterator<Item = Sighting>,
{
    case.ran.iter().flat_map(|ran| sight(case, ran)).collect()
}

/// Each filter that chooses documents.
pub(super) fn each_question<S>(case: &Case<'_>, sight: impl Fn(&Case<'_>, &Question<'_>) -> S) -> Vec<Sighting>
where
    S: IntoIterator<Item = Sighting>,
{
    case.questions().iter().flat_map(|question| sight(case, question)).collect()
}

/// Each filter that chooses documents, with each attribute array of its collection.
pub(super) fn each_array<S>(
    case: &Case<'_>,
    sight: impl Fn(&Case<'_>, &Question<'_>, &AttributeFacts) -> S,
) -> Vec<Sighting>
where
    S: IntoIterator<Item = Sighting>,
{
    each_question(case, |case, question| {
        case.attributes(question.collection).iter().flat_map(|array| sight(case, question, array)).collect::<Vec<_>>()
    })
}

/// What each command names, with each attribute array of its collection.
pub(super) fn each_touched_array<S>(
    case: &Case<'_>,
    sight: impl Fn(&Case<'_>, &Touch<'_>, &AttributeFacts) -> S,
) -> Vec<Sighting>
where
    S: IntoIterator<Item = Sighting>,
{
    let of_touch = |touch: &Touch<'_>| {
        case.attributes(touch.collection).iter().flat_map(|array| sight(case, touch, array)).collect::<Vec<_>>()
    };
    case.touches().iter().flat_map(of_touch).collect()
}
