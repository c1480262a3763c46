//! An update ready to be applied: operators, a whole document, or a pipeline.

use crate::engine::{Modify, UpdateSpec};
use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::pipeline::{Leading, Meter, Pipeline, Reader, Row, Run, Stream, drain, listed};
use crate::query::Collation;
use crate::query::expr::Context;
use crate::update::{Application, Touched, UpdateProgram, finished};
use crate::value::{Document, RawDocument, RawDocumentBuf, Source};

/// The stages an update pipeline may have (manual: *Updates with Aggregation Pipeline*).
const STAGES: [&str; 6] = ["$addFields", "$set", "$project", "$unset", "$replaceRoot", "$replaceWith"];

/// An update, parsed once and applied to each document found.
pub(super) enum Change {
    Program(UpdateProgram),
    Pipeline(Box<Pipeline>, Box<Context>),
}

impl Change {
    /// Reads an update, with the server's refusals of one that could never be done.
    pub(super) fn parse(source: &Source, spec: &UpdateSpec) -> Result<Self> {
        let change = Self::read(source, spec)?;
        if spec.multi && change.is_replacement() {
            let message = "multi update is not supported for replacement-style update";
            return Err(CommandError::new(ErrorCode::FailedToParse, message).at(CommandPath::argument("update")));
        }
        Ok(change)
    }

    fn read(source: &Source, spec: &UpdateSpec) -> Result<Self> {
        let collation = Collation::parse(spec.collation.as_ref())
            .map_err(|error| error.within(&CommandPath::argument("collation")))?;
        let program = match &spec.modify {
            Modify::Operators(update) => UpdateProgram::operators(update, &spec.array_filters, &collation),
            Modify::Replacement(document) => UpdateProgram::replacement(document, &spec.array_filters),
            Modify::Pipeline(stages) => return Self::pipeline(source, spec, stages, collation),
        };
        program.map(Self::Program)
    }

    fn pipeline(source: &Source, spec: &UpdateSpec, stages: &[Document], collation: Collation) -> Result<Self> {
        let place = CommandPath::argument("update");
        if !spec.array_filters.is_empty() {
            let message = "arrayFilters may not be specified for pipeline-style updates";
            let error = CommandError::new(ErrorCode::FailedToParse, message);
            return Err(error.at(CommandPath::argument("arrayFilters")));
        }
        let mut context = Context::new(source.clone()).with_collation(collation);
        if let Some(variables) = &spec.variables {
            context.bind(variables).map_err(|error| error.within(&CommandPath::argument("let")))?;
        }
        let parsed = Pipeline::parse(stages, &context).map_err(|error| renamed(error, &place))?;
        for (at, stage) in stages.iter().enumerate() {
            let name = stage.keys().next().map_or("", String::as_str);
            if !STAGES.contains(&name) {
                let message = format!("{name} is not allowed to be used within an update");
                return Err(CommandError::new(ErrorCode::InvalidOptions, message).at(place.index(at).field(name)));
            }
        }
        Ok(Self::Pipeline(Box::new(parsed), Box::new(context)))
    }

    pub(super) fn is_replacement(&self) -> bool {
        matches!(self, Self::Program(program) if program.is_replacement())
    }

    /// The document after the update; none where nothing changes.
    pub(super) fn apply(&self, document: &RawDocument, application: Application) -> Result<Option<RawDocumentBuf>> {
        match self {
            Self::Program(program) => program.apply(document, application),
            Self::Pipeline(pipeline, context) => {
                finished(document, &run(pipeline, context, document)?, application.insert)
            }
        }
    }

    /// The paths that may change.
    pub(super) fn touched(&self) -> &Touched {
        match self {
            Self::Program(program) => program.touched(),
            Self::Pipeline(..) => &Touched::All,
        }
    }
}

/// The pipeline parser's places begin with `pipeline`; here the stages stand under `update`.
fn renamed(mut error: CommandError, place: &CommandPath) -> CommandError {
    if !error.at.0.is_empty() {
        error.at.0.remove(0);
    }
    error.within(place)
}

fn run(pipeline: &Pipeline, context: &Context, document: &RawDocument) -> Result<RawDocumentBuf> {
    let run = Run { reader: &NoCollections, context, collection: "", meter: None };
    let rows = drain(pipeline.open(listed(vec![Row::from(document)]), run, &[])?)?;
    Ok(rows.into_iter().next().map(Row::into_raw).unwrap_or_default())
}

/// The stages of an update read nothing but the document.
struct NoCollections;

impl Reader for NoCollections {
    fn open<'s>(&'s self, _: &str, _: &Leading, _: &Context, _: Option<&Meter>) -> Result<Stream<'s>> {
        Ok(listed(Vec::new()))
    }

    fn statistics(&self, _: &str, _: &str, _: &Document) -> Result<Vec<RawDocumentBuf>> {
        Ok(Vec::new())
    }

    fn database(&self) -> &'static str {
        ""
    }
}
