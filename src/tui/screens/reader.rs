//! Pages read over another screen: warnings before the first one, a word of the glossary, a pitfall, the summary.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::pitfall::table;
use crate::tui::actions::Action;
use crate::tui::highlight;
use crate::tui::keymap::Binding;
use crate::tui::keys::{CLOSING, MOVING};
use crate::tui::model::Model;
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::theme::Theme;
use crate::tui::widgets::Paper;
use crate::words::Words;

const BEFORE: Words = Words::new("Before you begin", "Bevor es losgeht");
const SUMMARY: Words = Words::new("What you have done", "Was du geschafft hast");
const CURE: Words = Words::new("Cure: ", "Abhilfe: ");
const EXAMPLE: Words = Words::new("Example", "Beispiel");

/// Title and text of what an id names.
type Write = fn(&Model, &str) -> Option<(String, Page)>;

/// A page with a title.
#[derive(Debug)]
pub struct Reader {
    id: String,
    write: Write,
    title: String,
    paper: Paper,
}

impl Reader {
    fn new(write: Write, id: &str, model: &Model) -> Option<Self> {
        let (title, page) = write(model, id)?;
        Some(Self { id: id.to_owned(), write, title, paper: Paper::new(page) })
    }

    /// What has to be known before the first screen, a paragraph each; none where there is nothing.
    #[must_use]
    pub fn warnings(model: &Model) -> Option<Self> {
        Self::new(warnings, "", model)
    }

    /// A word of the glossary, or a pitfall, by its id.
    #[must_use]
    pub fn about(model: &Model, id: &str) -> Option<Self> {
        Self::new(|model, id| term(model, id).or_else(|| pitfall(model, id)), id, model)
    }
}

/// Opens what tells how far the learner has come.
#[must_use]
pub fn summary(model: &Model) -> Step {
    let write: Write = |model, _| Some((SUMMARY.get(model.settings.lang).to_owned(), model.summary()));
    Reader::new(write, "", model).map_or(Step::Stay, |page| Step::Open(Box::new(page)))
}

fn warnings(model: &Model, _: &str) -> Option<(String, Page)> {
    let mut page = Page::new();
    for warning in &model.warnings {
        page.gap();
        page.say(Role::Warning, warning.clone());
    }
    (!page.is_empty()).then(|| (BEFORE.get(model.settings.lang).to_owned(), page))
}

fn term(model: &Model, id: &str) -> Option<(String, Page)> {
    let lang = model.settings.lang;
    let term = model.pack.glossary.get(id)?;
    Some((term.name.get(lang).to_owned(), Page::of(Line::of(Role::Text, term.text.get(lang)))))
}

fn pitfall(model: &Model, id: &str) -> Option<(String, Page)> {
    let lang = model.settings.lang;
    let pitfall = table().find(|pitfall| pitfall.id == id)?;
    let mut page = Page::of(Line::of(Role::Strong, pitfall.title.get(lang)));
    page.gap();
    page.say(Role::Text, pitfall.explanation.get(lang));
    page.gap();
    page.line(Line::of(Role::Heading, CURE.get(lang)).and(Role::Text, pitfall.cure.get(lang)).hang(2));
    page.gap();
    page.say(Role::Heading, EXAMPLE.get(lang));
    page.lines.extend(highlight::lines(pitfall.example));
    Some((id.to_owned(), page))
}

impl Screen for Reader {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![CLOSING, MOVING]
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(Action::Choose | Action::Back) => return Step::Close,
            Msg::Changed => {
                if let Some((title, page)) = (self.write)(model, &self.id) {
                    self.title = title;
                    self.paper.set(page);
                }
            }
            msg => _ = self.paper.hear(&msg),
        }
        Step::Stay
    }

    fn view(&self, _: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.paper.draw_over(&format!(" {} ", self.title), 90, theme, area, buffer);
        None
    }
}
