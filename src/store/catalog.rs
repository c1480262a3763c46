//! A database's collections by name; a clone shares everything and is the cheap snapshot of undo and fork.

use std::sync::Arc;

use bson::Document;
use imbl::OrdMap;

use crate::store::Collection;

/// The collections of one database.
#[derive(Debug, Clone)]
pub struct Catalog {
    database: String,
    collections: OrdMap<String, Arc<Collection>>,
}

impl Catalog {
    /// An empty database of this name.
    #[must_use]
    pub fn new(database: &str) -> Self {
        Self { database: database.into(), collections: OrdMap::new() }
    }

    /// The database's name.
    #[must_use]
    pub fn database(&self) -> &str {
        &self.database
    }

    /// `database.collection`.
    #[must_use]
    pub fn namespace(&self, collection: &str) -> String {
        format!("{}.{collection}", self.database)
    }

    /// The collection of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Collection> {
        self.collections.get(name).map(|collection| &**collection)
    }

    /// The collection of a name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Collection> {
        self.collections.get_mut(name).map(Arc::make_mut)
    }

    /// The collection of a name, made if missing.
    ///
    /// # Panics
    /// Never: a missing collection is made first.
    pub fn get_or_create(&mut self, name: &str) -> &mut Collection {
        if !self.collections.contains_key(name) {
            self.put(name, Collection::new(&self.namespace(name), Document::new()));
        }
        self.get_mut(name).expect("the collection was made above")
    }

    /// Puts a collection under a name, in the place of one that is there.
    pub fn put(&mut self, name: &str, collection: Collection) {
        self.collections.insert(name.into(), Arc::new(collection));
    }

    /// Takes the collection of a name out.
    pub fn remove(&mut self, name: &str) -> Option<Arc<Collection>> {
        self.collections.remove(name)
    }

    /// Names and collections in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Collection)> {
        self.collections.iter().map(|(name, collection)| (name.as_str(), &**collection))
    }
}
