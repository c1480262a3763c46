//! The view that says why a document matched the last filter or not.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};

use crate::pitfall::Inquiry;
use crate::shell::literal;
use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::keys::{MOVING, WHY};
use crate::tui::model::Model;
use crate::tui::page::Line;
use crate::tui::pages;
use crate::tui::role::Role;
use crate::tui::screen::{Effect, Msg, Screen, Step};
use crate::tui::screens::menu::{Item, Menu};
use crate::tui::theme::Theme;
use crate::tui::widgets::{Paper, frame};
use crate::value::Bson;
use crate::words::Words;

const TITLE: Words =
    Words::new(" Why? {collection}, document {n} of {all} ", " Warum? {collection}, Dokument {n} von {all} ");
const PICK: Words = Words::new("Pick a document: ✓ matched, ✗ did not", "Ein Dokument wählen: ✓ passt, ✗ passt nicht");
const ADVICE: Words = Words::new(
    "→ the next document, Enter picks any _id, matched or not, Esc goes back.",
    "→ das nächste Dokument, Enter wählt irgendeine _id, Esc geht zurück.",
);

/// Why one document of a question matched or not.
#[derive(Debug)]
pub struct WhyScreen {
    inquiry: Inquiry,
    at: usize,
    paper: Paper,
}

impl WhyScreen {
    /// The answer about the document at a position.
    #[must_use]
    pub fn new(inquiry: Inquiry, at: usize, model: &Model) -> Self {
        let paper = Paper::new(pages::why(&inquiry, at, model.settings.lang));
        Self { inquiry, at, paper }
    }

    fn go(&mut self, at: usize, model: &Model) {
        self.at = at.min(self.inquiry.documents.len().saturating_sub(1));
        self.paper = Paper::new(pages::why(&self.inquiry, self.at, model.settings.lang));
    }

    fn pick(&self, model: &Model) -> Menu {
        let item = |(at, document): (usize, &bson::Document)| Item {
            key: if self.inquiry.matches(at) { "✓" } else { "✗" }.into(),
            name: document.get("_id").map(literal).unwrap_or_default(),
            about: literal(&Bson::Document(document.iter().filter(|(name, _)| *name != "_id").map(own).collect())),
            msg: Msg::Document(at),
        };
        let items = self.inquiry.documents.iter().enumerate().map(item).collect();
        Menu::new(PICK.get(model.settings.lang), items).at(self.at)
    }

    fn act(&mut self, action: Action, model: &Model) -> Step {
        match action {
            Action::Back => return Step::Close,
            Action::Choose => return Step::Open(Box::new(self.pick(model))),
            Action::Copy => return Step::Perform(Effect::Copy(self.paper.page().text())),
            Action::NextView => self.go(self.at + 1, model),
            Action::PreviousView => self.go(self.at.saturating_sub(1), model),
            _ => _ = self.paper.act(action),
        }
        Step::Stay
    }
}

fn own((name, value): (&String, &Bson)) -> (String, Bson) {
    (name.clone(), value.clone())
}

impl Screen for WhyScreen {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![WHY, MOVING]
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(action) => return self.act(action, model),
            Msg::Document(at) => self.go(at, model),
            Msg::Changed => self.go(self.at, model),
            msg => _ = self.paper.hear(&msg),
        }
        Step::Stay
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        Clear.render(area, buffer);
        let (n, all) = ((self.at + 1).to_string(), self.inquiry.documents.len().to_string());
        let values = [("collection", self.inquiry.collection.as_str()), ("n", &n), ("all", &all)];
        let title = Line::of(Role::Title, TITLE.fill(model.settings.lang, &values));
        let inner = frame(&title, true, theme, area, buffer);
        let inner = Rect { width: inner.width.saturating_sub(1), ..inner };
        self.paper.draw(true, theme, inner, buffer);
        None
    }

    fn advice(&self, model: &Model) -> Option<String> {
        Some(ADVICE.get(model.settings.lang).to_owned())
    }
}
