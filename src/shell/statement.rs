//! A command as the mongosh text that runs it: what is shown for another design, and can be edited and run.

use std::fmt::Write;

use crate::engine::{
    Aggregate, BulkOperation, BulkWrite, Command, Count, CreateIndexes, Delete, Distinct, Find, FindAndModify, Insert,
    Modify, PlanCacheClear, Update, UpdateSpec,
};
use crate::plan::Verbosity;
use crate::shell::names;
use crate::value::calendar::short_iso_text;
use crate::value::{Bson, Document, base64, whole};

/// Writes a command as one statement of mongosh.
#[must_use]
pub fn to_statement(command: &Command) -> String {
    match command {
        Command::Find(find) => find_one_text(find).unwrap_or_else(|| find_text(find)),
        Command::Aggregate(aggregate) => aggregate_text(aggregate),
        Command::Count(count) => count_text(count),
        Command::EstimatedCount { collection } => call(collection, "estimatedDocumentCount", &[]),
        Command::Distinct(distinct) => distinct_text(distinct),
        Command::Insert(insert) => insert_text(insert),
        Command::Update(update) => update_text(update),
        Command::Delete(delete) => delete_text(delete),
        Command::FindAndModify(modify) => find_and_modify_text(modify),
        Command::CreateIndexes(create) => create_indexes_text(create),
        Command::DropIndexes { collection, index } => call(collection, "dropIndex", &[literal(index)]),
        Command::ListIndexes { collection } => call(collection, "getIndexes", &[]),
        Command::HideIndex { collection, index, hidden } => {
            call(collection, if *hidden { "hideIndex" } else { "unhideIndex" }, &[literal(index)])
        }
        Command::DropCollection { collection } => call(collection, "drop", &[]),
        Command::RenameCollection { collection, to, .. } => call(collection, "renameCollection", &[quoted(to)]),
        Command::CollStats { collection, .. } => call(collection, "stats", &[]),
        Command::CreateCollection { collection, options } => {
            format!("db.createCollection({})", arguments(&[quoted(collection), optional(options)]))
        }
        Command::DropDatabase => "db.dropDatabase()".into(),
        Command::ListCollections => "db.getCollectionNames()".into(),
        Command::DbStats { .. } => "db.stats()".into(),
        Command::PlanCacheList { collection } => format!("{}.getPlanCache().list()", place(collection)),
        Command::PlanCacheClear(clear) => plan_cache_clear_text(clear),
        Command::BulkWrite(bulk) => bulk_text(bulk),
        Command::Explain { command, verbosity } => explain_text(command, *verbosity),
    }
}

/// `db.products`, or `db.getCollection("…")` where the name is no identifier.
fn place(collection: &str) -> String {
    if is_identifier(collection) && !names::DATABASE.contains(&collection) {
        format!("db.{collection}")
    } else {
        format!("db.getCollection({})", quoted(collection))
    }
}

fn is_identifier(name: &str) -> bool {
    let letter = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_alphanumeric())
}

fn call(collection: &str, method: &str, parts: &[String]) -> String {
    format!("{}.{method}({})", place(collection), arguments(parts))
}

/// Arguments without the empty ones at the end; an empty one before others is `{}`.
fn arguments(parts: &[String]) -> String {
    let used = parts.iter().rposition(|part| !part.is_empty()).map_or(0, |last| last + 1);
    let shown: Vec<_> = parts[..used].iter().map(|part| if part.is_empty() { "{}" } else { part.as_str() }).collect();
    shown.join(", ")
}

/// A document as an argument that may be left out.
fn optional(document: &Document) -> String {
    if document.is_empty() { String::new() } else { braces(document) }
}

/// Options that are set, as one document.
fn options(entries: Vec<(&str, Option<Bson>)>) -> String {
    let set = entries.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    optional(&set.collect())
}

fn plan_cache_clear_text(clear: &PlanCacheClear) -> String {
    let place = place(&clear.collection);
    match (&clear.filter, &clear.collation) {
        (None, _) => format!("{place}.getPlanCache().clear()"),
        (Some(filter), None) => {
            let other = |part: &Option<Document>| part.as_ref().map(optional).unwrap_or_default();
            let parts = [braces(filter), other(&clear.projection), other(&clear.sort)];
            format!("{place}.getPlanCache().clearPlansByQuery({})", arguments(&parts))
        }
        // The method takes no collation.
        (Some(filter), Some(collation)) => {
            let entries = [("projection", &clear.projection), ("sort", &clear.sort)];
            let mut command = Document::new();
            command.insert("planCacheClear", &clear.collection);
            command.insert("query", filter.clone());
            command
                .extend(entries.into_iter().filter_map(|(name, part)| Some((name.to_owned(), part.clone()?.into()))));
            command.insert("collation", collation.clone());
            format!("db.runCommand({})", braces(&command))
        }
    }
}

/// A find as `findOne` sends it, which takes one batch of one document; none where it has what `findOne` is given otherwise.
fn find_one_text(find: &Find) -> Option<String> {
    let otherwise = find.min.is_some() || find.max.is_some() || find.return_key || find.show_record_id;
    if find.limit != Some(-1) || otherwise {
        return None;
    }
    let more = options(vec![
        ("sort", find.sort.clone().map(Bson::Document)),
        ("skip", find.skip.map(whole)),
        ("hint", find.hint.clone()),
        ("collation", find.collation.clone().map(Bson::Document)),
        ("let", find.variables.clone().map(Bson::Document)),
        ("comment", find.comment.clone()),
    ]);
    let projection = find.projection.as_ref().map(optional).unwrap_or_default();
    Some(call(&find.collection, "findOne", &[optional(&find.filter), projection, more]))
}

fn find_text(find: &Find) -> String {
    let projection = find.projection.as_ref().map(optional).unwrap_or_default();
    let mut text = call(&find.collection, "find", &[optional(&find.filter), projection]);
    let steps = [
        ("sort", find.sort.clone().map(Bson::Document)),
        ("skip", find.skip.map(whole)),
        ("limit", find.limit.map(whole)),
        ("hint", find.hint.clone()),
        ("min", find.min.clone().map(Bson::Document)),
        ("max", find.max.clone().map(Bson::Document)),
        ("collation", find.collation.clone().map(Bson::Document)),
        ("returnKey", find.return_key.then_some(Bson::Boolean(true))),
        ("showRecordId", find.show_record_id.then_some(Bson::Boolean(true))),
        ("comment", find.comment.clone()),
    ];
    for (method, operand) in steps {
        if let Some(operand) = operand {
            let _ = write!(text, ".{method}({})", literal(&operand));
        }
    }
    text
}

fn aggregate_text(aggregate: &Aggregate) -> String {
    let stages: Vec<_> = aggregate.pipeline.iter().map(braces).collect();
    let more = options(vec![
        ("hint", aggregate.hint.clone()),
        ("collation", aggregate.collation.clone().map(Bson::Document)),
        ("let", aggregate.variables.clone().map(Bson::Document)),
        ("comment", aggregate.comment.clone()),
    ]);
    let parts = arguments(&[format!("[{}]", stages.join(", ")), more]);
    match &aggregate.collection {
        Some(collection) => format!("{}.aggregate({parts})", place(collection)),
        None => format!("db.aggregate({parts})"),
    }
}

fn count_text(count: &Count) -> String {
    let more = options(vec![
        ("skip", count.skip.map(whole)),
        ("limit", count.limit.map(whole)),
        ("hint", count.hint.clone()),
        ("collation", count.collation.clone().map(Bson::Document)),
    ]);
    let method = if count.as_pipeline { "countDocuments" } else { "count" };
    call(&count.collection, method, &[optional(&count.filter), more])
}

fn distinct_text(distinct: &Distinct) -> String {
    let more =
        options(vec![("collation", distinct.collation.clone().map(Bson::Document)), ("hint", distinct.hint.clone())]);
    call(&distinct.collection, "distinct", &[quoted(&distinct.key), optional(&distinct.filter), more])
}

fn insert_text(insert: &Insert) -> String {
    if let [only] = insert.documents.as_slice() {
        return call(&insert.collection, "insertOne", &[braces(only)]);
    }
    let documents: Vec<_> = insert.documents.iter().map(braces).collect();
    let ordered = if insert.ordered { String::new() } else { "{ordered: false}".into() };
    call(&insert.collection, "insertMany", &[format!("[{}]", documents.join(", ")), ordered])
}

fn update_text(update: &Update) -> String {
    let UpdateSpec { filter, modify, multi, upsert, array_filters, collation, hint, variables } = &update.spec;
    let method = match (modify, multi) {
        (Modify::Replacement(_), _) => "replaceOne",
        (_, true) => "updateMany",
        (_, false) => "updateOne",
    };
    let more = options(vec![
        ("upsert", upsert.then_some(Bson::Boolean(true))),
        ("arrayFilters", (!array_filters.is_empty()).then(|| Bson::from(array_filters.clone()))),
        ("collation", collation.clone().map(Bson::Document)),
        ("hint", hint.clone()),
        ("let", variables.clone().map(Bson::Document)),
    ]);
    call(&update.collection, method, &[braces(filter), modification(modify), more])
}

fn modification(modify: &Modify) -> String {
    match modify {
        Modify::Operators(document) | Modify::Replacement(document) => braces(document),
        Modify::Pipeline(stages) => format!("[{}]", stages.iter().map(braces).collect::<Vec<_>>().join(", ")),
    }
}

fn bulk_text(bulk: &BulkWrite) -> String {
    let operations: Vec<_> = bulk.operations.iter().map(operation_literal).collect();
    let ordered = if bulk.ordered { String::new() } else { "{ordered: false}".into() };
    call(&bulk.collection, "bulkWrite", &[format!("[{}]", operations.join(", ")), ordered])
}

/// One operation as `bulkWrite` takes it.
/// An operation of a bulk write as an object literal.
#[must_use]
pub fn operation_literal(operation: &BulkOperation) -> String {
    literal(&Bson::Document(operation_document(operation)))
}

fn operation_document(operation: &BulkOperation) -> Document {
    let set = |fields: Vec<(&str, Option<Bson>)>| -> Bson {
        Bson::Document(fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
    };
    let (name, body) = match operation {
        BulkOperation::Insert(document) => ("insertOne", set(vec![("document", Some(document.clone().into()))])),
        BulkOperation::Delete { filter, multi, collation, hint } => (
            if *multi { "deleteMany" } else { "deleteOne" },
            set(vec![
                ("filter", Some(filter.clone().into())),
                ("collation", collation.clone().map(Bson::Document)),
                ("hint", hint.clone()),
            ]),
        ),
        BulkOperation::Update(spec) => {
            let (name, part, change) = match &spec.modify {
                Modify::Replacement(document) => ("replaceOne", "replacement", Bson::Document(document.clone())),
                Modify::Operators(document) => (update_name(spec.multi), "update", Bson::Document(document.clone())),
                Modify::Pipeline(stages) => (update_name(spec.multi), "update", Bson::from(stages.clone())),
            };
            let fields = vec![
                ("filter", Some(spec.filter.clone().into())),
                (part, Some(change)),
                ("upsert", spec.upsert.then_some(Bson::Boolean(true))),
                ("arrayFilters", (!spec.array_filters.is_empty()).then(|| Bson::from(spec.array_filters.clone()))),
                ("collation", spec.collation.clone().map(Bson::Document)),
                ("hint", spec.hint.clone()),
            ];
            (name, set(fields))
        }
    };
    [(name.to_owned(), body)].into_iter().collect()
}

fn update_name(multi: bool) -> &'static str {
    if multi { "updateMany" } else { "updateOne" }
}

fn delete_text(delete: &Delete) -> String {
    let more =
        options(vec![("collation", delete.collation.clone().map(Bson::Document)), ("hint", delete.hint.clone())]);
    call(&delete.collection, if delete.multi { "deleteMany" } else { "deleteOne" }, &[braces(&delete.filter), more])
}

fn find_and_modify_text(command: &FindAndModify) -> String {
    let more = options(vec![
        ("sort", command.sort.clone().map(Bson::Document)),
        ("projection", command.projection.clone().map(Bson::Document)),
        ("upsert", command.upsert.then_some(Bson::Boolean(true))),
        ("returnDocument", command.return_new.then(|| "after".into())),
        ("arrayFilters", (!command.array_filters.is_empty()).then(|| Bson::from(command.array_filters.clone()))),
        ("collation", command.collation.clone().map(Bson::Document)),
        ("hint", command.hint.clone()),
    ]);
    let filter = braces(&command.filter);
    match &command.modify {
        None => call(&command.collection, "findOneAndDelete", &[filter, more]),
        Some(modify @ Modify::Replacement(_)) => {
            call(&command.collection, "findOneAndReplace", &[filter, modification(modify), more])
        }
        Some(modify) => call(&command.collection, "findOneAndUpdate", &[filter, modification(modify), more]),
    }
}

fn create_indexes_text(create: &CreateIndexes) -> String {
    let one = |keys: &Document, options: &Document| {
        call(&create.collection, "createIndex", &[braces(keys), optional(options)])
    };
    match create.indexes.as_slice() {
        [only] => one(&only.keys, &only.options),
        several if several.iter().all(|index| index.options.is_empty()) => {
            let keys: Vec<_> = several.iter().map(|index| braces(&index.keys)).collect();
            call(&create.collection, "createIndexes", &[format!("[{}]", keys.join(", "))])
        }
        several => several.iter().map(|index| one(&index.keys, &index.options)).collect::<Vec<_>>().join("; "),
    }
}

/// `explain()` stands behind a cursor, and before a method that gives none.
fn explain_text(command: &Command, verbosity: Verbosity) -> String {
    let verbosity = match verbosity {
        Verbosity::QueryPlanner => "",
        Verbosity::ExecutionStats => "\"executionStats\"",
        Verbosity::AllPlansExecution => "\"allPlansExecution\"",
    };
    if let Command::Find(find) = command {
        return format!("{}.explain({verbosity})", find_text(find));
    }
    let text = to_statement(command);
    let method = text.rmatch_indices('.').map(|(at, _)| at).find(|&at| text[..at].matches('(').count() == 0);
    method.map_or(text.clone(), |at| format!("{}.explain({verbosity}){}", &text[..at], &text[at..]))
}

/// Writes a value as mongosh reads it back with the same type.
#[must_use]
pub fn literal(value: &Bson) -> String {
    match value {
        Bson::Double(number) if number.is_finite() && (number.fract() != 0.0 || number.abs() > f64::from(i32::MAX)) => {
            number.to_string()
        }
        Bson::Double(number) if number.is_nan() => "NaN".into(),
        Bson::Double(number) if number.is_infinite() => if *number > 0.0 { "Infinity" } else { "-Infinity" }.into(),
        Bson::Double(number) => format!("Double({number})"),
        Bson::Int32(number) => number.to_string(),
        Bson::Int64(number) => format!("Long(\"{number}\")"),
        Bson::Decimal128(number) => format!("Decimal128(\"{number}\")"),
        Bson::String(text) => quoted(text),
        Bson::Symbol(text) => format!("BSONSymbol({})", quoted(text)),
        Bson::Boolean(truth) => truth.to_string(),
        Bson::Null => "null".into(),
        Bson::Undefined => "undefined".into(),
        Bson::Array(list) => format!("[{}]", list.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Bson::Document(document) => braces(document),
        Bson::RegularExpression(regex) => regex_literal(regex.pattern.as_str(), regex.options.as_str()),
        Bson::ObjectId(id) => format!("ObjectId(\"{id}\")"),
        Bson::DateTime(date) => date_literal(date.timestamp_millis()),
        Bson::Timestamp(stamp) => format!("Timestamp({{t: {}, i: {}}})", stamp.time, stamp.increment),
        Bson::Binary(binary) => {
            format!("BinData({}, \"{}\")", u8::from(binary.subtype), base64(&binary.bytes))
        }
        Bson::JavaScriptCode(code) => format!("Code({})", quoted(code)),
        Bson::JavaScriptCodeWithScope(code) => format!("Code({}, {})", quoted(&code.code), braces(&code.scope)),
        Bson::MinKey => "MinKey()".into(),
        Bson::MaxKey => "MaxKey()".into(),
        Bson::DbPointer(_) => "null".into(),
    }
}

/// `ISODate` reads years of four digits only.
fn date_literal(millis: i64) -> String {
    let text = short_iso_text(millis);
    if text.starts_with(['+', '-']) { format!("new Date({millis})") } else { format!("ISODate(\"{text}\")") }
}

/// Slashes suit most patterns; what JavaScript would read otherwise is given as two texts.
fn regex_literal(pattern: &str, options: &str) -> String {
    let simple = !pattern.is_empty()
        && !pattern.starts_with('*')
        && !pattern.contains(['/', '\n', '\r', '\u{2028}', '\u{2029}']);
    let flags = options.chars().all(|option| matches!(option, 'i' | 'm' | 's'));
    if flags && simple && fancy_regex::Regex::new(pattern).is_ok() {
        return format!("/{pattern}/{options}");
    }
    format!("BSONRegExp({}, {})", quoted(pattern), quoted(options))
}

fn braces(document: &Document) -> String {
    let name = |name: &str| match name {
        // Written plainly it would set the object's prototype.
        "__proto__" => "[\"__proto__\"]".to_owned(),
        name if is_identifier(name) => name.to_owned(),
        name => quoted(name),
    };
    let fields: Vec<_> = document.iter().map(|(field, value)| format!("{}: {}", name(field), literal(value))).collect();
    format!("{{{}}}", fields.join(", "))
}

/// The text as a JavaScript string; JSON's escapes are JavaScript's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
