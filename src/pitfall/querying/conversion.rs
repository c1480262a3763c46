//! The update that converts the stored values of one key or field, in front of the learner's statement.

use super::asks::Ask;
use crate::engine::Command;
use crate::pitfall::conversion::{as_number, converted, in_front, keys_to_numbers, update_all};
use crate::pitfall::{Case, Question};
use crate::proof::written;
use crate::query::Filter;
use crate::value::{Document, Path, doc};

/// The whole text with an update that makes numbers of what the ask compares; none for paths through arrays.
pub(super) fn to_numbers(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<String> {
    Some(in_front(case, question.ran, &update(case, question.collection, ask)?, case.script.text()))
}

/// The text with another filter, and before it the update that makes numbers of what the ask compares.
pub(super) fn asked_in_numbers(
    case: &Case<'_>,
    question: &Question<'_>,
    ask: &Ask<'_>,
    filter: &Filter,
) -> Option<String> {
    let asked = if *filter == question.tree {
        case.script.text().to_owned()
    } else {
        case.with_filter(question, &written(filter))?
    };
    Some(in_front(case, question.ran, &update(case, question.collection, ask)?, &asked))
}

fn update(case: &Case<'_>, collection: &str, ask: &Ask<'_>) -> Option<Command> {
    if let Some(array) = ask.array {
        return keys_to_numbers(case, collection, array, &ask.keys);
    }
    field_to_numbers(case, collection, &ask.path)
}

/// The update that makes numbers of a field's texts; none for paths through arrays.
pub(super) fn field_to_numbers(case: &Case<'_>, collection: &str, path: &Path) -> Option<Command> {
    let path = path.to_string();
    let stage = doc! {"$set": {&path: as_number(&format!("${path}"))}};
    case.leads_straight(collection, &path)
        .then(|| update_all(collection, doc! {&path: {"$type": "string"}}, vec![stage]))
}

/// The text with another filter, and before it the update that makes dates of the texts the ask compares.
pub(super) fn asked_in_dates(
    case: &Case<'_>,
    question: &Question<'_>,
    ask: &Ask<'_>,
    filter: &Filter,
    format: &str,
) -> Option<String> {
    let asked = case.with_filter(question, &written(filter))?;
    let update = match ask.array {
        Some(array) => converted(case, question.collection, array, &ask.keys, &|path| as_date(path, format)),
        None => field_to_dates(case, question.collection, &ask.path, format),
    };
    Some(in_front(case, question.ran, &update?, &asked))
}

/// The update that makes dates of a field's texts; none for paths through arrays.
pub(super) fn field_to_dates(case: &Case<'_>, collection: &str, path: &Path, format: &str) -> Option<Command> {
    let path = path.to_string();
    let stage = doc! {"$set": {&path: as_date(&format!("${path}"), format)}};
    case.leads_straight(collection, &path)
        .then(|| update_all(collection, doc! {&path: {"$type": "string"}}, vec![stage]))
}

/// A path's text as a date, where it is one.
fn as_date(path: &str, format: &str) -> Document {
    doc! {"$dateFromString": {"dateString": path, "format": format, "onError": path, "onNull": path}}
}
