//! An index that narrows only the key, since nothing ties the value to the same element.

use crate::pitfall::case::Case;
use crate::pitfall::grain::each_array;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::work::{bounds, cost, explained, gain};
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, rewrite};
use crate::plan::{Explain, IndexScan};
use crate::proof::written;
use crate::store::AttributeFacts;
use crate::value::Path;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "loose-bounds-without-elemmatch",
    level: Level::Cost,
    weight: 20,
    title: Words::new("Index used, but only for the key", "Index genutzt, aber nur für den Schlüssel"),
    explanation: Words::new(
        "An index entry holds one element. Without `$elemMatch` the two conditions may concern different elements, so only \
         one of them can narrow the scan.",
        "Ein Indexeintrag enthält ein Element. Ohne `$elemMatch` dürfen die Bedingungen verschiedene Elemente meinen, also \
         kann nur eine davon den Scan eingrenzen.",
    ),
    message: Words::new(
        "The index narrowed only `{narrowed}`; `{loose}` ran over [MinKey, MaxKey]. {keys entries} {keys|was|were} read for \
         {n results}. With `$elemMatch` the same index reads {cured}.",
        "Der Index grenzt nur `{narrowed}` ein; `{loose}` läuft über [MinKey, MaxKey]. {keys Einträge} {keys|wurde|wurden} für \
         {n Ergebnisse} gelesen. Mit `$elemMatch` liest derselbe Index {cured}.",
    ),
    cure: Words::new("Put both conditions into one `$elemMatch`.", "Setze beide Bedingungen in ein `$elemMatch`."),
    example: r#"db.c.createIndex({"specs.k": 1, "specs.v": 1}); db.c.find({"specs.k": "color", "specs.v": "red"})"#,
    detect: |case| each_array(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let path = Path::new(&array.path);
    let bound = rewrite::bound(case, question, &question.tree, &path)?;
    let (narrowed, loose) = loose_scan(case.explain(question.ran)?, &path)?;
    let state = case.state(question.ran, question.collection);
    let learner = explained(case, state, question.command.clone())?;
    let cured = explained(case, state, question.with(bound.to_document()))?;
    let (work, better) = (cost(&learner), cost(&cured));
    let level = gain(work, better).filter(|_| better[0] < work[0])?;
    // Where the one element makes another answer, that is told first, and cured there.
    let keeps = Verdict::of(case, question, &bound).is_some_and(|verdict| verdict.is_right());
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("narrowed", narrowed),
            ("loose", loose),
            ("keys", work[0].to_string()),
            ("n", work[2].to_string()),
            ("cured", better[0].to_string()),
        ],
        evidence: vec![
            Evidence::Bounds { learner: bounds(&learner), cured: bounds(&cured) },
            Evidence::Cost { learner: work, cured: better },
        ],
        level: Some(level),
        fix: if keeps { case.with_filter(question, &written(&bound)) } else { None },
        ..Sighting::default()
    })
}

/// The narrowed and the loose part of a multikey scan below the array.
fn loose_scan(explain: &Explain, array: &Path) -> Option<(String, String)> {
    let mut scans = explain.winning.all().filter_map(|node| node.stage.scan()).filter(|scan| scan.multikey);
    scans.find_map(|scan| loose_part(scan, array))
}

fn loose_part(scan: &IndexScan, array: &Path) -> Option<(String, String)> {
    let parts = scan.bounds.parts.iter().filter(|(path, _)| array.is_prefix_of(path));
    let (loose, narrowed): (Vec<_>, Vec<_>) = parts.partition(|(_, intervals)| intervals.is_all());
    Some((narrowed.first()?.0.dotted(), loose.first()?.0.dotted()))
}
