//! A fault in a pack, placed by file, line and column.

use std::fmt;

/// A fault in a pack's file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, relative to the pack, with `/` between folders.
    pub file: String,
    /// The line from 1; 0 where the whole file is meant.
    pub line: usize,
    /// The column from 1; 0 where the whole line is meant.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Problem {
    /// A fault at a line and column.
    #[must_use]
    pub fn new(file: &str, line: usize, column: usize, message: impl Into<String>) -> Self {
        Self { file: file.into(), line, column, message: message.into() }
    }

    /// A fault of a file as a whole.
    #[must_use]
    pub fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self::new(file, 0, 0, message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Line and column, both from 1, of a byte offset; columns count characters.
pub(super) fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
