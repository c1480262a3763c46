//! Presence and types per path.

use std::collections::{BTreeMap, BTreeSet};

use super::{Sign, count, count_in};
use crate::value::{ArrayView, DocView, View, type_alias};

/// What is at one path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathFacts {
    /// Documents that have the path.
    pub documents: u64,
    /// Values there by `$type` alias; in an array each element counts, and the array itself.
    pub types: BTreeMap<&'static str, u64>,
}

/// Counts one document.
pub(super) fn tally(document: DocView<'_>, facts: &mut BTreeMap<String, PathFacts>, sign: Sign) {
    let mut walk = Walk { facts, path: String::new(), seen: BTreeSet::new(), sign };
    walk.document(document);
    let seen = std::mem::take(&mut walk.seen);
    for path in seen {
        let Some(facts) = facts.get_mut(&path) else { continue };
        count(&mut facts.documents, sign);
    }
    if sign < 0 {
        facts.retain(|_, facts| facts.documents > 0);
    }
}

struct Walk<'f> {
    facts: &'f mut BTreeMap<String, PathFacts>,
    path: String,
    seen: BTreeSet<String>,
    sign: Sign,
}

impl Walk<'_> {
    fn document(&mut self, document: DocView<'_>) {
        for (name, value) in document.iter() {
            let length = self.path.len();
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(name);
            self.value(value);
            self.path.truncate(length);
        }
    }

    fn value(&mut self, value: View<'_>) {
        self.mark(value);
        match value {
            View::Document(document) => self.document(document),
            View::Array(array) => self.array(array),
            _ => {}
        }
    }

    fn array(&mut self, array: ArrayView<'_>) {
        for element in array.iter() {
            self.mark(element);
            if let View::Document(document) = element {
                self.document(document);
            }
        }
    }

    fn mark(&mut self, value: View<'_>) {
        if !self.facts.contains_key(&self.path) {
            self.facts.insert(self.path.clone(), PathFacts::default());
        }
        if !self.seen.contains(&self.path) {
            self.seen.insert(self.path.clone());
        }
        if let Some(facts) = self.facts.get_mut(&self.path) {
            count_in(&mut facts.types, type_alias(value), self.sign);
        }
    }
}
