//! An update path that goes through an array without saying which element.

use super::change::{Change, Target, each_change, shown_id};
use crate::error::ErrorCode;
use crate::pitfall::elements::elements;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::value::{Document, Path, RawDocument, array_index};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "set-through-array",
    level: Level::Refused,
    weight: 12,
    title: Words::new("Update path through an array without a position", "Änderungspfad durch ein Array ohne Position"),
    explanation: Words::new(
        "An array has positions, not fields: an update has to say which element it means (error 28, PathNotViable).",
        "Ein Array hat Positionen, keine Felder: Eine Änderung muss sagen, welches Element sie meint (Fehler 28, PathNotViable).",
    ),
    message: Words::new(
        "`{array}` is an array of {n elements} in _id {id}, so `{path}` names no place. Say which element: `{cured}`.",
        "`{array}` ist in _id {id} ein Array mit {n Elementen}, daher nennt `{path}` keinen Ort. Sag, welches Element: `{cured}`.",
    ),
    cure: Words::new(
        "`A.$.v` with the key in the filter, or `A.$[e].v` with `arrayFilters`.",
        "`A.$.v` mit dem Schlüssel im Filter, oder `A.$[e].v` mit `arrayFilters`.",
    ),
    example: r#"db.c.updateOne({_id: 1, "specs.k": "color"}, {$set: {"specs.v": "blue"}})"#,
    detect: |case| each_change(case, sight),
};

fn sight(case: &Case<'_>, change: &Change<'_>) -> Option<Sighting> {
    let error = change.refusal().filter(|error| error.code == ErrorCode::PathNotViable)?;
    let matching = change.matching(case);
    let (target, array, document) = change.targets().find_map(|target| {
        let found = matching.iter().find_map(|document| Some((crossed(&target, document)?, *document)))?;
        Some((target, found.0, found.1))
    })?;
    let length = elements(document, &array)?.len();
    let rest = Path::from_parts(target.path.parts()[array.parts().len()..].to_vec());
    let cured = array.join(&Path::new("$")).join(&rest).to_string();
    let update = change.with_target(&target, target.operator, &cured, target.operand.clone());
    let positioned = change.condition(&array).is_some();
    Some(Sighting {
        span: change.span(case, &target),
        values: vec![
            ("array", array.to_string()),
            ("n", length.to_string()),
            ("id", shown_id(document)),
            ("path", target.name.to_owned()),
            ("cured", cured),
        ],
        evidence: vec![
            Evidence::Refusal { code: error.code.number(), message: error.message.clone() },
            Evidence::Document { document: Document::try_from(document).ok()?, deciding: Vec::new(), made: false },
        ],
        fix: positioned.then(|| change.with_update(case, update.into())).flatten(),
        ..Sighting::default()
    })
}

/// The array that a path enters by a field name.
fn crossed(target: &Target<'_>, document: &RawDocument) -> Option<Path> {
    let parts = target.path.parts();
    let named = |at: &usize| !parts[*at].starts_with('$') && array_index(&parts[*at]).is_none();
    let prefixes = (1..parts.len()).filter(named).map(|at| Path::from_parts(parts[..at].to_vec()));
    prefixes.into_iter().find(|prefix| elements(document, prefix).is_some())
}
