//! An expression that takes the element at a fixed position of an attribute array.

use super::pipe::{Pipe, number, pipes, read_path, stage};
use crate::pitfall::case::shown;
use crate::pitfall::elements::{condition, wanted};
use crate::pitfall::{Case, Evidence, Level, Sighting};
use crate::query::Filter;
use crate::store::AttributeFacts;
use crate::value::{Bson, Document, Path, doc};

/// One element taken by its position.
struct Taken<'a> {
    stage: usize,
    array: &'a AttributeFacts,
    /// The path taken, from the element; empty for the element itself.
    rest: String,
    at: i64,
    /// The expression as it stands.
    expression: &'a Document,
}

/// Where pipelines take an element by position and the key there differs between documents, as sightings of
/// `position-dependent-path`.
pub(in crate::pitfall) fn positions_in_stages(case: &Case<'_>) -> Vec<Sighting> {
    let pipes = pipes(case);
    let pipes = pipes.iter().filter(|pipe| pipe.succeeded());
    pipes.filter_map(|pipe| sight(case, pipe, &taken(case, pipe)?)).collect()
}

/// The first element taken by position before the pipeline makes other arrays.
fn taken<'a>(case: &Case<'a>, pipe: &Pipe<'a>) -> Option<Taken<'a>> {
    let computes = ["$project", "$set", "$addFields", "$group", "$replaceRoot", "$replaceWith"];
    let stages = pipe.stages().iter().enumerate();
    let mut made = stages.filter(|(_, document)| computes.contains(&stage(document).0));
    let (at, document) = made.next()?;
    find(stage(document).1, &|expression| {
        let (path, position) = by_position(expression)?;
        let array = case.attributes(pipe.collection).iter().find(|array| {
            path.strip_prefix(&array.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })?;
        let rest = path[array.path.len()..].trim_start_matches('.').to_owned();
        Some(Taken { stage: at, array, rest, at: position, expression })
    })
}

/// The first expression inside a value for which there is an answer.
fn find<'a, T>(value: &'a Bson, is: &dyn Fn(&'a Document) -> Option<T>) -> Option<T> {
    match value {
        Bson::Document(fields) => is(fields).or_else(|| fields.values().find_map(|field| find(field, is))),
        Bson::Array(items) => items.iter().find_map(|item| find(item, is)),
        _ => None,
    }
}

/// The path and the position that an expression takes an element of.
fn by_position(expression: &Document) -> Option<(String, i64)> {
    let (name, operand) = expression.iter().next().filter(|_| expression.len() == 1)?;
    match (name.as_str(), operand) {
        ("$arrayElemAt", Bson::Array(operands)) => match operands.as_slice() {
            [path, position] => Some((read_path(path.as_str()?)?, number(position)?)),
            _ => None,
        },
        ("$first", operand) => Some((read_path(single(operand)?)?, 0)),
        ("$last", operand) => Some((read_path(single(operand)?)?, -1)),
        _ => None,
    }
}

fn single(operand: &Bson) -> Option<&str> {
    match operand {
        Bson::Array(list) if list.len() == 1 => list[0].as_str(),
        other => other.as_str(),
    }
}

fn sight(case: &Case<'_>, pipe: &Pipe<'_>, taken: &Taken<'_>) -> Option<Sighting> {
    let AttributeFacts { path, key, .. } = taken.array;
    let keys = doc! {"$arrayElemAt": [format!("${path}.{key}"), taken.at]};
    let by_key = doc! {"$group": {"_id": keys, "n": {"$sum": 1}, "d": {"$first": "$_id"}}};
    let rows = pipe.rows(case, taken.stage, vec![by_key, doc! {"$sort": {"n": -1, "_id": 1}}])?;
    let keyed: Vec<&Document> = rows.iter().filter(|row| row.get_str("_id").is_ok()).collect();
    let asked = asked_key(pipe, taken);
    let is_other = |row: &&&Document| asked.as_deref().is_none_or(|asked| row.get_str("_id").ok() != Some(asked));
    let other = keyed.iter().skip(usize::from(asked.is_none())).find(is_other).filter(|_| keyed.len() > 1)?;
    let count = |row: &Document| row.get("n").and_then(number).and_then(|count| u64::try_from(count).ok()).unwrap_or(0);
    let name = |row: &Document| row.get_str("_id").unwrap_or_default().to_owned();
    let cured = asked.and_then(|asked| cured(pipe, taken, &asked));
    let right =
        cured.as_ref().is_some_and(|cured| pipe.tried(case, cured.clone()) == pipe.tried(case, pipe.stages().to_vec()));
    let counts = keyed.iter().map(|row| (name(row), count(row))).collect();
    let counts = Evidence::Counts { of: format!("{path}.{}.{key}", taken.at), counts };
    let list: Vec<String> = keyed.iter().map(|row| format!("`{}` ({})", name(row), count(row))).collect();
    Some(Sighting {
        span: pipe.span(case, taken.stage),
        values: vec![
            ("at", taken.at.to_string()),
            ("array", path.clone()),
            ("keys", list.join(", ")),
            ("id", other.get("d").map(shown).unwrap_or_default()),
            ("other", name(other)),
        ],
        evidence: std::iter::once(counts).chain(other.get("d").and_then(|id| pipe.stored(case, id))).collect(),
        fix: cured.and_then(|cured| pipe.with_pipeline(case, &cured)),
        level: right.then_some(Level::Risk),
        ..Sighting::default()
    })
}

/// The key that the `$match` in front asks for.
fn asked_key(pipe: &Pipe<'_>, taken: &Taken<'_>) -> Option<String> {
    let path = Path::new(&taken.array.path);
    let filters = pipe.stages()[..taken.stage].iter().filter_map(|document| document.get_document("$match").ok());
    let mut keys = filters.filter_map(|filter| {
        let asked = condition(&Filter::parse(filter).ok()?, &path)?;
        wanted(&asked, &Path::new(&taken.array.key))?.as_str().map(str::to_owned)
    });
    keys.next()
}

/// The pipeline with the element of the key in place of the one at the position.
fn cured(pipe: &Pipe<'_>, taken: &Taken<'_>, key: &str) -> Option<Vec<Document>> {
    let AttributeFacts { path, key: field, .. } = taken.array;
    let is_it = doc! {"$eq": [format!("$$e.{field}"), key]};
    let own = doc! {"$first": {"$filter": {"input": format!("${path}"), "as": "e", "cond": is_it}}};
    let with = if taken.rest.is_empty() {
        own
    } else {
        doc! {"$let": {"vars": {"own": own}, "in": format!("$$own.{}", taken.rest)}}
    };
    let mut stages = pipe.stages().to_vec();
    let Bson::Document(stage) = exchanged(&Bson::Document(stages[taken.stage].clone()), taken.expression, &with) else {
        return None;
    };
    stages[taken.stage] = stage;
    Some(stages)
}

/// The value with an expression in place of another.
fn exchanged(value: &Bson, old: &Document, new: &Document) -> Bson {
    match value {
        Bson::Document(fields) if fields == old => new.clone().into(),
        Bson::Document(fields) => {
            Bson::Document(fields.iter().map(|(name, field)| (name.clone(), exchanged(field, old, new))).collect())
        }
        Bson::Array(items) => Bson::Array(items.iter().map(|item| exchanged(item, old, new)).collect()),
        other => other.clone(),
    }
}
