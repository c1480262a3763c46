//! The data as they were when each command of a text ran: a question is judged on what it looked through.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::engine::{Command, Database, Delete, Host, Insert, Modify, Update, UpdateSpec, WrittenDocument};
use crate::pitfall::memo::State;
use crate::shell::Ran;
use crate::value::{Bson, Document, RawDocument, doc};

/// The states of the data between the commands of a text, each worked out when it is first wanted.
#[derive(Debug)]
pub struct Moments<'a> {
    before: &'a Database,
    /// The commands that changed something.
    changes: Vec<&'a Ran>,
    /// How many of them came before a command.
    earlier: BTreeMap<*const Ran, usize>,
    /// The number of the first change of a collection's documents: what its indexes are decides no answer.
    first: BTreeMap<&'a str, usize>,
    /// The data behind so many changes; the first is left empty.
    behind: Vec<OnceCell<Box<Database>>>,
    /// Which of them are known.
    known: RefCell<BTreeSet<usize>>,
}

impl<'a> Moments<'a> {
    pub(super) fn new(ran: impl IntoIterator<Item = &'a Ran>, before: &'a Database) -> Self {
        let (mut changes, mut earlier, mut first) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for run in ran {
            earlier.insert(std::ptr::from_ref(run), changes.len());
            if changes_data(run) {
                for name in changed(run).filter(|_| !changes_indexes(&run.command)) {
                    first.entry(name).or_insert(changes.len());
                }
                changes.push(run);
            }
        }
        let behind = (0..=changes.len()).map(|_| OnceCell::new()).collect();
        Self { before, changes, earlier, first, behind, known: RefCell::default() }
    }

    /// The state of a collection that a command looked at. A collection that no command names is changed with another one,
    /// as a twin is: it is looked at as it is afterwards.
    pub(super) fn of(&self, ran: &Ran, collection: &str) -> State {
        let earlier = self.earlier.get(&std::ptr::from_ref(ran)).copied().unwrap_or(self.changes.len());
        let indexes = || self.changes[..earlier].iter().all(|ran| changes_indexes(&ran.command));
        match self.first.get(collection) {
            _ if earlier == 0 => State::Before,
            Some(first) if *first >= earlier => State::Before,
            Some(_) if earlier < self.changes.len() => State::Behind(earlier),
            None if earlier < self.changes.len() && indexes() => State::Before,
            _ => State::After,
        }
    }

    /// The data behind so many changes.
    pub(super) fn behind(&self, changes: usize) -> &Database {
        let Some(cell) = self.behind.get(changes).filter(|_| changes > 0) else { return self.before };
        cell.get_or_init(|| {
            let start = self.known.borrow().range(..changes).next_back().copied().unwrap_or(0);
            let known = self.behind[start].get();
            let mut database = known.map_or_else(|| Box::new(self.before.clone()), Clone::clone);
            self.changes[start..changes].iter().for_each(|ran| replay(&mut database, ran));
            self.known.borrow_mut().insert(changes);
            database
        })
    }
}

/// Whether a command may have changed the data: one that was refused may have written before.
pub(super) fn changes_data(ran: &Ran) -> bool {
    let writes = match &ran.command {
        Command::Insert(_)
        | Command::Update(_)
        | Command::Delete(_)
        | Command::FindAndModify(_)
        | Command::BulkWrite(_) => true,
        Command::Aggregate(aggregate) => {
            aggregate.pipeline.last().is_some_and(|stage| stage.contains_key("$out") || stage.contains_key("$merge"))
        }
        Command::CreateIndexes(_)
        | Command::DropIndexes { .. }
        | Command::HideIndex { .. }
        | Command::CreateCollection { .. }
        | Command::DropCollection { .. }
        | Command::RenameCollection { .. }
        | Command::DropDatabase => return ran.result.is_ok(),
        _ => false,
    };
    writes && ran.result.as_ref().map_or(true, |run| !run.writes.documents.is_empty())
}

/// Whether a command changes indexes alone.
fn changes_indexes(command: &Command) -> bool {
    matches!(command, Command::CreateIndexes(_) | Command::DropIndexes { .. } | Command::HideIndex { .. })
}

/// The collections that a command changed.
fn changed(ran: &Ran) -> impl Iterator<Item = &str> {
    let written = ran.result.as_ref().ok().map(|run| run.writes.documents.as_slice()).unwrap_or_default();
    let renamed = match &ran.command {
        Command::RenameCollection { to, .. } => Some(to.as_str()),
        _ => None,
    };
    written.iter().map(|document| &*document.collection).chain(ran.command.collection()).chain(renamed)
}

/// Does again what a command did: what it wrote is written as it was, with its `_id`s and instants.
fn replay(database: &mut Database, ran: &Ran) {
    let written = ran.result.as_ref().ok().map(|run| run.writes.documents.as_slice()).unwrap_or_default();
    if written.is_empty() {
        // What was refused then is refused again.
        drop(database.run(&ran.command));
        return;
    }
    let alike = |one: &WrittenDocument, other: &WrittenDocument| {
        one.collection == other.collection && one.before.is_none() && other.before.is_none()
    };
    for documents in written.chunk_by(alike) {
        if let Some(command) = again(documents) {
            // The document was written then; it can be written now.
            drop(database.run(&command));
        }
    }
}

/// The command that writes documents as they were written: several inserts, or one other change.
fn again(written: &[WrittenDocument]) -> Option<Command> {
    let tree = |raw: &RawDocument| Document::try_from(raw).ok();
    let first = written.first()?;
    let collection = first.collection.to_string();
    let Some(before) = &first.before else {
        let documents = written.iter().filter_map(|document| tree(document.after.as_deref()?)).collect();
        return Some(Command::Insert(Insert { collection, documents, ordered: false }));
    };
    let filter = doc! {"_id": {"$eq": tree(before)?.get("_id").cloned().unwrap_or(Bson::Null)}};
    let collation = Some(doc! {"locale": "simple"});
    Some(match &first.after {
        None => Command::Delete(Delete { collection, filter, collation, ..Delete::default() }),
        Some(after) => {
            let spec = UpdateSpec {
                filter,
                modify: Modify::Replacement(tree(after)?),
                multi: false,
                upsert: false,
                array_filters: Vec::new(),
                collation,
                hint: None,
                variables: None,
            };
            Command::Update(Update { collection, spec })
        }
    })
}
