//! A compound index in which a range stands before an equality.

use crate::pitfall::indexing::asked::{Asked, each_asked};
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::plan::{IndexScan, OrderedIntervals};
use crate::value::Document;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "equality-after-range",
    level: Level::Cost,
    weight: 9,
    title: Words::new("Range field before an equality field", "Bereich vor Gleichheit im Index"),
    explanation: Words::new(
        "The scan runs over the whole range and skips from key to key for the later equality.",
        "Der Scan läuft über den ganzen Bereich und springt für die spätere Gleichheit von Schlüssel zu Schlüssel.",
    ),
    message: Words::new(
        "{keys entries} of `{index}` were read for {n results}, since the range on `{range}` stands before `{equal}`.",
        "{keys Einträge} von `{index}` wurden für {n Ergebnisse} gelesen, weil der Bereich auf `{range}` vor `{equal}` steht.",
    ),
    cure: Words::new("Equality, then sort, then range.", "Erst Gleichheit, dann Sortierung, dann Bereich."),
    example: r#"db.c.createIndex({"specs.k": 1, "specs.v": 1, category: 1}) // category by equality, v by range"#,
    detect: |case| each_asked(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let scan = asked.scan()?;
    let [read, _, found] = asked.cost();
    let parts = &scan.bounds.parts;
    let range = parts.iter().position(|(_, intervals)| is_range(intervals))?;
    let equal = parts.iter().skip(range).find(|(_, intervals)| is_equality(intervals))?;
    let same_array = sibling(&parts[range].0.dotted(), &equal.0.dotted());
    if read <= found * 2 || same_array || asked.hint().is_some() || scan.parts.iter().any(|part| part.wildcard) {
        return None;
    }
    let index = asked.collection.index(&scan.index.name)?;
    let keys = equality_first(scan);
    let gain = asked.gain(case, &keys, Some(index))?;
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![
            ("keys", read.to_string()),
            ("index", scan.index.name.clone()),
            ("n", found.to_string()),
            ("range", parts[range].0.dotted()),
            ("equal", equal.0.dotted()),
        ],
        evidence: vec![gain.evidence],
        fix: asked.with_keys_instead(case, index, &keys),
        level: Some(gain.level),
        ..Sighting::default()
    })
}

/// Value and key of one element in the wrong order are another pitfall.
fn sibling(left: &str, right: &str) -> bool {
    let parent = |path: &str| path.rsplit_once('.').map(|(parent, _)| parent.to_owned());
    parent(left).is_some() && parent(left) == parent(right)
}

fn is_equality(intervals: &OrderedIntervals) -> bool {
    !intervals.0.is_empty() && intervals.0.iter().all(crate::plan::Interval::is_point)
}

fn is_range(intervals: &OrderedIntervals) -> bool {
    !intervals.is_all() && !is_equality(intervals) && !intervals.0.is_empty()
}

/// The key pattern with the parts bound by equality in front.
fn equality_first(scan: &IndexScan) -> Document {
    let equal = |name: &str| scan.bounds.part(name).is_some_and(is_equality);
    let pattern = &scan.index.key_pattern;
    let (first, rest): (Vec<_>, Vec<_>) = pattern.clone().into_iter().partition(|(name, _)| equal(name));
    first.into_iter().chain(rest).collect()
}
