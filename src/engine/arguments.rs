//! The arguments that several commands have: collection, filter, collation, variables and hint, whatever the command.

use crate::engine::{BulkOperation, Command, Modify};
use crate::value::{Bson, Document};

/// The arguments of a command, as far as it has them.
#[derive(Default)]
struct Arguments<'c> {
    collection: Option<&'c str>,
    filter: Option<&'c Document>,
    collation: Option<&'c Document>,
    variables: Option<&'c Document>,
    hint: Option<&'c Bson>,
}

/// The arguments of a command, to be changed.
#[derive(Default)]
struct ArgumentsMut<'c> {
    filter: Option<&'c mut Document>,
    collation: Option<&'c mut Option<Document>>,
    hint: Option<&'c mut Option<Bson>>,
}

/// The arguments of a command that has a filter.
macro_rules! arguments {
    ($collection:expr, $with:expr, $variables:expr) => {
        Arguments {
            collection: Some(&$collection),
            filter: Some(&$with.filter),
            collation: $with.collation.as_ref(),
            variables: $variables,
            hint: $with.hint.as_ref(),
        }
    };
}

fn of_collection(collection: &str) -> Arguments<'_> {
    Arguments { collection: Some(collection), ..Arguments::default() }
}

impl Command {
    /// The command itself; of an explain, the one explained.
    #[must_use]
    pub fn explained(&self) -> &Self {
        match self {
            Self::Explain { command, .. } => command.explained(),
            other => other,
        }
    }

    /// The collection it speaks of, if it speaks of one; of `renameCollection` the one that is renamed. Here and below an
    /// explain has what the explained command has.
    #[must_use]
    pub fn collection(&self) -> Option<&str> {
        self.arguments().collection
    }

    /// The filter. An aggregation has none of its own, and a bulk one in each operation.
    #[must_use]
    pub fn filter(&self) -> Option<&Document> {
        self.arguments().filter
    }

    /// The collation, where it names one. A bulk may name one in each operation.
    #[must_use]
    pub fn collation(&self) -> Option<&Document> {
        self.arguments().collation
    }

    /// `let`
    #[must_use]
    pub fn variables(&self) -> Option<&Document> {
        self.arguments().variables
    }

    /// The hint. A bulk may have one in each operation.
    #[must_use]
    pub fn hint(&self) -> Option<&Bson> {
        self.arguments().hint
    }

    /// What an update does.
    #[must_use]
    pub fn modify(&self) -> Option<&Modify> {
        match self.explained() {
            Self::Update(update) => Some(&update.spec.modify),
            Self::FindAndModify(modify) => modify.modify.as_ref(),
            _ => None,
        }
    }

    /// The filter, to be changed.
    pub fn filter_mut(&mut self) -> Option<&mut Document> {
        self.arguments_mut().filter
    }

    /// Takes the hint away.
    pub fn take_hint(&mut self) -> Option<Bson> {
        self.arguments_mut().hint.and_then(Option::take)
    }

    /// Names a collation wherever none is named.
    pub(super) fn complete(&mut self, collation: &Document) {
        match self {
            Self::BulkWrite(bulk) => bulk.operations.iter_mut().for_each(|operation| operation.complete(collation)),
            Self::Explain { command, .. } => command.complete(collation),
            other => {
                if let Some(own) = other.arguments_mut().collation {
                    own.get_or_insert_with(|| collation.clone());
                }
            }
        }
    }

    fn arguments(&self) -> Arguments<'_> {
        match self {
            Self::Find(find) => arguments!(find.collection, find, find.variables.as_ref()),
            Self::Count(count) => arguments!(count.collection, count, None),
            Self::Distinct(distinct) => arguments!(distinct.collection, distinct, None),
            Self::Update(update) => arguments!(update.collection, update.spec, update.spec.variables.as_ref()),
            Self::Delete(delete) => arguments!(delete.collection, delete, None),
            Self::FindAndModify(modify) => arguments!(modify.collection, modify, modify.variables.as_ref()),
            Self::Aggregate(aggregate) => Arguments {
                collection: aggregate.collection.as_deref(),
                filter: None,
                collation: aggregate.collation.as_ref(),
                variables: aggregate.variables.as_ref(),
                hint: aggregate.hint.as_ref(),
            },
            Self::Insert(insert) => of_collection(&insert.collection),
            Self::BulkWrite(bulk) => of_collection(&bulk.collection),
            Self::CreateIndexes(create) => of_collection(&create.collection),
            Self::EstimatedCount { collection }
            | Self::DropIndexes { collection, .. }
            | Self::ListIndexes { collection }
            | Self::HideIndex { collection, .. }
            | Self::CreateCollection { collection, .. }
            | Self::DropCollection { collection }
            | Self::RenameCollection { collection, .. }
            | Self::CollStats { collection, .. }
            | Self::PlanCacheList { collection } => of_collection(collection),
            Self::PlanCacheClear(clear) => Arguments {
                filter: clear.filter.as_ref(),
                collation: clear.collation.as_ref(),
                ..of_collection(&clear.collection)
            },
            Self::DropDatabase | Self::ListCollections | Self::DbStats { .. } => Arguments::default(),
            Self::Explain { command, .. } => command.arguments(),
        }
    }

    fn arguments_mut(&mut self) -> ArgumentsMut<'_> {
        if let Self::PlanCacheClear(clear) = self {
            return ArgumentsMut { filter: clear.filter.as_mut(), collation: Some(&mut clear.collation), hint: None };
        }
        let (filter, collation, hint) = match self {
            Self::Find(find) => (Some(&mut find.filter), &mut find.collation, &mut find.hint),
            Self::Count(count) => (Some(&mut count.filter), &mut count.collation, &mut count.hint),
            Self::Distinct(distinct) => (Some(&mut distinct.filter), &mut distinct.collation, &mut distinct.hint),
            Self::Update(update) => (Some(&mut update.spec.filter), &mut update.spec.collation, &mut update.spec.hint),
            Self::Delete(delete) => (Some(&mut delete.filter), &mut delete.collation, &mut delete.hint),
            Self::FindAndModify(modify) => (Some(&mut modify.filter), &mut modify.collation, &mut modify.hint),
            Self::Aggregate(aggregate) => (None, &mut aggregate.collation, &mut aggregate.hint),
            Self::Explain { command, .. } => return command.arguments_mut(),
            _ => return ArgumentsMut::default(),
        };
        ArgumentsMut { filter, collation: Some(collation), hint: Some(hint) }
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
