//! The view that says why a document matched the last filter or not.

use std::sync::Arc;

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
use crate::tui::screens::lazy::Lazy;
use crate::tui::screens::menu::{Item, Menu};
use crate::tui::theme::Theme;
use crate::tui::widgets::{Paper, frame};
use crate::value::{Bson, Document};
use crate::words::Words;

const TITLE: Words =
    Words::new(" Why? {collection}, document {n} of {all} ", " Warum? {collection}, Dokument {n} von {all} ");
const TITLE_BEFORE: Words = Words::new(
    " Why? {collection} before the change, document {n} of {all} ",
    " Warum? {collection} vor der Änderung, Dokument {n} von {all} ",
);
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
        let inquiry = self.inquiry.clone();
        let write = move |at: usize| {
            let mut document = inquiry.document(at).unwrap_or_default();
            let id = document.remove("_id");
            Item {
                key: if inquiry.matches(at) { "✓" } else { "✗" }.into(),
                name: id.as_ref().map(literal).unwrap_or_default(),
                about: literal(&Bson::Document(document)),
                msg: Msg::Document(at),
            }
        };
        let documents = Arc::clone(&self.inquiry.documents);
        let read = move |at: usize| Document::try_from(documents[at].as_ref()).map_or_else(|_| String::new(), text_of);
        Menu::long(PICK.get(model.settings.lang), Lazy::new(self.inquiry.documents.len(), write, read)).at(self.at)
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

fn text_of(document: Document) -> String {
    literal(&Bson::Document(document))
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
        let words = if self.inquiry.changed { TITLE_BEFORE } else { TITLE };
        let title = Line::of(Role::Title, words.fill(model.settings.lang, &values));
        let inner = frame(&title, true, theme, area, buffer);
        let inner = Rect { width: inner.width.saturating_sub(1), ..inner };
        self.paper.draw(true, theme, inner, buffer);
        None
    }

    fn advice(&self, model: &Model) -> Option<String> {
        Some(ADVICE.get(model.settings.lang).to_owned())
    }
}
