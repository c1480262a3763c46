//! Dotted paths.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use crate::error::{ErrorCode, Result, refuse};

/// How many parts a path may have (the server's limit on nesting).
const MAX_PARTS: usize = 200;

/// A dotted path such as `specs.k`, split once. Cloning shares the parts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Arc<[Box<str>]>);

impl Path {
    /// Splits at the dots; the empty text gives the empty path, which names the value itself.
    #[must_use]
    pub fn new(text: &str) -> Self {
        if text.is_empty() {
            return Self::default();
        }
        if !text.contains('.') {
            return Self(Arc::new([text.into()]));
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
        Self(parts.into())
    }

    /// Whether the path names the value itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The path with another one behind it.
    #[must_use]
    pub fn join(&self, tail: &Self) -> Self {
        match (self.is_empty(), tail.is_empty()) {
            (true, _) => tail.clone(),
            (_, true) => self.clone(),
            _ => Self(self.0.iter().chain(tail.0.iter()).cloned().collect()),
        }
    }

    /// The path as one text.
    #[must_use]
    pub fn dotted(&self) -> String {
        self.0.join(".")
    }

    /// Whether the path reads as this text.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.bytes().eq(text.bytes())
    }

    /// Compares two paths as their dotted texts compare.
    #[must_use]
    pub fn compare_dotted(&self, other: &Self) -> Ordering {
        self.bytes().cmp(other.bytes())
    }

    fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.iter().enumerate().flat_map(|(at, part)| (at > 0).then_some(b'.').into_iter().chain(part.bytes()))
    }

    /// Whether the other path begins with all parts of this one.
    #[must_use]
    pub fn is_prefix_of(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }

    /// The path from a document that lies at another path; none of a path that does not lead into that.
    #[must_use]
    pub fn below(&self, outer: &Self) -> Option<Self> {
        let rest = self.0.strip_prefix(outer.parts())?;
        (!rest.is_empty()).then(|| Self::from_parts(rest.to_vec()))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            f.write_str(if at > 0 { "." } else { "" })?;
            f.write_str(part)?;
        }
        Ok(())
    }
}

/// A path as aggregation, projections and sorts take one (`FieldPath` of the server).
///
/// # Errors
/// 40352 for the empty text, 40353 for a dot at the end, 15998 for an empty part, 16410 for a part beginning with `$`,
/// 16411 for a NUL byte, `Overflow` for more than 200 parts.
pub fn field_path(text: &str) -> Result<Path> {
    if text.is_empty() {
        return refuse(40352, "FieldPath cannot be constructed with empty string");
    }
    if text.ends_with('.') {
        return refuse(40353, "FieldPath must not end with a '.'.");
    }
    let path = Path::new(text);
    if path.0.len() > MAX_PARTS {
        return refuse(ErrorCode::Overflow, "FieldPath is too long");
    }
    path.0.iter().try_for_each(|part| field_path_part(part))?;
    Ok(path)
}

fn field_path_part(part: &str) -> Result<()> {
    if part.is_empty() {
        return refuse(15998, "FieldPath field names may not be empty strings.");
    }
    if part.starts_with('$') && !matches!(part, "$id" | "$ref" | "$db") {
        return refuse(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    }
    if part.contains('\0') {
        return refuse(16411, "FieldPath field names may not contain '\\0'.");
    }
    Ok(())
}
