//! Methods of a collection that read, and the door to those that write.

use bson::{Bson, Document};

use super::args::{Given, Options, whole};
use super::{Answer, Outcome, Refusal, cursor, index, modify};
use crate::engine::{Aggregate, Command, Count, Distinct, Find, Reply};
use crate::plan::Verbosity;
use crate::shell::misuse::Misuse;
use crate::shell::session::{Question, Session};
use crate::value::{JsonMode, to_json};

pub(super) fn call<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    session.note_deprecated(name, given.site);
    match name {
        "find" => find(session, given, None),
        "findOne" => find_one(session, given),
        "aggregate" => aggregate(session, given),
        "runCommand" => super::run_command::of_collection(session, given),
        "help" => Ok(Answer::Text(crate::shell::help::help("collection", session.lang))),
        "getName" => Ok(Answer::Bson(Bson::String(collection(given)))),
        "getFullName" => Ok(Answer::Bson(Bson::String(format!("{}.{}", given.call.subject.more, collection(given))))),
        "countDocuments" | "count" | "distinct" => {
            let command = reading(given, name)?;
            let run = given.run(session, command)?;
            Ok(match &run.reply {
                Reply::Count(count) => Answer::Bson(count_value(*count)),
                Reply::Values(values) => Answer::Values(values.clone()),
                _ => Answer::Nothing,
            })
        }
        "estimatedDocumentCount" => {
            let command = Command::EstimatedCount { collection: collection(given) };
            let run = given.run(session, command)?;
            if let Reply::Count(count) = &run.reply {
                Ok(Answer::Bson(count_value(*count)))
            } else {
                Ok(Answer::Nothing)
            }
        }
        _ => match modify::call(session, given, name)? {
            Some(answer) => Ok(answer),
            None => index::call(session, given, name),
        },
    }
}

pub(super) fn collection(given: &Given<'_, '_>) -> String {
    given.call.subject.name.clone()
}

/// Counts are ints for JavaScript, doubles beyond 32 bits.
pub(super) fn count_value(count: u64) -> Bson {
    #[expect(clippy::cast_precision_loss, reason = "JavaScript numbers are doubles")]
    i32::try_from(count).map_or(Bson::Double(count as f64), Bson::Int32)
}

/// Commands of methods that give one value.
fn reading(given: &mut Given<'_, '_>, name: &str) -> Result<Command, Refusal> {
    if name == "distinct" {
        let key = given.text(0, "key")?;
        let filter = given.document(1, "filter")?.unwrap_or_default();
        let options = given.options(2)?;
        let (collation, hint) = (options.document(given, "collation")?, options.any(given, "hint"));
        return Ok(Command::Distinct(Distinct { collection: collection(given), key, filter, collation, hint }));
    }
    let filter = given.document(0, "filter")?.unwrap_or_default();
    let options = given.options(1)?;
    Ok(Command::Count(Count {
        collection: collection(given),
        filter,
        skip: options.number(given, "skip")?,
        limit: options.number(given, "limit")?,
        hint: options.any(given, "hint"),
        collation: options.document(given, "collation")?,
        as_pipeline: name == "countDocuments",
    }))
}

fn find_command(given: &mut Given<'_, '_>) -> Result<Find, Refusal> {
    let filter = given.document(0, "filter")?.unwrap_or_default();
    let projection = given.document(1, "projection")?;
    let options = given.options(2)?;
    Ok(Find {
        collection: collection(given),
        filter,
        projection: match options.document(given, "projection")? {
            Some(chosen) => Some(chosen),
            None => projection,
        },
        sort: sort_option(given, &options)?,
        skip: options.number(given, "skip")?,
        limit: options.number(given, "limit")?,
        hint: options.any(given, "hint"),
        min: options.document(given, "min")?,
        max: options.document(given, "max")?,
        return_key: options.switch("returnKey", false),
        show_record_id: options.switch("showRecordId", false),
        collation: options.document(given, "collation")?,
        variables: options.document(given, "let")?,
        comment: options.any(given, "comment"),
    })
}

/// A sort may be given as a document, a name, or pairs of name and direction.
pub(super) fn sort_option(given: &mut Given<'_, '_>, options: &Options) -> Result<Option<Document>, Refusal> {
    match options.any(given, "sort") {
        None => Ok(None),
        Some(value) => sort_document(value),
    }
}

/// What the driver makes of a sort (`formatSort` in its `sort.ts`); an empty one is none.
pub(super) fn sort_document(value: Bson) -> Result<Option<Document>, Refusal> {
    let ascending = |name: &Bson| (plain_text(name), Bson::Int32(1));
    let sort: Document = match value {
        Bson::Document(fields) => directed(fields.into_iter())?,
        Bson::String(name) => [(name, Bson::Int32(1))].into_iter().collect(),
        Bson::Array(list) => match list.as_slice() {
            [Bson::Array(_), ..] => directed(list.iter().filter_map(pair))?,
            [name, way] if direction(way).is_ok() => directed([(plain_text(name), way.clone())].into_iter())?,
            names => names.iter().map(ascending).collect(),
        },
        other => {
            return Err(Refusal::Advised(Misuse::SortFormat(json(&other))));
        }
    };
    Ok((!sort.is_empty()).then_some(sort))
}

fn pair(pair: &Bson) -> Option<(String, Bson)> {
    let pair = pair.as_array()?;
    Some((plain_text(pair.first()?), pair.get(1).cloned().unwrap_or(Bson::Int32(1))))
}

fn plain_text(name: &Bson) -> String {
    name.as_str().map_or_else(|| json(name), str::to_owned)
}

fn json(value: &Bson) -> String {
    to_json(value, JsonMode::Relaxed).to_string()
}

fn directed(fields: impl Iterator<Item = (String, Bson)>) -> Result<Document, Refusal> {
    fields.map(|(name, way)| Ok((name, direction(&way)?))).collect()
}

fn direction(way: &Bson) -> Result<Bson, Refusal> {
    let text = match way {
        Bson::Document(meta) if meta.get_str("$meta").is_ok() => return Ok(way.clone()),
        Bson::String(text) => text.to_lowercase(),
        other => whole(other).map(|number| number.to_string()).unwrap_or_default(),
    };
    match text.as_str() {
        "ascending" | "asc" | "1" => Ok(Bson::Int32(1)),
        "descending" | "desc" | "-1" => Ok(Bson::Int32(-1)),
        _ => Err(Refusal::Advised(Misuse::SortDirection(json(way)))),
    }
}

fn find<'js>(session: &mut Session, given: &mut Given<'_, 'js>, explain: Option<Verbosity>) -> Outcome<'js> {
    let command = find_command(given)?;
    Ok(cursor::open(session, given, Question::Find(Box::new(command)), explain))
}

fn find_one<'js>(session: &mut Session, given: &mut Given<'_, 'js>) -> Outcome<'js> {
    let command = Find { limit: Some(-1), ..find_command(given)? };
    let run = given.run(session, Command::Find(command))?;
    Ok(match super::documents(&run).first() {
        Some(document) => Answer::Document(document.clone()),
        None => Answer::Bson(Bson::Null),
    })
}

/// Stages come as one array with options behind it, or one by one.
pub(super) fn pipeline(given: &mut Given<'_, '_>) -> Result<(Vec<Document>, Options), Refusal> {
    if matches!(given.value(0), Some(Bson::Array(_))) {
        let stages = given.list(0, "pipeline")?;
        return Ok((stages, given.options(1)?));
    }
    let mut stages = Vec::new();
    for at in 0..given.len() {
        stages.push(given.required(at, &format!("pipeline.{at}"))?);
    }
    let none = given.len();
    Ok((stages, given.options(none)?))
}

pub(super) fn aggregate_command(
    given: &mut Given<'_, '_>,
    collection: Option<String>,
) -> Result<(Aggregate, Options), Refusal> {
    let (pipeline, options) = pipeline(given)?;
    let command = Aggregate {
        collection,
        pipeline,
        hint: options.any(given, "hint"),
        collation: options.document(given, "collation")?,
        variables: options.document(given, "let")?,
        comment: options.any(given, "comment"),
    };
    Ok((command, options))
}

fn aggregate<'js>(session: &mut Session, given: &mut Given<'_, 'js>) -> Outcome<'js> {
    let (command, options) = aggregate_command(given, Some(collection(given)))?;
    run_aggregate(session, given, command, &options)
}

/// `{explain: true}` answers with the plan; a pipeline that ends in `$out` or `$merge` runs at once, as it gives no documents.
pub(super) fn run_aggregate<'js>(
    session: &mut Session,
    given: &mut Given<'_, 'js>,
    command: Aggregate,
    options: &Options,
) -> Outcome<'js> {
    if let Some(verbosity) = options.document.get("explain").filter(|value| super::args::truthy(value)) {
        let verbosity = verbosity_of(Some(verbosity))?;
        return explained(session, given, Command::Aggregate(command), verbosity);
    }
    let writes =
        command.pipeline.last().is_some_and(|stage| stage.contains_key("$out") || stage.contains_key("$merge"));
    let answer = cursor::open(session, given, Question::Aggregate(Box::new(command)), None);
    if let (true, Answer::Cursor { id, .. }) = (writes, &answer) {
        cursor::start(session, *id)?;
    }
    Ok(answer)
}

/// The verbosity an argument asks for; none and `false` ask for the plan only, `true` for everything.
pub(super) fn verbosity_of(value: Option<&Bson>) -> Result<Verbosity, Refusal> {
    match value {
        None | Some(Bson::Null | Bson::Boolean(false)) => Ok(Verbosity::QueryPlanner),
        Some(Bson::Boolean(true)) => Ok(Verbosity::AllPlansExecution),
        Some(Bson::String(text)) if text == "queryPlanner" => Ok(Verbosity::QueryPlanner),
        Some(Bson::String(text)) if text == "executionStats" => Ok(Verbosity::ExecutionStats),
        Some(Bson::String(text)) if text == "allPlansExecution" => Ok(Verbosity::AllPlansExecution),
        Some(Bson::Document(options)) if options.contains_key("verbosity") => verbosity_of(options.get("verbosity")),
        Some(other) => Err(Refusal::Misuse(
            "MongoshInvalidInputError",
            format!(
                "[COMMON-10001] verbosity can only be one of queryPlanner, executionStats, allPlansExecution. Received {other}."
            ),
        )),
    }
}

pub(super) fn explained<'js>(
    session: &mut Session,
    given: &mut Given<'_, 'js>,
    command: Command,
    verbosity: Verbosity,
) -> Outcome<'js> {
    let run = given.run(session, Command::Explain { command: Box::new(command), verbosity })?;
    Ok(plain_result(&run.reply))
}

/// A bare result document.
pub(super) fn plain_result<'js>(reply: &Reply) -> Answer<'js> {
    match reply {
        Reply::Result(document) => Answer::Bson(Bson::Document(document.clone())),
        Reply::Boolean(truth) => Answer::Bson(Bson::Boolean(*truth)),
        Reply::Count(count) => Answer::Bson(count_value(*count)),
        Reply::Document(document) => Answer::Bson(document.clone().map_or(Bson::Null, Bson::Document)),
        Reply::Values(values) => Answer::Values(values.clone()),
        _ => Answer::Nothing,
    }
}

/// Methods of `db.NAME.explain()`; the verbosity travels with the object.
pub(super) fn explainable<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    if name == "verbosity" {
        let verbosity = verbosity_of(given.value(0))?;
        return Ok(Answer::Bson(Bson::String(verbosity_name(verbosity).to_owned())));
    }
    let verbosity = verbosity_of(Some(&Bson::String(given.call.subject.more.clone())))?;
    let command = match name {
        "getVerbosity" => return Ok(Answer::Bson(Bson::String(verbosity_name(verbosity).to_owned()))),
        "help" => return Ok(Answer::Text(crate::shell::help::help("explainable", session.lang))),
        "getCollection" => return Ok(Answer::Bson(Bson::String(collection(given)))),
        "find" => return find(session, given, Some(verbosity)),
        "findOne" => Command::Find(Find { limit: Some(-1), ..find_command(given)? }),
        "aggregate" => Command::Aggregate(aggregate_command(given, Some(collection(given)))?.0),
        "count" | "countDocuments" | "distinct" => reading(given, name)?,
        _ => match modify::command(given, name)? {
            Some(command) => command,
            None => return given.misuse(format_args!("explain() knows no {name}")),
        },
    };
    explained(session, given, command, verbosity)
}

pub(super) fn verbosity_name(verbosity: Verbosity) -> &'static str {
    match verbosity {
        Verbosity::QueryPlanner => "queryPlanner",
        Verbosity::ExecutionStats => "executionStats",
        Verbosity::AllPlansExecution => "allPlansExecution",
    }
}
