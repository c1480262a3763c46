//! Six questions that find where to begin; leaving changes nothing.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::keys::{MOVING, PLACING};
use crate::tui::model::Model;
use crate::tui::page::{Line, Page, Target};
use crate::tui::pages;
use crate::tui::role::Role;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::theme::Theme;
use crate::tui::widgets::Paper;
use crate::words::Words;

const TITLE: Words = Words::new("Where to begin", "Wo anfangen");
const NUMBER: Words = Words::new("Question {number} of {all}", "Frage {number} von {all}");
const NEXT: Words = Words::new("→ or Enter goes on.", "→ oder Enter geht weiter.");
const NO_IDEA: Words =
    Words::new("No idea? → goes on; nothing is lost.", "Keine Ahnung? → geht weiter; verloren ist nichts.");
const KNOWN: Words = Words::new("You know already: {list}.", "Das kannst du schon: {list}.");
const NOTHING: Words = Words::new("Then we begin at the beginning.", "Dann fangen wir vorne an.");
const MARKED: Words = Words::new(
    "These lessons count as done; you can still read them, from the course map.",
    "Diese Lektionen gelten als erledigt; lesen kannst du sie trotzdem, über die Kurskarte.",
);
const BEGIN: Words = Words::new(
    "Enter begins with the first lesson that is open. Esc leaves everything as it was.",
    "Enter beginnt mit der ersten offenen Lektion. Esc lässt alles, wie es war.",
);

/// The placement, at one of its questions or behind the last.
#[derive(Debug)]
pub struct Placement {
    at: usize,
    /// The choice made at each question.
    chosen: Vec<Option<usize>>,
    paper: Paper,
}

impl Placement {
    /// The placement of the model's pack; none where it has no questions.
    #[must_use]
    pub fn new(model: &Model) -> Option<Self> {
        let all = model.pack.placement_questions(model.settings.lang).len();
        let mut placement = Self { at: 0, chosen: vec![None; all], paper: Paper::default() };
        placement.turn(0, model);
        (all > 0).then_some(placement)
    }

    fn page(&self, model: &Model) -> Page {
        let lang = model.settings.lang;
        let questions = model.pack.placement_questions(lang);
        let Some((_, question)) = questions.get(self.at) else { return self.verdict(model) };
        let mut page = Page::new();
        let (number, all) = ((self.at + 1).to_string(), questions.len().to_string());
        page.say(Role::Quiet, NUMBER.fill(lang, &[("number", &number), ("all", &all)]));
        page.gap();
        pages::question(&mut page, self.at, question, self.chosen[self.at], lang);
        page.gap();
        page.say(Role::Quiet, if self.chosen[self.at].is_some() { NEXT } else { NO_IDEA }.get(lang));
        page
    }

    /// The lessons whose question was answered rightly.
    fn known(&self, model: &Model) -> Vec<String> {
        let questions = model.pack.placement_questions(model.settings.lang);
        let right = |(lesson, question): &(&str, &crate::course::Question), chosen: &Option<usize>| {
            let choice = chosen.and_then(|chosen| question.choices.get(chosen));
            choice.is_some_and(|choice| choice.right).then(|| (*lesson).to_owned())
        };
        questions.iter().zip(&self.chosen).filter_map(|(asked, chosen)| right(asked, chosen)).collect()
    }

    fn verdict(&self, model: &Model) -> Page {
        let lang = model.settings.lang;
        let known = self.known(model);
        let title = |id: &String| model.pack.lesson(id).map(|lesson| lesson.reading(lang).title.clone());
        let titles: Vec<String> = known.iter().filter_map(title).collect();
        let mut page = Page::new();
        if titles.is_empty() {
            page.say(Role::Text, NOTHING.get(lang));
        } else {
            page.line(Line::of(Role::Good, KNOWN.fill(lang, &[("list", &titles.join("; "))])));
            page.gap();
            page.say(Role::Text, MARKED.get(lang));
        }
        page.gap();
        page.say(Role::Strong, BEGIN.get(lang));
        page
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Step {
        match action {
            Action::Back => return Step::Close,
            Action::Choose if self.at == self.chosen.len() => return Step::Tell(Msg::Placed(self.known(model))),
            Action::Choose if self.chosen[self.at].is_none() => {
                if let Some(Target::Answer { choice, .. }) = self.paper.target() {
                    self.chosen[self.at] = Some(choice);
                    self.paper.set(self.page(model));
                }
            }
            Action::Choose | Action::NextLesson => self.turn((self.at + 1).min(self.chosen.len()), model),
            Action::PreviousLesson => self.turn(self.at.saturating_sub(1), model),
            _ => _ = self.paper.act(action),
        }
        Step::Stay
    }

    fn turn(&mut self, to: usize, model: &Model) {
        self.at = to;
        self.paper = Paper::new(self.page(model));
        // The first choice, so that Enter and the arrows work at once.
        let first = self.paper.find(|target| matches!(target, Target::Answer { .. }));
        self.paper.go(first.unwrap_or(0));
    }
}

impl Screen for Placement {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![PLACING, MOVING]
    }

    fn writes(&self) -> bool {
        false
    }

    fn is_list(&self) -> bool {
        true
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(action) => return self.act(action, model),
            Msg::Wheel { down, .. } => self.paper.scroll(down),
            Msg::Click(at) if self.paper.click(at) => return self.act(Action::Choose, model),
            Msg::Changed => self.paper.set(self.page(model)),
            _ => {}
        }
        Step::Stay
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.paper.draw_over(&format!(" {} ", TITLE.get(model.settings.lang)), 88, theme, area, buffer);
        None
    }
}
