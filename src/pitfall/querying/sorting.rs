//! The sort of stored documents: of a find, a findAndModify, or at the front of a pipeline.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::engine::{Aggregate, Command};
use crate::error::CommandPath;
use crate::pitfall::question::Form;
use crate::pitfall::{Case, Question};
use crate::query::{Collation, Filter};
use crate::shell::Ran;
use crate::value::Document;

/// A sort, and what is sorted.
pub(super) struct Sorting<'a> {
    /// The filter of what is sorted.
    pub question: Question<'a>,
    /// The sort document.
    pub sort: &'a Document,
    /// Its place in the command.
    pub at: CommandPath,
    /// Its stage, in a pipeline.
    pub stage: Option<usize>,
}

static EVERYTHING: LazyLock<Document> = LazyLock::new(Document::new);

/// The sorts that a text asked for.
pub(super) fn sortings<'a>(case: &Case<'a>) -> Vec<Sorting<'a>> {
    let of_filter = case.questions().iter().filter_map(|question| {
        let sort = match question.command {
            Command::Find(find) => find.sort.as_ref()?,
            Command::FindAndModify(modify) => modify.sort.as_ref()?,
            _ => return None,
        };
        Some(Sorting { question: question.clone(), sort, at: CommandPath::argument("sort"), stage: None })
    });
    of_filter.chain(case.ran.iter().filter_map(of_pipeline)).collect()
}

fn of_pipeline(ran: &Ran) -> Option<Sorting<'_>> {
    let command = ran.command.explained();
    let Command::Aggregate(aggregate) = command else { return None };
    let stage = leading_sort(aggregate)?;
    let sort = aggregate.pipeline[stage].get_document("$sort").ok()?;
    let filters = aggregate.pipeline[..stage].iter().filter_map(|document| document.get_document("$match").ok());
    let parts = filters.map(|filter| Filter::parse(filter).ok()).collect::<Option<Vec<_>>>()?;
    let at = CommandPath::argument("pipeline").index(stage).field("$sort");
    let question = Question {
        ran,
        command,
        collection: aggregate.collection.as_deref()?,
        filter: Cow::Borrowed(&EVERYTHING),
        form: Form::Documents,
        tree: Filter::And(parts).normalised(),
        collation: Collation::parse(aggregate.collation.as_ref()).unwrap_or_default(),
        at: at.clone(),
    };
    Some(Sorting { question, sort, at, stage: Some(stage) })
}

/// The first `$sort`, where it still sees stored documents.
fn leading_sort(aggregate: &Aggregate) -> Option<usize> {
    let name = |document: &Document| document.keys().next().cloned().unwrap_or_default();
    let stored = |document: &&Document| ["$match", "$limit", "$skip", "$sort"].contains(&name(document).as_str());
    aggregate.pipeline.iter().take_while(stored).position(|document| name(document) == "$sort")
}

/// The whole text with the pipeline's sort replaced by other stages.
pub(super) fn with_stages(case: &Case<'_>, sorting: &Sorting<'_>, stages: Vec<Document>) -> Option<String> {
    let Command::Aggregate(aggregate) = sorting.question.command else { return None };
    let mut pipeline = aggregate.pipeline.clone();
    let stage = sorting.stage?;
    pipeline.splice(stage..=stage, stages);
    case.with_stages(sorting.question.ran, &aggregate.pipeline, &pipeline)
}
