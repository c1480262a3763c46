//! The question before a statement runs: what will come, and how sure are you?

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::course::Confidence;
use crate::tui::actions::Action;
use crate::tui::highlight;
use crate::tui::keymap::Binding;
use crate::tui::keys::FORETELLING;
use crate::tui::model::Model;
use crate::tui::page::{Line, Page, Target};
use crate::tui::pages::{RULE, confidence};
use crate::tui::role::Role;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::theme::Theme;
use crate::tui::widgets::{draw_line, frame};
use crate::words::{Lang, Words};

const TITLE: Words = Words::new("Predict before it runs", "Erst vorhersagen");
const NUMBER: Words = Words::new("Your number: ", "Deine Zahl: ");
const SURE: Words = Words::new("How sure are you?", "Wie sicher bist du?");
const YOURS: Words = Words::new("Your answer", "Deine Antwort");
const STAKE: Words = Words::new("right +{gain}, wrong {loss}", "richtig +{gain}, falsch {loss}");
const MISSING: Words = Words::new(
    "Type a number first; Esc runs it without a prediction.",
    "Schreib erst eine Zahl; Esc führt es ohne Vorhersage aus.",
);
const UNCHOSEN: Words = Words::new(
    "Choose an answer first, by ↑ and ↓; Esc runs it without a prediction.",
    "Wähle erst eine Antwort, mit ↑ und ↓; Esc führt es ohne Vorhersage aus.",
);

/// No answer has more digits.
const DIGITS: usize = 9;

/// Which group of lines a target belongs to.
const ANSWERS: usize = 0;
const LEVELS: usize = 1;

/// The question of one prediction.
#[derive(Debug)]
pub struct Foretell {
    block: usize,
    ask: String,
    statement: String,
    /// The possible answers; none where a number is asked.
    choices: Vec<String>,
    /// The answer chosen; none until the learner chooses one.
    at: Option<usize>,
    number: String,
    confidence: Confidence,
}

impl Foretell {
    /// Asks for the prediction of a block of the step; none where the block asks for none.
    #[must_use]
    pub fn new(block: usize, model: &Model) -> Option<Self> {
        let predict = model.prediction(block)?.clone();
        Some(Self {
            block,
            ask: predict.ask,
            statement: predict.run,
            choices: model.choices_of(block),
            at: None,
            number: String::new(),
            confidence: Confidence::default(),
        })
    }

    fn answer(&self) -> &str {
        self.at.and_then(|at| self.choices.get(at)).unwrap_or(&self.number)
    }

    fn close(&self, guess: Option<(String, Confidence)>) -> Step {
        Step::Tell(Msg::Predicted(self.block, guess))
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Step {
        match action {
            Action::Choose if self.answer().is_empty() => {
                let words = if self.choices.is_empty() { MISSING } else { UNCHOSEN };
                model.notice = Some(Line::of(Role::Warning, format!(" {}", words.get(model.settings.lang))));
            }
            Action::Choose => return self.close(Some((self.answer().to_owned(), self.confidence))),
            Action::Back => return self.close(None),
            Action::Surer => self.level(1),
            Action::LessSure => self.level(-1),
            Action::Up if self.choices.is_empty() => self.level(-1),
            Action::Down if self.choices.is_empty() => self.level(1),
            Action::Up => self.at = self.at.unwrap_or(0).checked_sub(1).or(Some(self.choices.len() - 1)),
            Action::Down => self.at = Some(self.at.map_or(0, |at| (at + 1) % self.choices.len())),
            _ => {}
        }
        Step::Stay
    }

    /// Goes so many levels of confidence up, or down, around the end.
    fn level(&mut self, by: isize) {
        let count = Confidence::ALL.len();
        let next = (self.confidence as usize + count).checked_add_signed(by).unwrap_or_default() % count;
        self.confidence = Confidence::ALL[next];
    }

    fn key(&mut self, key: KeyEvent) {
        match key.code {
            KeyCode::Char(digit) if !self.choices.is_empty() => {
                let line = digit.to_digit(10).and_then(|line| usize::try_from(line).ok()?.checked_sub(1));
                self.at = line.filter(|line| *line < self.choices.len()).or(self.at);
            }
            KeyCode::Char(digit) if digit.is_ascii_digit() && self.number.len() < DIGITS => self.number.push(digit),
            KeyCode::Backspace => _ = self.number.pop(),
            _ => {}
        }
    }

    fn page(&self, lang: Lang) -> Page {
        let mut page = Page::new();
        page.line(Line::of(Role::Strong, "? ").and(Role::Text, self.ask.clone()).hang(2));
        page.gap();
        for mut line in highlight::lines(self.statement.trim_end()) {
            line.pieces.insert(0, crate::tui::page::Piece { text: "  ".into(), role: Role::Code });
            page.line(line.code().hang(4));
        }
        page.gap();
        if self.choices.is_empty() {
            page.line(Line::of(Role::Text, NUMBER.get(lang)).and(Role::Strong, format!("{}▏", self.number)));
        }
        if !self.choices.is_empty() {
            page.line(Line::of(Role::Text, YOURS.get(lang)).and(Role::Key, format!("  ↑ ↓  1–{}", self.choices.len())));
        }
        for (at, choice) in self.choices.iter().enumerate() {
            page.line(option(self.at == Some(at), choice, "", Target::Answer { block: ANSWERS, choice: at }));
        }
        page.gap();
        page.line(Line::of(Role::Text, SURE.get(lang)).and(Role::Key, "  ← →"));
        for level in Confidence::ALL {
            let loss = if level.loss() == 0 { "0".into() } else { format!("−{}", level.loss()) };
            let stake = STAKE.fill(lang, &[("gain", &level.gain().to_string()), ("loss", &loss)]);
            let name = confidence(level).get(lang);
            let gap = " ".repeat(14_usize.saturating_sub(name.width()));
            let target = Target::Answer { block: LEVELS, choice: level as usize };
            page.line(option(level == self.confidence, &format!("{name}{gap}"), &stake, target));
        }
        page.gap();
        page.line(Line::of(Role::Quiet, RULE.get(lang)));
        page
    }

    /// The room of the question, as high as it needs to be where the screen allows.
    fn room(&self, area: Rect, lang: Lang) -> Rect {
        let width = area.width.saturating_sub(2).min(78);
        let rows = self.page(lang).rows(usize::from(width.saturating_sub(4))).len();
        let height = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(area.height);
        Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
    }

    fn inside(room: Rect) -> Rect {
        Rect {
            x: room.x + 2,
            y: room.y + 1,
            width: room.width.saturating_sub(4),
            height: room.height.saturating_sub(2),
        }
    }

    /// The rows of the page that are shown: its end, where the levels are, if not all fit.
    fn rows(&self, room: Rect, lang: Lang) -> Vec<Line> {
        let rows = self.page(lang).rows(usize::from(room.width));
        let skip = rows.len().saturating_sub(usize::from(room.height));
        rows.into_iter().skip(skip).map(|(_, row)| row).collect()
    }

    fn click(&mut self, at: Position, model: &Model) {
        let lang = model.settings.lang;
        let room = Self::inside(self.room(model.room(), lang));
        let row = usize::from(at.y.saturating_sub(room.y));
        let target = self.rows(room, lang).get(row).and_then(|line| line.target.clone());
        match target {
            Some(Target::Answer { block: ANSWERS, choice }) => self.at = Some(choice),
            Some(Target::Answer { choice, .. }) => self.confidence = Confidence::ALL[choice],
            _ => {}
        }
    }
}

fn option(chosen: bool, name: &str, about: &str, target: Target) -> Line {
    let (sign, role) = if chosen { ("(•) ", Role::Strong) } else { ("( ) ", Role::Text) };
    Line::of(role, sign).and(role, name).and(Role::Quiet, about).target(target)
}

impl Screen for Foretell {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![FORETELLING]
    }

    fn writes(&self) -> bool {
        true
    }

    fn is_list(&self) -> bool {
        true
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(action) => return self.act(action, model),
            Msg::Key(key) => self.key(key),
            Msg::Click(at) => self.click(at, model),
            Msg::Wheel { down, .. } => self.level(if down { 1 } else { -1 }),
            _ => {}
        }
        Step::Stay
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let lang = model.settings.lang;
        let room = self.room(area, lang);
        Clear.render(room, buffer);
        frame(&Line::of(Role::Title, format!(" {} ", TITLE.get(lang))), true, theme, room, buffer);
        let inner = Self::inside(room);
        for (row, place) in self.rows(inner, lang).iter().zip(inner.rows()) {
            draw_line(row, theme, place, buffer);
        }
        None
    }
}
