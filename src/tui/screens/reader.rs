//! A page to be read over another screen: the summary.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};

use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::keys::{CLOSING, MOVING};
use crate::tui::model::Model;
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::theme::Theme;
use crate::tui::widgets::{Paper, frame};
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
        let width = area.width.min(92);
        let room = Rect { x: area.x + (area.width - width) / 2, width, ..area };
        Clear.render(area, buffer);
        let title = Line::of(Role::Title, format!(" {} ", self.title.get(model.settings.lang)));
        let inner = frame(&title, true, theme, room, buffer);
        let inner = Rect { width: inner.width.saturating_sub(1), ..inner };
        self.paper.draw(true, theme, inner, buffer);
        None
    }
}
