//! Key and value of a dotted pair matched by different elements.

use super::asks::{AndLevel, levels};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::all_elements;
use crate::pitfall::grain::each_array;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting, rewrite};
use crate::query::Reason;
use crate::store::AttributeFacts;
use crate::value::{Path, RawDocument};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "cross-element-match",
    level: Level::WrongResult,
    weight: 25,
    title: Words::new(
        "Key and value matched by different elements",
        "Schlüssel und Wert von verschiedenen Elementen erfüllt",
    ),
    explanation: Words::new(
        "Each dotted predicate is true when any element satisfies it. Nothing ties two of them to one element.",
        "Jede Bedingung mit Punkt ist wahr, sobald irgendein Element sie erfüllt. Nichts bindet zwei davon an dasselbe Element.",
    ),
    message: Words::new(
        "Your conditions on `{array}` were met by different elements in {n} of {m} returned {m|document|documents}{example}. \
         Put them into one `$elemMatch`.",
        "In {n} von {m} gefundenen {m|Dokument|Dokumenten} erfüllen verschiedene Elemente deine Bedingungen an \
         `{array}`{example}. Setze sie in ein gemeinsames `$elemMatch`.",
    ),
    cure: Words::new("One `$elemMatch` per attribute.", "Ein `$elemMatch` je Attribut."),
    example: r#"db.c.find({"specs.k": "color", "specs.v": "XL"})"#,
    detect: |case| each_array(case, sight),
};

const TIED: Words = Words::new(
    "Nothing ties your conditions on `{array}` to one element, though one meets them all in {m documents} \
     returned. Put them into one `$elemMatch`.",
    "Nichts bindet deine Bedingungen an `{array}` an ein Element, auch wenn in {m gefundenen Dokumenten} eines alle \
     erfüllt. Setze sie in ein gemeinsames `$elemMatch`.",
);

const NOTHING: Words = Words::new(
    "Nothing ties your conditions on `{array}` to one element. As typed, and with one `$elemMatch`, they are met in 0 of \
     {all documents}.",
    "Nichts bindet deine Bedingungen an `{array}` an ein Element. So getippt, und mit einem gemeinsamen `$elemMatch`, sind \
     sie in 0 von {all Dokumenten} erfüllt.",
);

/// Said where the conditions stand below a negation.
const LEFT_OUT: Words = Words::new(
    "You leave out what meets your conditions on `{array}`, but different elements met them in {left} {left|document|documents} left \
     out{left_example}. Put them into one `$elemMatch`.",
    "Du schließt aus, was deine Bedingungen an `{array}` erfüllt; in {left} ausgeschlossenen {left|Dokument|Dokumenten} erfüllen sie aber \
     verschiedene Elemente{left_example}. Setze sie in ein gemeinsames `$elemMatch`.",
);

/// Said where they do so in no document yet.
const LEFT_OUT_TIED: Words = Words::new(
    "You leave out what meets your conditions on `{array}`, but nothing ties them to one element: {all documents} {all|was|were} \
     looked at, and {m} {m|is|are} left. Put them into one `$elemMatch`.",
    "Du schließt aus, was deine Bedingungen an `{array}` erfüllt, aber nichts bindet sie an ein Element: {all Dokumente} \
     {all|wurde|wurden} geprüft, {m} {m|bleibt|bleiben}. Setze sie in ein gemeinsames `$elemMatch`.",
);

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let path = Path::new(&array.path);
    let levels = levels(&question.tree);
    let pairs: Vec<&AndLevel<'_>> = levels.iter().filter(|level| asks_several(case, question, level, &path)).collect();
    if pairs.is_empty() {
        return None;
    }
    let bound = rewrite::bound_across(case, question, &path)?;
    let several = case.seen(question).iter().any(|document| all_elements(document, &path).len() > 1);
    let verdict = Verdict::of(case, question, &bound).filter(|_| several)?;
    let left_out = verdict.extra.is_empty() && !verdict.missed.is_empty();
    if left_out && !pairs.iter().any(|level| level.negated) {
        return None;
    }
    let parts = verdict.extra.first().map(|document| deciding(case, question, document)).unwrap_or_default();
    let values = vec![
        ("array", array.path.clone()),
        ("n", verdict.extra.len().to_string()),
        ("m", verdict.learner.len().to_string()),
        ("all", case.seen(question).len().to_string()),
        ("left", verdict.missed.len().to_string()),
        ("left_example", if left_out { verdict.bracketed() } else { String::new() }),
        ("example", verdict.extra.first().map(|document| example(document, &parts)).unwrap_or_default()),
    ];
    let words = match (verdict.extra.is_empty(), verdict.learner.is_empty()) {
        _ if verdict.is_right() && pairs.iter().all(|level| level.negated) => Some(LEFT_OUT_TIED),
        _ if left_out || pairs.iter().all(|level| level.negated) => Some(LEFT_OUT),
        (false, _) => None,
        (true, false) => Some(TIED),
        (true, true) => Some(NOTHING),
    };
    Some(Sighting { evidence: verdict.evidence(parts), words, ..verdict.sighting(case, question, &bound, values) })
}

/// Whether a level asks about several fields of one element one by one; two ends on one field are a range.
fn asks_several(case: &Case<'_>, question: &Question<'_>, level: &AndLevel<'_>, array: &Path) -> bool {
    let rest = array.parts().strip_prefix(level.array.parts()).filter(|rest| !rest.is_empty());
    rest.is_some_and(|rest| {
        let inside = Path::from_parts(rest.to_vec());
        rewrite::ties_across(case, question, array, &level.parts, &inside)
    })
}

/// The place and value of each part that met a predicate.
fn deciding(case: &Case<'_>, question: &Question<'_>, document: &RawDocument) -> Vec<(String, String)> {
    let reasons = case.witness(question, document).map(|witness| witness.reasons).unwrap_or_default();
    let part = |reason: &Reason| (reason.place().to_string(), reason.value.as_ref().map(shown).unwrap_or_default());
    reasons.iter().map(part).collect()
}

fn example(document: &RawDocument, parts: &[(String, String)]) -> String {
    let parts: Vec<String> = parts.iter().map(|(place, value)| format!("{place} = {value}")).collect();
    format!(" (_id {}: {})", shown(&id(document)), parts.join(", "))
}
