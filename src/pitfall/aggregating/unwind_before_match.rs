//! Documents taken apart before any of them is filtered, although an index could have filtered them.

use super::pipe::{Pipe, each_pipe, number, stage, unwound};
use crate::engine::{Aggregate, Command};
use crate::pitfall::elements::{condition, conjuncts};
use crate::pitfall::stored::{leaves, makes, paths};
use crate::pitfall::work::{cost, explained, gain};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::query::{Filter, Predicate, Test};
use crate::value::{Document, Path, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unwind-before-match",
    level: Level::Cost,
    weight: 12,
    title: Words::new("$unwind before $match", "$unwind vor $match"),
    explanation: Words::new(
        "Only a `$match` at the front can use an index; behind `$unwind`, `$project` or `$group` every document has been read \
         already.",
        "Nur ein `$match` am Anfang kann einen Index nutzen; hinter `$unwind`, `$project` oder `$group` ist schon jedes \
         Dokument gelesen.",
    ),
    message: Words::new(
        "{n documents} became {m} before anything was filtered; with a `$match` in front {docs} are read.",
        "Aus {n Dokumenten} wurden {m}, bevor etwas gefiltert wurde; mit einem `$match` am Anfang werden {docs} gelesen.",
    ),
    cure: Words::new(
        "`$match` with `$elemMatch` first, then `$unwind`, then `$match` again for the elements.",
        "Zuerst `$match` mit `$elemMatch`, dann `$unwind`, dann noch einmal `$match` für die Elemente.",
    ),
    example: r#"db.c.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color", "specs.v": "red"}}])"#,
    detect: |case| each_pipe(case, sight),
};

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let stages = pipe.stages();
    let at = stages.iter().position(|document| stage(document).0 == "$match").filter(|at| *at > 0)?;
    let filter = Filter::parse(stages[at].get_document("$match").ok()?).ok()?;
    let front = lifted(&filter, &stages[..at])?;
    let cured = pipe.spliced(0..0, vec![doc! {"$match": written(&front)}]);
    let learner = cost(pipe.ran.result.as_ref().ok()?.explain.as_deref()?);
    let command = Command::Aggregate(Aggregate { pipeline: cured.clone(), ..pipe.aggregate.clone() });
    let explain = explained(case, pipe.state, command)?;
    let better = cost(&explain);
    let level = gain(learner, better).filter(|_| better[1] < learner[1])?;
    if !explain.winning.all().any(|node| node.stage.scan().is_some()) {
        return None;
    }
    Some(Sighting {
        span: pipe.span(case, at),
        values: vec![
            ("n", learner[1].to_string()),
            ("m", arriving(pipe, case, at)?.to_string()),
            ("docs", better[1].to_string()),
        ],
        evidence: vec![Evidence::Cost { learner, cured: better }],
        level: Some(level),
        fix: pipe.with_pipeline(case, &cured),
        ..Sighting::default()
    })
}

/// How many documents reach a stage: as many as the array has elements where it alone was taken apart.
fn arriving(pipe: &Pipe<'_>, case: &Case<'_>, at: usize) -> Option<i64> {
    if at == 1
        && let Some(array) = pipe.stages()[0].get_str("$unwind").ok().and_then(|path| path.strip_prefix('$'))
        && let Some(profile) = case.profile(pipe.collection)
        && let Some(facts) = profile.arrays().get(array)
        && profile.path(array).is_some_and(|path| path.documents == facts.arrays())
    {
        return i64::try_from(facts.elements).ok();
    }
    let counted = pipe.rows(case, at, vec![doc! {"$count": "n"}])?;
    Some(counted.first().map_or(0, |row| row.get("n").and_then(number).unwrap_or_default()))
}

/// The part of a filter that can be asked of the stored documents; none where a stage in between makes what it reads.
fn lifted(filter: &Filter, before: &[Document]) -> Option<Filter> {
    let mut filter = filter.clone();
    for document in before.iter().rev() {
        let (name, operand) = stage(document);
        filter = match name {
            "$unwind" => through_unwind(&filter, document)?,
            "$sort" => filter,
            "$project" if leaves(operand.as_document()?, &filter) => filter,
            "$set" | "$addFields" | "$unset" if !makes(operand, &filter) => filter,
            "$group" => renamed(&filter, operand.as_document()?)?,
            _ => return None,
        };
    }
    Some(filter.normalised())
}

/// What a filter on one element asks of the whole array. The position that `includeArrayIndex` makes is not stored.
fn through_unwind(filter: &Filter, document: &Document) -> Option<Filter> {
    let array = Path::new(unwound(document)?);
    let made = document.get_document("$unwind").ok().and_then(|unwind| unwind.get_str("includeArrayIndex").ok());
    if made.is_some_and(|made| paths(filter).iter().any(|path| Path::new(made).is_prefix_of(path))) {
        return None;
    }
    let parts = conjuncts(filter);
    let whole = condition(filter, &array)
        .map(|inner| Filter::Field(Predicate { path: array.clone(), test: Test::ElemMatchObject(Box::new(inner)) }));
    let outside = parts.iter().filter(|part| !paths(part).iter().any(|path| array.is_prefix_of(path))).cloned();
    let lifted: Vec<Filter> = whole.into_iter().chain(outside).collect();
    (!lifted.is_empty()).then_some(Filter::And(lifted))
}

/// A filter on a group's key as one on the field it was made of.
fn renamed(filter: &Filter, group: &Document) -> Option<Filter> {
    let field = group.get_str("_id").ok()?.strip_prefix('$').filter(|field| !field.starts_with('$'))?;
    let Filter::Field(Predicate { path, test }) = filter else { return None };
    (path.to_string() == "_id").then(|| Filter::Field(Predicate { path: Path::new(field), test: test.clone() }))
}
