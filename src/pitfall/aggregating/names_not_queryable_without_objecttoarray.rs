//! Field names used in a pipeline as if they were values.

use super::pipe::{Pipe, each_pipe, stage, unwound};
use crate::pitfall::elements::conjuncts;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::store::Profile;
use crate::value::{Bson, Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "names-not-queryable-without-objecttoarray",
    level: Level::WrongResult,
    weight: 9,
    title: Words::new(
        "Field names used in a pipeline as if they were values",
        "Feldnamen in einer Pipeline benutzt, als wären sie Werte",
    ),
    explanation: Words::new(
        "`$unwind` hands an object on as one value, and an object is never greater or less than a number.",
        "`$unwind` reicht ein Objekt als einen Wert weiter, und ein Objekt ist nie größer oder kleiner als eine Zahl.",
    ),
    message: Words::new(
        "`{path}` is a sub-document in {n documents}, with {names} different field names; they must be turned into values \
         first. {docs documents} {docs|was|were} read.",
        "`{path}` ist in {n Dokumenten} ein Unterdokument mit {names} verschiedenen Feldnamen; sie müssen erst zu Werten \
         werden. {docs Dokumente} {docs|wurde|wurden} gelesen.",
    ),
    cure: Words::new(
        "`{$objectToArray: \"$steps_made\"}` first, then `$unwind`.",
        "Zuerst `{$objectToArray: \"$steps_made\"}`, dann `$unwind`.",
    ),
    example: r#"db.c.aggregate([{$unwind: "$steps_made"}]) // an object, not an array"#,
    detect: |case| each_pipe(case, sight),
};

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let profile = case.profile(pipe.collection)?;
    let made = |document: &Document| !["$match", "$sort", "$limit", "$skip", "$unwind"].contains(&stage(document).0);
    let stored = pipe.stages().iter().take_while(|document| !made(document));
    let (at, path, stages) = stored.enumerate().find_map(|(at, document)| {
        let (path, stages) = of_stage(profile, document)?;
        Some((at, path, stages))
    })?;
    let objects = objects(profile, &path)?;
    let names = profile.field_names(&path).count();
    let cured = pipe.spliced(at..at + 1, stages);
    let count = |name: &str, count: u64| (name.to_owned(), count);
    let (learner, meant) = (pipe.rows(case, pipe.stages().len(), Vec::new())?, pipe.tried(case, cured.clone())?);
    let right = learner == meant;
    let (learner, meant) = (learner.len() as u64, meant.len() as u64);
    Some(Sighting {
        span: pipe.span(case, at),
        values: vec![
            ("path", path.clone()),
            ("n", objects.to_string()),
            ("names", names.to_string()),
            ("docs", profile.documents().to_string()),
        ],
        evidence: vec![Evidence::Counts {
            of: path,
            counts: vec![
                count("sub-documents", objects),
                count("field names", names as u64),
                count("results", learner),
                count("results with $objectToArray", meant),
            ],
        }],
        fix: pipe.with_pipeline(case, &cured),
        level: right.then_some(Level::Risk),
        ..Sighting::default()
    })
}

/// The sub-document that a stage takes for an array or a value, and the stages that would make it one.
fn of_stage(profile: &Profile, document: &Document) -> Option<(String, Vec<Document>)> {
    let converted = |path: &str| doc! {"$set": {path: {"$objectToArray": format!("${path}")}}};
    if let Some(path) = unwound(document).filter(|path| objects(profile, path).is_some()) {
        return Some((path.to_owned(), vec![converted(path), document.clone()]));
    }
    let filter = document.get_document("$match").ok()?;
    let tree = Filter::parse(filter).ok()?;
    let path = conjuncts(&tree).iter().filter_map(compared).find(|path| objects(profile, path).is_some())?;
    let value = filter.get(&path)?.clone();
    let mut moved: Document =
        filter.iter().filter(|(name, _)| **name != path).map(|(n, v)| (n.clone(), v.clone())).collect();
    moved.insert(format!("{path}.v"), value);
    Some((path.clone(), vec![converted(&path), doc! {"$match": moved}]))
}

/// The path that a range compares with a number, a date or a text.
fn compared(part: &Filter) -> Option<String> {
    let Filter::Field(Predicate { path, test: Test::Compare(comparison, literal) }) = part else { return None };
    let scalar = !matches!(literal, Bson::Document(_) | Bson::Array(_) | Bson::Null | Bson::MinKey | Bson::MaxKey);
    (*comparison != Comparison::Eq && scalar).then(|| path.to_string())
}

/// In how many documents a path is a sub-document, where it is nothing else.
fn objects(profile: &Profile, path: &str) -> Option<u64> {
    let types = &profile.path(path)?.types;
    let only = types.keys().all(|name| ["object", "null"].contains(name));
    types.get("object").copied().filter(|_| only)
}
