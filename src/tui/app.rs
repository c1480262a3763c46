//! The program around the screens: events in, frames out, effects done, the terminal given back.

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::tui::keymap::{Action, Binding, dispatch};
use crate::tui::keys::GLOBAL;
use crate::tui::model::Model;
use crate::tui::page::Line;
use crate::tui::role::Role;
use crate::tui::screen::{Effect, Msg, Screen, Step};
use crate::tui::screens::{Menu, Study};
use crate::tui::terminal::{self, Signals};
use crate::tui::theme::Theme;
use crate::tui::widgets::{draw_line, footer};
use crate::words::Words;

/// The smallest size that the screens are made for.
pub const SMALLEST: (u16, u16) = (40, 12);

const TOO_SMALL: Words =
    Words::new("Pegboard needs 40×12, this is {size}.", "Pegboard braucht 40×12, hier sind {size}.");

/// The screens on top of each other and what they look at.
pub struct App {
    /// What the screens look at.
    pub model: Model,
    /// The colours.
    pub theme: Theme,
    screens: Vec<Box<dyn Screen>>,
    done: bool,
}

impl App {
    /// The app at its last place.
    #[must_use]
    pub fn new(model: Model, theme: Theme) -> Self {
        let study = Study::new(&model);
        Self { model, theme, screens: vec![Box::new(study)], done: false }
    }

    /// Whether the learner has left.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Hears one event of the terminal and gives what only the terminal's owner can do.
    pub fn hear(&mut self, event: Event) -> Option<Effect> {
        let msg = match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                let writing = self.top().writes();
                match dispatch(&self.tables(), &key, writing) {
                    Some(action) => Msg::Action(action),
                    None => Msg::Key(key),
                }
            }
            Event::Paste(text) => Msg::Paste(text),
            Event::Mouse(mouse) => {
                let at = Position::new(mouse.column, mouse.row);
                match mouse.kind {
                    MouseEventKind::Down(MouseButton::Left) => Msg::Click(at),
                    MouseEventKind::ScrollDown => Msg::Wheel { at, down: true },
                    MouseEventKind::ScrollUp => Msg::Wheel { at, down: false },
                    _ => return None,
                }
            }
            Event::Resize(width, height) => {
                self.model.size = Rect::new(0, 0, width, height);
                return None;
            }
            _ => return None,
        };
        self.tell(msg)
    }

    /// Gives a message to the top screen, or does what it asks for everywhere.
    pub fn tell(&mut self, msg: Msg) -> Option<Effect> {
        if !matches!(msg, Msg::Ran | Msg::Moved) {
            self.model.notice = None;
        }
        let step = match msg {
            Msg::Action(action) => self.everywhere(action),
            _ => None,
        };
        let step = match step {
            Some(step) => step,
            None => {
                let Some(top) = self.screens.last_mut() else { return Some(Effect::Quit) };
                top.update(msg, &mut self.model)
            }
        };
        self.follow(step)
    }

    /// What some keys mean on every screen.
    fn everywhere(&mut self, action: Action) -> Option<Step> {
        Some(match action {
            Action::Quit => Step::Perform(Effect::Quit),
            Action::Suspend => Step::Perform(Effect::Suspend),
            Action::Help => Step::Open(Box::new(Menu::help(&self.tables(), self.top().writes(), &self.model))),
            Action::Palette => Step::Open(Box::new(Menu::palette(&self.tables(), &self.model))),
            Action::Learning => {
                self.model.settings.learning = !self.model.settings.learning;
                Step::Stay
            }
            Action::Mouse => {
                self.model.settings.mouse = !self.model.settings.mouse;
                Step::Perform(Effect::Mouse(self.model.settings.mouse))
            }
            _ => return None,
        })
    }

    fn follow(&mut self, step: Step) -> Option<Effect> {
        match step {
            Step::Stay => None,
            Step::Open(screen) => {
                self.screens.push(screen);
                None
            }
            Step::Close => {
                self.close();
                None
            }
            Step::Tell(msg) => {
                self.close();
                self.tell(msg)
            }
            Step::Perform(Effect::Quit) => {
                self.done = true;
                None
            }
            Step::Perform(Effect::Run(text)) => {
                self.model.run(&text);
                self.tell(Msg::Ran)
            }
            Step::Perform(effect) => Some(effect),
        }
    }

    /// Closes the top screen; the last one stays.
    fn close(&mut self) {
        if self.screens.len() > 1 {
            self.screens.pop();
        }
    }

    fn top(&self) -> &dyn Screen {
        self.screens.last().expect("the last screen is never closed").as_ref()
    }

    fn tables(&self) -> Vec<&'static [Binding]> {
        let mut tables = self.top().keymaps();
        tables.push(GLOBAL);
        tables
    }

    /// Draws everything and tells where the text cursor is.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            self.draw_too_small(area, buffer);
            return None;
        }
        let bar = Rect { y: area.bottom() - 1, height: 1, ..area };
        let room = Rect { height: area.height - 1, ..area };
        let mut cursor = None;
        for screen in &self.screens {
            cursor = screen.view(&self.model, &self.theme, room, buffer);
        }
        match &self.model.notice {
            Some(notice) => _ = draw_line(notice, &self.theme, bar, buffer),
            None => footer(&self.tables(), self.top().writes(), self.model.settings.lang, &self.theme, bar, buffer),
        }
        cursor
    }

    fn draw_too_small(&self, area: Rect, buffer: &mut Buffer) {
        let size = format!("{}×{}", area.width, area.height);
        let text = TOO_SMALL.fill(self.model.settings.lang, &[("size", &size)]);
        let rows = Line::of(Role::Text, text).wrap(usize::from(area.width));
        for (row, place) in rows.iter().zip(area.rows()) {
            draw_line(row, &self.theme, place, buffer);
        }
    }

    /// Keeps place, text and settings.
    pub fn save(&mut self) {
        if let Some(text) = self.screens.first().and_then(|screen| screen.draft()) {
            self.model.draft = text;
        }
        self.model.save();
    }
}

/// How long after the last event everything is written to disk.
const CALM: Duration = Duration::from_millis(700);

/// Nothing has to be done: the terminal's next event wakes the loop.
const IDLE: Duration = Duration::from_secs(3600);

/// Runs the app in the terminal until the learner leaves or a signal ends it; gives that signal's number.
///
/// # Errors
/// What the terminal refuses.
pub fn run(mut app: App) -> io::Result<Option<usize>> {
    let signals = Signals::listen()?;
    let mut screen = terminal::Screen::take(app.model.settings.mouse)?;
    let mut unsaved = true;
    while !app.is_done() && signals.end().is_none() {
        let mut size = None;
        screen.draw(|area, buffer| {
            size = Some(area);
            app.draw(area, buffer)
        })?;
        app.model.size = size.unwrap_or_default();
        if !event::poll(if unsaved { CALM } else { IDLE })? {
            app.save();
            unsaved = false;
            continue;
        }
        unsaved = true;
        if let Some(effect) = app.hear(event::read()?) {
            perform(&mut app, &mut screen, effect)?;
        }
        if signals.take_suspend() {
            perform(&mut app, &mut screen, Effect::Suspend)?;
        }
    }
    app.save();
    Ok(signals.end())
}

fn perform(app: &mut App, screen: &mut terminal::Screen, effect: Effect) -> io::Result<()> {
    match effect {
        Effect::Suspend => {
            app.save();
            screen.lend(terminal::stop)
        }
        Effect::Mouse(wanted) => screen.set_mouse(wanted),
        Effect::Copy(text) => screen.send(&terminal::copying(&text)),
        Effect::External(text) => {
            let edited = screen.lend(|| terminal::edit_outside(&text))?;
            match edited {
                Ok(text) => _ = app.tell(Msg::Take(text)),
                Err(error) => app.model.notice = Some(Line::of(Role::Bad, error.to_string())),
            }
            Ok(())
        }
        Effect::Run(_) | Effect::Quit => Ok(()),
    }
}
