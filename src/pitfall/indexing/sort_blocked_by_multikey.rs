//! A sort that a multikey index holds in order but cannot deliver.

use crate::pitfall::indexing::asked::{Asked, each_asked};
use crate::pitfall::{Level, Pitfall, Sighting};
use crate::plan::{IndexScan, Stage};
use crate::store::KeyPart;
use crate::value::{Document, Path};
use crate::words::Words;

/// Sorting fewer results than this in memory costs nothing worth speaking of.
const FEW_RESULTS: u64 = 100;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "sort-blocked-by-multikey",
    level: Level::Cost,
    weight: 9,
    title: Words::new("Sort not served by the multikey index", "Sortierung nicht aus dem Multikey-Index"),
    explanation: Words::new(
        "One document has several entries; their order is not the document order that `sort` defines, so all results are \
         sorted in memory.",
        "Ein Dokument hat mehrere Einträge; deren Reihenfolge ist nicht die der Dokumente, die `sort` verlangt. Also \
         werden alle Ergebnisse im Speicher sortiert.",
    ),
    message: Words::new(
        "`{index}` holds `{path}` in order, but a document can stand in it several times: {n results} went through a SORT.",
        "`{index}` hält `{path}` in Ordnung, doch ein Dokument kann mehrfach darin stehen: {n Ergebnisse} gingen durch ein SORT.",
    ),
    cure: Words::new(
        "Sort on a field outside the array, or accept the SORT with a small result and a limit.",
        "Sortiere nach einem Feld außerhalb des Arrays, oder nimm das SORT bei kleinem Ergebnis und mit Limit hin.",
    ),
    example: r#"db.c.find({"specs.k": "price"}).sort({"specs.v": 1})"#,
    detect: |case| each_asked(case, |_, asked| sight(asked)),
};

fn sight(asked: &Asked<'_>) -> Option<Sighting> {
    let scan = asked.scan()?;
    let pattern = asked.explain.winning.all().find_map(|node| match &node.stage {
        Stage::Sort { pattern, .. } => Some(pattern),
        _ => None,
    })?;
    let path = blocked(scan, pattern)?;
    let found = asked.cost()[2];
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![("index", scan.index.name.clone()), ("path", path), ("n", found.to_string())],
        evidence: vec![asked.counts()],
        level: (found < FEW_RESULTS).then_some(Level::Hint),
        ..Sighting::default()
    })
}

/// The first sort path that the scanned index holds, multikey, with bounds on the same array.
fn blocked(scan: &IndexScan, pattern: &Document) -> Option<String> {
    let first = pattern.keys().next()?;
    let part = scan.parts.iter().find(|part| part.path.to_string() == *first)?;
    let array = array_of(part)?;
    let bounded = scan.parts.iter().any(|other| {
        array.is_prefix_of(&other.path)
            && scan.bounds.part(&other.path.to_string()).is_some_and(|intervals| !intervals.is_all())
    });
    bounded.then(|| first.clone())
}

fn array_of(part: &KeyPart) -> Option<Path> {
    let length = part.multikey_at.first()? + 1;
    Some(Path::from_parts(part.path.parts().get(..length)?.to_vec()))
}
