//! The program around the screens: events in, frames out, effects done, the terminal given back.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use crossterm::event::{self, Event, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::tui::actions::Action;
use crate::tui::ground::{Heard, Listener};
use crate::tui::keymap::{Binding, dispatch};
use crate::tui::keys::{GLOBAL, LEAVING};
use crate::tui::model::Model;
use crate::tui::page::Line;
use crate::tui::role::Role;
use crate::tui::screen::{Effect, Msg, Screen, Step};
use crate::tui::screens::{self, Lab, Menu, Reader, Study, Welcome};
use crate::tui::settings::Setting;
use crate::tui::terminal::{self, Signals};
use crate::tui::theme::{Ground, Theme};
use crate::tui::widgets::{draw_line, footer, footer_action};
use crate::words::Words;

/// The smallest size that the screens are made for.
pub const SMALLEST: (u16, u16) = (40, 12);

const TOO_SMALL: Words =
    Words::new("Pegboard needs 40×12, this is {size}.", "Pegboard braucht 40×12, hier sind {size}.");

const RUNNING: Words = Words::new(" Running… Esc cancels.", " Läuft… Esc bricht ab.");
const QUEUED: Words = Words::new(
    "This runs as soon as what runs now has ended; Esc cancels both.",
    "Das läuft, sobald das Jetzige fertig ist; Esc bricht beides ab.",
);
const BUSY: Words = Words::new("Something still runs; Esc cancels it.", "Es läuft noch etwas; Esc bricht es ab.");

const NO_PLACEMENT: Words = Words::new(
    "This course has no questions that find where to begin.",
    "Dieser Kurs hat keine Fragen, die finden, wo du anfängst.",
);

const COPIED: Words = Words::new("Copied, {size bytes}.", "Kopiert, {size Bytes}.");
const SAVED: Words = Words::new(
    "{size bytes} {size|is|are} more than terminals copy; they are in {path}.",
    "{size Bytes} {size|ist|sind} mehr, als Terminals kopieren; sie liegen in {path}.",
);

/// The screens on top of each other and what they look at.
pub struct App {
    /// What the screens look at.
    pub model: Model,
    /// The colours the terminal has.
    detected: Theme,
    screens: Vec<Box<dyn Screen>>,
    /// Whether the line that says that something runs was drawn last.
    told_running: Cell<(bool, Option<u8>)>,
    /// What is to be begun when what runs has ended.
    next: Option<Effect>,
    listener: Listener,
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
        if let Some(warnings) = Reader::warnings(&model) {
            screens.push(Box::new(warnings));
        }
        Self {
            model,
            detected,
            screens,
            told_running: Cell::default(),
            next: None,
            listener: Listener::default(),
            done: false,
        }
    }

    /// Whether the learner has left.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Takes the terminal's report of its ground out of the events.
    fn sift(&mut self, event: Event) -> Vec<Event> {
        match self.listener.hear(event) {
            Heard::Events(events) => events,
            Heard::Part => Vec::new(),
            Heard::Ground(ground) => {
                self.model.settings.seen_light = Some(ground == Ground::Light);
                Vec::new()
            }
        }
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
                    MouseEventKind::Down(MouseButton::Left) => self.clicked(at),
                    MouseEventKind::Drag(MouseButton::Left) => Msg::Drag(at),
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

    /// A click on a key of the footer is that key; any other is the top screen's.
    fn clicked(&self, at: Position) -> Msg {
        let size = self.model.size;
        let asked = || {
            let lang = self.model.settings.lang;
            footer_action(&self.tables(), self.top().writes(), lang, size.width, at.x)
        };
        if at.y + 1 == size.bottom() { asked().map_or(Msg::Click(at), Msg::Action) } else { Msg::Click(at) }
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
        if msg.leads() {
            // What lies over the desk is left, the welcome too.
            self.screens.truncate(1);
            self.model.settings.welcomed = true;
        }
        let step = match msg.clone() {
            Msg::Action(action) => self.everywhere(action),
            Msg::Set(setting) => Some(self.set(setting)),
            Msg::Word(id) => Reader::about(&self.model, &id).map(|page| Step::Open(Box::new(page))),
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
            Action::Back | Action::Copy if self.model.running().is_some() && !self.top().is_list() => {
                self.next = None;
                self.model.cancel();
                Step::Stay
            }
            Action::Reset if self.model.running().is_some() => {
                self.model.notice = Some(Line::of(Role::Info, BUSY.get(self.model.settings.lang)));
                Step::Stay
            }
            Action::Quit => Step::Perform(Effect::Quit),
            Action::Suspend => Step::Perform(Effect::Suspend),
            Action::Help => Step::Open(Box::new(Menu::help(&self.tables(), self.top().writes(), &self.model))),
            Action::Palette => Step::Open(Box::new(screens::palette(&self.tables(), &self.model))),
            Action::Lab => Step::Open(Box::new(Lab::new(&self.model))),
            Action::Map => Step::Open(Box::new(screens::map(&self.model))),
            Action::Glossary => Step::Open(Box::new(screens::glossary(&self.model))),
            Action::Search => Step::Open(Box::new(screens::search(&self.tables(), &self.model))),
            Action::Placement => {
                let asked = screens::placement(&self.model);
                if asked.is_none() {
                    self.model.notice = Some(Line::of(Role::Info, NO_PLACEMENT.get(self.model.settings.lang)));
                }
                asked.map_or(Step::Stay, |asked| Step::Open(Box::new(asked)))
            }
            Action::AllPitfalls => Step::Open(Box::new(screens::all_pitfalls(&self.model))),
            Action::Review => Step::Open(Box::new(screens::reviews(&self.model))),
            Action::Summary => screens::summary(&self.model),
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
        if setting == Setting::Language {
            self.model.speak();
        }
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
            Step::Perform(effect @ (Effect::Run(_) | Effect::Check(_) | Effect::Try(_) | Effect::Lab(_))) => {
                self.begin(effect)
            }
            Step::Perform(effect) => Some(effect),
        }
    }

    /// Begins what runs beside the screen, one after the other.
    fn begin(&mut self, effect: Effect) -> Option<Effect> {
        if self.model.running().is_some() {
            self.next = Some(effect);
            self.model.notice = Some(Line::of(Role::Info, QUEUED.get(self.model.settings.lang)));
            return None;
        }
        match effect {
            Effect::Run(text) => self.model.start(&text),
            Effect::Check(text) => self.model.start_check(&text),
            Effect::Try(of) => _ = self.model.start_fix(of),
            Effect::Lab(plan) => self.model.start_lab(plan),
            _ => {}
        }
        // Most of it ends before the eye would see a frame without it.
        if self.model.wait(GLANCE) { self.ended() } else { None }
    }

    /// Tells the screens that what ran has ended, and begins what waits.
    fn ended(&mut self) -> Option<Effect> {
        self.tell(Msg::Ran);
        // What lies below the top screen shows what it was told before.
        let below = self.screens.len().saturating_sub(1);
        for screen in &mut self.screens[..below] {
            screen.update(Msg::Changed, &mut self.model);
        }
        let next = self.next.take()?;
        self.begin(next)
    }

    /// Looks after what runs beside the screen. Tells whether there is something new to draw.
    pub fn attend(&mut self) -> bool {
        if self.model.wait(Duration::ZERO) {
            self.ended();
            return true;
        }
        (self.is_running_told(), self.model.percent()) != self.told_running.get()
    }

    /// Waits until nothing runs beside the screen.
    pub fn settle(&mut self) {
        while self.model.running().is_some() {
            self.model.settle();
            self.ended();
        }
    }

    /// Whether something has been running for so long that it has to be said.
    fn is_running_told(&self) -> bool {
        self.model.running().is_some_and(|time| time > PATIENCE)
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
            self.told_running.set((false, None));
            return Rect { height: area.height - 1, ..area };
        }
        let running = self.is_running_told();
        self.told_running.set((running, self.model.percent()));
        let percent = self.model.percent().map_or_else(String::new, |percent| format!(" {percent} %"));
        let running = running.then(|| Line::of(Role::Info, format!("{percent}{}", RUNNING.get(lang))));
        let notice = self.model.notice_rows(area.width);
        let advice = || self.top().advice(&self.model).map(|text| Line::of(Role::Info, format!(" {text}")));
        let rows = match running {
            Some(line) => vec![line],
            None if notice.is_empty() => vec![advice().unwrap_or_default()],
            None => notice,
        };
        let bars = u16::try_from(rows.len()).unwrap_or(u16::MAX) + 1;
        let room = Rect { height: area.height.saturating_sub(bars), ..area };
        for (line, row) in rows.iter().zip(room.bottom()..bar.y) {
            draw_line(&line.cut(usize::from(bar.width)), self.theme(), Rect { y: row, ..bar }, buffer);
        }
        room
    }

    /// Whether a row above the keys is kept: in learning mode always, else only while there is something to say.
    fn has_advice_row(&self) -> bool {
        self.model.settings.learning || self.model.notice.is_some() || self.is_running_told()
    }

    fn draw_too_small(&self, area: Rect, buffer: &mut Buffer) {
        let size = format!("{}×{}", area.width, area.height);
        let text = TOO_SMALL.fill(self.model.settings.lang, &[("size", &size)]);
        let rows = Line::of(Role::Text, text).wrap(usize::from(area.width));
        for (row, place) in rows.iter().zip(area.rows()) {
            draw_line(row, self.theme(), place, buffer);
        }
    }

    /// Keeps place, text and settings. Tells whether something came of it that has to be said.
    pub fn save(&mut self) -> bool {
        let before = self.model.notice.clone();
        if let Some(text) = self.screens.first().and_then(|screen| screen.draft()) {
            self.model.draft = text;
        }
        self.model.save();
        self.model.notice != before
    }
}

/// How long after the last event everything is written to disk.
const CALM: Duration = Duration::from_millis(700);

/// Nothing has to be done: the terminal's next event wakes the loop.
const IDLE: Duration = Duration::from_secs(3600);

/// So many events are heard for one frame.
const BURST: usize = 64;

/// How often what runs is looked after.
const TICK: Duration = Duration::from_millis(10);

/// How long what was begun is waited for before the next frame.
const GLANCE: Duration = Duration::from_millis(12);

/// How long something runs before the screen says so.
const PATIENCE: Duration = Duration::from_millis(150);

/// How the app ended.
#[derive(Debug)]
pub struct Ended {
    /// The number of the signal that ended it.
    pub signal: Option<usize>,
    /// Why what was done could not be kept.
    pub trouble: Option<String>,
}

/// Runs the app in the terminal until the learner leaves or a signal ends it.
///
/// # Errors
/// What the terminal refuses.
pub fn run(mut app: App) -> io::Result<Ended> {
    let signals = Signals::listen()?;
    let mut screen = terminal::Screen::take(app.model.settings.mouse)?;
    let mut unsaved = true;
    let mut stale = true;
    while !app.is_done() && signals.end().is_none() {
        if stale {
            draw(&mut app, &mut screen)?;
        }
        stale = if event::poll(patience(&app, unsaved))? {
            unsaved = true;
            hear_all(&mut app, &mut screen)?;
            true
        } else if app.model.running().is_some() {
            app.attend()
        } else {
            unsaved = false;
            app.save()
        };
        if signals.take_suspend() {
            perform(&mut app, &mut screen, Effect::Suspend)?;
        }
    }
    app.save();
    Ok(Ended { signal: signals.end(), trouble: app.model.trouble })
}

fn draw(app: &mut App, screen: &mut terminal::Screen) -> io::Result<()> {
    let mut size = None;
    screen.draw(|area, buffer| {
        size = Some(area);
        app.draw(area, buffer)
    })?;
    app.resized(size.unwrap_or_default());
    Ok(())
}

/// How long the terminal's next event is waited for.
fn patience(app: &App, unsaved: bool) -> Duration {
    match (app.model.running(), unsaved) {
        (Some(_), _) => TICK,
        (None, true) => CALM,
        (None, false) => IDLE,
    }
}

/// Hears everything that has piled up, such as turns of the wheel, before the next frame.
fn hear_all(app: &mut App, screen: &mut terminal::Screen) -> io::Result<()> {
    for _ in 0..BURST {
        for event in app.sift(event::read()?) {
            if let Some(effect) = app.hear(event) {
                perform(app, screen, effect)?;
            }
        }
        if app.is_done() || !event::poll(Duration::ZERO)? {
            break;
        }
    }
    Ok(())
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
        Effect::Run(_) | Effect::Check(_) | Effect::Try(_) | Effect::Lab(_) | Effect::Quit => Ok(()),
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
    let name = || std::env::temp_dir().join("pegboard-….txt").display().to_string();
    app.model.notice = Some(match into_file(text) {
        Ok(path) => {
            Line::of(Role::Warning, SAVED.fill(lang, &[("size", &size), ("path", &path.display().to_string())]))
        }
        Err(error) => Line::of(Role::Bad, format!("{}: {error}", name())),
    });
    Ok(())
}

/// Writes a text into a file of its own among the temporary ones, and tells which.
fn into_file(text: &str) -> io::Result<PathBuf> {
    let mut file = tempfile::Builder::new().prefix("pegboard-").suffix(".txt").tempfile()?;
    file.write_all(text.as_bytes())?;
    Ok(file.keep()?.1)
}
