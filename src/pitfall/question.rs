//! A filter that a command asked, wherever it stood: of a find, a count, a write, or the first stages of a pipeline.

use crate::engine::{Command, Modify};
use crate::error::{CommandPath, Step};
use crate::query::{Collation, Filter, Matcher};
use crate::shell::Ran;
use crate::value::{Bson, Document};

/// One filter with its place.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The command it belongs to.
    pub ran: &'a Ran,
    /// The command itself; of an explain, the one explained.
    pub command: &'a Command,
    /// The collection.
    pub collection: &'a str,
    /// The filter as it was sent.
    pub filter: &'a Document,
    /// The filter in normal form.
    pub tree: Filter,
    /// How it compares text.
    pub collation: Collation,
    /// Its place in the command: `filter`, or `pipeline.0.$match`.
    pub at: CommandPath,
}

/// The command of a run; of an explain, the one explained.
#[must_use]
pub fn explained(command: &Command) -> &Command {
    if let Command::Explain { command, .. } = command { command } else { command }
}

/// The filters of a command that parse.
#[must_use]
pub fn of(ran: &Ran) -> Vec<Question<'_>> {
    let command = explained(&ran.command);
    let filter = CommandPath::argument("filter");
    match command {
        Command::Find(find) => question(ran, &find.collection, &find.filter, filter),
        Command::Count(count) => question(ran, &count.collection, &count.filter, filter),
        Command::Distinct(distinct) => question(ran, &distinct.collection, &distinct.filter, filter),
        Command::Delete(delete) => question(ran, &delete.collection, &delete.filter, filter),
        Command::FindAndModify(modify) => question(ran, &modify.collection, &modify.filter, filter),
        Command::Update(update) => question(ran, &update.collection, &update.spec.filter, filter),
        Command::Aggregate(aggregate) => {
            let Some(collection) = &aggregate.collection else { return Vec::new() };
            matches(&aggregate.pipeline)
                .flat_map(|(position, filter)| question(ran, collection, filter, match_place(position)))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The place of a `$match` in its command.
fn match_place(position: usize) -> CommandPath {
    CommandPath(vec![Step::Field("pipeline".into()), Step::Index(position), Step::Field("$match".into())])
}

/// The `$match` stages at the pipeline's beginning, which still see stored documents.
fn matches(pipeline: &[Document]) -> impl Iterator<Item = (usize, &Document)> {
    pipeline
        .iter()
        .enumerate()
        .take_while(|(_, stage)| {
            stage.keys().next().is_some_and(|name| ["$match", "$sort", "$limit", "$skip"].contains(&name.as_str()))
        })
        .filter_map(|(position, stage)| Some((position, stage.get("$match").and_then(Bson::as_document)?)))
}

fn question<'a>(ran: &'a Ran, collection: &'a str, filter: &'a Document, at: CommandPath) -> Vec<Question<'a>> {
    let command = explained(&ran.command);
    let collation = Collation::parse(collation(command)).unwrap_or_default();
    let question = |tree| Question { ran, command, collection, filter, tree, collation, at };
    Filter::parse(filter).map(question).into_iter().collect()
}

/// The collation that a command names.
fn collation(command: &Command) -> Option<&Document> {
    match command {
        Command::Find(find) => find.collation.as_ref(),
        Command::Count(count) => count.collation.as_ref(),
        Command::Distinct(distinct) => distinct.collation.as_ref(),
        Command::Delete(delete) => delete.collation.as_ref(),
        Command::FindAndModify(modify) => modify.collation.as_ref(),
        Command::Update(update) => update.spec.collation.as_ref(),
        Command::Aggregate(aggregate) => aggregate.collation.as_ref(),
        _ => None,
    }
}

impl Question<'_> {
    /// Judges documents by a filter as this question would; none where the filter cannot be asked.
    #[must_use]
    pub fn matcher(&self, filter: &Filter) -> Option<Matcher> {
        Matcher::new(filter, self.collation.clone()).ok()
    }

    /// The same command with another filter in this place.
    #[must_use]
    pub fn with(&self, filter: Document) -> Command {
        let mut command = self.command.clone();
        match &mut command {
            Command::Find(find) => find.filter = filter,
            Command::Count(count) => count.filter = filter,
            Command::Distinct(distinct) => distinct.filter = filter,
            Command::Delete(delete) => delete.filter = filter,
            Command::FindAndModify(modify) => modify.filter = filter,
            Command::Update(update) => update.spec.filter = filter,
            Command::Aggregate(aggregate) => {
                if let Some(Step::Index(position)) = self.at.0.get(1) {
                    aggregate.pipeline[*position].insert("$match", filter);
                }
            }
            _ => {}
        }
        command
    }

    /// Whether the command only reads.
    #[must_use]
    pub fn reads(&self) -> bool {
        matches!(self.command, Command::Find(_) | Command::Count(_) | Command::Distinct(_) | Command::Aggregate(_))
    }

    /// What the command writes, if it is an update.
    #[must_use]
    pub fn modify(&self) -> Option<&Modify> {
        match self.command {
            Command::Update(update) => Some(&update.spec.modify),
            Command::FindAndModify(modify) => modify.modify.as_ref(),
            _ => None,
        }
    }
}
