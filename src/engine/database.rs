//! The database: a catalog, clock and chance, and the snapshots that undo goes back to.

use std::collections::BTreeMap;

use crate::engine::write::WriteLog;
use crate::engine::{Command, Host, Reply, Run, Writes, admin, aggregate, bulk, modify, read, stats, write};
use crate::error::CommandError;
use crate::plan::{Explain, PlanCache};
use crate::query::{Collation, Filter, Matcher, Predicate, Test};
use crate::store::{Catalog, Collection, Direction, Profile};
use crate::value::{Path, Source};

/// The name the learner's database has.
const NAME: &str = "test";

/// One sandboxed database. Cloning it is a cheap fork: what one does, the other does not see.
#[derive(Debug, Clone)]
pub struct Database {
    pub(super) catalog: Catalog,
    /// The databases that are not the current one.
    others: BTreeMap<String, Catalog>,
    pub(super) source: Source,
    pub(super) cache: PlanCache,
    checkpoints: Vec<(Catalog, BTreeMap<String, Catalog>)>,
}

impl Database {
    /// An empty database with this clock and chance.
    #[must_use]
    pub fn new(source: Source) -> Self {
        let (catalog, others, checkpoints) = (Catalog::new(NAME), BTreeMap::new(), Vec::new());
        Self { catalog, others, source, cache: PlanCache::default(), checkpoints }
    }

    /// The collections.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The collection of a name.
    #[must_use]
    pub fn collection(&self, name: &str) -> Option<&Collection> {
        self.catalog.get(name)
    }

    /// Remembers the present state; [`Database::undo`] comes back to it. Clock and chance are not turned back.
    pub fn checkpoint(&mut self) {
        self.checkpoints.push((self.catalog.clone(), self.others.clone()));
    }

    /// Goes back to the latest checkpoint and forgets it; false if there is none.
    pub fn undo(&mut self) -> bool {
        match self.checkpoints.pop() {
            Some((catalog, others)) => {
                (self.catalog, self.others) = (catalog, others);
                self.cache.clear_all();
                true
            }
            None => false,
        }
    }

    /// How many checkpoints there are.
    #[must_use]
    pub fn checkpoints(&self) -> usize {
        self.checkpoints.len()
    }

    /// Removes all collections and checkpoints; clock and chance begin anew with the source.
    pub fn reset(&mut self, source: Source) {
        *self = Self::new(source);
    }
}

/// What reading and planning a command costs, whatever it looks at.
const COMMAND_UNITS: u64 = 32;

/// Bytes that a command wrote.
fn bytes_written(writes: &Writes) -> usize {
    writes.documents.iter().filter_map(|document| document.after.as_ref()).map(|after| after.as_bytes().len()).sum()
}

impl Database {
    fn dispatch(&mut self, command: &Command) -> Result<Run, CommandError> {
        match self.completed(command).as_ref() {
            Command::Insert(insert) => write::insert(self, insert),
            Command::Update(update) => write::update(self, update),
            Command::Delete(delete) => write::delete(self, delete),
            Command::FindAndModify(modify) => modify::find_and_modify(self, modify),
            Command::BulkWrite(bulk) => bulk::bulk_write(self, bulk),
            Command::CreateIndexes(create) => admin::create_indexes(self, create),
            Command::DropIndexes { collection, index } => admin::drop_indexes(self, collection, index),
            Command::ListIndexes { collection } => admin::list_indexes(self, collection),
            Command::HideIndex { collection, index, hidden } => admin::hide_index(self, collection, index, *hidden),
            Command::CreateCollection { collection, options } => admin::create_collection(self, collection, options),
            Command::DropCollection { collection } => admin::drop_collection(self, collection),
            Command::RenameCollection { collection, to, drop_target } => {
                admin::rename_collection(self, collection, to, *drop_target)
            }
            Command::DropDatabase => Ok(admin::drop_database(self)),
            Command::ListCollections => admin::list_collections(self),
            Command::CollStats { collection, scale } => stats::collection(self, collection, *scale),
            Command::DbStats { scale } => stats::database(self, *scale),
            Command::Aggregate(command) => aggregate::run(self, command),
            other => read::run(self, other, command),
        }
    }
}

impl Host for Database {
    fn run(&mut self, command: &Command) -> Result<Run, CommandError> {
        self.source.allowance().spend(COMMAND_UNITS)?;
        let run = self.dispatch(command)?;
        self.source.allowance().spend_bytes(bytes_written(&run.writes))?;
        Ok(run)
    }

    fn source(&mut self) -> &mut Source {
        &mut self.source
    }

    fn use_database(&mut self, name: &str) {
        if name == self.catalog.database() {
            return;
        }
        let next = self.others.remove(name).unwrap_or_else(|| Catalog::new(name));
        let left = std::mem::replace(&mut self.catalog, next);
        self.others.insert(left.database().to_owned(), left);
    }

    fn holds(&self, collection: &str, path: &str) -> bool {
        let asked = Filter::Field(Predicate { path: Path::new(path), test: Test::Exists });
        let Ok(matcher) = Matcher::new(&asked, Collation::simple()) else { return true };
        self.collection(collection)
            .is_none_or(|held| held.scan(Direction::Ascending).any(|(_, document)| matcher.matches(document)))
    }

    fn learn(&self, collection: &str, facts: &mut Profile) -> bool {
        self.collection(collection).map(|held| facts.catch_up(held)).is_some()
    }

    fn database_names(&self) -> Vec<String> {
        let all = self.others.values().chain([&self.catalog]).filter(|catalog| catalog.iter().next().is_some());
        let mut names: Vec<String> = all.map(|catalog| catalog.database().to_owned()).collect();
        names.sort();
        names
    }
}

/// A run that gives a reply and nothing else.
pub(super) fn plain(reply: Reply) -> Run {
    Run { reply, explain: None, writes: Writes::default() }
}

/// A run that wrote.
pub(super) fn written(reply: Reply, explain: Option<Box<Explain>>, log: WriteLog) -> Run {
    Run { reply, explain, writes: log.finish() }
}
