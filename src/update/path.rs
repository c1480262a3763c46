//! The path of an update operator with its positional parts (`src/mongo/db/update/field_checker.cpp`).

use std::cmp::Ordering;
use std::fmt;

use crate::error::{ErrorCode, Result, refuse};
use crate::value::array_index;

/// One part of an update path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A field name or a position.
    Name(Name),
    /// `$`: the element that the filter met.
    Matched,
    /// `$[]`: every element.
    All,
    /// `$[id]`: the elements that the array filter meets.
    Filtered(Box<str>),
}

/// A field name, ordered as the server applies siblings: positions by number, then names by text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name(pub(super) Box<str>);

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        match (array_index(&self.0), array_index(&other.0)) {
            (Some(own), Some(theirs)) => own.cmp(&theirs),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.0.cmp(&other.0),
        }
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Part {
    fn new(text: &str) -> Self {
        match text.strip_prefix("$[").and_then(|rest| rest.strip_suffix(']')) {
            Some("") => Self::All,
            Some(identifier) => Self::Filtered(identifier.into()),
            None if text == "$" => Self::Matched,
            None => Self::Name(Name(text.into())),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(&name.0),
            Self::Matched => f.write_str("$"),
            Self::All => f.write_str("$[]"),
            Self::Filtered(identifier) => write!(f, "$[{identifier}]"),
        }
    }
}

/// A checked update path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UpdatePath {
    pub(super) text: String,
    pub(super) parts: Vec<Part>,
}

impl UpdatePath {
    /// Splits and checks a path.
    pub(super) fn parse(text: &str) -> Result<Self> {
        if text.is_empty() {
            return refuse(ErrorCode::EmptyFieldName, "An empty update path is not valid.");
        }
        if text.split('.').any(str::is_empty) {
            let message = format!("The update path '{text}' contains an empty field name, which is not allowed.");
            return refuse(ErrorCode::EmptyFieldName, message);
        }
        let parts: Vec<Part> = text.split('.').map(Part::new).collect();
        check_first(text, &parts[0])?;
        if parts.iter().filter(|part| **part == Part::Matched).count() > 1 {
            let message = format!("Too many positional (i.e. '$') elements found in path '{text}'");
            return refuse(ErrorCode::BadValue, message);
        }
        Ok(Self { text: text.into(), parts })
    }

    /// The first parts as text.
    pub(super) fn head(&self, parts: usize) -> String {
        self.parts[..parts].iter().map(Part::to_string).collect::<Vec<_>>().join(".")
    }

    /// Whether some part is not a plain name.
    pub(super) fn is_dynamic(&self) -> bool {
        self.parts.iter().any(|part| !matches!(part, Part::Name(_)))
    }

    /// The plain names, where all are.
    pub(super) fn names(&self) -> Vec<Box<str>> {
        self.parts.iter().map(|part| part.to_string().into()).collect()
    }
}

fn check_first(text: &str, first: &Part) -> Result<()> {
    match first {
        Part::Matched => refuse(
            ErrorCode::BadValue,
            format!("Cannot have positional (i.e. '$') element in the first position in path '{text}'"),
        ),
        Part::All | Part::Filtered(_) => refuse(
            ErrorCode::BadValue,
            format!(
                "Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '{text}'"
            ),
        ),
        Part::Name(_) => Ok(()),
    }
}
