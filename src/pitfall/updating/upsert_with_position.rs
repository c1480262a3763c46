//! An upsert whose update points into an array that the new document does not have.

use super::change::{Change, changes};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "upsert-with-position",
    level: Level::Refused,
    weight: 9,
    title: Words::new("Upsert together with A.$ or $[e]", "Upsert zusammen mit A.$ oder $[e]"),
    explanation: Words::new(
        "A document that is just being made has no elements, so no position to point at.",
        "Ein Dokument, das gerade erst entsteht, hat keine Elemente, also keine Position, auf die man zeigen kann.",
    ),
    message: Words::new(
        "None of the {n} documents matched, and an inserted document has no element for `{path}` to point at (error {code}).",
        "Keines der {n} Dokumente passte, und ein eingefügtes Dokument hat kein Element, auf das `{path}` zeigen kann (Fehler {code}).",
    ),
    cure: Words::new(
        "Two steps, a pipeline update, or one document per entry, which an upsert can make and count.",
        "Zwei Schritte, eine Pipeline-Änderung oder ein Dokument je Eintrag, das ein Upsert anlegen und zählen kann.",
    ),
    example: r#"db.c.updateOne({sku: "A", "specs.k": "color"}, {$set: {"specs.$.v": "blue"}}, {upsert: true})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    changes(case).iter().filter(|change| change.upsert).filter_map(|change| sight(case, change)).collect()
}

fn sight(case: &Case<'_>, change: &Change<'_>) -> Option<Sighting> {
    let error = change.refusal()?;
    let target = change.targets().find(|target| target.cut().is_some())?;
    if !change.matching(case).is_empty() {
        return None;
    }
    let code = error.code.number();
    Some(Sighting {
        span: change.span(case, &target),
        values: vec![
            ("n", case.documents(change.question.collection).len().to_string()),
            ("path", target.name.to_owned()),
            ("code", code.to_string()),
        ],
        evidence: vec![Evidence::Refusal { code, message: error.message.clone() }],
        ..Sighting::default()
    })
}
