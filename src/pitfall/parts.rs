//! Commands that stand as parts of others, each with a run of its own: the operations of a bulk write, the pipelines
//! inside `$facet`, `$lookup` and `$unionWith`, and the filters inside `$graphLookup` and `$geoNear`.

use std::sync::Arc;

use crate::engine::{Aggregate, BulkOperation, BulkWrite, Command, Database, Delete, Host, Insert, Modify, Update};
use crate::error::CommandPath;
use crate::shell::Ran;
use crate::value::{Bson, Document, doc};

/// Of a bulk write, the first operations are looked at one by one.
const OPERATIONS: usize = 50;

/// The runs of a text with those of their parts: operations in place of their bulk write, pipelines behind the one they
/// stand in. None where no command has parts. `earlier` are commands of the text before those.
pub(super) fn with_parts(earlier: &[Ran], ran: &[Ran], before: &Database, after: &Database) -> Option<Vec<Ran>> {
    let parted = ran.iter().any(|ran| match ran.command.explained() {
        Command::BulkWrite(_) => true,
        Command::Aggregate(aggregate) => aggregate.pipeline.iter().any(|stage| !nested(stage).is_empty()),
        _ => false,
    });
    parted.then(|| {
        let mut all = Vec::new();
        for (at, run) in ran.iter().enumerate() {
            match run.command.explained() {
                Command::BulkWrite(bulk) => {
                    all.extend(operations(earlier.iter().chain(&ran[..at]), run, bulk, before));
                }
                Command::Aggregate(aggregate) => {
                    all.push(run.clone());
                    pipelines(run, aggregate, 0, after, &mut all);
                }
                _ => all.push(run.clone()),
            }
        }
        all
    })
}

/// The operations, each run where the ones before it have been run.
fn operations<'a>(earlier: impl Iterator<Item = &'a Ran>, ran: &Ran, bulk: &BulkWrite, before: &Database) -> Vec<Ran> {
    let mut fork = before.clone();
    for earlier in earlier.filter(|ran| changes(&ran.command)) {
        // What was refused then is refused again.
        drop(fork.run(&earlier.command));
    }
    let mut found = Vec::new();
    for (position, operation) in bulk.operations.iter().enumerate().take(OPERATIONS) {
        let command = command(&bulk.collection, operation);
        let result = fork.run(&command).map(Arc::new);
        let failed = result.is_err();
        let at = CommandPath::argument("operations").index(position);
        let span = ran.places.span(&at).or_else(|| ran.span.clone());
        found.push(Ran { command, result, span, places: ran.places.of_part(arguments(&at, operation)) });
        if failed && bulk.ordered {
            break;
        }
    }
    found
}

fn changes(command: &Command) -> bool {
    !matches!(command, Command::Find(_) | Command::Count(_) | Command::Distinct(_) | Command::Explain { .. })
}

fn command(collection: &str, operation: &BulkOperation) -> Command {
    let collection = collection.to_owned();
    match operation {
        BulkOperation::Insert(document) => {
            Command::Insert(Insert { collection, documents: vec![document.clone()], ..Insert::default() })
        }
        BulkOperation::Update(spec) => Command::Update(Update { collection, spec: (**spec).clone() }),
        BulkOperation::Delete { filter, multi, collation, hint } => Command::Delete(Delete {
            collection,
            filter: filter.clone(),
            multi: *multi,
            collation: collation.clone(),
            hint: hint.clone(),
        }),
    }
}

/// The operation that a command is, to be written back into its bulk write.
pub(super) fn operation(command: &Command) -> Option<BulkOperation> {
    match command {
        Command::Update(update) => Some(BulkOperation::Update(Box::new(update.spec.clone()))),
        Command::Delete(Delete { filter, multi, collation, hint, .. }) => Some(BulkOperation::Delete {
            filter: filter.clone(),
            multi: *multi,
            collation: collation.clone(),
            hint: hint.clone(),
        }),
        Command::Insert(Insert { documents, .. }) => documents.first().cloned().map(BulkOperation::Insert),
        _ => None,
    }
}

/// Where the parts of an operation stand, with their names in the command.
fn arguments(at: &CommandPath, operation: &BulkOperation) -> Vec<(CommandPath, String)> {
    let (kind, names): (&str, &[(&str, &str)]) = match operation {
        BulkOperation::Insert(_) => ("insertOne", &[("document", "documents.0")]),
        BulkOperation::Delete { multi: false, .. } => ("deleteOne", &[("filter", "filter")]),
        BulkOperation::Delete { multi: true, .. } => ("deleteMany", &[("filter", "filter")]),
        BulkOperation::Update(spec) => (
            match (&spec.modify, spec.multi) {
                (Modify::Replacement(_), _) => "replaceOne",
                (_, false) => "updateOne",
                (_, true) => "updateMany",
            },
            &[("filter", "filter"), ("update", "update"), ("arrayFilters", "arrayFilters")],
        ),
    };
    names.iter().map(|(typed, own)| (at.field(kind).field(typed), (*own).to_owned())).collect()
}

/// A pipeline inside a stage.
struct Nested<'a> {
    /// Where it stands in the stage.
    at: CommandPath,
    stages: Vec<Document>,
    /// Another collection than the outer pipeline's.
    from: Option<&'a str>,
    /// Variables that are bound for each document outside.
    variables: Option<&'a Document>,
    /// Whether it is a filter, which stands there without its `$match`.
    filter: bool,
}

/// The pipelines inside a stage.
fn nested(stage: &Document) -> Vec<Nested<'_>> {
    let Some((name, operand)) = stage.iter().next() else { return Vec::new() };
    let Some(operand) = operand.as_document() else { return Vec::new() };
    let at = CommandPath::argument(name);
    match name.as_str() {
        "$facet" => {
            let facet = |(name, stages): (&String, &Bson)| {
                Some(Nested { at: at.field(name), stages: list(stages)?, from: None, variables: None, filter: false })
            };
            operand.iter().filter_map(facet).collect()
        }
        "$lookup" | "$unionWith" => {
            let from = operand.get_str(if name == "$lookup" { "from" } else { "coll" }).ok();
            let stages = operand.get("pipeline").and_then(list);
            let variables = operand.get_document("let").ok();
            let inner = |(from, stages)| Nested {
                at: at.field("pipeline"),
                stages,
                from: Some(from),
                variables,
                filter: false,
            };
            from.zip(stages).map(inner).into_iter().collect()
        }
        "$graphLookup" | "$geoNear" => {
            let (from, filter) = match name.as_str() {
                "$graphLookup" => (operand.get_str("from").ok(), "restrictSearchWithMatch"),
                _ => (None, "query"),
            };
            let asked = operand.get_document(filter).ok().filter(|_| from.is_some() || name == "$geoNear");
            let inner = |asked: &Document| Nested {
                at: at.field(filter),
                stages: vec![doc! {"$match": asked.clone()}],
                from,
                variables: None,
                filter: true,
            };
            asked.map(inner).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn list(stages: &Bson) -> Option<Vec<Document>> {
    stages.as_array()?.iter().map(|stage| stage.as_document().cloned()).collect()
}

/// The pipelines inside a pipeline's stages from one on. Those of a facet are given the stages before it, which feed it.
fn pipelines(ran: &Ran, outer: &Aggregate, from: usize, after: &Database, found: &mut Vec<Ran>) {
    for (position, stage) in outer.pipeline.iter().enumerate().skip(from) {
        for inner in nested(stage) {
            let front = if inner.from.is_none() { &outer.pipeline[..position] } else { &[] };
            let aggregate = Aggregate {
                collection: inner.from.map(str::to_owned).or_else(|| outer.collection.clone()),
                pipeline: front.iter().chain(&inner.stages).cloned().collect(),
                variables: unbound(inner.variables).or_else(|| outer.variables.clone()),
                hint: None,
                ..outer.clone()
            };
            let Some(part) = run(ran, &inner, position, front.len(), &aggregate, after) else { continue };
            let at = found.len();
            found.push(part);
            let part = found[at].clone();
            pipelines(&part, &aggregate, front.len(), after, found);
        }
    }
}

/// Variables without a value: what depends on them is left open.
fn unbound(variables: Option<&Document>) -> Option<Document> {
    variables.map(|own| own.keys().map(|name| (name.clone(), Bson::Null)).collect())
}

fn run(ran: &Ran, inner: &Nested<'_>, position: usize, front: usize, own: &Aggregate, after: &Database) -> Option<Ran> {
    let command = Command::Aggregate(own.clone());
    let result = after.clone().run(&command).map(|mut run| {
        if front > 0 || inner.from.is_none() {
            // A facet's stages have no plan of their own.
            run.explain = None;
        }
        Arc::new(run)
    });
    if result.is_err() && ran.result.is_ok() {
        return None;
    }
    let stage = CommandPath::argument("pipeline").index(position);
    let place = CommandPath(stage.0.iter().chain(&inner.at.0).cloned().collect());
    let name = |at: usize| format!("pipeline.{at}");
    let before = (0..front).map(|at| (CommandPath::argument("pipeline").index(at), name(at)));
    let placed = |at: usize| {
        let name = name(front + at);
        if inner.filter { (place.clone(), format!("{name}.$match")) } else { (place.index(at), name) }
    };
    let inside = (0..inner.stages.len()).map(placed);
    let whole = inner.from.filter(|_| !inner.filter).map(|_| (place.clone(), "pipeline".to_owned()));
    let places = ran.places.of_part(before.chain(inside).chain(whole));
    Some(Ran { command, result, span: ran.places.span(&place).or_else(|| ran.span.clone()), places })
}

/// An update's pipeline behind its filter, as an aggregate.
pub(super) fn update_pipeline(ran: &Ran, before: &Database) -> Option<Ran> {
    let (collection, filter, modify) = match ran.command.explained() {
        Command::Update(update) => (&update.collection, &update.spec.filter, &update.spec.modify),
        Command::FindAndModify(modify) => (&modify.collection, &modify.filter, modify.modify.as_ref()?),
        _ => return None,
    };
    let Modify::Pipeline(stages) = modify else { return None };
    let pipeline = std::iter::once(doc! {"$match": filter.clone()}).chain(stages.iter().cloned()).collect();
    let command =
        Command::Aggregate(Aggregate { collection: Some(collection.clone()), pipeline, ..Aggregate::default() });
    let result = match &ran.result {
        Ok(_) => Ok(Arc::new(before.clone().run(&command).ok()?)),
        Err(error) => Err(error.clone()),
    };
    let stage = |at: usize| (CommandPath::argument("update").index(at), format!("pipeline.{}", at + 1));
    let places = ran.places.of_part((0..stages.len()).map(stage));
    Some(Ran { command, result, span: ran.span.clone(), places })
}
