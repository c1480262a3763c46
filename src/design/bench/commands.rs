//! What a command is about: its collection, whether it only looks, and the indexes it may change.

use crate::engine::{Command, Database, IndexRequest};
use crate::store::Collection;

/// The collection whose documents or indexes a command is about; none for one that only tells or names.
pub(super) fn collection_of(command: &Command) -> Option<&str> {
    let tells = matches!(
        command.explained(),
        Command::ListIndexes { .. }
            | Command::CreateCollection { .. }
            | Command::RenameCollection { .. }
            | Command::CollStats { .. }
            | Command::PlanCacheList { .. }
            | Command::PlanCacheClear(_)
    );
    command.collection().filter(|_| !tells)
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

/// Whether a command may write documents; an aggregation does where its last stage does.
pub(super) fn may_write(command: &Command) -> bool {
    match command {
        Command::Aggregate(aggregate) => {
            aggregate.pipeline.last().is_some_and(|stage| stage.contains_key("$out") || stage.contains_key("$merge"))
        }
        other => !is_read(other),
    }
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
