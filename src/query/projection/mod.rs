//! Projections of `find` and findAndModify (`src/mongo/db/query/projection_parser.cpp`,
//! `src/mongo/db/exec/projection_executor*`).
//!
//! A projection includes or excludes; within that it may slice, pick an array element, or compute. Included fields keep
//! the document's order, computed ones and those of `$elemMatch` follow in the order of the projection.

mod apply;
mod parse;
mod slice;
mod tree;

use std::cell::Cell;

pub use slice::Slice;
use tree::{Branch, Node};

use crate::error::Result;
use crate::query::expr::{Context, MetaField, Metadata, Reads, Root};
use crate::value::{DocView, Document, Path, RawDocumentBuf};

/// A projection, parsed.
#[derive(Debug, Clone)]
pub struct Projection {
    spec: Document,
    exclusion: bool,
    root: Branch,
}

impl Projection {
    /// Reads a projection; error places are counted from it. Expressions may name the context's variables, `$elemMatch`
    /// compares text by its collation.
    ///
    /// # Errors
    /// MongoDB's refusals: 31249 and 31250 for path collisions, 31253 and 31254 for a mix, 16410 for names with `$` …
    pub fn parse(spec: &Document, context: &Context) -> Result<Self> {
        let (root, exclusion) = parse::parse(spec, context)?;
        Ok(Self { spec: spec.clone(), exclusion, root })
    }

    /// The projected document. `position` is what the filter's witness says for the positional operator.
    ///
    /// # Errors
    /// 51246 where the positional operator has no position, and what expressions refuse.
    pub fn apply<'a>(
        &self,
        document: impl Into<DocView<'a>>,
        position: Option<usize>,
        context: &Context,
    ) -> Result<RawDocumentBuf> {
        self.apply_knowing(document, position, context, &Metadata::default())
    }

    /// The projected document, with what is known of it for `$meta`.
    ///
    /// # Errors
    /// As [`Projection::apply`].
    pub fn apply_knowing<'a>(
        &self,
        document: impl Into<DocView<'a>>,
        position: Option<usize>,
        context: &Context,
        metadata: &Metadata,
    ) -> Result<RawDocumentBuf> {
        let document = document.into();
        let run = apply::Run { exclusion: self.exclusion, position, positional: Cell::new(true) };
        let projected = run.document(&self.root, document)?;
        if !self.root.computes() {
            return Ok(projected);
        }
        let mut whole = DocView::from(&projected).to_document();
        apply::compute(&self.root, &mut whole, document, &context.env(Root::Document(document)).knowing(metadata))?;
        Ok(DocView::from(&whole).to_raw())
    }

    /// Whether `$meta` asks for that kind.
    #[must_use]
    pub fn asks_for(&self, field: MetaField) -> bool {
        self.root.asks_for(field)
    }

    /// The projection as it was written.
    #[must_use]
    pub fn spec(&self) -> &Document {
        &self.spec
    }

    /// Whether unnamed fields stay.
    #[must_use]
    pub fn is_exclusion(&self) -> bool {
        self.exclusion
    }

    /// Whether nothing is asked for: an empty projection gives whole documents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spec.is_empty()
    }

    /// Whether only top-level names are kept or dropped, which the server runs as `PROJECTION_SIMPLE`.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        self.root.fields.iter().all(|(_, node)| matches!(node, Node::Keep | Node::Drop))
    }

    /// Whether the filter's witness is needed.
    #[must_use]
    pub fn is_positional(&self) -> bool {
        self.root.is_positional()
    }

    /// The paths the projection reads; none where it needs the whole document.
    #[must_use]
    pub fn required(&self) -> Option<Vec<Path>> {
        if self.exclusion {
            return None;
        }
        let mut reads = Reads::default();
        self.root.reads(&Path::default(), &mut reads);
        (!reads.whole).then(|| reads.paths.into_iter().collect())
    }
}
