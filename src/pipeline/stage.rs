//! The stages by name: parsing, opening, and their written form.

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::expr::{Context, Expression, Scope, Value};
use crate::value::{Bson, Document, View, doc, type_alias};

use super::bucket::{self, BucketAuto};
use super::densify::Densify;
use super::facet::{Facet, UnionWith};
use super::flow::{Run, Stream, each, listed};
use super::graph_lookup::GraphLookup;
use super::group::{Group, need_document};
use super::lookup::Lookup;
use super::matching::Match;
use super::redact::Redact;
use super::row::Row;
use super::shape::Shape;
use super::sort::Sort;
use super::target::Target;
use super::unwind::Unwind;
use super::window::SetWindowFields;
use super::{densify, fill, slice, window};

/// The names of all stages that this store answers (manual: Aggregation Stages), as [`Stage::parse`] reads them.
pub const STAGES: [&str; 31] = [
    "$addFields",
    "$bucket",
    "$bucketAuto",
    "$collStats",
    "$count",
    "$densify",
    "$documents",
    "$facet",
    "$fill",
    "$graphLookup",
    "$group",
    "$indexStats",
    "$limit",
    "$lookup",
    "$match",
    "$merge",
    "$out",
    "$planCacheStats",
    "$project",
    "$redact",
    "$replaceRoot",
    "$replaceWith",
    "$sample",
    "$set",
    "$setWindowFields",
    "$skip",
    "$sort",
    "$sortByCount",
    "$unionWith",
    "$unset",
    "$unwind",
];

/// One stage.
#[derive(Debug, Clone)]
pub enum Stage {
    /// `$match`
    Match(Match),
    /// `$project`, also what `$unset` and part of `$count` become.
    Project(Shape),
    /// `$addFields`, `$set`
    AddFields(Shape, &'static str),
    /// `$replaceRoot`, `$replaceWith`
    ReplaceRoot(Expression),
    /// `$unwind`
    Unwind(Unwind),
    /// `$group`
    Group(Group),
    /// `$sort`
    Sort(Sort),
    /// `$limit`
    Limit(u64),
    /// `$skip`
    Skip(u64),
    /// `$sample`
    Sample(u64),
    /// `$bucketAuto`
    BucketAuto(BucketAuto),
    /// `$facet`
    Facet(Facet),
    /// `$lookup`
    Lookup(Box<Lookup>),
    /// `$graphLookup`
    GraphLookup(Box<GraphLookup>),
    /// `$unionWith`
    UnionWith(Box<UnionWith>),
    /// `$redact`
    Redact(Redact),
    /// What `$setWindowFields` does behind a sort.
    SetWindowFields(SetWindowFields),
    /// What `$densify` does behind a sort.
    Densify(Densify),
    /// `$documents`
    Documents(Expression),
    /// `$collStats`, `$indexStats`, `$planCacheStats`
    Statistics(&'static str, Document),
    /// `$out`, `$merge`
    Target(Box<Target>),
}

/// What parsing a stage needs to know.
#[derive(Clone, Copy)]
pub struct Surroundings<'p> {
    /// Variables in reach.
    pub scope: &'p Scope,
    /// What the command's expressions share.
    pub context: &'p Context,
    /// Whose pipeline it is.
    pub owner: Owner,
}

/// Whose pipeline a stage stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The command's own.
    Command,
    /// `$facet`
    Facet,
    /// `$lookup`
    Lookup,
    /// `$unionWith`
    UnionWith,
}

impl Owner {
    /// Refuses a stage that writes inside another one (`lookupPipeValidator`, `document_source_lookup.cpp`;
    /// `validatorCallback`, `document_source_union_with.cpp`).
    fn check_writes(self, name: &str) -> Result<()> {
        let (code, place) = match self {
            Self::Command => return Ok(()),
            Self::Facet => (40600, "to be used within a $facet stage"),
            Self::Lookup => (51047, "within a $lookup's sub-pipeline"),
            Self::UnionWith => (31441, "within a $unionWith's sub-pipeline"),
        };
        Err(CommandError::new(code, format!("{name} is not allowed {place}")))
    }
}

impl Stage {
    /// Parses one element of a pipeline; some stages are written in terms of others and give several.
    ///
    /// # Errors
    /// 40323 for a document that is no stage, 40324 for an unknown one, and the refusals of each stage.
    pub fn parse(document: &Document, around: Surroundings<'_>) -> Result<Vec<Self>> {
        let mut fields = document.iter();
        let (Some((name, value)), None) = (fields.next(), fields.next()) else {
            return Err(CommandError::new(
                40323,
                "A pipeline stage specification object must contain exactly one field.",
            ));
        };
        Self::named(name, value, around).map_err(|error| error.inside_field(name))
    }

    fn named(name: &str, value: &Bson, around: Surroundings<'_>) -> Result<Vec<Self>> {
        let scope = around.scope;
        let one = |stage| Ok(vec![stage]);
        match name {
            "$match" => one(Self::Match(Match::parse(value, scope)?)),
            "$project" => one(Self::Project(project(value, scope)?)),
            "$addFields" => one(Self::AddFields(add_fields("$addFields", value, scope)?, "$addFields")),
            "$set" => one(Self::AddFields(add_fields("$set", value, scope)?, "$set")),
            "$unset" => one(Self::Project(unset(value)?)),
            "$unwind" => one(Self::Unwind(Unwind::parse(value)?)),
            "$group" => one(Self::Group(Group::parse(value, scope)?)),
            "$sort" => one(Self::Sort(Sort::parse(value)?)),
            "$limit" => one(Self::Limit(slice::parse_limit(value)?)),
            "$skip" => one(Self::Skip(slice::parse_skip(value)?)),
            "$sample" => one(Self::Sample(slice::parse_sample(value)?)),
            "$replaceRoot" => one(Self::ReplaceRoot(replace_root(value, scope)?)),
            "$replaceWith" => one(Self::ReplaceRoot(Expression::parse(value, scope)?)),
            "$count" => count(slice::parse_count(value)?),
            "$sortByCount" => sort_by_count(value, scope),
            "$bucket" => bucket::parse_bucket(value, around),
            "$bucketAuto" => one(Self::BucketAuto(BucketAuto::parse(value, scope)?)),
            "$facet" => one(Self::Facet(Facet::parse(value, around)?)),
            "$lookup" => one(Self::Lookup(Box::new(Lookup::parse(value, around)?))),
            "$graphLookup" => one(Self::GraphLookup(Box::new(GraphLookup::parse(value, scope)?))),
            "$unionWith" => one(Self::UnionWith(Box::new(UnionWith::parse(value, around)?))),
            "$redact" => one(Self::Redact(Redact::parse(value, scope)?)),
            "$setWindowFields" => window::parse(value, around),
            "$densify" => densify::parse(value),
            "$fill" => fill::parse(value, around),
            "$documents" => one(Self::Documents(Expression::parse(value, scope)?)),
            "$collStats" => one(Self::Statistics("$collStats", statistics(value, "$collStats")?)),
            "$indexStats" => one(Self::Statistics("$indexStats", statistics(value, "$indexStats")?)),
            "$planCacheStats" => one(Self::Statistics("$planCacheStats", plan_cache_statistics(value)?)),
            "$out" | "$merge" => {
                around.owner.check_writes(name)?;
                one(Self::Target(Box::new(Target::parse(name, value)?)))
            }
            _ => Err(needs_a_server(name)
                .unwrap_or_else(|| CommandError::new(40324, format!("Unrecognized pipeline stage name: '{name}'")))),
        }
    }

    /// Opens the stage over its input.
    ///
    /// # Errors
    /// What can only be refused when the stage begins.
    pub fn open<'s>(&'s self, mut input: Stream<'s>, run: Run<'s>) -> Result<Stream<'s>> {
        Ok(match self {
            Self::Match(stage) => stage.open(input, run)?,
            Self::Project(shape) | Self::AddFields(shape, _) => each(move || {
                let Some(row) = input.next()? else {
                    return Ok(None);
                };
                Ok(Some(Row::built(shape.apply(row.root(), run.context)?)))
            }),
            Self::ReplaceRoot(expression) => each(move || match input.next()? {
                Some(row) => replaced(expression, &row, run).map(Some),
                None => Ok(None),
            }),
            Self::Unwind(stage) => stage.open(input, run),
            Self::Group(stage) => stage.open(input, run),
            Self::Sort(stage) => stage.open(input, run)?,
            Self::Limit(limit) => slice::limit(*limit, input),
            Self::Skip(skip) => slice::skip(*skip, input),
            Self::Sample(size) => slice::sample(*size, input, run),
            Self::BucketAuto(stage) => stage.open(input, run),
            Self::Facet(stage) => stage.open(input, run),
            Self::Lookup(stage) => stage.open(input, run),
            Self::GraphLookup(stage) => stage.open(input, run),
            Self::UnionWith(stage) => stage.open(input, run),
            Self::Redact(stage) => stage.open(input, run),
            Self::SetWindowFields(stage) => stage.open(input, run),
            Self::Densify(stage) => stage.open(input, run),
            Self::Documents(expression) => listed(literal_documents(expression, run)?),
            Self::Statistics(name, options) => {
                let found = run.reader.statistics(run.collection, name, options)?;
                listed(found.into_iter().map(Row::from).collect())
            }
            Self::Target(_) => input,
        })
    }

    /// Whether the stage brings documents of its own and has to stand in front.
    #[must_use]
    pub fn must_be_first(&self) -> bool {
        matches!(self, Self::Documents(_) | Self::Statistics(..))
    }

    /// The stage's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Match(_) => "$match",
            Self::Project(_) => "$project",
            Self::AddFields(_, name) => name,
            Self::ReplaceRoot(_) => "$replaceRoot",
            Self::Unwind(_) => "$unwind",
            Self::Group(_) => "$group",
            Self::Sort(_) => "$sort",
            Self::Limit(_) => "$limit",
            Self::Skip(_) => "$skip",
            Self::Sample(_) => "$sample",
            Self::BucketAuto(_) => "$bucketAuto",
            Self::Facet(_) => "$facet",
            Self::Lookup(_) => "$lookup",
            Self::GraphLookup(_) => "$graphLookup",
            Self::UnionWith(_) => "$unionWith",
            Self::Redact(_) => "$redact",
            Self::SetWindowFields(_) => "$_internalSetWindowFields",
            Self::Densify(_) => "$_internalDensify",
            Self::Documents(_) => "$documents",
            Self::Statistics(name, _) => name,
            Self::Target(target) => target.name(),
        }
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_document(&self) -> Document {
        let value = match self {
            Self::Match(stage) => Bson::Document(stage.filter.to_document()),
            Self::Project(shape) | Self::AddFields(shape, _) => Bson::Document(shape.to_document()),
            Self::ReplaceRoot(expression) => Bson::Document(doc! {"newRoot": expression.to_bson()}),
            Self::Unwind(stage) => stage.to_bson(),
            Self::Group(stage) => stage.to_bson(),
            Self::Sort(stage) => stage.to_bson(),
            Self::Limit(number) | Self::Skip(number) => Bson::Int64(i64::try_from(*number).unwrap_or(i64::MAX)),
            Self::Sample(size) => Bson::Document(doc! {"size": i64::try_from(*size).unwrap_or(i64::MAX)}),
            Self::BucketAuto(stage) => stage.to_bson(),
            Self::Facet(stage) => stage.to_bson(),
            Self::Lookup(stage) => stage.to_bson(),
            Self::GraphLookup(stage) => stage.to_bson(),
            Self::UnionWith(stage) => stage.to_bson(),
            Self::Redact(stage) => stage.to_bson(),
            Self::SetWindowFields(stage) => stage.to_bson(),
            Self::Densify(stage) => stage.to_bson(),
            Self::Documents(expression) => expression.to_bson(),
            Self::Statistics(_, options) => Bson::Document(options.clone()),
            Self::Target(target) => target.to_bson(),
        };
        Document::from_iter([(self.name().to_owned(), value)])
    }

    /// Folds constant expressions.
    ///
    /// # Errors
    /// Constant parts that fail.
    pub fn fold(&mut self, context: &Context) -> Result<()> {
        match self {
            Self::Match(stage) => stage.fold(context),
            Self::Project(shape) | Self::AddFields(shape, _) => shape.fold(context),
            Self::ReplaceRoot(expression) => expression.fold(context),
            Self::Group(stage) => stage.fold(context),
            Self::Facet(stage) => stage.fold(context),
            Self::Redact(stage) => stage.fold(context),
            _ => Ok(()),
        }
    }
}

/// The server names the stage in front of what is wrong with its projection.
fn invalid(stage: &str) -> impl Fn(CommandError) -> CommandError + '_ {
    move |error| CommandError { message: format!("Invalid {stage} :: caused by :: {}", error.message), ..error }
}

fn project(value: &Bson, scope: &Scope) -> Result<Shape> {
    let Bson::Document(document) = value else {
        return Err(CommandError::new(15969, "$project specification must be an object"));
    };
    Shape::project(document, scope).map_err(invalid("$project"))
}

fn add_fields(name: &str, value: &Bson, scope: &Scope) -> Result<Shape> {
    let Bson::Document(document) = value else {
        let found = type_alias(value.into());
        return Err(CommandError::new(40272, format!("{name} specification stage must be an object, got {found}")));
    };
    Shape::add_fields(document, scope).map_err(invalid(name))
}

fn unset(value: &Bson) -> Result<Shape> {
    let paths = match value {
        Bson::String(path) => vec![path.clone()],
        Bson::Array(items) if items.is_empty() => {
            return Err(CommandError::new(
                31119,
                "$unset specification must be a string or an array with at least one field",
            ));
        }
        Bson::Array(items) => {
            let path = |item: &Bson| match item {
                Bson::String(path) => Ok(path.clone()),
                _ => Err(CommandError::new(
                    31120,
                    "$unset specification must be a string or an array containing only string values",
                )),
            };
            items.iter().map(path).collect::<Result<_>>()?
        }
        _ => return Err(CommandError::new(31002, "$unset specification must be a string or an array")),
    };
    if paths.iter().any(|path| path.starts_with('$')) {
        return Err(invalid("$unset")(CommandError::new(
            16410,
            "FieldPath field names may not start with '$'. Consider using $getField or $setField.",
        )));
    }
    Shape::unset(&paths).map_err(invalid("$unset"))
}

fn replace_root(value: &Bson, scope: &Scope) -> Result<Expression> {
    let Bson::Document(document) = value else {
        let found = type_alias(value.into());
        return Err(CommandError::new(
            40229,
            format!("expected an object as specification for $replaceRoot stage, got {found}"),
        ));
    };
    if let Some(name) = document.keys().find(|name| *name != "newRoot") {
        let message = format!("BSON field '$replaceRoot.{name}' is an unknown field.");
        return Err(CommandError::new(40415, message).inside_field(name));
    }
    let Some(root) = document.get("newRoot") else {
        return Err(CommandError::new(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field"));
    };
    Expression::parse(root, scope).map_err(|error| error.inside_field("newRoot"))
}

fn replaced<'s>(expression: &Expression, row: &Row<'s>, run: Run<'s>) -> Result<Row<'s>> {
    let value: Value<'_> = expression.evaluate(&run.context.env(row.root()))?;
    if let Some(View::Document(document)) = value.view() {
        return Ok(Row::copied(document));
    }
    let shown = crate::query::expr::show(View::Document(row.raw().into()));
    let (result, found) = (value.shown(), value.type_name());
    Err(CommandError::new(
        40228,
        format!(
            "'newRoot' expression  must evaluate to an object, but resulting value was: {result}. Type of resulting value: '{found}'. Input document: {shown}"
        ),
    ))
}

/// `$count` is a group of everything whose `_id` is taken away.
fn count(name: &str) -> Result<Vec<Stage>> {
    let scope = Scope::default();
    let group = Bson::Document(doc! {"_id": null, name: {"$sum": 1}});
    let shape = doc! {name: 1, "_id": 0};
    Ok(vec![Stage::Group(Group::parse(&group, &scope)?), Stage::Project(Shape::project(&shape, &scope)?)])
}

fn sort_by_count(value: &Bson, scope: &Scope) -> Result<Vec<Stage>> {
    match value {
        Bson::String(path) if path.starts_with('$') => {}
        Bson::String(_) => {
            return Err(CommandError::new(
                40148,
                "the sortByCount field must be defined as a $-prefixed path or an expression inside an object",
            ));
        }
        Bson::Document(document) if document.keys().next().is_some_and(|name| name.starts_with('$')) => {}
        Bson::Document(_) => {
            return Err(CommandError::new(
                40147,
                "the sortByCount field must be defined as a $-prefixed path or an expression inside an object",
            ));
        }
        _ => {
            return Err(CommandError::new(
                40149,
                "the sortByCount field must be specified as a string or as an object",
            ));
        }
    }
    let group = Bson::Document(doc! {"_id": value.clone(), "count": {"$sum": 1}});
    let sort = Bson::Document(doc! {"count": -1});
    Ok(vec![Stage::Group(Group::parse(&group, scope)?), Stage::Sort(Sort::parse(&sort)?)])
}

fn statistics(value: &Bson, name: &str) -> Result<Document> {
    let (code, message) = match name {
        "$collStats" => (5_447_000, "$collStats must take a nested object but found: "),
        _ => (28803, "The $indexStats stage specification must be an empty object, found "),
    };
    let document = need_document(value, code, message)?;
    if name == "$indexStats" && !document.is_empty() {
        return Err(CommandError::new(28803, "The $indexStats stage specification must be an empty object"));
    }
    Ok(document.clone())
}

/// The options of `$planCacheStats`: there are none (`document_source_plan_cache_stats.cpp`).
fn plan_cache_statistics(value: &Bson) -> Result<Document> {
    let refused = |what: &str| {
        let message = format!("$planCacheStats {what}. Found: {}", type_alias(value.into()));
        CommandError::new(ErrorCode::FailedToParse, message)
    };
    match value {
        Bson::Document(options) if options.is_empty() => Ok(Document::new()),
        Bson::Document(_) => Err(refused("parameters object must be empty")),
        _ => Err(refused("value must be an object")),
    }
}

/// The refusal of a stage that only a server, a replica set, a cluster or a search index can answer.
fn needs_a_server(name: &str) -> Option<CommandError> {
    Some(match name {
        "$changeStream" | "$changeStreamSplitLargeEvent" => {
            CommandError::new(40573, "The $changeStream stage is only supported on replica sets")
        }
        "$search" | "$searchMeta" | "$vectorSearch" | "$listSearchIndexes" => {
            CommandError::new(31082, format!("{name} stage is only allowed on MongoDB Atlas"))
        }
        "$geoNear" => {
            CommandError::new(ErrorCode::IndexNotFound, "$geoNear requires a 2d or 2dsphere index, but none were found")
        }
        "$currentOp"
        | "$listLocalSessions"
        | "$listSessions"
        | "$listSampledQueries"
        | "$queryStats"
        | "$shardedDataDistribution" => {
            CommandError::new(ErrorCode::InvalidNamespace, format!("{name} must be run against a server"))
        }
        _ => return None,
    })
}

fn literal_documents<'s>(expression: &'s Expression, run: Run<'s>) -> Result<Vec<Row<'s>>> {
    let nothing = Document::new();
    let value = expression.evaluate(&run.context.env((&nothing).into()))?.into_owned();
    let refusal = || {
        let found = value.type_name();
        CommandError::new(5_858_203, format!("an array is expected of documents in $documents, found {found}"))
    };
    let array = value.array().ok_or_else(refusal)?;
    let row = |item: View<'_>| match item {
        View::Document(document) => Ok(Row::copied(document)),
        _ => Err(refusal()),
    };
    array.iter().map(row).collect()
}
