//! The update that converts the stored values of one key or field to numbers, as text before the learner's own.

use super::asks::Ask;
use crate::engine::{Command, Modify, Update, UpdateSpec};
use crate::pitfall::case::Case;
use crate::shell::to_statement;
use crate::value::{Bson, Document, doc};

/// The whole text behind an update that makes numbers of what the ask compares; none for deeper paths.
pub(super) fn to_numbers(case: &Case<'_>, collection: &str, ask: &Ask<'_>) -> Option<String> {
    let (filter, stage) = match ask.array {
        Some(array) if !array.path.contains('.') && !array.value.contains('.') && !ask.keys.is_empty() => {
            (doc! {&array.path: {"$type": "array"}}, elements(ask, &array.path, &array.key, &array.value))
        }
        None if !ask.path.to_string().contains('.') => {
            let path = ask.path.to_string();
            (doc! {&path: {"$type": "string"}}, doc! {&path: as_number(&format!("${path}"))})
        }
        _ => return None,
    };
    let spec = UpdateSpec {
        filter,
        modify: Modify::Pipeline(vec![doc! {"$set": stage}]),
        multi: true,
        upsert: false,
        array_filters: Vec::new(),
        collation: None,
        hint: None,
        variables: None,
    };
    let update = Command::Update(Update { collection: collection.to_owned(), spec });
    Some(format!("{}; {}", to_statement(&update), case.script.text()))
}

fn elements(ask: &Ask<'_>, array: &str, key: &str, value: &str) -> Document {
    let path = format!("$$s.{value}");
    let keys: Vec<Bson> = ask.keys.iter().map(|key| Bson::from(*key)).collect();
    let asked = doc! {"$in": [format!("$$s.{key}"), keys]};
    let one = doc! {value: {"$cond": [asked, as_number(&path), &path]}};
    let merged = doc! {"$mergeObjects": ["$$s", one]};
    doc! {array: {"$map": {"input": format!("${array}"), "as": "s", "in": merged}}}
}

fn as_number(path: &str) -> Document {
    doc! {"$convert": {"input": path, "to": "double", "onError": path, "onNull": path}}
}
