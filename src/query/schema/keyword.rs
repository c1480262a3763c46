//! The keywords of a schema, read and refused as the server does.

use super::parse::{Bound, Dependency, Elements, Others, Properties, Rule, Schema, failed, unknown};
use crate::error::{CommandError, ErrorCode, Result};
use crate::query::filter::{Regex, TypeSet};
use crate::query::operand;
use crate::value::{self, Bson, Document, type_alias};

pub(super) fn wrong_type<T>(name: &str, expected: &str, value: &Bson) -> Result<T> {
    let kind = type_alias(value.into());
    let message = format!("$jsonSchema keyword '{name}' must be {expected}, but found an element of type {kind}");
    Err(CommandError::new(ErrorCode::TypeMismatch, message))
}

/// The rule of one keyword; none where it belongs to another one's rule or says nothing.
pub(super) fn rule(name: &str, value: &Bson, schema: &Document) -> Result<Option<Rule>> {
    Ok(Some(match name {
        "bsonType" => Rule::Type(bson_types(value)?),
        "type" => Rule::Type(json_types(value)?),
        "enum" => Rule::Enum(enumeration(value)?),
        "minimum" | "maximum" => Rule::Bound(bound(name, value, schema)?),
        "multipleOf" => Rule::MultipleOf(divisor(value)?),
        "minLength" => Rule::Length(count(name, value)?, i64::MAX),
        "maxLength" => Rule::Length(0, count(name, value)?),
        "pattern" => Rule::Pattern(Box::new(Regex::checked(text(name, value)?, "")?.compile()?)),
        "required" => Rule::Required(names(name, value)?),
        "minProperties" => Rule::Fields(count(name, value)?, i64::MAX),
        "maxProperties" => Rule::Fields(0, count(name, value)?),
        "properties" => Rule::Properties(Box::new(properties(schema)?)),
        // The three keywords are one rule, made at the first of them.
        "patternProperties" if !schema.contains_key("properties") => Rule::Properties(Box::new(properties(schema)?)),
        "additionalProperties" if !schema.contains_key("properties") && !schema.contains_key("patternProperties") => {
            Rule::Properties(Box::new(properties(schema)?))
        }
        "dependencies" => Rule::Dependencies(dependencies(value)?),
        "minItems" => Rule::Items(count(name, value)?, i64::MAX),
        "maxItems" => Rule::Items(0, count(name, value)?),
        "uniqueItems" => match value {
            Bson::Boolean(true) => Rule::Unique,
            Bson::Boolean(false) => return Ok(None),
            _ => return wrong_type(name, "a boolean", value),
        },
        "items" => Rule::Elements(elements(value, schema)?),
        "allOf" => Rule::AllOf(schemas(name, value)?),
        "anyOf" => Rule::AnyOf(schemas(name, value)?),
        "oneOf" => Rule::OneOf(schemas(name, value)?),
        "not" => Rule::Not(Box::new(Schema::of(name, value)?)),
        "title" | "description" => return text(name, value).map(|_| None),
        "patternProperties" | "additionalProperties" | "additionalItems" => return Ok(None),
        "exclusiveMinimum" | "exclusiveMaximum" => match value {
            Bson::Boolean(_) => return Ok(None),
            _ => return wrong_type(name, "a boolean", value),
        },
        _ => return unknown(name),
    }))
}

fn text<'v>(name: &str, value: &'v Bson) -> Result<&'v str> {
    match value {
        Bson::String(text) => Ok(text),
        _ => wrong_type(name, "a string", value),
    }
}

fn bson_types(value: &Bson) -> Result<TypeSet> {
    match value {
        Bson::String(_) | Bson::Array(_) => operand::type_set(value),
        _ => wrong_type("bsonType", "either a string or an array of strings", value),
    }
}

/// JSON's six types; `integer` is none of the server's.
fn json_types(value: &Bson) -> Result<TypeSet> {
    let names: Vec<&Bson> = match value {
        Bson::Array(items) => items.iter().collect(),
        other => vec![other],
    };
    let mut set = TypeSet::default();
    for name in names {
        match text("type", name)? {
            "number" => set.all_numbers = true,
            "array" => set.codes.push(4),
            "boolean" => set.codes.push(8),
            "null" => set.codes.push(10),
            "object" => set.codes.push(3),
            "string" => set.codes.push(2),
            "integer" => return failed("$jsonSchema type 'integer' is not currently supported.".into()),
            other => {
                return Err(CommandError::new(ErrorCode::BadValue, format!("Unknown type name alias: {other}")));
            }
        }
    }
    Ok(set)
}

fn enumeration(value: &Bson) -> Result<Vec<Bson>> {
    match value {
        Bson::Array(items) if items.is_empty() => failed("$jsonSchema keyword 'enum' cannot be an empty array".into()),
        Bson::Array(items) => Ok(items.clone()),
        _ => wrong_type("enum", "an array", value),
    }
}

fn bound(name: &str, value: &Bson, schema: &Document) -> Result<Bound> {
    if !crate::value::is_number(value.into()) {
        return wrong_type(name, "a number", value);
    }
    let upper = name == "maximum";
    let exclusive = if upper { "exclusiveMaximum" } else { "exclusiveMinimum" };
    Ok(Bound { limit: value.clone(), upper, exclusive: schema.get(exclusive) == Some(&Bson::Boolean(true)) })
}

fn divisor(value: &Bson) -> Result<Bson> {
    if !crate::value::is_number(value.into()) {
        return wrong_type("multipleOf", "a number", value);
    }
    if value::compare(value.into(), value::View::Int32(0)).is_gt() {
        return Ok(value.clone());
    }
    failed("$jsonSchema keyword 'multipleOf' must have a positive value".into())
}

fn count(name: &str, value: &Bson) -> Result<i64> {
    match operand::whole_number(name, value) {
        Ok(count) if count >= 0 => Ok(count),
        _ if !crate::value::is_number(value.into()) => wrong_type(name, "a number", value),
        _ => failed(format!("Expected a non-negative whole number for $jsonSchema keyword '{name}'")),
    }
}

fn names(keyword: &str, value: &Bson) -> Result<Vec<String>> {
    let Bson::Array(items) = value else {
        return wrong_type(keyword, "an array", value);
    };
    if items.is_empty() {
        return failed(format!("$jsonSchema keyword '{keyword}' cannot be an empty array"));
    }
    let mut names = Vec::new();
    for item in items {
        let Bson::String(name) = item else {
            let kind = type_alias(item.into());
            let message = format!(
                "$jsonSchema keyword '{keyword}' must be an array of strings, but found an element of type: {kind}"
            );
            return Err(CommandError::new(ErrorCode::TypeMismatch, message));
        };
        if names.contains(name) {
            return failed(format!("$jsonSchema keyword '{keyword}' array cannot contain duplicate values"));
        }
        names.push(name.clone());
    }
    Ok(names)
}

fn named_schemas(keyword: &str, value: &Bson) -> Result<Vec<(String, Schema)>> {
    let Bson::Document(document) = value else {
        return wrong_type(keyword, "an object", value);
    };
    let schema = |(name, value): (&String, &Bson)| {
        let parsed = match value {
            Bson::Document(inner) => Schema::parse(inner),
            _ => wrong_type(&format!("{keyword}.{name}"), "an object", value),
        };
        Ok((name.clone(), parsed.map_err(|error| error.inside_field(name))?))
    };
    document.iter().map(schema).collect()
}

fn properties(schema: &Document) -> Result<Properties> {
    let named = schema.get("properties").map_or(Ok(Vec::new()), |value| named_schemas("properties", value))?;
    let patterns = schema.get("patternProperties").map_or(Ok(Vec::new()), |value| {
        let compile = |(pattern, schema): (String, Schema)| Ok((Regex::checked(&pattern, "")?.compile()?, schema));
        named_schemas("patternProperties", value)?.into_iter().map(compile).collect()
    })?;
    let others = others("additionalProperties", schema.get("additionalProperties"))?;
    Ok(Properties { named, patterns, others })
}

fn others(keyword: &str, value: Option<&Bson>) -> Result<Others> {
    match value {
        None | Some(Bson::Boolean(true)) => Ok(Others::Allowed),
        Some(Bson::Boolean(false)) => Ok(Others::Refused),
        Some(Bson::Document(schema)) => Ok(Others::Schema(Box::new(Schema::parse(schema)?))),
        Some(other) => wrong_type(keyword, "either an object or a boolean", other),
    }
}

fn dependencies(value: &Bson) -> Result<Vec<(String, Dependency)>> {
    let Bson::Document(document) = value else {
        return wrong_type("dependencies", "an object", value);
    };
    let dependency = |(name, value): (&String, &Bson)| {
        let parsed = match value {
            Bson::Document(schema) => Schema::parse(schema).map(Dependency::Schema),
            Bson::Array(_) => names("dependencies", value).map(Dependency::Fields),
            _ => wrong_type(&format!("dependencies.{name}"), "either an object or an array", value),
        };
        Ok((name.clone(), parsed.map_err(|error| error.inside_field(name))?))
    };
    document.iter().map(dependency).collect()
}

fn elements(value: &Bson, schema: &Document) -> Result<Elements> {
    match value {
        Bson::Document(inner) => Ok(Elements::All(Box::new(Schema::parse(inner)?))),
        Bson::Array(_) => {
            Ok(Elements::Each(schemas("items", value)?, others("additionalItems", schema.get("additionalItems"))?))
        }
        _ => wrong_type("items", "an array or an object", value),
    }
}

fn schemas(keyword: &str, value: &Bson) -> Result<Vec<Schema>> {
    let Bson::Array(items) = value else {
        return wrong_type(keyword, "an array", value);
    };
    if items.is_empty() && keyword != "items" {
        return failed(format!("$jsonSchema keyword '{keyword}' must be a non-empty array"));
    }
    let schema = |(at, item): (usize, &Bson)| Schema::of(keyword, item).map_err(|error| error.inside_index(at));
    items.iter().enumerate().map(schema).collect()
}
