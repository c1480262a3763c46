//! Statements that put stored data right, before or after the learner's own.

use crate::engine::{Command, Modify, Update, UpdateSpec};
use crate::pitfall::Case;
use crate::shell::{Ran, to_statement};
use crate::store::AttributeFacts;
use crate::value::{Bson, Document, doc};

/// A text, be it one with parts written anew, with a command in front of the statement that a run belongs to: whatever made
/// the data stands before it.
#[must_use]
pub fn in_front(case: &Case<'_>, ran: &Ran, command: &Command, text: &str) -> String {
    let statement = ran.span.as_ref().and_then(|span| case.script.statement_at(span.start));
    let own = case.script.text();
    let start = statement.map_or(0, |id| case.script.node(id).span.start);
    // What was written anew may stand in a statement before.
    let (front, rest) = match text.strip_suffix(&own[start..]) {
        Some(front) => (front, &own[start..]),
        None => text.split_at(start),
    };
    format!("{front}{}; {rest}", to_statement(command))
}

/// A text with a command after it.
#[must_use]
pub fn before(text: &str, command: &Command) -> String {
    format!("{}; {}", text.trim_end().trim_end_matches(';'), to_statement(command))
}

/// The text with a command that puts stored data right: after it, or before the statement that was refused, where the text
/// ended. None where the text deletes documents of the collection: what they held cannot be put right behind it.
#[must_use]
pub fn beside(case: &Case<'_>, collection: &str, command: &Command) -> Option<String> {
    let text = case.script.text();
    let written = case.ran.iter().filter_map(|ran| ran.result.as_ref().ok()).flat_map(|run| &run.writes.documents);
    let mut deleted = written.filter(|written| written.after.is_none() && *written.collection == *collection);
    match case.sent.iter().find(|ran| ran.result.is_err()) {
        _ if deleted.next().is_some() => None,
        Some(refused) => Some(in_front(case, refused, command, text)),
        None => Some(before(text, command)),
    }
}

/// The update of every document that a filter finds, by a pipeline.
#[must_use]
pub fn update_all(collection: &str, filter: Document, stages: Vec<Document>) -> Command {
    let spec = UpdateSpec {
        filter,
        modify: Modify::Pipeline(stages),
        multi: true,
        upsert: false,
        array_filters: Vec::new(),
        collation: None,
        hint: None,
        variables: None,
    };
    Command::Update(Update { collection: collection.to_owned(), spec })
}

/// The update that makes numbers of the values of some keys; none for arrays in arrays.
#[must_use]
pub fn keys_to_numbers(case: &Case<'_>, collection: &str, array: &AttributeFacts, keys: &[&str]) -> Option<Command> {
    converted(case, collection, array, keys, &as_number)
}

/// The update that puts an expression on their path in place of the values of some keys; none for arrays in arrays.
#[must_use]
pub fn converted(
    case: &Case<'_>,
    collection: &str,
    array: &AttributeFacts,
    keys: &[&str],
    with: &dyn Fn(&str) -> Document,
) -> Option<Command> {
    let AttributeFacts { path: array, key, value, .. } = array;
    if !case.leads_straight(collection, array) || value.contains('.') || keys.is_empty() {
        return None;
    }
    let path = format!("$$s.{value}");
    let keys: Vec<Bson> = keys.iter().map(|key| Bson::from(*key)).collect();
    let asked = doc! {"$in": [format!("$$s.{key}"), keys]};
    let one = doc! {value: {"$cond": [asked, with(&path), &path]}};
    let merged = doc! {"$mergeObjects": ["$$s", one]};
    let stage = doc! {array: {"$map": {"input": format!("${array}"), "as": "s", "in": merged}}};
    Some(update_all(collection, doc! {array: {"$type": "array"}}, vec![doc! {"$set": stage}]))
}

/// A path's value as a number, where it can be read as one.
#[must_use]
pub fn as_number(path: &str) -> Document {
    doc! {"$convert": {"input": path, "to": "double", "onError": path, "onNull": path}}
}
