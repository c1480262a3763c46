//! The values of a path in documents, each once: the answer of `distinct`.

use std::cmp::Ordering;

use crate::error::{Result, refuse};
use crate::query::Collation;
use crate::value::{Bson, DocView, MAX_DOCUMENT_BYTES, Path, View, array_index, value_bytes};

/// The bytes that the values may take in the reply (`kMaxResponseSize`, `src/mongo/db/commands/distinct.cpp`).
const MAX_REPLY_BYTES: usize = MAX_DOCUMENT_BYTES - 4096;

/// The values of a path, in the order they are met, each once; arrays give their elements.
#[derive(Debug)]
pub(super) struct DistinctValues<'a> {
    path: Path,
    collected: Collected<'a>,
}

/// The values kept so far.
#[derive(Debug)]
struct Collected<'a> {
    collation: &'a Collation,
    /// Positions in `values`, in the order of the values.
    sorted: Vec<usize>,
    values: Vec<Bson>,
    /// The bytes of the values as elements, each with type and name.
    bytes: usize,
    /// The bytes of an element beside its value.
    frame: usize,
}

impl<'a> DistinctValues<'a> {
    pub fn new(path: &str, collation: &'a Collation) -> Self {
        // No name is a name too: a key that is empty leads to the fields that are called so.
        let path = if path.is_empty() { Path::from_parts(vec!["".into()]) } else { Path::new(path) };
        let frame = path.parts().last().map_or(0, |name| name.len()) + 2;
        let collected = Collected { collation, sorted: Vec::new(), values: Vec::new(), bytes: 0, frame };
        Self { path, collected }
    }

    /// Takes a document's values.
    ///
    /// # Errors
    /// 17217 where they do not fit into one reply any more.
    pub fn add<'d>(&mut self, document: impl Into<DocView<'d>>) -> Result<()> {
        let Self { path, collected } = self;
        walk(View::Document(document.into()), path.parts(), &mut |value| collected.keep(value));
        if collected.bytes < MAX_REPLY_BYTES {
            return Ok(());
        }
        refuse(17217, "Executor error during distinct command :: caused by :: distinct too big, 16mb cap")
    }

    /// The values, in the order they were met.
    pub fn into_values(self) -> Vec<Bson> {
        self.collected.values
    }
}

/// Gives the values at a path; an array on the way gives those of its elements, and of the one at a position.
fn walk(value: View<'_>, path: &[Box<str>], keep: &mut impl FnMut(View<'_>)) {
    match (path.split_first(), value) {
        (None, View::Array(items)) => items.iter().for_each(keep),
        (None, value) => keep(value),
        (Some((first, rest)), View::Document(document)) => {
            if let Some(inner) = document.get(first) {
                walk(inner, rest, keep);
            }
        }
        (Some((first, rest)), View::Array(items)) => {
            if let Some(item) = array_index(first).and_then(|at| items.get(at)) {
                walk(item, rest, keep);
            }
            for item in items.iter().filter(|item| matches!(item, View::Document(_))) {
                walk(item, path, keep);
            }
        }
        _ => {}
    }
}

impl Collected<'_> {
    fn keep(&mut self, value: View<'_>) {
        let compare = |at: &usize| self.collation.compare(View::from(&self.values[*at]), value);
        let place = self.sorted.binary_search_by(|at| -> Ordering { compare(at) });
        if let Err(place) = place {
            self.sorted.insert(place, self.values.len());
            self.values.push(value.to_bson());
            self.bytes += self.frame + value_bytes(value);
        }
    }
}
