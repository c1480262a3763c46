//! What a command is about: its collection, whether it only looks, and the indexes it may change.

use crate::engine::{Command, Database, IndexRequest};
use crate::store::Collection;

/// The collection a command speaks of.
pub(super) fn collection_of(command: &Command) -> Option<&str> {
    match command {
        Command::Find(find) => Some(&find.collection),
        Command::Aggregate(aggregate) => aggregate.collection.as_deref(),
        Command::Count(count) => Some(&count.collection),
        Command::Distinct(distinct) => Some(&distinct.collection),
        Command::Insert(insert) => Some(&insert.collection),
        Command::Update(update) => Some(&update.collection),
        Command::Delete(delete) => Some(&delete.collection),
        Command::FindAndModify(modify) => Some(&modify.collection),
        Command::BulkWrite(bulk) => Some(&bulk.collection),
        Command::CreateIndexes(create) => Some(&create.collection),
        Command::EstimatedCount { collection }
        | Command::DropIndexes { collection, .. }
        | Command::HideIndex { collection, .. }
        | Command::DropCollection { collection } => Some(collection),
        Command::Explain { command, .. } => collection_of(command),
        _ => None,
    }
}

/// Whether a command only looks.
pub(in crate::design) fn is_read(command: &Command) -> bool {
    matches!(
        command,
        Command::Find(_)
            | Command::Aggregate(_)
            | Command::Count(_)
            | Command::Distinct(_)
            | Command::EstimatedCount { .. }
            | Command::Explain { .. }
    )
}

/// A collection's indexes as they were asked for, without `_id_`.
pub(super) fn indexes_of(database: &Database, collection: &str) -> Vec<IndexRequest> {
    let indexes = database.collection(collection).map(Collection::indexes).unwrap_or_default();
    let requests = indexes.iter().filter(|index| index.name() != "_id_").map(|index| {
        let mut options = index.specification();
        let keys = options.remove("key").and_then(|keys| keys.as_document().cloned()).unwrap_or_default();
        options.remove("v");
        IndexRequest { keys, options }
    });
    requests.collect()
}
