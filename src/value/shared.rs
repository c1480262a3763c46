//! Documents that are given away without being copied.

use std::ops::Deref;
use std::sync::Arc;

use bson::{RawDocument, RawDocumentBuf};

/// A document that is kept as it is; copies share its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedDocument(Arc<[u8]>);

impl SharedDocument {
    /// A document of its own with the same bytes.
    #[must_use]
    pub fn new(document: &RawDocument) -> Self {
        Self(document.as_bytes().into())
    }

    /// How many bytes it has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The bytes.
    #[must_use]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether both share their bytes.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for SharedDocument {
    type Target = RawDocument;

    fn deref(&self) -> &RawDocument {
        RawDocument::from_bytes(&self.0).expect("it was made from a document")
    }
}

/// A document of an answer: a stored one, shared with its collection, or one that was made for the answer.
#[derive(Debug, Clone)]
pub enum AnyDocument {
    /// Shared with whoever else holds it.
    Shared(SharedDocument),
    /// Nobody else's.
    Made(RawDocumentBuf),
}

impl AnyDocument {
    /// The document as bytes of its own; a shared one is copied.
    #[must_use]
    pub fn into_raw(self) -> RawDocumentBuf {
        match self {
            Self::Shared(document) => (*document).to_owned(),
            Self::Made(document) => document,
        }
    }
}

impl Deref for AnyDocument {
    type Target = RawDocument;

    fn deref(&self) -> &RawDocument {
        match self {
            Self::Shared(document) => document,
            Self::Made(document) => document,
        }
    }
}

impl AsRef<RawDocument> for AnyDocument {
    fn as_ref(&self) -> &RawDocument {
        self
    }
}

/// Equal bytes make equal documents, whoever holds them.
impl PartialEq for AnyDocument {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl From<RawDocumentBuf> for AnyDocument {
    fn from(document: RawDocumentBuf) -> Self {
        Self::Made(document)
    }
}

impl From<SharedDocument> for AnyDocument {
    fn from(document: SharedDocument) -> Self {
        Self::Shared(document)
    }
}
