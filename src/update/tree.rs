//! The operators of one update as one tree, so that two of them on one path are noticed
//! (`src/mongo/db/update/update_object_node.cpp`, `update_array_node.cpp`).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::leaf::Leaf;
use super::path::{Name, Part, UpdatePath};
use crate::error::{CommandError, ErrorCode, Result};

/// A place in the document with what is done there or below.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// Below named fields, and below the element that `$` stands for.
    Fields(Fields),
    /// Below the elements that array filters meet; the empty identifier is `$[]`.
    Elements(BTreeMap<Box<str>, Node>),
    /// Here.
    Leaf(Box<Leaf>),
}

/// What is done below a document or array, by name in the order of application.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields {
    pub(super) named: BTreeMap<Name, Node>,
    pub(super) matched: Option<Box<Node>>,
}

fn conflict<T>(message: String) -> Result<T> {
    Err(CommandError::new(ErrorCode::ConflictingUpdateOperators, message))
}

impl Fields {
    /// Hangs a leaf at its path.
    pub(super) fn insert(&mut self, path: &UpdatePath, leaf: Leaf) -> Result<()> {
        let fresh = Node::chain(&path.parts[1..], leaf);
        match &path.parts[0] {
            Part::Name(name) => match self.named.entry(name.clone()) {
                Entry::Vacant(vacant) => {
                    vacant.insert(fresh);
                    Ok(())
                }
                Entry::Occupied(occupied) => occupied.into_mut().join(fresh, path, 1),
            },
            // The first part of a checked path is a name.
            _ => Ok(()),
        }
    }
}

impl Node {
    /// The nodes along some parts, down to the leaf.
    fn chain(parts: &[Part], leaf: Leaf) -> Self {
        let Some((first, rest)) = parts.split_first() else {
            return Self::Leaf(Box::new(leaf));
        };
        let below = Self::chain(rest, leaf);
        match first {
            Part::Name(name) => Self::Fields(Fields { named: BTreeMap::from([(name.clone(), below)]), matched: None }),
            Part::Matched => Self::Fields(Fields { named: BTreeMap::new(), matched: Some(Box::new(below)) }),
            Part::All => Self::Elements(BTreeMap::from([("".into(), below)])),
            Part::Filtered(identifier) => Self::Elements(BTreeMap::from([(identifier.clone(), below)])),
        }
    }

    /// Takes in a chain that shares the first `depth` parts of the path.
    fn join(&mut self, chain: Self, path: &UpdatePath, depth: usize) -> Result<()> {
        match (self, chain) {
            (Self::Fields(own), Self::Fields(theirs)) => {
                for (name, node) in theirs.named {
                    join_entry(own.named.entry(name), node, path, depth)?;
                }
                match (&mut own.matched, theirs.matched) {
                    (Some(own), Some(theirs)) => own.join(*theirs, path, depth + 1),
                    (none @ None, theirs) => {
                        *none = theirs;
                        Ok(())
                    }
                    (Some(_), None) => Ok(()),
                }
            }
            (Self::Elements(own), Self::Elements(theirs)) => {
                theirs.into_iter().try_for_each(|(name, node)| join_entry(own.entry(name), node, path, depth))
            }
            _ => {
                conflict(format!("Updating the path '{}' would create a conflict at '{}'", path.text, path.head(depth)))
            }
        }
    }

    /// Two trees for one place as one, as for an element that two array filters meet.
    pub(super) fn merged(&self, other: &Self, place: &str) -> Result<Self> {
        match (self, other) {
            (Self::Fields(left), Self::Fields(right)) => {
                let named = merged_maps(&left.named, &right.named, place, |name| name.0.to_string())?;
                let matched = match (&left.matched, &right.matched) {
                    (Some(left), Some(right)) => Some(Box::new(left.merged(right, &format!("{place}.$"))?)),
                    (one, other) => one.clone().or_else(|| other.clone()),
                };
                Ok(Self::Fields(Fields { named, matched }))
            }
            (Self::Elements(left), Self::Elements(right)) => {
                merged_maps(left, right, place, |name| format!("$[{name}]")).map(Self::Elements)
            }
            _ => conflict(format!("Update created a conflict at '{place}'")),
        }
    }
}

fn join_entry<K: Ord>(entry: Entry<'_, K, Node>, node: Node, path: &UpdatePath, depth: usize) -> Result<()> {
    match entry {
        Entry::Vacant(vacant) => {
            vacant.insert(node);
            Ok(())
        }
        Entry::Occupied(occupied) => occupied.into_mut().join(node, path, depth + 1),
    }
}

fn merged_maps<K: Ord + Clone>(
    left: &BTreeMap<K, Node>,
    right: &BTreeMap<K, Node>,
    place: &str,
    text: impl Fn(&K) -> String,
) -> Result<BTreeMap<K, Node>> {
    let mut merged = left.clone();
    for (name, node) in right {
        let both = match left.get(name) {
            Some(own) => own.merged(node, &format!("{place}.{}", text(name)))?,
            None => node.clone(),
        };
        merged.insert(name.clone(), both);
    }
    Ok(merged)
}
