//! A run kept to stand beside the next ones: before and after an index, one wording and another, the model's answer.

use crate::design::{Bench, Duel, versus};
use crate::grade::Status;
use crate::shell::{Limits, Shell};
use crate::tui::model::Model;
use crate::tui::page::Line;
use crate::tui::role::Role;
use crate::value::Source;
use crate::words::Words;

const BEFORE: Words = Words::new("before", "vorher");
const MODEL: Words = Words::new("model", "Muster");
const NOW: Words = Words::new("now", "jetzt");
const IS_KEPT: Words = Words::new(
    "Kept: the plans of the next statement stand beside this one's. c lets it go.",
    "Gemerkt: Die Pläne der nächsten Anweisung stehen neben diesen. c lässt sie los.",
);
const IS_MODEL: Words = Words::new(
    "The plans of the model answer stand beside yours. c lets them go.",
    "Die Pläne der Musterlösung stehen neben deinen. c lässt sie los.",
);
const LET_GO: Words = Words::new("Let go: plans stand alone again.", "Losgelassen: Die Pläne stehen wieder allein.");
const NOTHING: Words = Words::new(
    "Run a statement first; then c keeps it to compare the next with.",
    "Erst eine Anweisung ausführen; dann merkt c sie zum Vergleich mit der nächsten.",
);

/// A run that others are compared with.
#[derive(Debug)]
pub struct Reference {
    name: Words,
    bench: Bench,
}

impl Model {
    /// Keeps the present run to compare the next with, or lets the kept one go. Once an exercise is passed, the model's
    /// answer is what is kept.
    pub fn compare(&mut self) {
        let lang = self.settings.lang;
        let (role, words) = if self.reference.take().is_some() {
            (Role::Info, LET_GO)
        } else if self.answer.is_none() {
            (Role::Warning, NOTHING)
        } else if let Some(bench) = self.model_answer() {
            self.reference = Some(Reference { name: MODEL, bench });
            (Role::Good, IS_MODEL)
        } else {
            self.reference = Some(Reference { name: BEFORE, bench: self.session.bench().clone() });
            (Role::Good, IS_KEPT)
        };
        self.notice = Some(Line::of(role, words.get(lang)));
        let beside = if self.reference.as_ref().is_some_and(|kept| kept.name == MODEL) { self.beside() } else { None };
        if let Some(answer) = &mut self.answer {
            answer.beside = beside;
        }
    }

    /// The kept run and the present one; none where nothing is kept, or either says nothing about documents.
    pub(super) fn beside(&self) -> Option<Duel> {
        let lang = self.settings.lang;
        let kept = self.reference.as_ref()?;
        versus(&[(kept.name.get(lang), &kept.bench), (NOW.get(lang), self.session.bench())], lang)
    }

    /// The exercise's data with the model's answer run on them, once the learner has passed it.
    fn model_answer(&self) -> Option<Bench> {
        let exercise = self.place.as_exercise(&self.pack)?;
        let passed =
            self.report.as_ref().is_some_and(|report| report.status == Status::Graded && report.percent() == 100);
        let answer = exercise.model().filter(|_| passed)?;
        let mut shell = Shell::new(Bench::empty(Source::seeded(0)), Limits::default());
        shell.run(&exercise.setup);
        shell.run(&answer.text);
        let bench = shell.host().clone();
        Some(bench)
    }
}
