//! An index as the planner sees it for one query: a wildcard index stands for the path that is asked for.

use std::sync::Arc;

use crate::query::{Collation, Filter};
use crate::store::{Direction, IndexInfo, KeyPart};
use crate::value::Path;

/// One index, or one expansion of a wildcard index (`IndexEntry`).
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub info: Arc<IndexInfo>,
    /// The key pattern as predicates see it.
    pub parts: Arc<[KeyPart]>,
    /// Whether some document gives several keys; of an expansion: whether its path holds an array.
    pub multikey: bool,
    /// The `partialFilterExpression`.
    pub partial: Option<Filter>,
    /// How the index compares text.
    pub collation: Collation,
    /// The wildcard part's position.
    pub wildcard: Option<usize>,
    /// Set where bounds on the wildcard part were turned into bounds on path and value.
    pub finished: bool,
}

/// The name of the part that holds the path in a wildcard index's keys.
pub(super) const PATH_PART: &str = "$_path";

impl Entry {
    /// Whether only documents that have the field are in it.
    pub fn is_sparse(&self) -> bool {
        self.info.sparse || self.wildcard.is_some()
    }

    /// Whether some prefix of the part's path holds an array.
    pub fn part_is_multikey(&self, path: &Path) -> bool {
        self.parts.iter().any(|part| &part.path == path && !part.multikey_at.is_empty())
    }

    /// The position of the part over a path.
    pub fn position_of(&self, path: &Path) -> Option<usize> {
        self.parts.iter().position(|part| &part.path == path)
    }

    /// Whether the index compares text by a collation.
    pub fn has_collation(&self) -> bool {
        !self.collation.is_simple()
    }
}

/// 1 or -1.
pub(super) fn sign(direction: Direction) -> i32 {
    match direction {
        Direction::Ascending => 1,
        Direction::Descending => -1,
    }
}
