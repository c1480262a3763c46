//! The collections that a pipeline names besides its own, checked before it is parsed
//! (`src/mongo/db/pipeline/lite_parsed_pipeline.cpp`; `LiteParsed::parse` of each stage).

use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::value::{Bson, Document};

/// Refuses a collection without a name in `$lookup` and `$graphLookup`, however deep the stage stands.
pub(super) fn check_names(database: &str, stages: &[Document], place: &CommandPath) -> Result<()> {
    let stages = stages.iter().enumerate();
    stages
        .map(|(at, stage)| (place.index(at), stage))
        .try_for_each(|(place, stage)| check_stage(database, stage, &place))
}

fn check_stage(database: &str, stage: &Document, place: &CommandPath) -> Result<()> {
    for (name, value) in stage {
        let (Bson::Document(operands), place) = (value, place.field(name)) else { continue };
        match name.as_str() {
            "$lookup" | "$graphLookup" if operands.get_str("from").is_ok_and(str::is_empty) => {
                let message = format!("invalid {name} namespace: {database}.");
                return Err(CommandError::new(ErrorCode::InvalidNamespace, message).at(place.field("from")));
            }
            "$lookup" | "$unionWith" => check_inner(database, operands.get("pipeline"), &place.field("pipeline"))?,
            "$facet" => {
                operands
                    .iter()
                    .try_for_each(|(part, stages)| check_inner(database, Some(stages), &place.field(part)))?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_inner(database: &str, stages: Option<&Bson>, place: &CommandPath) -> Result<()> {
    let Some(Bson::Array(stages)) = stages else { return Ok(()) };
    let documents = stages.iter().enumerate().filter_map(|(at, stage)| Some((at, stage.as_document()?)));
    documents
        .map(|(at, stage)| (place.index(at), stage))
        .try_for_each(|(place, stage)| check_stage(database, stage, &place))
}
