//! A command as the collection completes it: with the collation the collection was created with.

use std::borrow::Cow;

use crate::engine::{BulkOperation, Command, Database};
use crate::value::Document;

impl Database {
    /// The command with its collection's default collation, where it names none itself and there is one.
    pub(super) fn completed<'c>(&self, command: &'c Command) -> Cow<'c, Command> {
        let collated = command
            .collection()
            .and_then(|name| self.catalog.get(name))
            .and_then(|collection| collection.options().get_document("collation").ok());
        match collated {
            None => Cow::Borrowed(command),
            Some(collation) => {
                let mut command = command.clone();
                command.complete(collation);
                Cow::Owned(command)
            }
        }
    }
}

impl Command {
    /// The collection whose documents the command reads or writes with a collation.
    fn collection(&self) -> Option<&str> {
        match self {
            Self::Find(find) => Some(&find.collection),
            Self::Aggregate(aggregate) => aggregate.collection.as_deref(),
            Self::Count(count) => Some(&count.collection),
            Self::Distinct(distinct) => Some(&distinct.collection),
            Self::Update(update) => Some(&update.collection),
            Self::Delete(delete) => Some(&delete.collection),
            Self::FindAndModify(modify) => Some(&modify.collection),
            Self::BulkWrite(bulk) => Some(&bulk.collection),
            Self::Explain { command, .. } => command.collection(),
            _ => None,
        }
    }

    fn complete(&mut self, collation: &Document) {
        let own = match self {
            Self::Find(find) => &mut find.collation,
            Self::Aggregate(aggregate) => &mut aggregate.collation,
            Self::Count(count) => &mut count.collation,
            Self::Distinct(distinct) => &mut distinct.collation,
            Self::Update(update) => &mut update.spec.collation,
            Self::Delete(delete) => &mut delete.collation,
            Self::FindAndModify(modify) => &mut modify.collation,
            Self::BulkWrite(bulk) => return bulk.operations.iter_mut().for_each(|one| one.complete(collation)),
            Self::Explain { command, .. } => return command.complete(collation),
            _ => return,
        };
        own.get_or_insert_with(|| collation.clone());
    }
}

impl BulkOperation {
    fn complete(&mut self, default: &Document) {
        match self {
            Self::Insert(_) => {}
            Self::Update(spec) => _ = spec.collation.get_or_insert_with(|| default.clone()),
            Self::Delete { collation, .. } => _ = collation.get_or_insert_with(|| default.clone()),
        }
    }
}
