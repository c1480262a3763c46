//! `$fill`, written in terms of `$addFields` and `$setWindowFields`.

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{Bson, Document, doc, type_alias};

use super::shape::Shape;
use super::stage::{Stage, Surroundings};
use super::window;

fn failed(message: impl Into<String>) -> CommandError {
    CommandError::new(ErrorCode::FailedToParse, message)
}

/// Parses the stage into those it stands for.
///
/// # Errors
/// 40414, 40415, 6050200 to 6050206.
pub fn parse(value: &Bson, around: Surroundings<'_>) -> Result<Vec<Stage>> {
    let Bson::Document(written) = value else {
        let found = type_alias(value.into());
        return Err(CommandError::new(
            6_050_200,
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
    let Some(Bson::Document(output)) = written.get("output") else {
        return Err(CommandError::new(40414, "BSON field '$fill.output' is missing but a required field"));
    };
    if output.is_empty() {
        return Err(CommandError::new(6_050_203, "'output' must contain at least one field").inside_field("output"));
    }
    let (mut values, mut methods) = (Document::new(), Document::new());
    for (field, rule) in output {
        add_rule(field, rule, written, &mut values, &mut methods)
            .map_err(|error| error.inside_field(field).inside_field("output"))?;
    }
    let mut stages = Vec::new();
    if !methods.is_empty() {
        stages.extend(window::parse(&Bson::Document(windows(written, methods)?), around)?);
    }
    if !values.is_empty() {
        stages.push(Stage::AddFields(Shape::add_fields(&values, around.scope)?, "$addFields"));
    }
    Ok(stages)
}

fn add_rule(field: &str, rule: &Bson, written: &Document, values: &mut Document, methods: &mut Document) -> Result<()> {
    let Bson::Document(rule) = rule else {
        return Err(CommandError::new(
            6_050_202,
            "Each output field must be an object with exactly one of 'method' or 'value'",
        ));
    };
    let path = format!("${field}");
    match (rule.get("value"), rule.get("method"), rule.len()) {
        (Some(value), None, 1) => {
            values.insert(field, doc! {"$ifNull": [path, value.clone()]});
            Ok(())
        }
        (None, Some(Bson::String(method)), 1) => {
            let function = match method.as_str() {
                "linear" if written.contains_key("sortBy") => "$linearFill",
                "locf" if written.contains_key("sortBy") => "$locf",
                "linear" | "locf" => return Err(failed(format!("$fill with method '{method}' requires a sortBy"))),
                _ => {
                    return Err(
                        CommandError::new(6_050_202, "Method must be either 'linear' or 'locf'").inside_field("method")
                    );
                }
            };
            methods.insert(field, doc! {function: path});
            Ok(())
        }
        _ => Err(CommandError::new(
            6_050_202,
            "Each output field must be an object with exactly one of 'method' or 'value'",
        )),
    }
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
            let key = fields
                .iter()
                .filter_map(Bson::as_str)
                .map(|field| (field.replace('.', "_"), Bson::String(format!("${field}"))));
            window.insert("partitionBy", key.collect::<Document>());
        }
        _ => {}
    }
    window.extend(written.get("sortBy").map(|sort| ("sortBy".to_owned(), sort.clone())));
    window.insert("output", methods);
    Ok(window)
}
