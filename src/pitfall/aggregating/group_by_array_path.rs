//! A group's key, or what is gathered, that is the array of all elements' values.

use super::pipe::{Pipe, each_pipe, read_path, stage};
use crate::pitfall::case::shown;
use crate::pitfall::elements::{all_elements, condition, prefixed};
use crate::pitfall::verdict::proof;
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::query::Filter;
use crate::value::{Bson, Document, Path, RawDocument, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "group-by-array-path",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new(
        "Group or project on a path through the array",
        "Gruppe oder Projektion auf einem Pfad durchs Array",
    ),
    explanation: Words::new(
        "In a pipeline `\"$specs.v\"` is the array of all values, also of those that the `$match` does not ask for.",
        "In einer Pipeline ist `\"$specs.v\"` das Array aller Werte, auch derer, nach denen das `$match` nicht fragt.",
    ),
    message: Words::new(
        "`{path}` is an array in {n documents}, such as {value} in _id {id}; it is taken as one value.",
        "`{path}` ist in {n Dokumenten} ein Array, etwa {value} in _id {id}; es gilt als ein einziger Wert.",
    ),
    cure: Words::new(
        "`$unwind` and `$match` first, or pick one element with `$first` of a `$filter`.",
        "Zuerst `$unwind` und `$match`, oder nimm ein Element mit `$first` eines `$filter`.",
    ),
    example: r#"db.c.aggregate([{$match: {"specs.k": "maker"}}, {$group: {_id: "$specs.v", n: {$sum: 1}}}])"#,
    detect: |case| each_pipe(case, sight),
};

/// Accumulators that work on single values.
const SINGLE: [&str; 9] = ["$sum", "$avg", "$min", "$max", "$first", "$last", "$addToSet", "$stdDevPop", "$stdDevSamp"];

/// Said where no document with such an array is grouped.
const BY_CHANCE: Words = Words::new(
    "`{path}` is an array in {n documents}, such as {value} in _id {id}, and would be taken as one value; none of them is \
     grouped here.",
    "`{path}` ist in {n Dokumenten} ein Array, etwa {value} in _id {id}, und würde als ein einziger Wert gelten; keines davon \
     wird hier gruppiert.",
);

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let profile = case.profile(pipe.collection)?;
    let arrays: Vec<&String> =
        profile.arrays().iter().filter(|(_, facts)| facts.documents > 0).map(|(path, _)| path).collect();
    let untouched = pipe.stages().iter().take_while(|document| keeps_arrays(document));
    let at = untouched.count();
    let through = |path: &str| arrays.iter().find(|array| is_below(path, array)).map(|array| (*array).clone());
    let (grouped, found) = (0..pipe.stages().len().min(at + 1)).find_map(|place| {
        let read = single_values(&pipe.stages()[place]);
        let array = read.iter().find_map(|path| Some((through(path)?, path.clone())))?;
        Some((place, array))
    })?;
    let (array, path) = found;
    let taken = Path::new(&array);
    let documents = case.documents(pipe.collection);
    let held: Vec<_> = documents.iter().filter(|document| !all_elements(document, &taken).is_empty()).collect();
    let first = held.iter().max_by_key(|document| all_elements(document, &taken).len())?;
    let tail = Path::from_parts(Path::new(&path).parts()[taken.parts().len()..].to_vec());
    let values = all_elements(first, &taken);
    let values: Vec<Bson> = values
        .iter()
        .filter_map(|element| crate::value::member(*element, tail.parts().first()?))
        .map(|value| value.to_bson())
        .collect();
    let projects = ["$project", "$set", "$addFields"].contains(&stage(&pipe.stages()[grouped]).0);
    let cured = cured(pipe, grouped, &array);
    let right = !projects && pipe.tried(case, cured.clone())? == pipe.tried(case, pipe.stages().to_vec())?;
    let own = |document: &RawDocument| proof(document, vec![(array.clone(), path.clone())]);
    let grouped_ids = || {
        pipe.rows(case, grouped, vec![doc! {"$match": {format!("{array}.0"): {"$exists": true}}}, doc! {"$limit": 1}])
    };
    let misjudged = || pipe.stored(case, grouped_ids()?.first()?.get("_id")?);
    let evidence = if right { None } else { misjudged().or_else(|| own(first)) };
    Some(Sighting {
        span: pipe.span(case, grouped),
        values: vec![
            ("path", format!("${path}")),
            ("n", held.len().to_string()),
            ("value", shown(&Bson::Array(values))),
            ("id", shown(&crate::pitfall::case::id(first))),
        ],
        evidence: evidence.into_iter().collect(),
        // A projection is right in giving each document once.
        fix: if projects { None } else { pipe.with_pipeline(case, &cured) },
        level: if projects { Some(Level::Surprise) } else { right.then_some(Level::Risk) },
        words: right.then_some(BY_CHANCE),
        ..Sighting::default()
    })
}

/// Whether a stage leaves every array as it is stored.
fn keeps_arrays(document: &Document) -> bool {
    ["$match", "$sort", "$limit", "$skip"].contains(&stage(document).0)
}

fn is_below(path: &str, array: &str) -> bool {
    path.strip_prefix(array).is_some_and(|rest| rest.starts_with('.'))
}

/// The paths that a stage takes as one value each.
fn single_values(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    match stage(document) {
        ("$group", Bson::Document(group)) => {
            for (name, value) in group {
                if name == "_id" {
                    key_paths(value, &mut found);
                } else if let Some((accumulator, operand)) = value.as_document().and_then(|one| one.iter().next())
                    && SINGLE.contains(&accumulator.as_str())
                {
                    found.extend(field_path(operand));
                }
            }
        }
        ("$sortByCount", key) => key_paths(key, &mut found),
        ("$bucket" | "$bucketAuto", Bson::Document(bucket)) => found.extend(bucket.get("groupBy").and_then(field_path)),
        ("$project" | "$set" | "$addFields", Bson::Document(fields)) => {
            found.extend(fields.values().filter_map(field_path));
        }
        _ => {}
    }
    found
}

fn key_paths(key: &Bson, found: &mut Vec<String>) {
    match key {
        Bson::Document(fields) if !fields.keys().any(|name| name.starts_with('$')) => {
            fields.values().for_each(|value| key_paths(value, found));
        }
        other => found.extend(field_path(other)),
    }
}

fn field_path(value: &Bson) -> Option<String> {
    read_path(value.as_str()?)
}

/// The stages with the array taken apart first, and what the `$match` asks of an element asked again.
fn cured(pipe: &Pipe<'_>, at: usize, array: &str) -> Vec<Document> {
    let filters = pipe.stages()[..at].iter().filter_map(|document| document.get_document("$match").ok());
    let path = Path::new(array);
    let asked = filters.filter_map(|filter| condition(&Filter::parse(filter).ok()?, &path));
    let again = asked.map(|inner| doc! {"$match": written(&prefixed(&inner, &path))});
    let apart = std::iter::once(doc! {"$unwind": format!("${array}")});
    pipe.spliced(at..at, apart.chain(again).collect())
}
