//! The answer to what was run, as the pages of its five views.

use std::ops::Range;

use crate::tui::page::Page;
use crate::tui::role::Role;
use crate::words::Words;

/// One way to look at an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum View {
    /// The documents.
    #[default]
    Result,
    /// The duel.
    Plans,
    /// The findings.
    Pitfalls,
    /// The walker.
    Index,
    /// The collections.
    Data,
}

impl View {
    /// All, from left to right.
    pub const ALL: [Self; 5] = [Self::Result, Self::Plans, Self::Pitfalls, Self::Index, Self::Data];

    /// Its name.
    #[must_use]
    pub fn name(self) -> Words {
        match self {
            Self::Result => Words::new("Result", "Ergebnis"),
            Self::Plans => Words::new("Plans", "Pläne"),
            Self::Pitfalls => Words::new("Pitfalls", "Fallen"),
            Self::Index => Words::new("Index", "Index"),
            Self::Data => Words::new("Data", "Daten"),
        }
    }

    /// The view to the right; the last is followed by the first.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|view| *view == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// The view to the left.
    #[must_use]
    pub fn previous(self) -> Self {
        let at = Self::ALL.iter().position(|view| *view == self).unwrap_or(0);
        Self::ALL[(at + Self::ALL.len() - 1) % Self::ALL.len()]
    }
}

/// What came of a text.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The text that was run.
    pub text: String,
    /// Places of the text to underline.
    pub spans: Vec<(Range<usize>, Role)>,
    /// How many findings there are.
    pub findings: usize,
    /// Whether it failed.
    pub failed: bool,
}

impl Answer {
    /// The page of a view.
    #[must_use]
    pub fn page(&self, _view: View) -> Page {
        Page::new()
    }
}
