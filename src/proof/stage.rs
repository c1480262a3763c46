//! A database whose one collection holds whatever documents are to be tried, its indexes and options kept.

use crate::engine::{Command, CreateIndexes, Database, Host, IndexRequest, Insert, Reply};
use crate::error::Result;
use crate::value::Document;

/// A fork with one collection emptied, to be filled again and again.
#[derive(Debug, Clone)]
pub struct Stage {
    emptied: Database,
    collection: String,
}

impl Stage {
    /// A fork of the database with this collection emptied; none where that is refused.
    #[must_use]
    pub fn new(database: &Database, collection: &str) -> Option<Self> {
        let mut emptied = stopped(database);
        renew(&mut emptied, collection).ok()?;
        Some(Self { emptied, collection: collection.into() })
    }

    /// The name of the collection.
    #[must_use]
    pub fn collection(&self) -> &str {
        &self.collection
    }

    /// The database with these documents in the collection; none where one of them is refused.
    #[must_use]
    pub fn with(&self, documents: &[Document]) -> Option<Database> {
        self.filled(documents, true)
    }

    /// The database with those of the documents in the collection that are not refused, by a unique index or a validator.
    #[must_use]
    pub fn with_accepted(&self, documents: &[Document]) -> Option<Database> {
        self.filled(documents, false)
    }

    fn filled(&self, documents: &[Document], all: bool) -> Option<Database> {
        let mut host = self.emptied.clone();
        if documents.is_empty() {
            return Some(host);
        }
        let insert = Insert { collection: self.collection.clone(), documents: documents.to_vec(), ordered: all };
        match host.run(&Command::Insert(insert)).ok()?.reply {
            Reply::Inserted { failures, .. } if failures.is_empty() || !all => Some(host),
            _ => None,
        }
    }
}

/// A fork whose clock stands still, so that what two statements make of time and ids differs only where they differ.
#[must_use]
pub fn stopped(database: &Database) -> Database {
    let mut fork = database.clone();
    let source = fork.source().clone();
    let now = source.now();
    *fork.source() = source.with_clock(now);
    fork
}

/// Makes a collection anew with its options and indexes, which costs nothing however much it held.
fn renew(database: &mut Database, collection: &str) -> Result<()> {
    let options = database.collection(collection).map(|held| held.options().clone()).unwrap_or_default();
    let listed = database.run(&Command::ListIndexes { collection: collection.into() });
    let indexes: Vec<IndexRequest> = match listed.map(|run| run.reply) {
        Ok(Reply::Documents(list)) => {
            list.iter().filter_map(|raw| request(&Document::try_from(raw.as_ref()).ok()?)).collect()
        }
        _ => Vec::new(),
    };
    database.run(&Command::DropCollection { collection: collection.into() })?;
    database.run(&Command::CreateCollection { collection: collection.into(), options })?;
    if !indexes.is_empty() {
        database.run(&Command::CreateIndexes(CreateIndexes { collection: collection.into(), indexes }))?;
    }
    Ok(())
}

/// The request that makes an index as it is listed; none for the one on `_id`, which is always there.
fn request(listed: &Document) -> Option<IndexRequest> {
    let keys = listed.get_document("key").ok()?.clone();
    let options = listed.iter().filter(|(name, _)| !["key", "v", "ns"].contains(&name.as_str()));
    let is_own = listed.get_str("name").is_ok_and(|name| name == "_id_");
    (!is_own)
        .then(|| IndexRequest { keys, options: options.map(|(name, value)| (name.clone(), value.clone())).collect() })
}
