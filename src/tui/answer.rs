//! The answer to what was run, as the pages of its five views.

use std::ops::Range;
use std::sync::Arc;

use bson::Bson;

use crate::design::Duel;
use crate::design::walker::Walk;
use crate::pitfall::{Finding, Report};
use crate::shell::Outcome;
use crate::tui::pages::{Noticed, Reading, Shape, Trial, has_written};
use crate::tui::role::Role;
use crate::tui::session::Finished;
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
                "Enter unfolds a document, w says why it matched, → shows how it was found.",
                "Enter klappt ein Dokument auf, w sagt, warum es passt, → zeigt den Weg dahin.",
            ),
            Self::Plans => Words::new(
                "One question, every design: read the stages from the bottom up, then compare.",
                "Eine Frage, jeder Entwurf: Stufen von unten nach oben lesen, dann vergleichen.",
            ),
            Self::Pitfalls => Words::new(
                "Mistakes proven on your data. f puts the fix into the editor, F5 runs it.",
                "An deinen Daten bewiesen. f setzt die Abhilfe in den Editor, F5 führt sie aus.",
            ),
            Self::Index => Words::new(
                "The index entries in order, as the scan met them. ↓ goes one further.",
                "Die Indexeinträge in ihrer Ordnung, wie der Scan sie traf. ↓ geht weiter.",
            ),
            Self::Data => Words::new(
                "What is stored now: collections, indexes, and which field is in how many.",
                "Was gespeichert ist: Collections, Indexe, und welches Feld wie oft vorkommt.",
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
#[derive(Debug)]
pub struct Answer {
    /// The text that was run.
    pub text: String,
    /// What the shell says of it.
    pub outcome: Outcome,
    /// Its documents, where it gave a list of them.
    pub documents: Option<Arc<Vec<Bson>>>,
    /// How its documents are folded and marked.
    pub reading: Reading,
    /// The form of its documents.
    pub shape: Shape,
    /// The duel of its last question.
    pub duel: Option<Duel>,
    /// The run that was kept beside this one.
    pub beside: Option<Duel>,
    /// The way of its last find through the index.
    pub walk: Option<Walk>,
    /// The mistakes noticed, heaviest first.
    pub noticed: Vec<Noticed>,
    /// How many commands of the text were not looked at for mistakes.
    pub left_out: usize,
    /// The fix tried last.
    pub trial: Option<Trial>,
}

impl Answer {
    /// What a text gave, with what of it has not been said before.
    #[must_use]
    pub fn new(text: &str, finished: Finished, report: Report) -> Self {
        let each = |list: Vec<Finding>, open, again| {
            list.into_iter().map(move |finding| Noticed { finding, open, again, withheld: false })
        };
        let noticed = each(report.full, true, false)
            .chain(each(report.brief, false, false))
            .chain(each(report.again, false, true))
            .collect();
        Self {
            text: text.into(),
            outcome: finished.outcome,
            documents: finished.documents.map(Arc::new),
            reading: Reading::default(),
            shape: Shape::Tree,
            duel: finished.duel,
            beside: None,
            walk: finished.walk,
            left_out: finished.left_out,
            noticed,
            trial: None,
        }
    }

    /// Whether the text was stopped by an error.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.outcome.value.is_err()
    }

    /// Whether a view has something to show of it; an error is told by the result alone.
    #[must_use]
    pub fn has(&self, view: View) -> bool {
        let planned = || self.outcome.ran.iter().any(|ran| ran.result.as_ref().is_ok_and(|run| run.explain.is_some()));
        match view {
            View::Result | View::Data => true,
            _ if self.failed() => false,
            View::Plans => self.duel.is_some() || self.beside.is_some() || planned(),
            View::Index => self.walk.is_some() || has_written(&self.outcome),
            View::Pitfalls => true,
        }
    }

    /// The `_id` of a document of the result, by position.
    #[must_use]
    pub fn id(&self, number: usize) -> Option<Bson> {
        let id = |value: &Bson| value.as_document()?.get("_id").cloned();
        match &self.documents {
            Some(list) => id(list.get(number)?),
            None => id(&self.outcome.value.as_ref().ok().filter(|_| number == 0)?.to_bson()),
        }
    }

    /// How many findings there are.
    #[must_use]
    pub fn findings(&self) -> usize {
        self.noticed.len()
    }

    /// The heaviest finding.
    #[must_use]
    pub fn heaviest(&self) -> Option<&Finding> {
        self.noticed.first().map(|noticed| &noticed.finding)
    }

    /// The learner's text with the mistake of a finding cured; of the first that has a cure where none is named.
    #[must_use]
    pub fn fix(&self, of: Option<usize>) -> Option<(usize, &str)> {
        let offered = |at: usize| self.noticed.get(at).filter(|noticed| !noticed.withheld);
        let cure = |at: usize| Some((at, offered(at)?.finding.fix.as_deref()?));
        of.map_or_else(|| (0..self.noticed.len()).find_map(cure), cure)
    }

    /// Whether the cure of a finding, or of any, is kept back.
    #[must_use]
    pub fn withholds(&self, of: Option<usize>) -> bool {
        let at = |number: usize| self.noticed.get(number).is_some_and(|noticed| noticed.withheld);
        of.map_or_else(|| self.noticed.iter().any(|noticed| noticed.withheld), at)
    }

    /// Keeps every written cure back; what it would do is still said.
    pub fn withhold_cures(&mut self) {
        self.noticed.iter_mut().for_each(|noticed| noticed.withheld = noticed.finding.fix.is_some());
    }

    /// Places of the text to underline.
    #[must_use]
    pub fn underlined(&self) -> Vec<(Range<usize>, Role)> {
        let failure = self.outcome.value.as_ref().err();
        let failed = failure.and_then(|failure| failure.span.clone()).map(|span| (span, Role::ErrorSpan));
        let spans = self.noticed.iter().map(|noticed| noticed.finding.span.clone());
        spans.filter(|span| !span.is_empty()).map(|span| (span, Role::WarningSpan)).chain(failed).collect()
    }

    /// What is to be said of an underlined place.
    #[must_use]
    pub fn message(&self, span: &Range<usize>) -> Option<String> {
        let failure = self.outcome.value.as_ref().err().filter(|failure| failure.span.as_ref() == Some(span));
        let finding = || self.noticed.iter().map(|noticed| &noticed.finding).find(|finding| finding.span == *span);
        failure
            .map(|failure| failure.message.clone())
            .or_else(|| finding().map(|finding| format!("{}: {}", finding.id, finding.message)))
    }

    /// Folds or unfolds a finding.
    pub fn unfold(&mut self, at: usize) {
        if let Some(noticed) = self.noticed.get_mut(at) {
            noticed.open = !noticed.open;
        }
    }

    /// Shows what the fix of a finding gave beside what was typed.
    pub fn try_fix(&mut self, trial: Trial) {
        if let Some(noticed) = self.noticed.get_mut(trial.of) {
            noticed.open = true;
        }
        self.trial = Some(trial);
    }

    /// Unfolds every finding.
    pub fn unfold_all(&mut self) {
        self.noticed.iter_mut().for_each(|noticed| noticed.open = true);
    }

    /// Folds or unfolds a part of a document.
    pub fn fold(&mut self, path: &str) {
        if !self.reading.switched.remove(path) {
            self.reading.switched.insert(path.to_owned());
        }
    }
}
