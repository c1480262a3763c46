//! Wildcard indexes: which paths they cover and which keys a document has in one
//! (`src/mongo/db/index/wildcard_key_generator.cpp`, 7.0 with compound wildcard indexes).
//!
//! A key holds the path of a leaf and its value, between the values of the plain parts. Arrays do not show in the path;
//! their paths are remembered apart.

use std::collections::BTreeSet;

use crate::error::{CommandError, Result};
use crate::store::key::{KeyBuilder, KeyOrder, SortKey};
use crate::store::keygen::KeySet;
use crate::store::{Direction, KeyPart};
use crate::value::{ArrayView, Bson, DocView, Document, Path, View, is_true};

/// The paths a wildcard part covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WildcardPaths {
    listed: Vec<Path>,
    /// Whether the listed paths are the only ones covered, or the only ones left out.
    including: bool,
    /// Whether `_id` is covered; it is not unless asked for.
    id: bool,
}

/// What happens to a value at a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Whole,
    Part,
    Nothing,
}

impl WildcardPaths {
    /// The paths of `below.$**` (all of them for the empty path) with a `wildcardProjection` in dotted form.
    #[must_use]
    pub fn new(below: &Path, projection: Option<&Document>) -> Self {
        if !below.is_empty() {
            return Self { listed: vec![below.clone()], including: true, id: &*below.parts()[0] == "_id" };
        }
        let Some(projection) = projection else { return Self { listed: Vec::new(), including: false, id: false } };
        let named = |wanted: bool| {
            let fields =
                projection.iter().filter(move |(name, value)| *name != "_id" && is_true((*value).into()) == wanted);
            fields.map(|(name, _)| Path::new(name)).collect::<Vec<_>>()
        };
        let (included, excluded) = (named(true), named(false));
        let id = projection.get("_id").is_some_and(|value| is_true(value.into()));
        let including = !included.is_empty() || (id && excluded.is_empty());
        Self { listed: if including { included } else { excluded }, including, id }
    }

    /// Whether a value at the path is in the index, whatever lies below an excluded path in it
    /// (`applyProjectionToOneField`, `projection_executor_utils.cpp`).
    #[must_use]
    pub fn covers(&self, path: &Path) -> bool {
        match self.keep(path.parts()) {
            Keep::Whole => true,
            Keep::Part => !self.including,
            Keep::Nothing => false,
        }
    }

    fn keep(&self, path: &[Box<str>]) -> Keep {
        let about_id = |path: &[Box<str>]| path.first().is_some_and(|first| &**first == "_id");
        // A projection that names a part of `_id` says what becomes of all of it.
        if about_id(path) && !self.listed.iter().any(|listed| about_id(listed.parts())) {
            return if self.id { Keep::Whole } else { Keep::Nothing };
        }
        let inside = self.listed.iter().any(|listed| within(path, listed));
        let above = self.listed.iter().any(|listed| listed.parts().starts_with(path));
        match (inside, above, self.including) {
            (true, _, true) | (false, false, false) => Keep::Whole,
            (false, true, _) => Keep::Part,
            (true, _, false) | (false, false, true) => Keep::Nothing,
        }
    }
}

fn within(path: &[Box<str>], listed: &Path) -> bool {
    path.starts_with(listed.parts())
}

/// What the generator needs of a wildcard index.
pub(super) struct Generator<'i> {
    pub(super) parts: &'i [KeyPart],
    pub(super) covered: &'i WildcardPaths,
    pub(super) order: KeyOrder,
    pub(super) sort_key: Option<SortKey<'i>>,
}

struct Traversal<'g, 'i, 'a> {
    generator: &'g Generator<'i>,
    plain: Vec<Option<View<'a>>>,
    path: Vec<Box<str>>,
    keys: &'g mut KeySet,
}

impl Generator<'_> {
    /// Puts the document's keys into the set.
    ///
    /// # Errors
    /// 7246301 where a plain part meets an array.
    pub(super) fn generate(&self, document: DocView<'_>, keys: &mut KeySet) -> Result<()> {
        keys.clear(self.parts.len());
        let plain = self.parts.iter().map(|part| plain_value(document, part)).collect::<Result<Vec<_>>>()?;
        let any_plain = plain.iter().any(Option::is_some);
        let mut traversal = Traversal { generator: self, plain, path: Vec::new(), keys };
        traversal.fields(document, Keep::Part);
        // A document that only the plain parts know is found under the least path and value.
        if traversal.keys.is_empty() && any_plain {
            traversal.emit(View::MinKey, View::MinKey);
        }
        keys.settle();
        Ok(())
    }
}

impl<'a> Traversal<'_, '_, 'a> {
    /// All fields of a document; names with a dot cannot be asked for and are left out.
    fn fields(&mut self, document: DocView<'a>, keep: Keep) {
        for (name, value) in document.iter().filter(|(name, _)| !name.contains('.')) {
            self.path.push(name.into());
            let keep = if keep == Keep::Part { self.generator.covered.keep(&self.path) } else { keep };
            self.value(value, keep, false);
            self.path.pop();
        }
    }

    fn value(&mut self, value: View<'a>, keep: Keep, in_array: bool) {
        match keep {
            Keep::Nothing => {}
            Keep::Whole => self.whole(value, in_array),
            Keep::Part => {
                let including = self.generator.covered.including;
                if let Some(rest) = self.rest(value) {
                    self.owned(&rest, in_array);
                } else if !including && !matches!(value, View::Document(_) | View::Array(_)) {
                    self.found(value);
                }
            }
        }
    }

    fn whole(&mut self, value: View<'a>, in_array: bool) {
        match value {
            View::Array(_) if in_array => self.found(value),
            View::Array(array) => {
                self.remember();
                if array.is_empty() {
                    self.found(View::Undefined);
                }
                array.iter().for_each(|element| self.whole(element, true));
            }
            View::Document(document) if document.is_empty() => self.found(value),
            View::Document(document) => self.fields(document, Keep::Whole),
            _ => self.found(value),
        }
    }

    /// A projected value has its own life, so its keys are made by a traversal of its own.
    fn owned(&mut self, rest: &Bson, in_array: bool) {
        let path = std::mem::take(&mut self.path);
        let plain = self.plain.clone();
        let mut inner = Traversal { generator: self.generator, plain, path, keys: self.keys };
        inner.whole(View::from(rest), in_array);
        self.path = inner.path;
    }

    /// What the projection leaves of a document or array that it keeps in part.
    fn rest(&mut self, value: View<'_>) -> Option<Bson> {
        match value {
            View::Document(document) => {
                let mut kept = Document::new();
                for (name, inner) in document.iter() {
                    self.path.push(name.into());
                    let rest = match self.generator.covered.keep(&self.path) {
                        Keep::Whole => Some(inner.to_bson()),
                        Keep::Nothing => None,
                        Keep::Part => self.rest_or_scalar(inner),
                    };
                    self.path.pop();
                    kept.extend(rest.map(|rest| (name.to_owned(), rest)));
                }
                Some(Bson::Document(kept))
            }
            View::Array(array) => Some(Bson::Array(self.rest_of_array(array))),
            _ => None,
        }
    }

    fn rest_of_array(&mut self, array: ArrayView<'_>) -> Vec<Bson> {
        array.iter().filter_map(|element| self.rest_or_scalar(element)).collect()
    }

    /// A scalar above an included path is left out; above an excluded one it stays.
    fn rest_or_scalar(&mut self, value: View<'_>) -> Option<Bson> {
        let scalar = (!self.generator.covered.including).then(|| value.to_bson());
        self.rest(value).or(scalar)
    }

    fn remember(&mut self) {
        self.keys.array_paths.insert(self.path.join("."));
    }

    /// Adds a key for a value at the present path.
    fn found(&mut self, value: View<'_>) {
        let path = self.path.join(".");
        self.emit(View::String(&path), value);
    }

    fn emit(&mut self, path: View<'_>, value: View<'_>) {
        let mut builder = KeyBuilder::default();
        let mut position = 0;
        for (part, plain) in self.generator.parts.iter().zip(&self.plain) {
            if part.wildcard {
                builder.push(path, Direction::Ascending, None);
                builder.push(value, self.generator.order.direction(position + 1), self.generator.sort_key);
                position += 2;
            } else {
                let direction = self.generator.order.direction(position);
                builder.push(plain.unwrap_or(View::Null), direction, self.generator.sort_key);
                position += 1;
            }
        }
        self.keys.push(builder.key());
    }
}

/// The paths of arrays that were met, as a set.
pub(super) fn paths_of(texts: &BTreeSet<String>) -> impl Iterator<Item = Path> {
    texts.iter().map(|text| Path::new(text))
}

fn plain_value<'a>(document: DocView<'a>, part: &KeyPart) -> Result<Option<View<'a>>> {
    if part.wildcard {
        return Ok(None);
    }
    let mut value = View::Document(document);
    for name in part.path.parts() {
        let View::Document(container) = value else { return Ok(None) };
        let Some(inner) = container.get(name) else { return Ok(None) };
        if matches!(inner, View::Array(_)) {
            let message = format!("cannot index an array at the plain part '{}' of a wildcard index", part.path);
            return Err(CommandError::new(7_246_301, message));
        }
        value = inner;
    }
    Ok(Some(value))
}
