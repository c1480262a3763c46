//! What the screens look at and change: settings, place in the course, data, the last answer.

use ratatui::layout::Rect;

use crate::tui::answer::Answer;
use crate::tui::page::{Line, Page};
use crate::tui::pages::markdown;
use crate::tui::settings::Settings;

/// Everything the screens share.
#[derive(Debug, Default)]
pub struct Model {
    /// What the learner has set.
    pub settings: Settings,
    /// The size of the terminal.
    pub size: Rect,
    /// Something to say in the last row until the next key.
    pub notice: Option<Line>,
    /// The half-typed text.
    pub draft: String,
    /// The answer to what was run last.
    pub answer: Option<Answer>,
}

impl Model {
    /// The text on the left: the step of the lesson, or the task.
    #[must_use]
    pub fn text(&self) -> Page {
        markdown::page("# Pegboard")
    }

    /// Runs a text; the answer is in [`Model::answer`] then.
    pub fn run(&mut self, _text: &str) {}

    /// Keeps progress, text and settings.
    pub fn save(&mut self) {}
}
