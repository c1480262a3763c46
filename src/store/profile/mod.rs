//! What a collection's data looks like: presence and types per path, arrays, attribute arrays with their keys.
//!
//! Writes pay nothing for it: a profile remembers the records it has counted, which are shared with the collection, and
//! [`Profile::catch_up`] counts only what differs from them.

mod arrays;
mod attributes;
mod paths;

pub use arrays::{ArrayFacts, SubField};
pub use attributes::{AttributeFacts, AttributeRole, KeyFacts, usual_role};
pub use paths::PathFacts;

use std::collections::BTreeMap;

use crate::store::Collection;
use crate::store::records::Records;
use crate::value::{DocView, SharedDocument};

/// Counted facts about the documents of one collection.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    counted: Records,
    paths: BTreeMap<String, PathFacts>,
    arrays: BTreeMap<String, ArrayFacts>,
    attributes: Vec<AttributeFacts>,
}

/// A number of times counted, or taken back.
pub(super) type Sign = i64;

/// Adds to a count, or takes back from it.
pub(super) fn count(number: &mut u64, sign: Sign) {
    *number = number.saturating_add_signed(sign);
}

/// Adds to a count in a map; a count that falls to zero leaves it.
pub(super) fn count_in<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, sign: Sign) {
    let number = counts.entry(key);
    match number {
        std::collections::btree_map::Entry::Vacant(place) if sign > 0 => {
            place.insert(sign.unsigned_abs());
        }
        std::collections::btree_map::Entry::Vacant(_) => {}
        std::collections::btree_map::Entry::Occupied(mut place) => {
            count(place.get_mut(), sign);
            if *place.get() == 0 {
                place.remove();
            }
        }
    }
}

impl Profile {
    /// The facts about a collection as it is now.
    #[must_use]
    pub fn of(collection: &Collection) -> Self {
        let mut profile = Self::default();
        profile.catch_up(collection);
        profile
    }

    /// Brings the facts up to date with a collection; costs as much as has changed since the last time.
    pub fn catch_up(&mut self, collection: &Collection) {
        let now = collection.records().clone();
        if self.counted.same(&now) {
            return;
        }
        let before = std::mem::replace(&mut self.counted, now);
        let after = self.counted.clone();
        let changes: Vec<(&SharedDocument, Sign)> = before.changes(&after).flat_map(signed).collect();
        for (record, sign) in &changes {
            let document = DocView::from(*record);
            paths::tally(document, &mut self.paths, *sign);
            arrays::tally(document, &mut self.arrays, *sign);
        }
        self.recount_attributes(&changes);
    }

    /// Attribute arrays whose fields are still told apart the same way take the changes; others are counted anew.
    fn recount_attributes(&mut self, changes: &[(&SharedDocument, Sign)]) {
        let mut known = std::mem::take(&mut self.attributes);
        for found in attributes::detect(&self.arrays) {
            let place = known.iter().position(|facts| facts.is_like(&found));
            if let Some(mut facts) = place.map(|place| known.swap_remove(place)) {
                for (record, sign) in changes {
                    facts.tally((*record).into(), *sign);
                }
                self.attributes.push(facts);
                continue;
            }
            let mut facts = found;
            self.counted.iter().for_each(|(_, record)| facts.tally(record.into(), 1));
            self.attributes.push(facts);
        }
    }

    /// How many documents there are.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.counted.len() as u64
    }

    /// Facts per dotted path, array positions left out.
    #[must_use]
    pub fn paths(&self) -> &BTreeMap<String, PathFacts> {
        &self.paths
    }

    /// The facts about a path.
    #[must_use]
    pub fn path(&self, path: &str) -> Option<&PathFacts> {
        self.paths.get(path)
    }

    /// The field names of the sub-documents at a path, or of the documents themselves for the empty path, with the number
    /// of documents each occurs in.
    pub fn field_names<'p>(&'p self, path: &str) -> impl Iterator<Item = (&'p str, u64)> {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}.") };
        let from = self.paths.range(prefix.clone()..);
        let length = prefix.len();
        from.take_while(move |(name, _)| name.starts_with(&prefix)).filter_map(move |(name, facts)| {
            let rest = &name[length..];
            (!rest.is_empty() && !rest.contains('.')).then_some((rest, facts.documents))
        })
    }

    /// Facts per path that holds an array in some document.
    #[must_use]
    pub fn arrays(&self) -> &BTreeMap<String, ArrayFacts> {
        &self.arrays
    }

    /// The attribute arrays: arrays of key-value documents.
    #[must_use]
    pub fn attributes(&self) -> &[AttributeFacts] {
        &self.attributes
    }

    /// The attribute array at a path.
    #[must_use]
    pub fn attribute_array(&self, path: &str) -> Option<&AttributeFacts> {
        self.attributes.iter().find(|facts| facts.path == path)
    }
}

/// What was there before is taken back, what is there now is counted.
fn signed<'a>(
    (before, after): (Option<&'a SharedDocument>, Option<&'a SharedDocument>),
) -> impl Iterator<Item = (&'a SharedDocument, Sign)> {
    before.map(|record| (record, -1)).into_iter().chain(after.map(|record| (record, 1)))
}
