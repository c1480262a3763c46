//! A small set of documents on which two statements differ: looked for in a pool and in what can be made of it, then
//! shrunk until nothing can be taken away.

use std::cell::Cell;

use super::address::{Key, addresses, at, path, without};
use super::mutate::{Hint, mutated, values};
use crate::value::{Bson, Document, Path, Source};

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// How often the two statements may be run to take away what is not needed.
    pub runs: u32,
    /// How many sets of changed documents are tried.
    pub sets: usize,
}

/// A set of documents, found and shrunk.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The documents.
    pub documents: Vec<Document>,
    /// Whether they were made, the pool itself showing no difference.
    pub made: bool,
    /// How many sets of made documents were tried.
    pub tried: usize,
}

/// Looks for documents on which two statements differ: first the pool as it is, then changes of it that move, cross and
/// exchange what it holds and what the statements name. Of the pool's own documents whole ones are taken away, of made
/// ones every part that is not needed.
pub fn search(
    pool: &[Document],
    hints: &[Hint],
    effort: Effort,
    source: &mut Source,
    differs: &dyn Fn(&[Document]) -> bool,
) -> Option<Found> {
    let search = Search { differs, left: Cell::new(effort.runs) };
    if differs(pool) {
        let mut documents = pool.to_vec();
        search.fewer(&mut documents);
        return Some(Found { documents, made: false, tried: 0 });
    }
    let sets = (1..=effort.sets).map(|tried| (tried, mutated(pool, hints, tried - 1, source)));
    let (tried, mut documents) = sets.into_iter().find(|(_, set)| differs(set))?;
    search.shrink(&mut documents);
    search.plainer(&mut documents, pool, hints);
    search.named(&mut documents, pool);
    Some(Found { documents, made: true, tried })
}

/// Takes away every part of the documents that the difference does not need, as far as the runs reach.
pub fn shrink(documents: &mut Vec<Document>, runs: u32, differs: &dyn Fn(&[Document]) -> bool) {
    Search { differs, left: Cell::new(runs) }.shrink(documents);
}

struct Search<'a> {
    differs: &'a dyn Fn(&[Document]) -> bool,
    left: Cell<u32>,
}

/// So many known values are tried in a leaf's place.
const KNOWN: usize = 4;

fn is_leaf(value: &Bson) -> bool {
    !matches!(value, Bson::Document(_) | Bson::Array(_))
}

/// The values that stand at a path in the pool, and those that statements name there.
fn known(path: &Path, pool: &[Document], hints: &[Hint]) -> Vec<Bson> {
    let named = hints.iter().filter(|hint| hint.path == *path).map(|hint| &hint.value);
    let held = pool.iter().flat_map(|document| values(document, path));
    let mut known: Vec<Bson> = Vec::new();
    for value in named.chain(held).filter(|value| is_leaf(value)) {
        if !known.contains(value) {
            known.push(value.clone());
        }
    }
    known
}

/// How many parts the documents have: what is taken away is told by it, and by nothing that NaN could be.
fn parts(set: &[Document]) -> usize {
    set.iter().map(|document| 1 + addresses(document).len()).sum()
}

impl Search<'_> {
    /// Whether the statements differ, as long as another run is allowed.
    fn differs(&self, documents: &[Document]) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else { return false };
        self.left.set(left);
        (self.differs)(documents)
    }

    /// Takes away documents, then parts of documents, until nothing can go.
    fn shrink(&self, set: &mut Vec<Document>) {
        loop {
            let before = parts(set);
            self.fewer(set);
            for at in 0..set.len() {
                self.smaller(set, at);
            }
            if parts(set) == before {
                break;
            }
        }
    }

    /// Gives every leaf a value that a statement names or the pool has at its place, where that does as well: people know
    /// it again.
    fn plainer(&self, set: &mut Vec<Document>, pool: &[Document], hints: &[Hint]) {
        for at in 0..set.len() {
            for address in addresses(&set[at]) {
                let Some(now) = self::at(&mut set[at], &address).cloned() else { continue };
                let known = known(&path(&address), pool, hints);
                let single = match &now {
                    Bson::Array(items) if items.len() == 1 => items.first().filter(|item| is_leaf(item)).cloned(),
                    _ => None,
                };
                if !is_leaf(&now) && single.is_none() || known.contains(&now) {
                    continue;
                }
                let others = single.into_iter().chain(known);
                others.take(KNOWN).any(|other| self.with(set, at, &address, other));
            }
        }
    }

    /// Gives made documents an `_id` that says so, where the statements do not ask for it.
    fn named(&self, set: &mut Vec<Document>, pool: &[Document]) {
        for at in 0..set.len() {
            let own = set[at].get("_id");
            if pool.iter().all(|document| document.get("_id") != own) {
                let name = if at == 0 { "made".to_owned() } else { format!("made {}", at + 1) };
                self.with(set, at, &[Key::Field("_id".into())], name.into());
            }
        }
    }

    /// Puts another value in one place, if the difference stays.
    fn with(&self, set: &mut Vec<Document>, at: usize, address: &[Key], value: Bson) -> bool {
        let mut other = set.clone();
        if let Some(place) = self::at(&mut other[at], address) {
            *place = value;
        }
        let stays = self.differs(&other);
        if stays {
            *set = other;
        }
        stays
    }

    /// Takes away documents, half of them first.
    fn fewer(&self, set: &mut Vec<Document>) {
        let mut size = (set.len() / 2).max(1);
        while size > 0 {
            let mut at = 0;
            while at < set.len() {
                let mut less = set.clone();
                less.drain(at..(at + size).min(less.len()));
                if self.differs(&less) { *set = less } else { at += size }
            }
            size /= 2;
        }
    }

    /// Takes parts of one document away, outer ones first, until none can be missed.
    fn smaller(&self, set: &mut Vec<Document>, at: usize) {
        let mut step = 0;
        while let Some(address) = addresses(&set[at]).get(step) {
            let mut less = set.clone();
            less[at] = without(&set[at], address);
            if self.differs(&less) {
                *set = less;
                // What was needed for the part taken away may be taken now.
                step = 0;
            } else {
                step += 1;
            }
        }
    }
}
