//! `countDocuments`: the pipeline of `$match` and `$group` that drivers make of it, and the number it gives.

use crate::error::{CommandError, CommandPath, Result, Step};
use crate::value::{Bson, Document, doc};

use super::aggregate;
use super::command::{Aggregate, Count};
use super::{Database, Reply, Run};

/// Runs the pipeline; the reply is the number of documents.
pub(super) fn run(database: &mut Database, count: &Count) -> Result<Run> {
    let run = aggregate::run(database, &as_aggregate(count)).map_err(at_filter)?;
    let Reply::Documents(documents) = &run.reply else { return Ok(run) };
    let counted = documents.first().and_then(|document| Document::try_from(document.as_ref()).ok());
    let counted = match counted.as_ref().and_then(|document| document.get("n")) {
        Some(Bson::Int32(number)) => u64::try_from(*number).unwrap_or_default(),
        Some(Bson::Int64(number)) => u64::try_from(*number).unwrap_or_default(),
        _ => 0,
    };
    let explain = run.explain.map(|mut explain| {
        explain.returned = counted;
        explain
    });
    Ok(Run { reply: Reply::Count(counted), explain, writes: run.writes })
}

/// The command that drivers send.
pub(super) fn as_aggregate(count: &Count) -> Aggregate {
    let mut pipeline = vec![doc! { "$match": count.filter.clone() }];
    pipeline.extend(count.skip.map(|skip| doc! { "$skip": skip }));
    pipeline.extend(count.limit.map(|limit| doc! { "$limit": limit }));
    pipeline.push(doc! { "$group": { "_id": 1, "n": { "$sum": 1 } } });
    Aggregate {
        collection: Some(count.collection.clone()),
        pipeline,
        hint: count.hint.clone(),
        collation: count.collation.clone(),
        variables: None,
        comment: None,
    }
}

/// What is wrong with the `$match` is wrong with the filter.
fn at_filter(mut error: CommandError) -> CommandError {
    if let [Step::Field(pipeline), Step::Index(0), Step::Field(stage), inner @ ..] = error.at.0.as_slice()
        && pipeline == "pipeline"
        && stage == "$match"
    {
        let mut at = CommandPath::argument("filter");
        at.0.extend_from_slice(inner);
        error.at = at;
    }
    error
}
