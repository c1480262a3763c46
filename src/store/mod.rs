//! Databases, collections, indexes and what they know about their data.
//!
//! A [`Catalog`] holds [`Collection`]s by name, a collection its documents as bytes by [`RecordId`] and its [`Index`]es.
//! All three are persistent: a clone shares everything, which is what undo and fork use. An index is an ordered set of
//! keys (bytes whose order is MongoDB's order of values) with record ids; a [`Cursor`] walks it either way.

mod catalog;
mod collection;
mod cursor;
mod holders;
mod index;
mod index_info;
mod key;
mod keygen;
mod number;
mod page;
mod profile;
mod records;
mod rules;
mod runs;
mod spec;
mod tree;
mod wildcard;

pub use catalog::Catalog;
pub use collection::{Collection, KeyCounts, MAX_INDEXES, RecordId};
pub use cursor::{Cursor, EntryPlace};
pub use holders::Holders;
pub use index::Index;
pub use index_info::{Direction, IndexInfo, KeyPart};
pub use key::{Entry, KeyBuilder, KeyOrder, KeyRef, SortKey};
pub use keygen::{KeySet, MultikeyPaths};
pub use profile::{ArrayFacts, AttributeFacts, AttributeRole, KeyFacts, PathFacts, Profile, SubField, usual_role};
pub use spec::{IndexSpec, Likeness, default_name};
pub use wildcard::WildcardPaths;
