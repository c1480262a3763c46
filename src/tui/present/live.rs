//! Presenting in a terminal: keys become cues, cues are kept, a record plays on until the presenter takes over.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::film::{typed, typing_time};
use super::notes::{Prompt, clock, pace, planned};
use super::stage::{self, Aside};
use super::talk::Talk;
use crate::course::{Cue, TalkRecord, write_by_rename};
use crate::tui::answer::View;
use crate::tui::terminal::{self, Screen, Signals};
use crate::tui::theme::Theme;

/// How long the stage waits for a key before the clock moves on, and while a statement is typed.
const TICK: Duration = Duration::from_millis(500);
const TYPING_TICK: Duration = Duration::from_millis(30);

/// A talk with its presenter.
#[derive(Debug)]
pub struct Player {
    talk: Talk,
    /// Everything done so far.
    record: TalkRecord,
    /// What is still to be played of an earlier record.
    script: VecDeque<(u64, Cue)>,
    minutes: u32,
    keep: Option<PathBuf>,
    notes: Option<PathBuf>,
    draft: String,
    /// Time of talking before the timer was last started, and when that was.
    passed: Duration,
    running: Option<Instant>,
    /// When the beat on stage began.
    begun: Instant,
}

impl Player {
    /// A talk about to begin; `script` plays by itself until the presenter takes over.
    #[must_use]
    pub fn new(talk: Talk, record: TalkRecord, script: Vec<(u64, Cue)>, minutes: u32) -> Self {
        let (draft, now) = (String::new(), Instant::now());
        let (passed, running) = (Duration::ZERO, Some(now));
        let script = VecDeque::from(script);
        Self { talk, record, script, minutes, keep: None, notes: None, draft, passed, running, begun: now }
    }

    /// Keeps the record in this file, written after every cue.
    #[must_use]
    pub fn keeping(mut self, file: Option<PathBuf>) -> Self {
        self.keep = file;
        self
    }

    /// Tells a second terminal through this file.
    #[must_use]
    pub fn telling(mut self, file: Option<PathBuf>) -> Self {
        self.notes = file;
        self
    }

    fn elapsed(&self) -> u64 {
        let running = self.running.map_or(Duration::ZERO, |since| since.elapsed());
        u64::try_from((self.passed + running).as_millis()).unwrap_or(u64::MAX)
    }

    fn toggle_timer(&mut self) {
        match self.running.take() {
            Some(since) => self.passed += since.elapsed(),
            None => self.running = Some(Instant::now()),
        }
    }

    fn aside(&self) -> Aside {
        let since = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let typed = self.talk.typing().and_then(|text| typed(text, since));
        let (elapsed, (at, beats)) = (self.elapsed(), self.talk.place());
        let (_, pace) = pace(elapsed, planned(at, beats, u64::from(self.minutes) * 60_000), self.talk.lang);
        Aside { typed, draft: self.draft.clone(), clock: format!("{} {pace}", clock(elapsed)), only_new: false }
    }

    /// Whether a statement is still being typed.
    fn is_typing(&self) -> bool {
        let typing = self.talk.typing().map_or(0, typing_time);
        self.begun.elapsed() < Duration::from_millis(typing)
    }

    /// How long nothing will change by itself.
    fn calm(&self) -> Duration {
        let tick = if self.is_typing() { TYPING_TICK } else { TICK };
        let due = self.script.front().filter(|_| self.running.is_some());
        due.map_or(tick, |(time, _)| tick.min(Duration::from_millis(time.saturating_sub(self.elapsed()))))
    }

    /// Plays what is due of the record.
    fn play(&mut self) -> io::Result<()> {
        while self.running.is_some() && self.script.front().is_some_and(|(time, _)| *time <= self.elapsed()) {
            if let Some((_, cue)) = self.script.pop_front() {
                self.follow(cue)?;
            }
        }
        Ok(())
    }

    /// Does a cue and keeps it.
    fn follow(&mut self, cue: Cue) -> io::Result<()> {
        if !self.talk.hear(&cue) {
            return Ok(());
        }
        if matches!(cue, Cue::Next | Cue::Back) {
            self.begun = Instant::now();
        }
        let elapsed = self.elapsed();
        self.record.cues.push((elapsed, cue));
        if let Some(file) = &self.keep {
            write_by_rename(file, self.record.to_text().as_bytes())?;
        }
        self.tell()
    }

    /// Tells the second terminal.
    fn tell(&self) -> io::Result<()> {
        let Some(file) = &self.notes else { return Ok(()) };
        let since = self.running.map(|_| bson::DateTime::now().timestamp_millis());
        let prompt = Prompt::of(&self.talk, self.minutes, self.elapsed(), since);
        write_by_rename(file, &serde_json::to_vec(&prompt)?)
    }

    /// Hears a key; false ends the talk.
    fn key(&mut self, key: KeyEvent) -> io::Result<bool> {
        let held = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        if held {
            return Ok(!matches!(key.code, KeyCode::Char('q' | 'c')));
        }
        if self.common(key.code)? {
            return Ok(true);
        }
        if self.talk.is_detour() {
            self.detour_key(key.code)?;
            return Ok(true);
        }
        match key.code {
            KeyCode::Char('q') => return Ok(false),
            KeyCode::Char('t') => {
                self.toggle_timer();
                self.tell()?;
            }
            KeyCode::Char(' ') | KeyCode::Enter | KeyCode::Right | KeyCode::PageDown => self.forward()?,
            KeyCode::Left | KeyCode::Backspace | KeyCode::PageUp => self.take_over(Cue::Back)?,
            KeyCode::Char('d') => self.take_over(Cue::Detour)?,
            KeyCode::Char(digit @ '1'..='5') => self.take_over(Cue::View(digit as usize - '1' as usize))?,
            _ => {}
        }
        Ok(true)
    }

    /// Keys that mean the same on stage and in a detour.
    fn common(&mut self, code: KeyCode) -> io::Result<bool> {
        match code {
            KeyCode::Tab => self
                .take_over(Cue::View(View::ALL.iter().position(|view| *view == self.talk.view.next()).unwrap_or(0)))?,
            KeyCode::Up => self.take_over(Cue::Scroll(-1))?,
            KeyCode::Down => self.take_over(Cue::Scroll(1))?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Finishes the typing, plays the record's next cue at once, or goes on.
    fn forward(&mut self) -> io::Result<()> {
        if self.is_typing() {
            self.begun = self.begun.checked_sub(Duration::from_secs(3600)).unwrap_or(self.begun);
            return Ok(());
        }
        match self.script.pop_front() {
            Some((time, cue)) => {
                let ahead = time.saturating_sub(self.elapsed());
                self.passed += Duration::from_millis(ahead);
                self.follow(cue)
            }
            None => self.follow(Cue::Next),
        }
    }

    /// Does what the presenter wants in place of what was still to be played: a fork of the record.
    fn take_over(&mut self, cue: Cue) -> io::Result<()> {
        self.script.clear();
        self.follow(cue)
    }

    fn detour_key(&mut self, code: KeyCode) -> io::Result<()> {
        match code {
            KeyCode::Esc => {
                self.draft.clear();
                self.take_over(Cue::Return)?;
            }
            KeyCode::Enter if self.draft.trim().is_empty() => {}
            KeyCode::Enter => {
                let text = std::mem::take(&mut self.draft);
                self.take_over(Cue::Run(text))?;
            }
            KeyCode::Backspace => _ = self.draft.pop(),
            KeyCode::Char(letter) => self.draft.push(letter),
            _ => {}
        }
        Ok(())
    }

    fn paste(&mut self, text: &str) {
        if self.talk.is_detour() {
            self.draft.extend(text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }));
        }
    }
}

/// Presents in the terminal until the presenter leaves or a signal ends it; gives that signal's number.
///
/// # Errors
/// What the terminal and the files refuse.
pub fn perform(mut player: Player, theme: Theme) -> io::Result<Option<usize>> {
    let signals = Signals::listen()?;
    let mut screen = Screen::take(false)?;
    player.tell()?;
    let mut goes_on = true;
    while goes_on && signals.end().is_none() {
        player.play()?;
        let aside = player.aside();
        screen.draw(|area, buffer| {
            stage::draw(&player.talk, &aside, theme, area, buffer);
            None
        })?;
        if event::poll(player.calm())? {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => goes_on = player.key(key)?,
                Event::Paste(text) => player.paste(&text),
                _ => {}
            }
        }
        if signals.take_suspend() {
            screen.lend(terminal::stop)?;
        }
    }
    if let Some(file) = &player.notes {
        // Nobody presents any more; a file that is gone already is as good.
        let _ = std::fs::remove_file(file);
    }
    Ok(signals.end())
}
