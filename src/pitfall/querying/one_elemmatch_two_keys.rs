//! Two attributes asked of one array element.

use super::verdict::Verdict;
use crate::pitfall::case::{Case, shown};
use crate::pitfall::{Level, Pitfall, Question, Sighting};
use crate::query::Filter;
use crate::store::AttributeFacts;
use crate::value::{Bson, Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "one-elemmatch-two-keys",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("Two attributes asked of one element", "Zwei Attribute von einem Element verlangt"),
    explanation: Words::new(
        "No element has two keys, so the result is always empty, with or without an index.",
        "Kein Element hat zwei Schlüssel, also ist das Ergebnis immer leer, mit oder ohne Index.",
    ),
    message: Words::new(
        "One element cannot be both {one} and {two}: 0 results here, {n} with `$all` of two `$elemMatch`.",
        "Ein Element kann nicht zugleich {one} und {two} sein: hier 0 Ergebnisse, {n} mit `$all` aus zwei `$elemMatch`.",
    ),
    cure: Words::new("Ask for two elements with `$all`.", "Verlange mit `$all` zwei Elemente."),
    example: r#"db.c.find({specs: {$elemMatch: {$and: [{k: "color", v: "red"}, {k: "size", v: "XL"}]}}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.questions().iter().flat_map(|question| sightings(case, question)).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let arrays = case.attributes(question.collection).iter();
    arrays.filter_map(|array| sight(case, question, array)).collect()
}

/// The grouping is read from the filter as it was sent; its normal form has lost it.
fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let element = question.filter.get(&array.path)?.as_document()?.get("$elemMatch")?.as_document()?;
    let parts: Vec<&Document> = element.get_array("$and").ok()?.iter().filter_map(Bson::as_document).collect();
    let keys: Vec<&Bson> = parts.iter().filter_map(|part| part.get(&array.key)).filter(|key| is_text(key)).collect();
    let two = keys.iter().find(|key| *key != keys.first().unwrap_or(key))?;
    if keys.len() != parts.len() || element.len() > 1 {
        return None;
    }
    let each: Vec<Document> = parts.iter().map(|part| doc! {"$elemMatch": (*part).clone()}).collect();
    let mut cured = question.filter.clone();
    cured.insert(&array.path, doc! {"$all": each});
    let meant = Filter::parse(&cured).ok()?;
    let verdict = Verdict::of(case, question, &meant)?;
    let values = vec![("one", shown(keys.first()?)), ("two", shown(two)), ("n", verdict.meant.len().to_string())];
    let sighting = verdict.sighting(case, question, &meant, values);
    Some(Sighting { fix: case.with_filter(question, &cured), ..sighting })
}

fn is_text(value: &Bson) -> bool {
    matches!(value, Bson::String(_))
}
