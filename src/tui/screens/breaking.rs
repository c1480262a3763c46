//! Questions about the passed answer, broken in one realistic way after another.

use crate::pitfall::Quiz;
use crate::tui::model::Model;
use crate::tui::page::Page;
use crate::tui::pages;
use crate::tui::screens::asked::{Asked, Chosen, Questions};
use crate::words::{Lang, Words};

const TITLE: Words = Words::new(" What gives it away? {number} of {all} ", " Was verrät es? {number} von {all} ");
const ADVICE: Words = Words::new(
    "Enter chooses; then → goes to the next break, Esc back to the answer.",
    "Enter wählt; dann geht → zur nächsten kaputten Fassung, Esc zurück zur Antwort.",
);

/// The broken answers.
#[derive(Debug)]
pub struct Breaks(Vec<Quiz>);

/// The questions about the answer that passed; none where there is none, or nothing can be broken so that it shows.
#[must_use]
pub fn breaking(model: &Model) -> Option<Asked<Breaks>> {
    let quizzes = model.quizzes();
    let count = quizzes.len();
    Asked::new(Breaks(quizzes), count, model)
}

impl Questions for Breaks {
    fn title(&self, at: usize, lang: Lang) -> String {
        TITLE.fill(lang, &[("number", &(at + 1).to_string()), ("all", &self.0.len().to_string())])
    }

    fn page(&self, at: usize, chosen: &Chosen, model: &Model) -> Page {
        pages::breaking(at, &self.0[at], chosen[at], model.settings.lang)
    }

    fn answered(&mut self, at: usize, choice: usize, model: &mut Model) {
        let quiz = &self.0[at];
        let right = quiz.choices.get(choice).is_some_and(|choice| choice.right);
        model.answered(quiz, right);
    }

    fn advice(&self, lang: Lang) -> Option<String> {
        Some(ADVICE.get(lang).to_owned())
    }
}
