//! Questions about the passed answer, broken in one realistic way after another.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::pitfall::Quiz;
use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::keys::{MOVING, PLACING};
use crate::tui::model::Model;
use crate::tui::page::Target;
use crate::tui::pages;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::theme::Theme;
use crate::tui::widgets::Paper;
use crate::words::Words;

const TITLE: Words = Words::new(" What gives it away? {number} of {all} ", " Was verrät es? {number} von {all} ");
const ADVICE: Words = Words::new(
    "Enter chooses; then → goes to the next break, Esc back to the answer.",
    "Enter wählt; dann geht → zur nächsten kaputten Fassung, Esc zurück zur Antwort.",
);

/// The questions, at one of them.
#[derive(Debug)]
pub struct Breaking {
    quizzes: Vec<Quiz>,
    at: usize,
    /// The choice made at each question.
    chosen: Vec<Option<usize>>,
    paper: Paper,
}

impl Breaking {
    /// The questions about the answer that passed; none where there is none, or nothing can be broken so that it shows.
    #[must_use]
    pub fn new(model: &Model) -> Option<Self> {
        let quizzes = model.quizzes();
        let mut breaking = Self { chosen: vec![None; quizzes.len()], quizzes, at: 0, paper: Paper::default() };
        breaking.turn(0, model);
        (!breaking.quizzes.is_empty()).then_some(breaking)
    }

    fn turn(&mut self, to: usize, model: &Model) {
        self.at = to.min(self.quizzes.len().saturating_sub(1));
        self.show(model);
        // The first choice, so that Enter and the arrows work at once.
        let first = self.paper.find(|target| matches!(target, Target::Answer { .. }));
        self.paper.go(first.unwrap_or(0));
    }

    fn show(&mut self, model: &Model) {
        if let Some(quiz) = self.quizzes.get(self.at) {
            self.paper.set(pages::breaking(self.at, quiz, self.chosen[self.at], model.settings.lang));
        }
    }

    fn choose(&mut self, model: &mut Model) {
        let Some(Target::Answer { choice, .. }) = self.paper.target() else { return };
        let quiz = &self.quizzes[self.at];
        // Only the first answer counts.
        if self.chosen[self.at].replace(choice).is_none() {
            let right = quiz.choices.get(choice).is_some_and(|choice| choice.right);
            model.answered(quiz, right);
        }
        self.show(model);
        let mine = |target: &Target| matches!(target, Target::Answer { choice: other, .. } if *other == choice);
        self.paper.go(self.paper.find(mine).unwrap_or(0));
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Step {
        match action {
            Action::Back => return Step::Close,
            Action::Choose => self.choose(model),
            Action::NextLesson => self.turn(self.at + 1, model),
            Action::PreviousLesson => self.turn(self.at.saturating_sub(1), model),
            _ => _ = self.paper.act(action),
        }
        Step::Stay
    }
}

impl Screen for Breaking {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![PLACING, MOVING]
    }

    fn writes(&self) -> bool {
        false
    }

    fn is_list(&self) -> bool {
        true
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(action) => return self.act(action, model),
            Msg::Wheel { down, .. } => self.paper.scroll(down),
            Msg::Click(at) if self.paper.click(at) => self.choose(model),
            Msg::Changed => self.show(model),
            _ => {}
        }
        Step::Stay
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (number, all) = ((self.at + 1).to_string(), self.quizzes.len().to_string());
        let title = TITLE.fill(model.settings.lang, &[("number", &number), ("all", &all)]);
        self.paper.draw_over(&title, u16::MAX, theme, area, buffer);
        None
    }

    fn advice(&self, model: &Model) -> Option<String> {
        Some(ADVICE.get(model.settings.lang).to_owned())
    }
}
