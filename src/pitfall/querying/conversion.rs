//! The update that converts the stored values of one key or field to numbers, as text before the learner's own.

use super::asks::Ask;
use crate::engine::Command;
use crate::pitfall::conversion::{as_number, behind, converted, keys_to_numbers, update_all};
use crate::pitfall::{Case, Question};
use crate::proof::written;
use crate::query::Filter;
use crate::value::{Document, Path, doc};

/// The whole text behind an update that makes numbers of what the ask compares; none for deeper paths.
pub(super) fn to_numbers(case: &Case<'_>, collection: &str, ask: &Ask<'_>) -> Option<String> {
    Some(behind(&update(collection, ask)?, case.script.text()))
}

/// The text with another filter behind the update that makes numbers of what the ask compares.
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
    Some(behind(&update(question.collection, ask)?, &asked))
}

fn update(collection: &str, ask: &Ask<'_>) -> Option<Command> {
    if let Some(array) = ask.array {
        return keys_to_numbers(collection, array, &ask.keys);
    }
    field_to_numbers(collection, &ask.path)
}

/// The update that makes numbers of a field's texts; none for deeper paths.
pub(super) fn field_to_numbers(collection: &str, path: &Path) -> Option<Command> {
    let path = path.to_string();
    let stage = doc! {"$set": {&path: as_number(&format!("${path}"))}};
    (!path.contains('.')).then(|| update_all(collection, doc! {&path: {"$type": "string"}}, vec![stage]))
}

/// The text with another filter behind the update that makes dates of the texts the ask compares.
pub(super) fn asked_in_dates(
    case: &Case<'_>,
    question: &Question<'_>,
    ask: &Ask<'_>,
    filter: &Filter,
    format: &str,
) -> Option<String> {
    let asked = case.with_filter(question, &written(filter))?;
    let update = match ask.array {
        Some(array) => converted(question.collection, array, &ask.keys, &|path| as_date(path, format)),
        None => field_to_dates(question.collection, &ask.path, format),
    };
    Some(behind(&update?, &asked))
}

/// The update that makes dates of a field's texts; none for deeper paths.
pub(super) fn field_to_dates(collection: &str, path: &Path, format: &str) -> Option<Command> {
    let path = path.to_string();
    let stage = doc! {"$set": {&path: as_date(&format!("${path}"), format)}};
    (!path.contains('.')).then(|| update_all(collection, doc! {&path: {"$type": "string"}}, vec![stage]))
}

/// A path's text as a date, where it is one.
fn as_date(path: &str, format: &str) -> Document {
    doc! {"$dateFromString": {"dateString": path, "format": format, "onError": path, "onNull": path}}
}
