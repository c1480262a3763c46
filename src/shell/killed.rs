//! Cursors that outlive their collection: what is not in the batch that was fetched last comes no more
//! (`RequiresCollectionStage::doRestoreState`, `src/mongo/db/exec/requires_collection_stage.cpp`).

use super::api::documents;
use super::inspect::uuid;
use super::session::{CursorState, Question, Session};
use crate::engine::Command;
use crate::error::{CommandError, ErrorCode};

/// Documents in the first batch where no size is asked for (`query_request_helper::kDefaultBatchSize`); the next one holds
/// all the rest, up to 16 MB.
const FIRST_BATCH: usize = 101;

/// Why a cursor can be read no further than what it has fetched.
#[derive(Debug)]
pub(super) struct Killed {
    /// How many of its documents it has fetched.
    pub(super) fetched: usize,
    pub(super) error: CommandError,
}

impl Session {
    /// Ends the cursors over what a command took away.
    pub(super) fn kill_cursors(&mut self, command: &Command) {
        match command {
            Command::DropDatabase => self.kill_where(&|_| true, None),
            Command::DropCollection { collection } => self.kill_where(&|name| name == collection, None),
            Command::RenameCollection { collection, to, drop_target } => {
                let namespace = |name: &str| format!("{}.{name}", self.host_database);
                let renamed = format!("'{}' to '{}'", namespace(collection), namespace(to));
                if *drop_target {
                    self.kill_where(&|name| name == to, None);
                }
                self.kill_where(&|name| name == collection, Some(&renamed));
            }
            _ => {}
        }
    }

    fn kill_where(&mut self, is_gone: &dyn Fn(&str) -> bool, renamed: Option<&str>) {
        let reads = |cursor: &CursorState| cursor.database == self.host_database && cursor.reads_on(is_gone);
        let gone: Vec<u32> = self.cursors.iter().filter(|(_, cursor)| reads(cursor)).map(|(id, _)| *id).collect();
        if gone.is_empty() {
            return;
        }
        // A collection's UUID is drawn by chance, and nothing else tells of it.
        let id = self.drawn_uuid();
        let message = match renamed {
            Some(renamed) => format!("collection renamed from {renamed}. UUID {id}"),
            None => format!("collection dropped. UUID {id}"),
        };
        for cursor in gone {
            if let Some(cursor) = self.cursors.get_mut(&cursor) {
                let error = CommandError::new(ErrorCode::QueryPlanKilled, message.clone());
                cursor.killed = Some(Killed { fetched: cursor.fetched(), error });
            }
        }
    }

    fn drawn_uuid(&mut self) -> String {
        let mut backend = self.backend.borrow_mut();
        let source = backend.source();
        let mut bytes = [source.next_u64().to_be_bytes(), source.next_u64().to_be_bytes()].concat();
        // Version 4, variant 1 (RFC 4122).
        bytes[6] = (bytes[6] & 0x0F) | 0x40;
        bytes[8] = (bytes[8] & 0x3F) | 0x80;
        uuid(&bytes)
    }
}

impl CursorState {
    /// Whether the server would have to read on in a collection: a pipeline with stages of its own may hold all of it.
    fn reads_on(&self, is_gone: &dyn Fn(&str) -> bool) -> bool {
        let Some(run) = self.answer.as_ref().filter(|_| self.explain.is_none() && self.killed.is_none()) else {
            return false;
        };
        let name = match &self.question {
            Question::Find(find) => Some(&find.collection),
            Question::Aggregate(aggregate) => aggregate.collection.as_ref(),
        };
        let planned = run.explain.as_ref().is_some_and(|explain| explain.pipeline.is_empty());
        planned && name.is_some_and(|name| is_gone(name)) && documents(run).len() > self.fetched()
    }

    /// How many documents the batches hold that have been asked for.
    fn fetched(&self) -> usize {
        match self.batch {
            Some(size) => self.at.max(1).div_ceil(size) * size,
            None if self.at <= FIRST_BATCH => FIRST_BATCH,
            None => usize::MAX,
        }
    }
}
