//! Pipelines inside stages, over a collection of their own.

use crate::error::{CommandError, CommandPath, Result};
use crate::query::Filter;
use crate::query::expr::Context;
use crate::value::{Bson, Document, RawDocumentBuf};

use super::flow::{Run, Stream, drain};
use super::leading::Leading;
use super::matching::Match;
use super::stage::{Stage, Surroundings};
use super::whole::{Pipeline, Placed};

/// A pipeline over another collection: its beginning for the planner, and the rest.
#[derive(Debug, Clone)]
pub struct Sub {
    leading: Leading,
    rest: Pipeline,
    /// Folded, but not optimised.
    whole: Pipeline,
    /// As it was written.
    pub written: Vec<Document>,
    /// Whether it gives something else each time it runs.
    pub draws: bool,
}

impl Sub {
    /// Parses, folds and optimises an inner pipeline; places in errors are counted from the stage.
    ///
    /// # Errors
    /// What MongoDB refuses about stages inside other stages.
    pub fn parse(written: Vec<Document>, around: Surroundings<'_>) -> Result<Self> {
        let mut whole = Pipeline::parse_at(&written, around, &CommandPath::default())?;
        whole.fold(around.context)?;
        Ok(Self::of(whole, written))
    }

    fn of(whole: Pipeline, written: Vec<Document>) -> Self {
        let mut rest = whole.clone().optimised();
        let leading = rest.take_leading();
        let draws = written.iter().any(draws);
        Self { leading, rest, whole, written, draws }
    }

    /// The pipeline with a filter behind it.
    #[must_use]
    pub fn filtered(&self, filter: Filter) -> Self {
        self.followed_by(Stage::Match(Match::new(filter)))
    }

    /// The pipeline with a stage behind it.
    #[must_use]
    pub fn followed_by(&self, stage: Stage) -> Self {
        let mut whole = self.whole.clone();
        let mut written = self.written.clone();
        written.push(stage.to_document());
        whole.stages.push(Placed { stage, place: CommandPath::default() });
        Self::of(whole, written)
    }

    /// What the planner is asked, where nothing is joined to it.
    #[must_use]
    pub fn leading(&self) -> Leading {
        let id_hack = self.leading.id_hack || self.leading.filter.is_none();
        Leading { id_hack, ..self.leading.clone() }
    }

    /// The stages that the planner does not answer.
    #[must_use]
    pub fn rest(&self) -> &Pipeline {
        &self.rest
    }

    /// Opens it over a collection, with a further filter in front.
    ///
    /// # Errors
    /// What can only be refused when a stage begins.
    pub fn open<'s>(&'s self, collection: &'s str, filter: Option<Filter>, run: Run<'s>) -> Result<Stream<'s>> {
        let mut leading = self.leading.clone();
        if !leading.projects {
            leading.projection = None;
        }
        leading.distinct = None;
        leading.id_hack |= leading.filter.is_none();
        leading.filter = match (filter, leading.filter) {
            (Some(first), Some(second)) => Some(Filter::And(vec![first, second]).normalised()),
            (first, second) => first.or(second),
        };
        let run = Run { collection, ..run };
        let input = run.reader.open(collection, &leading, run.context, run.meter)?;
        self.rest.open(input, run, &[])
    }

    /// Runs it to the end with variables of its own.
    ///
    /// # Errors
    /// Run-time errors of the inner stages.
    pub fn collect(
        &self,
        collection: &str,
        filter: Option<Filter>,
        run: Run<'_>,
        context: &Context,
    ) -> Result<Vec<RawDocumentBuf>> {
        let run = Run { context, ..run };
        let rows = drain(self.open(collection, filter, run)?)?;
        Ok(rows.into_iter().map(super::row::Row::into_raw).collect())
    }
}

/// Whether a stage, or a part of it, draws by chance; what stands in a literal is not run.
fn draws(part: &Document) -> bool {
    let named = |name: &str| matches!(name, "$rand" | "$sample" | "$sampleRate");
    part.iter().any(|(name, value)| name != "$literal" && (named(name) || holds_draws(value)))
}

fn holds_draws(value: &Bson) -> bool {
    match value {
        Bson::Document(part) => draws(part),
        Bson::Array(parts) => parts.iter().any(holds_draws),
        _ => false,
    }
}

/// The documents of a pipeline written as an array.
pub fn documents(value: &Bson, code: i32, message: &str) -> Result<Vec<Document>> {
    let Bson::Array(items) = value else {
        return Err(CommandError::new(code, message));
    };
    let document = |(at, item): (usize, &Bson)| match item {
        Bson::Document(document) => Ok(document.clone()),
        _ => Err(crate::error::CommandError::new(
            crate::error::ErrorCode::TypeMismatch,
            "Each element of the 'pipeline' array must be an object",
        )
        .inside_index(at)),
    };
    items.iter().enumerate().map(document).collect()
}
