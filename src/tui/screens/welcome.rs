//! The first screen a new learner sees.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::keys::{MOVING, WELCOME};
use crate::tui::model::Model;
use crate::tui::pages::markdown;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::screens::lists::welcome;
use crate::tui::theme::Theme;
use crate::tui::widgets::Paper;

/// What Pegboard is and which keys begin.
#[derive(Debug)]
pub struct Welcome(Paper);

impl Welcome {
    /// The welcome in the model's language.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self(Paper::new(markdown::page(welcome(model.settings.lang))))
    }
}

impl Screen for Welcome {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![WELCOME, MOVING]
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(Action::Choose | Action::Back) => {
                model.settings.welcomed = true;
                return Step::Close;
            }
            Msg::Changed => self.0.set(markdown::page(welcome(model.settings.lang))),
            msg => _ = self.0.hear(&msg),
        }
        Step::Stay
    }

    fn view(&self, _: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.0.draw_over(" Pegboard ", 88, theme, area, buffer);
        None
    }
}
