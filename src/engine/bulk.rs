//! `bulkWrite`: operations in order, stopping at the first failure or going on behind it.

use crate::engine::database::written;
use crate::engine::write::{WriteLog, apply_delete, apply_update, insert_one};
use crate::engine::{BulkOperation, BulkWrite, Database, Delete, Reply, Run, WriteFailure, namespace};
use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::value::Bson;

#[derive(Default)]
struct Sums {
    inserted: Vec<(usize, Bson)>,
    matched: u64,
    modified: u64,
    deleted: u64,
    upserted: Vec<(usize, Bson)>,
}

pub(super) fn bulk_write(database: &mut Database, bulk: &BulkWrite) -> Result<Run> {
    namespace::check_new_name(database.catalog.database(), &bulk.collection)?;
    if bulk.operations.is_empty() {
        let message = "Invalid BulkOperation, Batch cannot be empty";
        return Err(CommandError::new(ErrorCode::InvalidLength, message).at(CommandPath::argument("operations")));
    }
    let mut log = WriteLog::default();
    let (mut sums, mut failures) = (Sums::default(), Vec::new());
    for (index, operation) in bulk.operations.iter().enumerate() {
        if let Err(error) = run(database, &bulk.collection, index, operation, &mut sums, &mut log) {
            let error = error.within(&CommandPath::argument("operations").index(index));
            failures.push(WriteFailure { index, error });
            if bulk.ordered {
                break;
            }
        }
    }
    let Sums { inserted, matched, modified, deleted, upserted } = sums;
    Ok(written(Reply::Bulk { inserted, matched, modified, deleted, upserted, failures }, None, log))
}

fn run(
    database: &mut Database,
    name: &str,
    index: usize,
    operation: &BulkOperation,
    sums: &mut Sums,
    log: &mut WriteLog,
) -> Result<()> {
    match operation {
        BulkOperation::Insert(document) => {
            let id = insert_one(database, name, document, log).map_err(|error| error.inside_field("document"))?;
            sums.inserted.push((index, id));
        }
        BulkOperation::Update(spec) => {
            let reply = apply_update(database, name, spec, log)?;
            sums.matched += reply.matched;
            sums.modified += reply.modified;
            sums.upserted.extend(reply.upserted.map(|id| (index, id)));
        }
        BulkOperation::Delete { filter, multi, collation, hint } => {
            let delete = Delete {
                collection: name.into(),
                filter: filter.clone(),
                multi: *multi,
                collation: collation.clone(),
                hint: hint.clone(),
            };
            sums.deleted += apply_delete(database, &delete, log)?.0;
        }
    }
    Ok(())
}
