//! How the desk is drawn: each pane in its frame, the tabs of the answer over it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::pitfall::Level;
use crate::tui::answer::{Answer, View};
use crate::tui::model::Model;
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::tui::screens::study::desk::WIDE;
use crate::tui::screens::study::screen::Study;
use crate::tui::theme::Theme;
use crate::tui::widgets::{Paper, draw_line, frame};
use crate::words::Words;

const EDITOR: Words = Words::new("Editor", "Editor");
/// What an empty editor says.
pub(super) const EMPTY: Words =
    Words::new("Type a statement here; F5 runs it.", "Hier eine Anweisung schreiben; F5 führt sie aus.");
/// What an answer says before there is one.
pub(super) const NOTHING_RUN: Words = Words::new(
    "Nothing has been run here yet. Write a statement in the editor, then press F5.",
    "Hier wurde noch nichts ausgeführt. Im Editor eine Anweisung schreiben, dann F5.",
);

/// What a view of the answer says where it was only judged.
const ONLY_JUDGED: Words = Words::new(
    "F8 has judged this text on data of its own. F5 runs it here; then plans, pitfalls and index are shown.",
    "F8 hat diesen Text auf eigenen Daten bewertet. F5 führt ihn hier aus; dann stehen hier Pläne, Fallen und Index.",
);

impl Study {
    /// The names of the views with their keys, the shown one marked.
    pub(super) fn tabs(&self, model: &Model) -> Vec<(View, Line)> {
        let findings = model.answer.as_ref().map_or(0, Answer::findings);
        let heaviest = model.answer.as_ref().and_then(Answer::heaviest);
        let found = match heaviest {
            Some(finding) if finding.level < Level::Surprise => Role::Warning,
            Some(_) => Role::Info,
            None => Role::Quiet,
        };
        let tab = |(at, view): (usize, View)| {
            let here = view == self.view;
            let (open, close) = if here { ("[", "]") } else { (" ", " ") };
            let count = if view == View::Pitfalls && findings > 0 { format!(" {findings}") } else { String::new() };
            let name = format!("{open}{} {}{count}{close}", at + 1, view.name().get(model.settings.lang));
            let role = match (here, view) {
                (true, _) => Role::Title,
                (false, View::Pitfalls) => found,
                _ => Role::Quiet,
            };
            (view, Line::of(role, name))
        };
        View::ALL.into_iter().enumerate().map(tab).collect()
    }

    pub(super) fn draw_text(&self, theme: Theme, area: Rect, active: bool, title: &Line, buffer: &mut Buffer) {
        let inner = frame(title, active, theme, area, buffer);
        let inner = Rect { width: inner.width.saturating_sub(1), ..inner };
        self.text.draw(active, theme, inner, buffer);
    }

    pub(super) fn draw_answer(&self, model: &Model, theme: Theme, area: Rect, active: bool, buffer: &mut Buffer) {
        let mut title = Line::new();
        for (_, tab) in self.tabs(model) {
            title.pieces.extend(tab.pieces);
        }
        let inner = frame(&title, active, theme, area, buffer);
        if self.views[self.view as usize].page().is_empty() && model.answer.is_none() {
            let words = if model.report.is_some() { ONLY_JUDGED } else { NOTHING_RUN };
            let line = Line::of(Role::Quiet, words.get(model.settings.lang));
            Paper::new(Page::of(line)).draw(false, theme, inner, buffer);
            return;
        }
        self.views[self.view as usize].draw(active, theme, inner, buffer);
    }

    pub(super) fn draw_editor(
        &self,
        model: &Model,
        theme: Theme,
        area: Rect,
        active: bool,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let name = EDITOR.get(model.settings.lang);
        // Where the lesson is not beside it, the editor says to what it belongs.
        let alone = model.size.width < WIDE || self.zoomed;
        let name = if alone { format!(" {} › {name} ", model.title()) } else { format!(" {name} ") };
        let title = Line::of(Role::Title, name);
        let inner = frame(&title, active, theme, area, buffer);
        let cursor = self.editor.draw(theme, inner, buffer);
        if self.editor.is_blank() && self.editor.len() <= 1 && !active {
            draw_line(&Line::of(Role::Quiet, EMPTY.get(model.settings.lang)), theme, inner, buffer);
        }
        cursor.filter(|_| active)
    }
}
