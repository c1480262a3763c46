//! An index described without its entries: all that the planner may know.

use std::sync::Arc;

use bson::Document;

use crate::value::Path;

/// Which way a key part, or a scan, runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the least value up.
    Ascending,
    /// From the greatest value down.
    Descending,
}

/// One part of an index key pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPart {
    /// The indexed path; for a wildcard part the path before `$**`.
    pub path: Path,
    /// The part's direction.
    pub direction: Direction,
    /// How many leading path parts of this part cross an array in some document: the positions of `multiKeyPaths`.
    /// An entry `n` says that the prefix of `n + 1` parts holds an array.
    pub multikey_at: Vec<usize>,
    /// Whether this is the `$**` part.
    pub wildcard: bool,
}

impl KeyPart {
    /// The prefixes of the path that hold an array in some document, as `multiKeyPaths` lists them.
    #[must_use]
    pub fn multikey_prefixes(&self) -> Vec<String> {
        let parts = self.path.parts();
        self.multikey_at.iter().filter(|at| **at < parts.len()).map(|at| parts[..=*at].join(".")).collect()
    }
}

/// An index described: key pattern, options, multikey state and size.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexInfo {
    /// The name, such as `specs.k_1_specs.v_1`.
    pub name: String,
    /// The key pattern as given.
    pub key_pattern: Document,
    /// The key pattern, part by part.
    pub parts: Arc<[KeyPart]>,
    /// Whether some document gives more than one entry.
    pub multikey: bool,
    /// `unique`.
    pub unique: bool,
    /// `sparse`.
    pub sparse: bool,
    /// `hidden`.
    pub hidden: bool,
    /// `partialFilterExpression`.
    pub partial_filter: Option<Document>,
    /// `collation`, completed with its defaults.
    pub collation: Option<Document>,
    /// `wildcardProjection`.
    pub wildcard_projection: Option<Document>,
    /// Number of entries.
    pub entries: u64,
    /// Number of different keys.
    pub distinct_keys: u64,
    /// Bytes of the entries as stored: keys and record ids.
    pub bytes: u64,
}
