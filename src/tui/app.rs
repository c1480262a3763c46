//! The program around the screens: events in, frames out, effects done, the terminal given back.

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::tui::keymap::{Action, Binding, dispatch};
use crate::tui::keys::{GLOBAL, LEAVING};
use crate::tui::model::Model;
use crate::tui::page::Line;
use crate::tui::role::Role;
use crate::tui::screen::{Effect, Msg, Screen, Step};
use crate::tui::screens::{self, Menu, Study, Welcome};
use crate::tui::settings::Setting;
use crate::tui::terminal::{self, Signals};
use crate::tui::theme::Theme;
use crate::tui::widgets::{draw_line, footer};
use crate::words::Words;

/// The smallest size that the screens are made for.
pub const SMALLEST: (u16, u16) = (40, 12);

const TOO_SMALL: Words =
    Words::new("Pegboard needs 40×12, this is {size}.", "Pegboard braucht 40×12, hier sind {size}.");

const COPIED: Words = Words::new("Copied, {size} bytes.", "Kopiert, {size} Bytes.");
const SAVED: Words = Words::new(
    "{size} bytes are more than terminals copy; they are in {path}.",
    "{size} Bytes sind mehr, als Terminals kopieren; sie liegen in {path}.",
);

/// The screens on top of each other and what they look at.
pub struct App {
    /// What the screens look at.
    pub model: Model,
    /// The colours the terminal has.
    detected: Theme,
    screens: Vec<Box<dyn Screen>>,
    done: bool,
}

impl App {
    /// The app at its last place.
    #[must_use]
    pub fn new(model: Model, detected: Theme) -> Self {
        let mut screens: Vec<Box<dyn Screen>> = vec![Box::new(Study::new(&model))];
        if !model.settings.welcomed {
            screens.push(Box::new(Welcome::new(&model)));
        }
        Self { model, detected, screens, done: false }
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
                self.resized(Rect::new(0, 0, width, height));
                return None;
            }
            _ => return None,
        };
        self.tell(msg)
    }

    /// Takes the size of the terminal as it was drawn to.
    fn resized(&mut self, size: Rect) {
        if self.model.size != size {
            self.model.size = size;
            self.changed();
        }
    }

    /// Gives a message to the top screen, or does what it asks for everywhere.
    pub fn tell(&mut self, msg: Msg) -> Option<Effect> {
        if !matches!(msg, Msg::Ran | Msg::Changed) {
            self.model.notice = None;
        }
        let step = match msg {
            Msg::Action(action) => self.everywhere(action),
            Msg::Set(setting) => Some(self.set(setting)),
            _ => None,
        };
        if let Some(step) = step {
            return self.follow(step);
        }
        let Some(top) = self.screens.last_mut() else { return Some(Effect::Quit) };
        let step = top.update(msg, &mut self.model);
        self.follow(step)
    }

    /// What some keys mean on every screen.
    fn everywhere(&mut self, action: Action) -> Option<Step> {
        Some(match action {
            Action::Quit => Step::Perform(Effect::Quit),
            Action::Suspend => Step::Perform(Effect::Suspend),
            Action::Help => Step::Open(Box::new(Menu::help(&self.tables(), self.top().writes(), &self.model))),
            Action::Palette => Step::Open(Box::new(Menu::palette(&self.tables(), &self.model))),
            Action::Map => Step::Open(Box::new(screens::map(&self.model))),
            Action::Glossary => Step::Open(Box::new(screens::glossary(&self.model))),
            Action::Search => Step::Open(Box::new(screens::search(&self.tables(), &self.model))),
            Action::Settings => Step::Open(Box::new(screens::settings(&self.model, 0))),
            Action::Learning => {
                self.model.settings.change(Setting::Learning);
                Step::Stay
            }
            Action::Mouse => {
                self.model.settings.change(Setting::Mouse);
                Step::Perform(Effect::Mouse(self.model.settings.mouse))
            }
            _ => return None,
        })
    }

    /// Tells every screen that settings or size changed.
    fn changed(&mut self) {
        for screen in &mut self.screens {
            screen.update(Msg::Changed, &mut self.model);
        }
    }

    /// Changes a setting and shows the settings again.
    fn set(&mut self, setting: Setting) -> Step {
        self.model.settings.change(setting);
        self.changed();
        let at = Setting::ALL.iter().position(|known| *known == setting).unwrap_or(0);
        self.screens.push(Box::new(screens::settings(&self.model, at)));
        match setting {
            Setting::Mouse => Step::Perform(Effect::Mouse(self.model.settings.mouse)),
            _ => Step::Stay,
        }
    }

    /// The colours as the learner wants them.
    #[must_use]
    pub fn theme(&self) -> Theme {
        self.model.settings.theme(self.detected)
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
            Step::Perform(Effect::Check(text)) => {
                self.model.check(&text);
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
        tables.push(if self.top().is_list() { LEAVING } else { GLOBAL });
        tables
    }

    /// Draws everything and tells where the text cursor is.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            self.draw_too_small(area, buffer);
            return None;
        }
        let room = self.draw_bars(area, buffer);
        let mut cursor = None;
        for screen in &self.screens {
            cursor = screen.view(&self.model, self.theme(), room, buffer);
        }
        cursor
    }

    /// Draws the keys, above them what is to be said, and gives the room that is left.
    fn draw_bars(&self, area: Rect, buffer: &mut Buffer) -> Rect {
        let lang = self.model.settings.lang;
        let bar = Rect { y: area.bottom() - 1, height: 1, ..area };
        footer(&self.tables(), self.top().writes(), lang, self.theme(), bar, buffer);
        if !self.has_advice_row() {
            return Rect { height: area.height - 1, ..area };
        }
        let bar = Rect { y: area.bottom() - 2, ..bar };
        let advice = || self.top().advice(&self.model).map(|text| Line::of(Role::Info, format!(" {text}")));
        if let Some(line) = self.model.notice.clone().or_else(advice) {
            draw_line(&line.cut(usize::from(bar.width)), self.theme(), bar, buffer);
        }
        Rect { height: area.height - 2, ..area }
    }

    /// Whether a row above the keys is kept: in learning mode always, else only while there is something to say.
    fn has_advice_row(&self) -> bool {
        self.model.settings.learning || self.model.notice.is_some()
    }

    fn draw_too_small(&self, area: Rect, buffer: &mut Buffer) {
        let size = format!("{}×{}", area.width, area.height);
        let text = TOO_SMALL.fill(self.model.settings.lang, &[("size", &size)]);
        let rows = Line::of(Role::Text, text).wrap(usize::from(area.width));
        for (row, place) in rows.iter().zip(area.rows()) {
            draw_line(row, self.theme(), place, buffer);
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

/// So many events are heard for one frame.
const BURST: usize = 64;

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
        app.resized(size.unwrap_or_default());
        if !event::poll(if unsaved { CALM } else { IDLE })? {
            app.save();
            unsaved = false;
            continue;
        }
        unsaved = true;
        // Everything that has piled up, such as turns of the wheel, is heard before the next frame.
        for _ in 0..BURST {
            if let Some(effect) = app.hear(event::read()?) {
                perform(&mut app, &mut screen, effect)?;
            }
            if app.is_done() || !event::poll(Duration::ZERO)? {
                break;
            }
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
        Effect::Copy(text) => copy(app, &text),
        Effect::External(text) => {
            let edited = screen.lend(|| terminal::edit_outside(&text))?;
            match edited {
                Ok(text) => _ = app.tell(Msg::Take(text)),
                Err(error) => app.model.notice = Some(Line::of(Role::Bad, error.to_string())),
            }
            Ok(())
        }
        Effect::Run(_) | Effect::Check(_) | Effect::Quit => Ok(()),
    }
}

/// Copies by the terminal, or into a file where the text is longer than terminals take.
fn copy(app: &mut App, text: &str) -> io::Result<()> {
    let lang = app.model.settings.lang;
    let size = text.len().to_string();
    if text.len() <= terminal::LARGEST_COPY {
        terminal::send(&terminal::copying(text))?;
        app.model.notice = Some(Line::of(Role::Good, COPIED.fill(lang, &[("size", &size)])));
        return Ok(());
    }
    let path = std::env::temp_dir().join("pegboard-copy.txt");
    let shown = path.display().to_string();
    app.model.notice = Some(match std::fs::write(&path, text) {
        Ok(()) => Line::of(Role::Warning, SAVED.fill(lang, &[("size", &size), ("path", &shown)])),
        Err(error) => Line::of(Role::Bad, format!("{shown}: {error}")),
    });
    Ok(())
}
