//! A pipeline that ran on a collection: its stages, the rows between them, and how it is written anew.

use std::ops::Range;

use crate::engine::{Aggregate, Command, Database, Host, Reply};
use crate::error::CommandPath;
use crate::pitfall::made;
use crate::pitfall::memo::State;
use crate::pitfall::verdict::proof;
use crate::pitfall::{Case, Evidence, Sighting};
use crate::shell::Ran;
use crate::value::{AnyDocument, Bson, Document, RawDocument, View, equal, exact_long};

/// One pipeline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pipe<'a> {
    pub(super) ran: &'a Ran,
    pub(super) aggregate: &'a Aggregate,
    pub(super) collection: &'a str,
    /// Which data it reads.
    /// The state of the data that it read.
    pub(super) state: State,
}

/// The pipelines that ran or were explained.
pub(super) fn pipes<'a>(case: &Case<'a>) -> Vec<Pipe<'a>> {
    let pipe = |ran: &'a Ran| {
        let Command::Aggregate(aggregate) = ran.command.explained() else { return None };
        let collection = aggregate.collection.as_deref()?;
        Some(Pipe { ran, aggregate, collection, state: case.state(ran, collection) })
    };
    case.ran.iter().filter_map(pipe).collect()
}

/// Each pipeline that gave something.
pub(super) fn each_pipe<'a>(
    case: &Case<'a>,
    sight: impl Fn(&Case<'a>, &Pipe<'_>) -> Option<Sighting>,
) -> Vec<Sighting> {
    pipes(case).iter().filter(|pipe| pipe.succeeded()).filter_map(|pipe| sight(case, pipe)).collect()
}

/// The pipelines of a text, and those of its updates behind the documents that these choose.
pub(super) fn all_pipes<'c>(case: &'c Case<'_>) -> Vec<Pipe<'c>> {
    let updates = case.update_pipelines().iter().filter_map(|ran| {
        let Command::Aggregate(aggregate) = &ran.command else { return None };
        Some(Pipe { ran, aggregate, collection: aggregate.collection.as_deref()?, state: State::Before })
    });
    pipes(case).into_iter().chain(updates).collect()
}

/// The name and operand of a stage.
pub(super) fn stage(document: &Document) -> (&str, &Bson) {
    document.iter().next().map_or(("", &Bson::Null), |(name, operand)| (name.as_str(), operand))
}

/// The path that a `$unwind` takes apart.
pub(super) fn unwound(document: &Document) -> Option<&str> {
    let operand = document.get("$unwind")?;
    let path = operand.as_str().or_else(|| operand.as_document()?.get_str("path").ok())?;
    path.strip_prefix('$')
}

/// A whole number that a stage counted.
pub(super) fn number(value: &Bson) -> Option<i64> {
    exact_long(value.into())
}

/// The path that an expression such as `"$specs.v"` reads; none for variables.
pub(super) fn read_path(expression: &str) -> Option<String> {
    let path = expression.strip_prefix('$')?;
    let path = path.strip_prefix("$ROOT.").or_else(|| path.strip_prefix("$CURRENT.")).unwrap_or(path);
    (!path.is_empty() && !path.starts_with('$')).then(|| path.to_owned())
}

/// Whether an expression reads the path or something below it.
pub(super) fn reads(expression: &Bson, path: &str) -> bool {
    match expression {
        Bson::String(text) => text
            .strip_prefix('$')
            .map(|own| own.strip_prefix("$ROOT.").or_else(|| own.strip_prefix("$CURRENT.")).unwrap_or(own))
            .and_then(|own| own.strip_prefix(path))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
        Bson::Array(items) => items.iter().any(|item| reads(item, path)),
        Bson::Document(fields) => fields.values().any(|field| reads(field, path)),
        _ => false,
    }
}

fn documents(rows: &[AnyDocument]) -> Vec<Document> {
    rows.iter().filter_map(|row| Document::try_from(&**row).ok()).collect()
}

impl<'a> Pipe<'a> {
    pub(super) fn stages(&self) -> &'a [Document] {
        &self.aggregate.pipeline
    }

    pub(super) fn succeeded(&self) -> bool {
        self.ran.result.is_ok()
    }

    /// The bytes of a stage in the text.
    pub(super) fn span(&self, case: &Case<'_>, stage: usize) -> Range<usize> {
        case.span(self.ran, &CommandPath::argument("pipeline").index(stage))
    }

    /// What another pipeline gives in place of this one.
    pub(super) fn tried(&self, case: &Case<'_>, pipeline: Vec<Document>) -> Option<Vec<Document>> {
        if let Some(rows) = self.given().filter(|_| pipeline == self.aggregate.pipeline) {
            return Some(documents(rows));
        }
        let aggregate = Aggregate { pipeline, ..self.aggregate.clone() };
        let run = case.run_on(self.state, &Command::Aggregate(aggregate))?;
        let Reply::Documents(rows) = &run.reply else { return None };
        Some(documents(rows))
    }

    /// What a pipeline in place of this one gives on another database.
    pub(super) fn on(&self, database: &Database, pipeline: Vec<Document>) -> Option<Vec<Document>> {
        let aggregate = Aggregate { pipeline, ..self.aggregate.clone() };
        let run = database.clone().run(&Command::Aggregate(aggregate)).ok()?;
        let Reply::Documents(rows) = &run.reply else { return None };
        Some(documents(rows))
    }

    /// Documents made so that they alone show what is looked for.
    pub(super) fn made(&self, case: &Case<'_>, shows: &dyn Fn(&Database) -> bool) -> Vec<Evidence> {
        made::shown_by(case, self.collection, self.ran.command.explained(), shows)
    }

    /// The stored document with an `_id`, as proof.
    pub(super) fn stored(&self, case: &Case<'_>, id: &Bson) -> Option<Evidence> {
        let documents = case.documents(self.collection);
        let is_it = |document: &&&RawDocument| {
            let own = document.get("_id").ok().flatten().map_or(View::Null, View::from);
            equal(own, id.into())
        };
        proof(documents.iter().find(is_it)?, Vec::new())
    }

    /// What this pipeline gave when it ran.
    fn given(&self) -> Option<&'a [AnyDocument]> {
        match &self.ran.result.as_ref().ok()?.reply {
            Reply::Documents(rows) => Some(rows),
            _ => None,
        }
    }

    /// What this pipeline gives up to a stage, with more stages behind.
    pub(super) fn rows(&self, case: &Case<'_>, until: usize, then: Vec<Document>) -> Option<Vec<Document>> {
        let pipeline = self.stages()[..until].iter().cloned().chain(then).collect();
        self.tried(case, pipeline)
    }

    /// The stages with others in place of a range of them.
    pub(super) fn spliced(&self, range: Range<usize>, with: Vec<Document>) -> Vec<Document> {
        let mut stages = self.stages().to_vec();
        stages.splice(range, with);
        stages
    }

    /// The whole text with the pipeline written anew.
    pub(super) fn with_pipeline(&self, case: &Case<'_>, pipeline: &[Document]) -> Option<String> {
        case.with_stages(self.ran, self.stages(), pipeline)
    }
}
