//! Why a text was not run to its end, and where in it.

use super::limits::Limit;
use super::script::Span;
use crate::error::{CommandError, ErrorCode};

/// What stopped a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// What kind of thing it was.
    pub kind: FailureKind,
    /// The sentence, without the error's class.
    pub message: String,
    /// The bytes to blame.
    pub span: Option<Span>,
    /// What to type instead.
    pub hint: Option<String>,
}

/// What kind of failure it is.
#[derive(Debug, Clone, PartialEq)]
pub enum FailureKind {
    /// The text is not JavaScript; nothing was run.
    Syntax,
    /// An exception of the script, by its class.
    Script(String),
    /// A command that was refused, with the class of the error that carried it.
    Command(String, Box<CommandError>),
    /// A limit; the statement's changes were taken back.
    Limit(Limit),
}

impl Failure {
    /// MongoDB's code, where there is one.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        if let FailureKind::Command(_, error) = &self.kind { Some(error.code) } else { None }
    }

    /// The class of the error as mongosh names it.
    #[must_use]
    pub fn class(&self) -> &str {
        match &self.kind {
            FailureKind::Syntax => "SyntaxError",
            FailureKind::Script(class) | FailureKind::Command(class, _) => class,
            FailureKind::Limit(Limit::Asked) => "MongoshInterruptedError",
            FailureKind::Limit(_) => "LimitError",
        }
    }

    /// Line and column of the place, both from 1, columns in characters.
    #[must_use]
    pub fn position(&self, text: &str) -> Option<(usize, usize)> {
        self.span.as_ref().map(|span| position(text, span.start))
    }
}

/// Line and column of a byte, both from 1, columns in characters.
#[must_use]
pub fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}
