//! From a schema document to its rules.

use super::keyword;
use crate::error::{CommandError, ErrorCode, Result};
use crate::query::filter::TypeSet;
use crate::query::regex::CompiledRegex;
use crate::value::{Bson, Document};

/// A schema, made ready: every rule has to be kept.
#[derive(Debug, Clone, Default)]
pub(in crate::query) struct Schema {
    pub(super) rules: Vec<Rule>,
}

/// One keyword of a schema.
#[derive(Debug, Clone)]
pub(super) enum Rule {
    Type(TypeSet),
    Enum(Vec<Bson>),
    Bound(Bound),
    MultipleOf(Bson),
    /// Least and greatest number of code points.
    Length(i64, i64),
    Pattern(Box<CompiledRegex>),
    Required(Vec<String>),
    /// Least and greatest number of fields.
    Fields(i64, i64),
    Properties(Box<Properties>),
    Dependencies(Vec<(String, Dependency)>),
    /// Least and greatest number of elements.
    Items(i64, i64),
    Unique,
    Elements(Elements),
    AllOf(Vec<Schema>),
    AnyOf(Vec<Schema>),
    OneOf(Vec<Schema>),
    Not(Box<Schema>),
}

/// `minimum` or `maximum`.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    pub(super) limit: Bson,
    pub(super) upper: bool,
    pub(super) exclusive: bool,
}

/// Schemas of fields: by name, by pattern, and of all others.
#[derive(Debug, Clone, Default)]
pub(super) struct Properties {
    pub(super) named: Vec<(String, Schema)>,
    pub(super) patterns: Vec<(CompiledRegex, Schema)>,
    pub(super) others: Others,
}

/// What holds for fields or elements without a schema of their own.
#[derive(Debug, Clone, Default)]
pub(super) enum Others {
    #[default]
    Allowed,
    Refused,
    Schema(Box<Schema>),
}

/// What has to be there when a field is.
#[derive(Debug, Clone)]
pub(super) enum Dependency {
    Fields(Vec<String>),
    Schema(Schema),
}

/// Schemas of elements.
#[derive(Debug, Clone)]
pub(super) enum Elements {
    /// One for all.
    All(Box<Schema>),
    /// One for each position, and for those behind.
    Each(Vec<Schema>, Others),
}

pub(super) fn failed<T>(message: String) -> Result<T> {
    Err(CommandError::new(ErrorCode::FailedToParse, message))
}

/// Keywords of the draft that the server refuses.
const UNSUPPORTED: [&str; 6] = ["$ref", "$schema", "default", "definitions", "format", "id"];

impl Schema {
    /// Reads a schema; error places are counted from it.
    pub(in crate::query) fn parse(document: &Document) -> Result<Self> {
        let mut schema = Self::default();
        for (name, value) in document {
            let rule = keyword::rule(name, value, document).map_err(|error| error.inside_field(name))?;
            schema.rules.extend(rule);
        }
        check_bounds(document)?;
        Ok(schema)
    }

    pub(super) fn of(name: &str, value: &Bson) -> Result<Self> {
        match value {
            Bson::Document(document) => Self::parse(document),
            _ => keyword::wrong_type(name, "an object", value),
        }
    }
}

fn check_bounds(document: &Document) -> Result<()> {
    if document.contains_key("type") && document.contains_key("bsonType") {
        return failed("Cannot specify both $jsonSchema keywords 'type' and 'bsonType'".into());
    }
    for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if document.contains_key(exclusive) && !document.contains_key(bound) {
            return failed(format!("$jsonSchema keyword '{bound}' must be a present if {exclusive} is present"));
        }
    }
    Ok(())
}

/// A keyword that is none of the server's.
pub(super) fn unknown<T>(name: &str) -> Result<T> {
    if UNSUPPORTED.contains(&name) {
        return failed(format!("$jsonSchema keyword '{name}' is not currently supported"));
    }
    failed(format!("Unknown $jsonSchema keyword: {name}"))
}
