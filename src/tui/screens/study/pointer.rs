//! The mouse at the desk: clicks on panes and tabs, turns of the wheel, borders that are dragged.

use ratatui::layout::Position;

use crate::tui::actions::Action;
use crate::tui::answer::View;
use crate::tui::model::Model;
use crate::tui::screen::Step;
use crate::tui::screens::study::desk::{Border, Desk, Pane};
use crate::tui::screens::study::screen::Study;

impl Study {
    pub(super) fn click(&mut self, at: Position, model: &mut Model) -> Step {
        let desk = self.desk(model, model.room());
        self.held = desk.border(at);
        if self.held.is_some() {
            return Step::Stay;
        }
        let Some(pane) = desk.at(at) else { return Step::Stay };
        if pane == Pane::Answer
            && let Some(view) = self.tab_at(model, &desk, at)
        {
            self.look(view);
            return Step::Stay;
        }
        let again = self.focus == pane;
        self.focus = pane;
        match pane {
            Pane::Editor => self.editor.click(desk.inside(Pane::Editor), at),
            Pane::Text if self.text.click(at) && again => return self.choose(model),
            Pane::Answer if self.paper().click(at) && again => return self.choose(model),
            _ => {}
        }
        Step::Stay
    }

    pub(super) fn tab_at(&self, model: &Model, desk: &Desk, at: Position) -> Option<View> {
        let area = desk.pane(Pane::Answer)?;
        if at.y != area.y {
            return None;
        }
        let mut x = usize::from(area.x) + 2;
        for (view, line) in self.tabs(model) {
            let width = line.width();
            if (x..x + width).contains(&usize::from(at.x)) {
                return Some(view);
            }
            x += width;
        }
        None
    }

    /// Moves the border that the mouse holds, or selects in the editor.
    pub(super) fn drag(&mut self, at: Position, model: &mut Model) {
        let area = model.room();
        match self.held {
            Some(Border::Beside) => {
                model.settings.split = share(at.x.saturating_add(1), area.x, area.width).clamp(20, 70);
            }
            Some(Border::Below) => {
                model.settings.editor = share(at.y.saturating_add(1), area.y, area.height).clamp(5, 90);
            }
            None => {
                let room = self.desk(model, area).inside(Pane::Editor);
                if self.focus == Pane::Editor && room.contains(at) {
                    self.editor.drag(room, at);
                }
                return;
            }
        }
        self.show(model);
    }

    /// Moves a border by a key.
    pub(super) fn resize(&mut self, action: Action, model: &mut Model) {
        let settings = &mut model.settings;
        let editor = if settings.editor == 0 { 25 } else { settings.editor };
        match action {
            Action::Narrower => settings.split = settings.split.saturating_sub(4).max(20),
            Action::Wider => settings.split = (settings.split + 4).min(70),
            Action::Lower => settings.editor = editor.saturating_sub(5).max(5),
            Action::Higher => settings.editor = (editor + 5).min(90),
            _ => return,
        }
        self.show(model);
    }

    /// Scrolls the pane under the mouse.
    pub(super) fn wheel(&mut self, at: Position, down: bool, model: &Model) {
        match self.desk(model, model.room()).at(at) {
            Some(Pane::Text) => self.text.scroll(down),
            Some(Pane::Answer) => self.paper().scroll(down),
            _ => {}
        }
    }
}

/// How many percent of a length lie before a place.
fn share(at: u16, start: u16, length: u16) -> u16 {
    let percent = u32::from(at.saturating_sub(start)) * 100 / u32::from(length.max(1));
    u16::try_from(percent).unwrap_or(100)
}
