//! Refusals in MongoDB's own terms: the number, the code name, the sentence, and the place in the command.

use std::fmt;

mod code;

pub use code::ErrorCode;

/// One step from a command's root to the value an error speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// A field name.
    Field(String),
    /// An array position.
    Index(usize),
}

/// The place inside a command, such as `filter.specs.$elemMatch` or `pipeline.2.$group`.
///
/// The first step is an argument of the [`Command`](crate::engine::Command) (`filter`, `update`, `pipeline`,
/// `documents`, `keys`, `options` …); the shell, which kept the spans, underlines what it names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandPath(pub Vec<Step>);

impl CommandPath {
    /// The path that starts at an argument.
    #[must_use]
    pub fn argument(name: &str) -> Self {
        Self(vec![Step::Field(name.into())])
    }

    /// The path one field deeper.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Field(name.into()));
        Self(steps)
    }

    /// The path one array position deeper.
    #[must_use]
    pub fn index(&self, position: usize) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Index(position));
        Self(steps)
    }
}

impl fmt::Display for CommandPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            let dot = if at == 0 { "" } else { "." };
            match step {
                Step::Field(name) => write!(f, "{dot}{name}")?,
                Step::Index(position) => write!(f, "{dot}{position}")?,
            }
        }
        Ok(())
    }
}

/// A command that was refused, as MongoDB refuses it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct CommandError {
    /// MongoDB's number and code name.
    pub code: ErrorCode,
    /// MongoDB's sentence, with the offending value in it.
    pub message: String,
    /// The place in the command; empty where no single value is to blame.
    pub at: CommandPath,
}

impl CommandError {
    /// An error without a place; callers that know one add it with [`CommandError::at`].
    #[must_use]
    pub fn new(code: impl Into<ErrorCode>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), at: CommandPath::default() }
    }

    /// The same error, placed.
    #[must_use]
    pub fn at(mut self, path: CommandPath) -> Self {
        self.at = path;
        self
    }

    /// The same error seen from the document or array around it.
    #[must_use]
    pub fn inside(mut self, step: Step) -> Self {
        self.at.0.insert(0, step);
        self
    }

    /// The same error seen from the document that holds the value under this name.
    #[must_use]
    pub fn inside_field(self, name: &str) -> Self {
        self.inside(Step::Field(name.into()))
    }

    /// The same error seen from the array that holds the value at this position.
    #[must_use]
    pub fn inside_index(self, position: usize) -> Self {
        self.inside(Step::Index(position))
    }

    /// The same error seen from one level further out: the steps are put in front of its place.
    #[must_use]
    pub fn within(mut self, outer: &CommandPath) -> Self {
        let mut steps = outer.0.clone();
        steps.append(&mut self.at.0);
        self.at.0 = steps;
        self
    }
}

/// What a fallible step of the engine gives.
pub type Result<T, E = CommandError> = std::result::Result<T, E>;

/// Refuses: the error of this code and sentence, without a place.
///
/// # Errors
/// Always.
pub fn refuse<T>(code: impl Into<ErrorCode>, message: impl Into<String>) -> Result<T> {
    Err(CommandError::new(code, message))
}
