//! The documents of a write that an index refused.

use crate::engine::{Command, Host, Reply};
use crate::error::CommandError;
use crate::pitfall::Case;
use crate::shell::Ran;
use crate::value::{Bson, RawDocumentBuf};

/// A refused write, with the documents it would have left.
pub(super) struct Refused<'a> {
    pub collection: &'a str,
    pub error: &'a CommandError,
    pub documents: Vec<RawDocumentBuf>,
}

/// What a write was refused for, and what it would have written without the collection's indexes.
pub(super) fn refused<'a>(case: &Case<'_>, ran: &'a Ran) -> Option<Refused<'a>> {
    let command = ran.command.explained();
    let collection = collection(command)?;
    let (position, error) = failure(ran)?;
    let mut fork = case.after.clone();
    fork.run(&Command::DropIndexes { collection: collection.to_owned(), index: Bson::String("*".into()) }).ok()?;
    let run = fork.run(&only(command, position)?).ok()?;
    let documents = run.writes.documents.into_iter().filter_map(|written| written.after).collect();
    Some(Refused { collection, error, documents })
}

fn collection(command: &Command) -> Option<&str> {
    match command {
        Command::Insert(insert) => Some(&insert.collection),
        Command::Update(update) => Some(&update.collection),
        Command::FindAndModify(modify) => Some(&modify.collection),
        _ => None,
    }
}

/// The first refusal, with its position in a bulk.
fn failure(ran: &Ran) -> Option<(usize, &CommandError)> {
    match &ran.result {
        Ok(run) => match &run.reply {
            Reply::Inserted { failures, .. } => failures.first().map(|failure| (failure.index, &failure.error)),
            _ => None,
        },
        Err(error) => Some((0, error)),
    }
}

/// The part of a command that stands at a position.
fn only(command: &Command, position: usize) -> Option<Command> {
    let mut command = command.clone();
    if let Command::Insert(insert) = &mut command {
        insert.documents = vec![insert.documents.get(position)?.clone()];
    }
    Some(command)
}
