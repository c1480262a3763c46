//! The values of a path in documents, each once: the answer of `distinct`.

use std::cmp::Ordering;

use crate::query::Collation;
use crate::value::{Bson, DocView, Path, View};

/// The values of a path, in the order they are met, each once; arrays give their elements.
#[derive(Debug)]
pub(super) struct DistinctValues<'a> {
    path: Path,
    collation: &'a Collation,
    /// Positions in `values`, in the order of the values.
    sorted: Vec<usize>,
    pub values: Vec<Bson>,
}

impl<'a> DistinctValues<'a> {
    pub fn new(path: &str, collation: &'a Collation) -> Self {
        Self { path: Path::new(path), collation, sorted: Vec::new(), values: Vec::new() }
    }

    /// Takes a document's values.
    pub fn add<'d>(&mut self, document: impl Into<DocView<'d>>) {
        let path = self.path.clone();
        self.walk(View::Document(document.into()), path.parts());
    }

    fn walk(&mut self, value: View<'_>, path: &[Box<str>]) {
        match (path.split_first(), value) {
            (None, View::Array(items)) => items.iter().for_each(|item| self.keep(item)),
            (None, value) => self.keep(value),
            (Some((first, rest)), View::Document(document)) => {
                if let Some(inner) = document.get(first) {
                    self.walk(inner, rest);
                }
            }
            (Some((first, rest)), View::Array(items)) => {
                if let Some(item) = first.parse().ok().and_then(|at| items.get(at)) {
                    self.walk(item, rest);
                }
                for item in items.iter().filter(|item| matches!(item, View::Document(_))) {
                    self.walk(item, path);
                }
            }
            _ => {}
        }
    }

    fn keep(&mut self, value: View<'_>) {
        let compare = |at: &usize| self.collation.compare(View::from(&self.values[*at]), value);
        let place = self.sorted.binary_search_by(|at| -> Ordering { compare(at) });
        if let Err(place) = place {
            self.sorted.insert(place, self.values.len());
            self.values.push(value.to_bson());
        }
    }
}
