//! A whole pipeline: parsed, opened stage over stage, every error told where it came from.

use crate::error::{CommandError, CommandPath, Result, Step};
use crate::query::expr::Context;
use crate::value::{Allowance, Document};

use super::flow::{Counted, Run, Stream};
use super::meter::Meter;
use super::stage::{Owner, Stage, Surroundings};
use super::target::Target;

/// A list of stages.
#[derive(Debug, Clone)]
pub struct Pipeline {
    /// The stages, each with its place in the command.
    pub stages: Vec<Placed>,
}

/// A stage and where it was written.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The stage.
    pub stage: Stage,
    /// Its place, such as `pipeline.2.$group`.
    pub place: CommandPath,
}

impl Pipeline {
    /// Parses the command's own pipeline.
    ///
    /// # Errors
    /// What MongoDB refuses about stages and their order; the place begins with `pipeline`.
    pub fn parse(stages: &[Document], context: &Context) -> Result<Self> {
        let scope = context.scope();
        let around = Surroundings { scope: &scope, context, owner: Owner::Command };
        Self::parse_at(stages, around, &CommandPath::argument("pipeline"))
    }

    /// Parses a pipeline that stands at a place inside the command.
    ///
    /// # Errors
    /// What MongoDB refuses about stages and their order.
    pub(super) fn parse_at(stages: &[Document], around: Surroundings<'_>, place: &CommandPath) -> Result<Self> {
        let mut placed = Vec::new();
        for (at, document) in stages.iter().enumerate() {
            let here = place.index(at);
            let parsed = Stage::parse(document, around).map_err(|error| located(error, &here))?;
            let name = document.keys().next().map_or("", String::as_str);
            placed.extend(parsed.into_iter().map(|stage| Placed { stage, place: here.field(name) }));
        }
        check_order(&placed)?;
        Ok(Self { stages: placed })
    }

    /// Takes off the stage that writes, which is the last one where there is one.
    #[must_use]
    pub fn take_target(&mut self) -> Option<(Target, CommandPath)> {
        let last = self.stages.pop_if(|placed| matches!(placed.stage, Stage::Target(_)))?;
        match last.stage {
            Stage::Target(target) => Some((*target, last.place)),
            _ => None,
        }
    }

    /// Whether the documents do not come from the collection.
    #[must_use]
    pub fn brings_documents(&self) -> bool {
        self.stages.first().is_some_and(|placed| placed.stage.must_be_first())
    }

    /// Folds constant expressions, as the server does before it runs anything.
    ///
    /// # Errors
    /// A constant expression that fails.
    pub fn fold(&mut self, context: &Context) -> Result<()> {
        for Placed { stage, place } in &mut self.stages {
            stage.fold(context).map_err(|error| {
                let message = format!("Failed to optimize pipeline :: caused by :: {}", error.message);
                located(CommandError { message, ..error }, place)
            })?;
        }
        Ok(())
    }

    /// Opens all stages over an input; of each stage its meter learns what it does, or else that of the run.
    ///
    /// # Errors
    /// What can only be refused when a stage begins.
    pub fn open<'s>(&'s self, input: Stream<'s>, run: Run<'s>, meters: &'s [Meter]) -> Result<Stream<'s>> {
        let mut stream = input;
        for (at, Placed { stage, place }) in self.stages.iter().enumerate() {
            let meter = meters.get(at);
            let run = Run { meter: meter.or(run.meter), ..run };
            let inner = stage.open(stream, run).map_err(|error| located(error, place))?;
            stream = Box::new(Told { inner, place, allowance: run.context.allowance() });
            if let Some(meter) = meter {
                stream = Box::new(Counted { inner: stream, count: &meter.returned });
            }
        }
        Ok(stream)
    }
}

/// The error with its place made complete, unless an inner stage did that already.
pub(super) fn located(error: CommandError, place: &CommandPath) -> CommandError {
    match error.at.0.first() {
        Some(Step::Field(name)) if name == "pipeline" => error,
        _ => error.within(place),
    }
}

/// A stream whose errors say which stage they come from; what it passes on is paid for.
struct Told<'s> {
    inner: Stream<'s>,
    place: &'s CommandPath,
    allowance: &'s Allowance,
}

impl<'s> super::flow::Flow<'s> for Told<'s> {
    fn next(&mut self) -> Result<Option<super::row::Row<'s>>> {
        let next = self.allowance.spend(1).and_then(|()| self.inner.next());
        next.map_err(|error| located(error, self.place))
    }

    fn visit(&mut self, viewer: &mut super::flow::Viewer<'_>) -> Result<()> {
        let allowance = self.allowance;
        let mut paid = allowance.spend(1);
        if paid.is_ok() {
            self.inner
                .visit(&mut |row| {
                    paid = allowance.spend(1);
                    paid.is_ok() && viewer(row)
                })
                .map_err(|error| located(error, self.place))?;
        }
        paid.map_err(|error| located(error, self.place))
    }
}

/// Some stages stand first, some last, or not at all.
fn check_order(stages: &[Placed]) -> Result<()> {
    for (at, Placed { stage, place }) in stages.iter().enumerate() {
        let name = stage.name();
        if at > 0 && stage.must_be_first() {
            let message = format!("{name} is only valid as the first stage in a pipeline");
            return Err(located(CommandError::new(40602, message), place));
        }
        if at + 1 < stages.len() && matches!(stage, Stage::Target(_)) {
            let message = format!("{name} can only be the final stage in the pipeline");
            return Err(located(CommandError::new(40601, message), place));
        }
    }
    Ok(())
}
