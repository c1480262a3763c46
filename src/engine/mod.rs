//! The waist: a [`Command`] goes in, a [`Run`] comes out. Syntax is gone, data untouched.

mod admin;
mod aggregate;
mod arguments;
mod bulk;
mod change;
mod command;
mod context;
mod count_documents;
mod database;
mod defaults;
mod foreign;
mod merge;
mod modify;
mod namespace;
mod read;
mod reply;
mod sent;
mod stats;
mod target;
mod values;
mod write;

pub use command::{
    Aggregate, BulkOperation, BulkWrite, Collation, Command, Count, CreateIndexes, Delete, Distinct, Find,
    FindAndModify, IndexRequest, Insert, Modify, PlanCacheClear, Update, UpdateSpec,
};
pub use database::Database;
pub use read::Reader;
pub use reply::{Reply, Run, UpdateReply, WriteFailure, Writes, WrittenDocument};

use crate::error::CommandError;
use crate::store::Profile;
use crate::value::Source;
use crate::words::Lang;

/// Whatever answers commands: a database, or a bench that asks several designs at once.
pub trait Host {
    /// Runs one command. A refused command has changed nothing, but for what the server keeps as well: what an update of
    /// many documents or a `$merge` had written before the document that failed, and what a `findAndModify` did whose
    /// projection then fails. A command that the [`Allowance`](crate::value::Allowance) stops keeps what it had done;
    /// bulks and inserts of several tell of their failures in the reply.
    ///
    /// # Errors
    /// MongoDB's own refusals.
    fn run(&mut self, command: &Command) -> Result<Run, CommandError>;

    /// Clock and chance of this sandbox.
    fn source(&mut self) -> &mut Source;

    /// Goes to the database of a name; one that holds nothing yet is empty. A host of one database stays where it is.
    fn use_database(&mut self, _name: &str) {}

    /// Whether some document of a collection has a path; a host that keeps no data does not deny it.
    fn holds(&self, _collection: &str, _path: &str) -> bool {
        true
    }

    /// Brings the facts of a collection up to date and says whether there is one; a host that keeps no data knows none.
    fn learn(&self, _collection: &str, _facts: &mut Profile) -> bool {
        false
    }

    /// What became of other collections by the latest command, where this host lets them follow; MongoDB lets none.
    fn followers(&self, _lang: Lang) -> Option<String> {
        None
    }

    /// The names of the databases that hold something, sorted; empty for a host of one database.
    fn database_names(&self) -> Vec<String> {
        Vec::new()
    }
}
