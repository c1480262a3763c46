//! `$fill`, written in terms of `$addFields` and `$setWindowFields`.

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{Bson, Document, doc, type_alias};

use super::shape::Shape;
use super::stage::{Stage, Surroundings};
use super::window;

/// Parses the stage into those it stands for.
///
/// # Errors
/// `FailedToParse`, `TypeMismatch`, 40414, 40415, 6050200 to 6050204, and those of `$setWindowFields`.
pub fn parse(value: &Bson, around: Surroundings<'_>) -> Result<Vec<Stage>> {
    let Bson::Document(written) = value else {
        let found = type_alias(value.into());
        return Err(CommandError::new(
            ErrorCode::FailedToParse,
            format!("The $fill stage specification must be an object, found {found}"),
        ));
    };
    if let Some(name) =
        written.keys().find(|name| !["partitionBy", "partitionByFields", "sortBy", "output"].contains(&name.as_str()))
    {
        return Err(
            CommandError::new(40415, format!("BSON field '$fill.{name}' is an unknown field.")).inside_field(name)
        );
    }
    let output = match written.get("output") {
        Some(Bson::Document(output)) => output,
        Some(other) => return Err(wrong_type("output", other, "object")),
        None => return Err(CommandError::new(40414, "BSON field '$fill.output' is missing but a required field")),
    };
    if output.is_empty() {
        let message = "The output field in '$fill' must contain an object with at least one element";
        return Err(CommandError::new(6_050_203, message).inside_field("output"));
    }
    let (mut values, mut methods) = (Document::new(), Document::new());
    for (field, rule) in output {
        add_rule(field, rule, &mut values, &mut methods)
            .map_err(|error| error.inside_field(field).inside_field("output"))?;
    }
    let mut stages = Vec::new();
    let gathers = !methods.is_empty();
    let windows = windows(written, methods)?;
    if gathers {
        stages.extend(window::parse(&Bson::Document(windows), around)?);
    }
    if !values.is_empty() {
        stages.push(Stage::AddFields(Shape::add_fields(&values, around.scope)?, "$addFields"));
    }
    Ok(stages)
}

/// Reads the rule of one field into the stage that does it; a rule that says nothing does nothing.
fn add_rule(field: &str, rule: &Bson, values: &mut Document, methods: &mut Document) -> Result<()> {
    let Bson::Document(rule) = rule else {
        let message = "Each fill output specification must be an object with exactly one field";
        return Err(CommandError::new(6_050_200, message));
    };
    if let Some(name) = rule.keys().find(|name| !["value", "method"].contains(&name.as_str())) {
        let message = format!("BSON field '$fill.{name}' is an unknown field.");
        return Err(CommandError::new(40415, message).inside_field(name));
    }
    let path = format!("${field}");
    match (rule.get("value"), rule.get("method")) {
        (None, None) => {}
        (Some(value), None) => _ = values.insert(field, doc! {"$ifNull": [path, value.clone()]}),
        (value, Some(Bson::String(method))) => {
            if value.is_some() {
                let message =
                    "Each fill output specification must have exactly one of 'method' or 'value' fields, not both";
                return Err(CommandError::new(6_050_201, message));
            }
            methods.insert(field, doc! {function(method)?: path});
        }
        (_, Some(other)) => return Err(wrong_type("method", other, "string")),
    }
    Ok(())
}

/// The window function that does what a method says.
fn function(method: &str) -> Result<&'static str> {
    match method {
        "linear" => Ok("$linearFill"),
        "locf" => Ok("$locf"),
        _ => Err(CommandError::new(6_050_202, "Method must be either locf or linear").inside_field("method")),
    }
}

fn wrong_type(name: &str, value: &Bson, expected: &str) -> CommandError {
    let found = type_alias(value.into());
    let message = format!("BSON field '$fill.{name}' is the wrong type '{found}', expected type '{expected}'");
    CommandError::new(ErrorCode::TypeMismatch, message).inside_field(name)
}

fn windows(written: &Document, methods: Document) -> Result<Document> {
    let mut window = Document::new();
    match (written.get("partitionBy"), written.get("partitionByFields")) {
        (Some(_), Some(_)) => {
            return Err(CommandError::new(
                6_050_204,
                "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'",
            ));
        }
        (Some(by), None) => _ = window.insert("partitionBy", by.clone()),
        (None, Some(Bson::Array(fields))) => {
            let key =
                fields.iter().filter_map(Bson::as_str).map(|field| (field.to_owned(), format!("${field}").into()));
            window.insert("partitionBy", key.collect::<Document>());
        }
        (None, Some(other)) => return Err(wrong_type("partitionByFields", other, "array")),
        (None, None) => {}
    }
    window.extend(written.get("sortBy").map(|sort| ("sortBy".to_owned(), sort.clone())));
    window.insert("output", methods);
    Ok(window)
}
