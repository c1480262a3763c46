//! A projection of index fields that an array keeps from being covered.

use crate::engine::Command;
use crate::pitfall::indexing::asked::{Asked, each_asked};
use crate::pitfall::{Level, Pitfall, Sighting};
use crate::plan::{IndexScan, Stage};
use crate::value::{Bson, Document};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "multikey-cannot-cover",
    level: Level::Hint,
    weight: 6,
    title: Words::new("Covered query expected on the array", "Abgedeckte Abfrage auf dem Array erwartet"),
    explanation: Words::new(
        "Array contents cannot be rebuilt from single entries, and `$elemMatch` is always checked again on the document. \
         Fields of the same index outside the array can still be covered.",
        "Der Inhalt eines Arrays lässt sich nicht aus einzelnen Einträgen herstellen, und `$elemMatch` wird immer am Dokument \
         nachgeprüft. Felder desselben Index außerhalb des Arrays können abgedeckt werden.",
    ),
    message: Words::new(
        "`{path}` crosses an array, so {docs documents} had to be read, although `{index}` holds every field you ask for.",
        "`{path}` führt durch ein Array, also mussten {docs Dokumente} gelesen werden, obwohl `{index}` jedes verlangte Feld \
         enthält.",
    ),
    cure: Words::new(
        "Project only fields of the index outside the array, or accept the fetch.",
        "Verlange nur Felder des Index außerhalb des Arrays, oder nimm das FETCH hin.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color"}}}, {_id: 0, "specs.k": 1})"#,
    detect: |case| each_asked(case, |_, asked| sight(asked)),
};

fn sight(asked: &Asked<'_>) -> Option<Sighting> {
    let Command::Find(find) = asked.question.command else { return None };
    let scan = asked.scan()?;
    let fetches = asked.explain.winning.all().any(|node| matches!(node.stage, Stage::Fetch { .. }));
    let path = in_array(find.projection.as_ref()?, scan)?;
    fetches.then(|| Sighting {
        span: asked.span.clone(),
        values: vec![("path", path), ("docs", asked.cost()[1].to_string()), ("index", scan.index.name.clone())],
        evidence: vec![asked.counts()],
        ..Sighting::default()
    })
}

/// The first projected path through an array, of a projection that names nothing but fields of the index.
fn in_array(projection: &Document, scan: &IndexScan) -> Option<String> {
    let kept = |value: &Bson| match value {
        Bson::Boolean(kept) => Some(*kept),
        Bson::Int32(number) => Some(*number != 0),
        Bson::Int64(number) => Some(*number != 0),
        Bson::Double(number) => Some(*number != 0.0),
        _ => None,
    };
    if projection.get("_id").and_then(kept) != Some(false) {
        return None;
    }
    let part = |name: &String| scan.parts.iter().find(|part| part.path.to_string() == *name);
    let names: Vec<&String> = projection.keys().filter(|name| *name != "_id").collect();
    let held = names.iter().all(|name| projection.get(*name).and_then(kept) == Some(true) && part(name).is_some());
    let crossing = |name: &&&String| part(name).is_some_and(|part| !part.multikey_at.is_empty());
    names.iter().find(crossing).filter(|_| held).map(|name| (*name).clone())
}
