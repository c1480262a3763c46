//! Questions asked one after the other over another screen, each with its choices, of which one is right.

use std::fmt::Debug;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::keys::{MOVING, PLACING};
use crate::tui::model::Model;
use crate::tui::page::{Page, Target};
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::theme::Theme;
use crate::tui::widgets::Paper;
use crate::words::Lang;

/// The choice made at each question.
pub type Chosen = [Option<usize>];

/// What is asked, and what comes of it.
pub trait Questions: Debug {
    /// The title over a question, by its number.
    fn title(&self, at: usize, lang: Lang) -> String;

    /// The page of a question, by its number, or the one behind the last.
    fn page(&self, at: usize, chosen: &Chosen, model: &Model) -> Page;

    /// Hears the first choice made at a question.
    fn answered(&mut self, _at: usize, _choice: usize, _model: &mut Model) {}

    /// What Enter does on the page behind the last question; none where there is no such page.
    fn end(&self, _chosen: &Chosen, _model: &Model) -> Option<Step> {
        None
    }

    /// What to do next, for learners who want to be told.
    fn advice(&self, _lang: Lang) -> Option<String> {
        None
    }
}

/// Questions, at one of them or behind the last; leaving changes nothing.
#[derive(Debug)]
pub struct Asked<Q> {
    questions: Q,
    at: usize,
    chosen: Vec<Option<usize>>,
    paper: Paper,
}

impl<Q: Questions> Asked<Q> {
    /// So many questions, at the first; none where there is none.
    #[must_use]
    pub fn new(questions: Q, count: usize, model: &Model) -> Option<Self> {
        let mut asked = Self { questions, at: 0, chosen: vec![None; count], paper: Paper::default() };
        (count > 0).then(|| {
            asked.turn(0, model);
            asked
        })
    }

    /// Goes to a question, its first choice under the cursor, so that Enter and the arrows work at once.
    fn turn(&mut self, to: usize, model: &Model) {
        let last =
            if self.questions.end(&self.chosen, model).is_some() { self.chosen.len() } else { self.chosen.len() - 1 };
        self.at = to.min(last);
        self.paper = Paper::new(self.page(model));
        self.go(|_| true);
    }

    /// Sets the cursor to the first choice of such a number.
    fn go(&mut self, such: impl Fn(usize) -> bool) {
        let found = self.paper.find(|target| matches!(target, Target::Answer { choice, .. } if such(*choice)));
        self.paper.go(found.unwrap_or(0));
    }

    fn page(&self, model: &Model) -> Page {
        self.questions.page(self.at, &self.chosen, model)
    }

    /// Chooses what is under the cursor; only the first choice counts, and the next Enter goes on.
    fn choose(&mut self, model: &mut Model) -> Step {
        let Some(chosen) = self.chosen.get(self.at) else {
            return self.questions.end(&self.chosen, model).unwrap_or(Step::Stay);
        };
        if chosen.is_some() {
            self.turn(self.at + 1, model);
        } else if let Some(Target::Answer { choice, .. }) = self.paper.target() {
            self.chosen[self.at] = Some(choice);
            self.questions.answered(self.at, choice, model);
            self.paper.set(self.page(model));
            self.go(|other| other == choice);
        }
        Step::Stay
    }
}

impl<Q: Questions> Screen for Asked<Q> {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![PLACING, MOVING]
    }

    fn is_list(&self) -> bool {
        true
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(Action::Back) => return Step::Close,
            Msg::Action(Action::Choose) => return self.choose(model),
            Msg::Action(Action::NextLesson) => self.turn(self.at + 1, model),
            Msg::Action(Action::PreviousLesson) => self.turn(self.at.saturating_sub(1), model),
            Msg::Click(at) if self.paper.click(at) => return self.choose(model),
            Msg::Changed => self.paper.set(self.page(model)),
            msg => _ = self.paper.hear(&msg),
        }
        Step::Stay
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let title = self.questions.title(self.at, model.settings.lang);
        self.paper.draw_over(&title, 100, theme, area, buffer);
        None
    }

    fn advice(&self, model: &Model) -> Option<String> {
        self.questions.advice(model.settings.lang)
    }
}
