//! The desk as a screen: what it shows, and which part of it a message is for.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::tui::answer::View;
use crate::tui::keymap::Binding;
use crate::tui::keys::{BREAKING, DESK, MOVING, READING, SOLVING, VIEWING, WRITING};
use crate::tui::model::Model;
use crate::tui::page::Line;
use crate::tui::place::Place;
use crate::tui::role::Role;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::screens::study::desk::{Border, Desk, Pane};
use crate::tui::theme::Theme;
use crate::tui::widgets::{Editor, Paper};
use crate::words::Words;

const TRUNCATED: Words = Words::new(
    "The paste was longer than 1 MiB and was cut there.",
    "Der eingefügte Text war länger als 1 MiB und endet dort.",
);

/// Lesson or task, editor, and answer with its five views.
#[derive(Debug)]
pub struct Study {
    pub(super) focus: Pane,
    pub(super) view: View,
    pub(super) zoomed: bool,
    pub(super) text: Paper,
    pub(super) editor: Editor,
    pub(super) views: [Paper; View::ALL.len()],
    /// Which views show what the model holds now; the others are written when they are looked at.
    pub(super) fresh: [bool; View::ALL.len()],
    /// Whether an exercise is to be solved here.
    pub(super) solving: bool,
    /// Places that were left by jumping elsewhere, to come back to.
    pub(super) trail: Vec<Place>,
    /// The position in the history while earlier statements are looked at.
    pub(super) earlier: Option<usize>,
    /// The border that the mouse holds.
    pub(super) held: Option<Border>,
}

impl Study {
    /// The desk at the model's place.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let mut study = Self {
            focus: Pane::Text,
            view: View::Result,
            zoomed: false,
            text: Paper::new(model.text()),
            editor: Editor::new(&model.draft),
            views: Default::default(),
            fresh: [false; View::ALL.len()],
            solving: matches!(model.place, Place::Exercise { .. }),
            trail: Vec::new(),
            earlier: None,
            held: None,
        };
        study.refresh(model);
        study
    }

    /// Lays out the panes for a screen.
    pub(super) fn desk(&self, model: &Model, area: Rect) -> Desk {
        let shares = (model.settings.split, model.settings.editor);
        Desk::new(area, self.focus, self.zoomed, shares, |width| self.editor.height(width))
    }

    fn hear(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(action) => return self.act(action, model),
            Msg::Key(key) if self.focus == Pane::Editor => _ = self.editor.key(key),
            Msg::Key(_) | Msg::Word(_) | Msg::Set(_) | Msg::Document(_) => {}
            Msg::Paste(text) => {
                self.focus = Pane::Editor;
                if self.editor.insert(&text) {
                    model.notice = Some(Line::of(Role::Warning, TRUNCATED.get(model.settings.lang)));
                }
            }
            Msg::Click(at) => return self.click(at, model),
            Msg::Drag(at) => self.drag(at, model),
            Msg::Wheel { at, down } => self.wheel(at, down, model),
            Msg::Ran => self.ran(model),
            Msg::Open(id) => {
                let place = Place::named(&model.pack, &model.progress, &id);
                self.jump(place, model);
            }
            Msg::OpenStep(id, step) => self.jump(Some(Place::Lesson { id, step }), model),
            Msg::Changed => {
                self.text.set(model.text());
                self.show(model);
            }
            Msg::Line(number) => match self.focus {
                Pane::Text => self.text.go(number),
                _ => self.paper().go(number),
            },
            Msg::Predicted(block, guess) => return self.predicted(block, guess, model),
            Msg::Placed(known) => {
                self.leave(model);
                model.begin_after(&known);
                self.arrive(model);
            }
            Msg::Review(finding) => {
                self.leave(model);
                model.begin_review(&finding);
                self.arrive(model);
            }
            Msg::Complete(part, choice) => self.editor.splice(&part, &choice),
            Msg::Take(code) => self.take(&code),
        }
        Step::Stay
    }
}

impl Screen for Study {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        let here: [&[Binding]; 2] = match self.focus {
            Pane::Text => [READING, MOVING],
            Pane::Editor => [WRITING, &[]],
            Pane::Answer => [VIEWING, MOVING],
        };
        let solving = self.solving.then_some(SOLVING);
        let answered = (self.solving && self.focus == Pane::Answer).then_some(BREAKING);
        std::iter::once(DESK).chain(solving).chain(here).chain(answered).collect()
    }

    fn writes(&self) -> bool {
        self.focus == Pane::Editor
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        let step = self.hear(msg, model);
        if !self.fresh[self.view as usize] {
            self.refresh(model);
        }
        step
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let desk = self.desk(model, area);
        let mut cursor = None;
        for pane in Pane::ALL {
            let Some(room) = desk.pane(pane) else { continue };
            let active = pane == self.focus;
            match pane {
                Pane::Text => {
                    let title = Line::of(Role::Title, format!(" Pegboard › {} ", model.crumbs()));
                    self.draw_text(theme, room, active, &title, buffer);
                }
                Pane::Editor => cursor = self.draw_editor(model, theme, room, active, buffer),
                Pane::Answer => self.draw_answer(model, theme, room, active, buffer),
            }
        }
        cursor
    }

    fn advice(&self, model: &Model) -> Option<String> {
        Some(self.next(model))
    }

    fn draft(&self) -> Option<String> {
        Some(self.editor.text())
    }
}
