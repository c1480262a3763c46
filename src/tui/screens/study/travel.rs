//! Going from place to place, the text typed at each kept, and back.

use crate::tui::model::Model;
use crate::tui::place::Place;
use crate::tui::screen::Step;
use crate::tui::screens::lists;
use crate::tui::screens::study::desk::Pane;
use crate::tui::screens::study::screen::Study;
use crate::tui::widgets::{Editor, Paper};

impl Study {
    /// Goes to a place that does not follow this one; Esc leads back.
    pub(super) fn jump(&mut self, to: Option<Place>, model: &mut Model) {
        let from = model.place.clone();
        if to.as_ref().is_some_and(|to| *to != from) {
            self.trail.push(from);
        }
        self.focus = Pane::Text;
        self.travel(to, model);
    }

    /// Goes to another place of the course, the text typed here kept.
    pub(super) fn travel(&mut self, to: Option<Place>, model: &mut Model) {
        let Some(place) = to else { return };
        self.leave(model);
        model.go(place);
        self.arrive(model);
    }

    /// Keeps the text typed here.
    pub(super) fn leave(&self, model: &mut Model) {
        model.draft = self.editor.text();
        model.save();
    }

    pub(super) fn arrive(&mut self, model: &Model) {
        self.focus = Pane::Text;
        self.text = Paper::new(model.text());
        self.editor = Editor::new(&model.draft);
        self.solving = matches!(model.place, Place::Exercise { .. });
        self.earlier = None;
        self.show(model);
    }

    pub(super) fn back(&mut self, model: &mut Model) -> Step {
        if self.zoomed {
            self.zoomed = false;
            return Step::Stay;
        }
        match self.focus {
            Pane::Answer => self.focus = Pane::Editor,
            Pane::Editor => self.focus = Pane::Text,
            Pane::Text => match self.trail.pop() {
                Some(place) => self.travel(Some(place), model),
                None => return Step::Open(Box::new(lists::map(model))),
            },
        }
        Step::Stay
    }
}
