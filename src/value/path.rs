//! Dotted paths.

use std::fmt;

/// A dotted path such as `specs.k`, split once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Vec<Box<str>>);

impl Path {
    /// Splits at the dots; the empty text gives the empty path, which names the value itself.
    #[must_use]
    pub fn new(text: &str) -> Self {
        if text.is_empty() {
            return Self::default();
        }
        Self(text.split('.').map(Into::into).collect())
    }

    /// The parts in order.
    #[must_use]
    pub fn parts(&self) -> &[Box<str>] {
        &self.0
    }

    /// A path of these parts.
    #[must_use]
    pub fn from_parts(parts: Vec<Box<str>>) -> Self {
        Self(parts)
    }

    /// Whether the path names the value itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The path with another one behind it.
    #[must_use]
    pub fn join(&self, tail: &Self) -> Self {
        Self(self.0.iter().chain(&tail.0).cloned().collect())
    }

    /// Whether the other path begins with all parts of this one.
    #[must_use]
    pub fn is_prefix_of(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}
