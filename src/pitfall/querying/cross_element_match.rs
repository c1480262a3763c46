//! Key and value of a dotted pair matched by different elements.

use crate::pitfall::case::{Case, id, ids, same, shown};
use crate::pitfall::rewrite;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::Filter;
use crate::store::AttributeFacts;
use crate::value::{Document, Path, RawDocument};
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
        "Your conditions on `{array}` were met by different elements in {n} of {m} returned documents, such as _id {id}: \
         {parts}. Put them into one `$elemMatch`.",
        "In {n} von {m} gefundenen Dokumenten erfüllen verschiedene Elemente deine Bedingungen an `{array}`, etwa in _id \
         {id}: {parts}. Setze sie in ein gemeinsames `$elemMatch`.",
    ),
    cure: Words::new("One `$elemMatch` per attribute.", "Ein `$elemMatch` je Attribut."),
    example: r#"db.c.find({"specs.k": "color", "specs.v": "XL"})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let questions = case.questions();
    let pairs = questions
        .iter()
        .flat_map(|question| case.attributes(question.collection).iter().map(move |array| (question, array)));
    pairs.filter_map(|(question, array)| sight(case, question, array)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let path = Path::new(&array.path);
    let bound = rewrite::bound(&question.tree, &path)?;
    let learner = case.matching(question.collection, &question.tree);
    let meant = ids(&case.matching(question.collection, &bound));
    let found = ids(&learner);
    let several = case.documents(question.collection).any(|document| has_two_elements(document, &path));
    if !several {
        return None;
    }
    let crossed: Vec<&RawDocument> = learner.into_iter().filter(|document| !meant.contains(&id(document))).collect();
    let cured = bound.to_document();
    let mut sighting = Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![("array", array.path.clone()), ("n", crossed.len().to_string()), ("m", found.len().to_string())],
        fix: case.with_filter(question, &cured),
        level: same(&found, &meant).then_some(Level::Risk),
        ..Sighting::default()
    };
    let witness = crossed.first().and_then(|document| deciding(case, &question.tree, document));
    let (document, parts) = witness.unwrap_or_default();
    sighting.values.push(("id", document.get("_id").map(shown).unwrap_or_default()));
    sighting.values.push((
        "parts",
        parts.iter().map(|(place, value)| format!("{place} = {value}")).collect::<Vec<_>>().join(", "),
    ));
    if !crossed.is_empty() {
        sighting.evidence.push(Evidence::Document { document, deciding: parts, made: false });
    }
    sighting.evidence.insert(0, Evidence::Results { learner: found, meant });
    Some(sighting)
}

fn has_two_elements(document: &RawDocument, path: &Path) -> bool {
    let value = document.get(path.to_string()).ok().flatten();
    value.and_then(bson::RawBsonRef::as_array).is_none_or(|array| array.iter_elements().count() > 1)
}

/// The document as a tree, and the place and value of each part that met a predicate.
fn deciding(case: &Case<'_>, filter: &Filter, document: &RawDocument) -> Option<(Document, Vec<(String, String)>)> {
    let witness = case.witness(filter, document)?;
    let parts = witness
        .reasons
        .iter()
        .map(|reason| (reason.place().to_string(), reason.value.as_ref().map(shown).unwrap_or_default()))
        .collect();
    Some((Document::try_from(document).ok()?, parts))
}
