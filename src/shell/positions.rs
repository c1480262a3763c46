//! What a place inside a call expects: stages, operators, fields, options. Which place it is, its keys from outside in tell.

use super::about::Role;
use super::complete::Place;
use super::operators;
use crate::update;

/// What may stand at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// These operators.
    Operators(Role, &'static [&'static str]),
    /// Fields of the collection, below the path that [`Position::prefix`] holds.
    Fields,
    /// Names of options.
    Options(&'static [&'static str]),
    /// Values as they are written.
    Words(&'static [&'static str]),
    /// `"$path"` of any field.
    Paths,
    /// What the data hold at the path.
    Data,
    /// Names of collections.
    Collections,
    /// Fields as texts.
    FieldNames,
    /// Fields, as texts, of the collection that `from` names.
    ForeignFieldNames,
    /// Names of indexes.
    Indexes,
}

/// A place, told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) expected: Vec<Expected>,
    /// The fields the place is inside of.
    pub(super) prefix: Vec<String>,
}

use Expected::{Collections, Data, FieldNames, Fields, ForeignFieldNames, Indexes, Operators, Options, Paths, Words};

const DIRECTIONS: &[&str] = &["1", "-1"];
const SHOWN: &[&str] = &["1", "0"];
const TRUTH: &[&str] = &["true", "false"];
const VALUES: &[&str] = &["true", "false", "null", "ObjectId", "ISODate", "NumberLong", "NumberDecimal"];
const TYPES: &[&str] = &[
    "\"double\"",
    "\"string\"",
    "\"object\"",
    "\"array\"",
    "\"binData\"",
    "\"objectId\"",
    "\"bool\"",
    "\"date\"",
    "\"null\"",
    "\"regex\"",
    "\"int\"",
    "\"timestamp\"",
    "\"long\"",
    "\"decimal\"",
    "\"number\"",
];
const VERBOSITY: &[&str] = &["\"queryPlanner\"", "\"executionStats\"", "\"allPlansExecution\""];

/// Options of stages, by stage.
const STAGE_OPTIONS: &[(&str, &[&str])] = &[
    ("$bucket", &["groupBy", "boundaries", "default", "output"]),
    ("$bucketAuto", &["groupBy", "buckets", "output", "granularity"]),
    ("$densify", &["field", "partitionByFields", "range"]),
    ("$fill", &["partitionBy", "partitionByFields", "sortBy", "output"]),
    (
        "$graphLookup",
        &[
            "from",
            "startWith",
            "connectFromField",
            "connectToField",
            "as",
            "maxDepth",
            "depthField",
            "restrictSearchWithMatch",
        ],
    ),
    ("$lookup", &["from", "localField", "foreignField", "let", "pipeline", "as"]),
    ("$merge", &["into", "on", "let", "whenMatched", "whenNotMatched"]),
    ("$replaceRoot", &["newRoot"]),
    ("$sample", &["size"]),
    ("$setWindowFields", &["partitionBy", "sortBy", "output"]),
    ("$unionWith", &["coll", "pipeline"]),
    ("$unwind", &["path", "includeArrayIndex", "preserveNullAndEmptyArrays"]),
];

/// Options of methods, by method and the argument they stand in.
const METHOD_OPTIONS: &[(&[&str], usize, &[&str])] = &[
    (&["find", "findOne"], 2, &["sort", "limit", "skip", "projection", "hint", "collation"]),
    (&["aggregate"], 1, &["allowDiskUse", "collation", "explain", "hint", "let"]),
    (&["countDocuments"], 1, &["limit", "skip", "hint", "collation"]),
    (&["distinct"], 2, &["collation"]),
    (&["updateOne", "updateMany", "replaceOne"], 2, &["upsert", "arrayFilters", "collation", "hint", "let"]),
    (
        &["findOneAndUpdate", "findOneAndReplace"],
        2,
        &["returnDocument", "sort", "projection", "upsert", "arrayFilters", "collation", "hint"],
    ),
    (&["findOneAndDelete"], 1, &["sort", "projection", "collation", "hint"]),
    (&["deleteOne", "deleteMany"], 1, &["collation", "hint"]),
    (&["insertMany", "bulkWrite"], 1, &["ordered"]),
    (
        &["createIndex", "createIndexes"],
        1,
        &["name", "unique", "sparse", "partialFilterExpression", "collation", "hidden", "wildcardProjection"],
    ),
];

/// Whether the methods that update take an option of this name.
pub(super) fn is_update_option(name: &str) -> bool {
    let updates = METHOD_OPTIONS
        .iter()
        .filter(|(methods, ..)| methods.iter().any(|method| method.contains("Update") || method.contains("update")));
    updates.into_iter().any(|(.., options)| options.contains(&name))
}

const BULK: &[&str] = &["insertOne", "updateOne", "updateMany", "replaceOne", "deleteOne", "deleteMany"];

impl Position {
    fn of(expected: &[Expected]) -> Self {
        Self { expected: expected.to_vec(), prefix: Vec::new() }
    }

    fn below(expected: &[Expected], keys: &[&str]) -> Self {
        let prefix = keys.iter().filter(|key| !key.starts_with('$')).map(|key| (*key).to_owned()).collect();
        Self { expected: expected.to_vec(), prefix }
    }
}

/// What a place expects.
pub(super) fn position(place: &Place) -> Position {
    let keys: Vec<&str> = place.keys.iter().map(String::as_str).collect();
    let method = place.method.as_str();
    if let Some((.., options)) =
        METHOD_OPTIONS.iter().find(|(methods, at, _)| *at == place.argument && methods.contains(&method))
    {
        return option(place, &keys, options);
    }
    match (method, place.argument) {
        ("aggregate", 0) => pipeline(place, &keys),
        ("updateOne" | "updateMany" | "update" | "findOneAndUpdate", 1) => update(place, &keys),
        ("insertOne" | "insertMany" | "insert" | "replaceOne" | "findOneAndReplace", 0 | 1)
            if !filters(method, place) =>
        {
            document(place, &keys)
        }
        ("find" | "findOne", 1) | ("project" | "projection", 0) => projection(place, &keys),
        ("sort" | "createIndex" | "createIndexes" | "dropIndex" | "hideIndex" | "unhideIndex" | "hint", 0) => {
            keyed(place, &keys)
        }
        ("explain", 0) => Position::of(&[Words(VERBOSITY)]),
        ("distinct", 0) => Position::of(&[FieldNames]),
        ("getCollection", 0) => Position::of(&[Collections]),
        ("bulkWrite", 0) => bulk(place, &keys),
        _ => filter(place, &keys),
    }
}

/// The first argument of a replacement is a filter.
fn filters(method: &str, place: &Place) -> bool {
    matches!(method, "replaceOne" | "findOneAndReplace") && place.argument == 0
}

fn option(place: &Place, keys: &[&str], options: &'static [&'static str]) -> Position {
    match keys {
        [] if place.key => Position::of(&[Options(options)]),
        ["sort", ..] => keyed(place, keys),
        ["hint"] if !place.key => Position::of(&[Indexes]),
        ["hint", ..] => keyed(place, keys),
        ["projection", rest @ ..] => projection(place, rest),
        ["partialFilterExpression" | "arrayFilters", rest @ ..] => filter(place, rest),
        ["returnDocument"] => Position::of(&[Words(&["\"after\"", "\"before\""])]),
        ["explain"] => Position::of(&[Words(VERBOSITY)]),
        [_] if !place.key => Position::of(&[Words(TRUTH)]),
        _ => Position::default(),
    }
}

/// Field names with directions.
fn keyed(place: &Place, keys: &[&str]) -> Position {
    match (place.method.as_str(), keys) {
        ("hint" | "dropIndex" | "hideIndex" | "unhideIndex", []) if !place.key => Position::of(&[Indexes]),
        _ if place.key => Position::of(&[Fields]),
        _ => Position::of(&[Words(DIRECTIONS)]),
    }
}

fn projection(place: &Place, keys: &[&str]) -> Position {
    match keys {
        _ if place.key && keys.is_empty() => Position::of(&[Fields]),
        _ if keys.contains(&"$elemMatch") => filter(place, keys),
        _ if place.key => Position::below(
            &[
                Operators(Role::Projection, &operators::PROJECTION),
                Operators(Role::Expression, &operators::EXPRESSION),
                Fields,
            ],
            keys,
        ),
        [_] => Position::of(&[Words(SHOWN), Paths]),
        _ => Position::of(&[Paths]),
    }
}

/// A document to be stored: its own fields, and their values in the data.
fn document(place: &Place, keys: &[&str]) -> Position {
    let expected: &[Expected] = if place.key { &[Fields] } else { &[Data, Words(VALUES)] };
    Position::below(expected, keys)
}

fn filter(place: &Place, keys: &[&str]) -> Position {
    if keys.contains(&"$expr") {
        return expression(place);
    }
    if !place.key {
        let own: &[Expected] = match keys.last() {
            Some(&"$exists") => return Position::of(&[Words(TRUTH)]),
            Some(&"$type") => return Position::of(&[Words(TYPES)]),
            _ => &[Data, Words(VALUES)],
        };
        return Position::below(own, keys);
    }
    match keys.last() {
        None | Some(&("$and" | "$or" | "$nor")) => {
            Position::below(&[Operators(Role::Filter, &operators::ROOT), Fields], keys)
        }
        Some(&"$not") => Position::of(&[Operators(Role::Filter, &operators::ON_FIELD)]),
        Some(&"$elemMatch") => Position::below(
            &[Operators(Role::Filter, &operators::ROOT), Operators(Role::Filter, &operators::ON_FIELD), Fields],
            keys,
        ),
        Some(_) => Position::below(&[Operators(Role::Filter, &operators::ON_FIELD), Fields], keys),
    }
}

fn update(place: &Place, keys: &[&str]) -> Position {
    match keys {
        // A list as an update is a pipeline.
        _ if place.pipeline => pipeline(place, keys),
        [] => Position::of(&[Operators(Role::Update, &update::OPERATORS)]),
        ["$pull", ..] => filter(place, keys),
        ["$push" | "$addToSet", _, ..] if place.key => {
            Position::below(&[Operators(Role::Modifier, &update::PUSH_MODIFIERS), Fields], keys)
        }
        [_] if place.key => Position::of(&[Fields]),
        _ => document(place, keys),
    }
}

fn bulk(place: &Place, keys: &[&str]) -> Position {
    match keys {
        [] => Position::of(&[Options(BULK)]),
        ["insertOne"] if place.key => Position::of(&[Options(&["document"])]),
        ["updateOne" | "updateMany"] if place.key => {
            Position::of(&[Options(&["filter", "update", "upsert", "arrayFilters"])])
        }
        ["replaceOne"] if place.key => Position::of(&[Options(&["filter", "replacement", "upsert"])]),
        [_] if place.key => Position::of(&[Options(&["filter"])]),
        [_, "filter", rest @ ..] => filter(place, rest),
        [_, "update", rest @ ..] => update(place, rest),
        [_, "document" | "replacement", rest @ ..] => document(place, rest),
        _ => Position::of(&[Words(TRUTH)]),
    }
}

fn expression(place: &Place) -> Position {
    if place.key {
        Position::of(&[Operators(Role::Expression, &operators::EXPRESSION)])
    } else {
        Position::of(&[Paths, Words(VALUES)])
    }
}

fn pipeline(place: &Place, keys: &[&str]) -> Position {
    match keys {
        [] => Position::of(&[Operators(Role::Stage, &operators::STAGE)]),
        ["$match", rest @ ..] => filter(place, rest),
        ["$facet", _, rest @ ..] if place.key || !rest.is_empty() => pipeline(place, rest),
        ["$lookup" | "$unionWith", "pipeline", rest @ ..] => pipeline(place, rest),
        ["$group", rest @ ..] => group(place, rest),
        ["$sort"] if place.key => Position::of(&[Fields]),
        ["$sort", _] => Position::of(&[Words(DIRECTIONS)]),
        ["$project", rest @ ..] => projection(place, rest),
        ["$addFields" | "$set" | "$unset"] if place.key => Position::of(&[Fields]),
        ["$unset" | "$count"] => Position::of(&[FieldNames]),
        [stage, rest @ ..] => stage_option(place, stage, rest),
    }
}

fn group(place: &Place, keys: &[&str]) -> Position {
    match keys {
        [] => Position::of(&[Options(&["_id"])]),
        ["_id", ..] => expression(place),
        [_] if place.key => Position::of(&[Operators(Role::Accumulator, &operators::ACCUMULATOR)]),
        _ => expression(place),
    }
}

fn stage_option(place: &Place, stage: &str, keys: &[&str]) -> Position {
    let options = STAGE_OPTIONS.iter().find(|(known, _)| *known == stage).map(|(_, options)| *options);
    match (stage, keys) {
        ("$out" | "$merge" | "$unionWith", []) if !place.key => Position::of(&[Collections]),
        (_, []) if place.key && options.is_some() => Position::of(&[Options(options.unwrap_or_default())]),
        (_, ["from" | "into" | "coll"]) => Position::of(&[Collections]),
        (_, ["localField" | "connectToField" | "field"]) => Position::of(&[FieldNames]),
        (_, ["foreignField" | "connectFromField"]) => Position::of(&[ForeignFieldNames]),
        ("$unwind", ["preserveNullAndEmptyArrays"]) => Position::of(&[Words(TRUTH)]),
        (_, ["sortBy", ..]) => keyed(place, keys),
        ("$bucket" | "$bucketAuto", ["output", _]) if place.key => {
            Position::of(&[Operators(Role::Accumulator, &operators::ACCUMULATOR)])
        }
        ("$setWindowFields", ["output", _]) if place.key => {
            Position::of(&[Operators(Role::Window, &operators::WINDOW)])
        }
        _ => expression(place),
    }
}
