//! A page to be read over another screen: the summary.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::keys::{CLOSING, MOVING};
use crate::tui::model::Model;
use crate::tui::page::Page;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::theme::Theme;
use crate::tui::widgets::Paper;
use crate::words::Words;

const SUMMARY: Words = Words::new("What you have done", "Was du geschafft hast");

/// A page that is made of the model.
#[derive(Debug)]
pub struct Reader {
    title: Words,
    make: fn(&Model) -> Page,
    paper: Paper,
}

impl Reader {
    /// How far the learner has come.
    #[must_use]
    pub fn summary(model: &Model) -> Self {
        let make = Model::summary;
        Self { title: SUMMARY, make, paper: Paper::new(make(model)) }
    }
}

impl Screen for Reader {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![CLOSING, MOVING]
    }

    fn writes(&self) -> bool {
        false
    }

    fn is_list(&self) -> bool {
        true
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(Action::Back | Action::Choose) => return Step::Close,
            Msg::Action(action) => _ = self.paper.act(action),
            Msg::Wheel { down, .. } => self.paper.scroll(down),
            Msg::Changed => self.paper.set((self.make)(model)),
            _ => {}
        }
        Step::Stay
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.paper.draw_over(&format!(" {} ", self.title.get(model.settings.lang)), 92, theme, area, buffer);
        None
    }
}
