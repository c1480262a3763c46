//! Where a join puts what it found: an array at a path, or a row for each where it does the work of a `$unwind` as well.

use crate::value::{ArrayBuilder, Bson, DocView, Path, RawDocumentBuf, View};

use super::row::{Row, with_path};
use super::unwind::Unwind;

/// The path that a join writes, and the `$unwind` of it whose work the join does.
#[derive(Debug, Clone)]
pub struct Landing {
    pub path: Path,
    pub unwind: Option<Unwind>,
}

impl Landing {
    /// An array at this path.
    #[must_use]
    pub fn new(path: Path) -> Self {
        Self { path, unwind: None }
    }

    /// The paths that are written.
    #[must_use]
    pub fn writes(&self) -> Vec<&Path> {
        let index = self.unwind.iter().filter_map(|unwind| unwind.index.as_ref());
        std::iter::once(&self.path).chain(index).collect()
    }

    /// Whether the work of a `$unwind` is done as well.
    #[must_use]
    pub fn unwinds(&self) -> bool {
        self.unwind.is_some()
    }

    /// The landing that does the work of this `$unwind` as well; none unless that is of what is written.
    #[must_use]
    pub fn with_unwind(&self, unwind: &Unwind) -> Option<Self> {
        let fits = self.unwind.is_none() && unwind.path == self.path;
        fits.then(|| Self { path: self.path.clone(), unwind: Some(unwind.clone()) })
    }

    /// What explain shows of the `$unwind`.
    pub fn shown(&self) -> impl Iterator<Item = (String, Bson)> {
        self.unwind.iter().map(|unwind| ("unwinding".to_owned(), unwind.absorbed().into()))
    }

    /// The document with what was found as an array, or a row for each.
    #[must_use]
    pub fn rows<'s>(&self, document: DocView<'_>, found: &[RawDocumentBuf]) -> Vec<Row<'s>> {
        if let Some(unwind) = &self.unwind {
            return unwind.spread(document, found);
        }
        let array = found.iter().map(|document| View::Document(document.into())).collect::<ArrayBuilder>().finish();
        vec![with_path(document, self.path.parts(), Some(array.view())).into()]
    }
}
