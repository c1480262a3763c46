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

    /// What to look for, for learners who want to be told.
    #[must_use]
    pub fn advice(self) -> Words {
        match self {
            Self::Result => Words::new(
                "What the statement gave. Enter unfolds a document, s changes the form; → shows how it was found.",
                "Was die Anweisung ergab. Enter klappt ein Dokument auf, s ändert die Form; → zeigt, wie es gefunden wurde.",
            ),
            Self::Plans => Words::new(
                "The same question in every design: read the stages from the bottom up, then compare what was examined.",
                "Dieselbe Frage in jedem Entwurf: Stufen von unten nach oben lesen, dann vergleichen, was geprüft wurde.",
            ),
            Self::Pitfalls => Words::new(
                "Mistakes proven on your data. f puts the fix into the editor, where F5 runs it.",
                "An deinen Daten bewiesene Fehler. f setzt die Abhilfe in den Editor, wo F5 sie ausführt.",
            ),
            Self::Index => Words::new(
                "The entries of the index in order, as the scan met them. ↓ goes one further.",
                "Die Einträge des Index in ihrer Ordnung, wie der Scan sie traf. ↓ geht einen weiter.",
            ),
            Self::Data => Words::new(
                "What is stored now: collections, indexes, and which field stands in how many documents.",
                "Was gerade gespeichert ist: Collections, Indexe, und welches Feld in wie vielen Dokumenten steht.",
            ),
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
