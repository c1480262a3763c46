//! A `$facet` at the front reads everything, once for each facet.

use super::pipe::{Pipe, each_pipe, stage};
use crate::engine::{Aggregate, Command};
use crate::pitfall::work::{cost, explained, gain};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::value::{Bson, Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "facet-without-match",
    level: Level::Cost,
    weight: 4,
    title: Words::new("$facet over the whole collection", "$facet über die ganze Collection"),
    explanation: Words::new(
        "The pipelines inside a `$facet` never use an index; each of them gets every document.",
        "Die Pipelines in einem `$facet` nutzen nie einen Index; jede bekommt jedes Dokument.",
    ),
    message: Words::new(
        "{n facets} read {m documents} each; with a `$match` in front {cured}.",
        "{n Facetten} lesen je {m Dokumente}; mit einem `$match` davor {cured}.",
    ),
    cure: Words::new("`$match` before `$facet`.", "`$match` vor `$facet`."),
    example: r#"db.c.aggregate([{$facet: {red: [{$match: {"specs.v": "red"}}, {$count: "n"}]}}])"#,
    detect: |case| each_pipe(case, sight),
};

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let facets = stage(pipe.stages().first()?).1.as_document().filter(|_| stage(&pipe.stages()[0]).0 == "$facet")?;
    let filters: Vec<&Document> = facets.values().map(first_match).collect::<Option<_>>()?;
    let first = *filters.first()?;
    let same = filters.iter().all(|filter| *filter == first);
    let front = if same {
        first.clone()
    } else {
        doc! {"$or": filters.iter().map(|own| Bson::from((*own).clone())).collect::<Vec<_>>()}
    };
    let cured = pipe.spliced(0..0, vec![doc! {"$match": &front}]);
    let documents = case.documents(pipe.collection).len();
    let passing = pipe.tried(case, vec![doc! {"$match": front}, doc! {"$count": "n"}])?;
    let passing = passing.first().and_then(|row| row.get("n")).and_then(super::pipe::number).unwrap_or_default();
    let learner = cost(pipe.ran.result.as_ref().ok()?.explain.as_deref()?);
    let command = Command::Aggregate(Aggregate { pipeline: cured.clone(), ..pipe.aggregate.clone() });
    let better = cost(&explained(case, pipe.state, command)?);
    // Without an index for it the filter in front spares the facets work, but no reading.
    let level = gain(learner, better)?;
    (usize::try_from(passing).is_ok_and(|passing| passing < documents)).then(|| Sighting {
        span: pipe.span(case, 0),
        values: vec![("n", facets.len().to_string()), ("m", documents.to_string()), ("cured", passing.to_string())],
        evidence: vec![Evidence::Cost { learner, cured: better }],
        level: Some(level),
        fix: pipe.with_pipeline(case, &cured),
        ..Sighting::default()
    })
}

/// The filter that a facet begins with.
fn first_match(facet: &Bson) -> Option<&Document> {
    facet.as_array()?.first()?.as_document()?.get_document("$match").ok()
}
