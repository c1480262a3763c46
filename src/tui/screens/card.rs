//! A page read over another screen: warnings before the first one, a word of the glossary, a pitfall.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::pitfall::table;
use crate::tui::actions::Action;
use crate::tui::highlight;
use crate::tui::keymap::Binding;
use crate::tui::keys::{MOVING, READ};
use crate::tui::model::Model;
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::theme::Theme;
use crate::tui::widgets::Paper;
use crate::words::Words;

const BEFORE: Words = Words::new("Before you begin", "Bevor es losgeht");
const CURE: Words = Words::new("Cure: ", "Abhilfe: ");
const EXAMPLE: Words = Words::new("Example", "Beispiel");

/// A page with a title.
#[derive(Debug)]
pub struct Card {
    title: String,
    paper: Paper,
}

impl Card {
    /// What has to be known before the first screen, a paragraph each.
    #[must_use]
    pub fn warnings(model: &Model) -> Self {
        let mut page = Page::new();
        for warning in &model.warnings {
            page.gap();
            page.say(Role::Warning, warning.clone());
        }
        Self { title: BEFORE.get(model.settings.lang).into(), paper: Paper::new(page) }
    }

    /// A word of the glossary, or a pitfall, by its id.
    #[must_use]
    pub fn about(model: &Model, id: &str) -> Option<Self> {
        let lang = model.settings.lang;
        if let Some((_, term)) = model.pack.glossary.iter().find(|(known, _)| *known == id) {
            let page = Page::of(Line::of(Role::Text, term.text.get(lang)));
            return Some(Self { title: term.name.get(lang).into(), paper: Paper::new(page) });
        }
        let pitfall = table().find(|pitfall| pitfall.id == id)?;
        let mut page = Page::of(Line::of(Role::Strong, pitfall.title.get(lang)));
        page.gap();
        page.say(Role::Text, pitfall.explanation.get(lang));
        page.gap();
        page.line(Line::of(Role::Heading, CURE.get(lang)).and(Role::Text, pitfall.cure.get(lang)).hang(2));
        page.gap();
        page.say(Role::Heading, EXAMPLE.get(lang));
        page.lines.extend(highlight::lines(pitfall.example));
        Some(Self { title: id.into(), paper: Paper::new(page) })
    }
}

impl Screen for Card {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![READ, MOVING]
    }

    fn writes(&self) -> bool {
        false
    }

    fn update(&mut self, msg: Msg, _: &mut Model) -> Step {
        match msg {
            Msg::Action(Action::Choose | Action::Back) => return Step::Close,
            Msg::Action(action) => _ = self.paper.act(action),
            Msg::Wheel { down, .. } => self.paper.scroll(down),
            _ => {}
        }
        Step::Stay
    }

    fn view(&self, _: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.paper.draw_over(&format!(" {} ", self.title), 88, theme, area, buffer);
        None
    }
}
