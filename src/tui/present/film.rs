//! A record computed again and written down: as a film for asciinema, or as plain text.

use std::fmt::Write;

use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;

use super::notes::clock;
use super::stage::{self, Aside};
use super::talk::Talk;
use crate::course::{Cue, Part, TalkRecord};
use crate::tui::theme::Theme;

/// A letter is typed in so many milliseconds …
const LETTER: u64 = 25;
/// … but no statement takes longer.
const SLOWEST: u64 = 2_000;
/// Milliseconds between two frames while a statement is typed.
const FRAME: u64 = 50;
/// How long the last frame stays.
const REST: u64 = 2_000;

/// A version of asciinema's file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cast {
    /// asciicast v2: times since the beginning.
    V2,
    /// asciicast v3: times since the event before.
    V3,
}

/// How long a statement takes to be typed, in milliseconds.
#[must_use]
pub(super) fn typing_time(text: &str) -> u64 {
    (text.chars().count() as u64 * LETTER).min(SLOWEST)
}

/// How many letters are typed after so many milliseconds; none when all are.
#[must_use]
pub(super) fn typed(text: &str, millis: u64) -> Option<usize> {
    let all = typing_time(text);
    let letters = text.chars().count() as u64;
    (millis < all).then(|| usize::try_from(letters * millis / all.max(1)).unwrap_or(usize::MAX))
}

/// Computes a record again and writes the screens it gives as a film.
#[must_use]
pub fn film(record: &TalkRecord, talk: Talk, cast: Cast, theme: Theme) -> String {
    let (width, height) = record.head.size;
    let area = Rect::new(0, 0, width, height);
    let title = talk.reading().title.clone();
    let head = match cast {
        Cast::V2 => json!({"version": 2, "width": width, "height": height, "title": title}),
        Cast::V3 => json!({"version": 3, "term": {"cols": width, "rows": height}, "title": title}),
    };
    let mut roll = Roll { talk, theme, before: Buffer::empty(area), cast, last: 0, out: format!("{head}\n") };
    roll.event(0, "\u{1b}[?25l\u{1b}[2J\u{1b}[H");
    roll.frame(0, &Aside::default());
    let mut earlier = 0;
    for (number, (time, cue)) in record.cues.iter().enumerate() {
        if let Cue::Run(text) = cue {
            roll.draft(text, earlier, *time);
        }
        roll.talk.hear(cue);
        let next = record.cues.get(number + 1).map_or(u64::MAX, |(time, _)| *time);
        roll.beat(*time, next, matches!(cue, Cue::Next | Cue::Back));
        earlier = *time;
    }
    let end = roll.last + REST;
    roll.event(end, "\u{1b}[?25h");
    roll.out
}

struct Roll {
    talk: Talk,
    theme: Theme,
    before: Buffer,
    cast: Cast,
    last: u64,
    out: String,
}

impl Roll {
    /// The frames of a beat from its time on, up to the next cue.
    fn beat(&mut self, time: u64, next: u64, is_new: bool) {
        let typing = self.talk.typing().filter(|_| is_new).unwrap_or_default().to_owned();
        let mut passed = 0;
        while let Some(letters) = typed(&typing, passed).filter(|_| time + passed < next) {
            self.frame(time + passed, &Aside { typed: Some(letters), ..aside(time) });
            passed += FRAME;
        }
        let end = (time + if typing.is_empty() { 0 } else { typing_time(&typing) }).min(next);
        self.frame(end, &aside(time));
    }

    /// The frames in which a detour's statement is written, before it runs.
    fn draft(&mut self, text: &str, from: u64, to: u64) {
        let begin = to.saturating_sub(typing_time(text)).max(from);
        for time in (begin..to).step_by(usize::try_from(FRAME).unwrap_or(1)) {
            let letters = typed(text, time - begin).unwrap_or(usize::MAX);
            let draft = text.chars().take(letters).collect();
            self.frame(time, &Aside { draft, ..aside(time) });
        }
    }

    fn frame(&mut self, time: u64, aside: &Aside) {
        let mut after = Buffer::empty(self.before.area);
        stage::draw(&self.talk, aside, self.theme, after.area, &mut after);
        let mut bytes = Vec::new();
        let mut backend = CrosstermBackend::new(&mut bytes);
        // Writing to memory does not fail.
        let _ = backend.draw(self.before.diff(&after).into_iter());
        let changed = !self.before.diff(&after).is_empty();
        self.before = after;
        if changed {
            self.event(time, &String::from_utf8_lossy(&bytes));
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "times in milliseconds are far below 2^53")]
    fn event(&mut self, time: u64, data: &str) {
        let time = time.max(self.last);
        let shown = if self.cast == Cast::V2 { time } else { time - self.last };
        self.last = time;
        let _ = writeln!(self.out, "{}", json!([shown as f64 / 1000.0, "o", data]));
    }
}

/// Computes a record again and writes what it shows as text.
#[must_use]
pub fn transcript(record: &TalkRecord, mut talk: Talk) -> String {
    let width = record.head.size.0;
    let mut out = format!("{}\n", talk.reading().title);
    let new = Aside { only_new: true, ..Aside::default() };
    tell(&mut out, &talk, &new, 0, width);
    for (time, cue) in &record.cues {
        if talk.hear(cue) && !matches!(cue, Cue::Scroll(_)) {
            let aside = Aside { only_new: !matches!(cue, Cue::View(_)), ..Aside::default() };
            tell(&mut out, &talk, &aside, *time, width);
        }
    }
    out
}

fn tell(out: &mut String, talk: &Talk, aside: &Aside, time: u64, width: u16) {
    let (beat, reading) = (talk.beat(), talk.reading());
    let title = reading.steps.get(beat.step).map_or("", |step| step.title.as_str());
    let head = format!("[{}] {}/{} {title}", clock(time), beat.step + 1, reading.steps.len());
    let page = stage::page(talk, width, aside);
    let is_title = beat.part == Part::Title && !talk.is_detour();
    let _ = writeln!(out, "\n{}{}", if is_title { "# " } else { "" }, head);
    let _ = write!(out, "{}", page.read_out().replace('▌', ""));
}

fn aside(time: u64) -> Aside {
    Aside { clock: clock(time), ..Aside::default() }
}
