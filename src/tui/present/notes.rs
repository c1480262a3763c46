//! What the presenter alone sees, on a second terminal: where the talk is, what comes next, what to say, time and pace.

use std::io;
use std::path::Path;
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEventKind};
use ratatui::layout::Rect;
use serde::{Deserialize, Serialize};

use super::stage::{self, Aside};
use super::talk::Talk;
use crate::course::{Beat, Block, Part, expectations};
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::tui::terminal::{Screen, Signals};
use crate::tui::theme::Theme;
use crate::tui::widgets::draw_line;
use crate::words::{Lang, Words};

const WAITING: Words = Words::new(
    "Nobody presents this lesson yet. Start it on the big screen: pegboard present {id}",
    "Noch stellt niemand diese Lektion vor. Auf der großen Leinwand: pegboard present {id}",
);
const STEP: Words = Words::new("Step {step} of {steps} · {at} of {all}", "Schritt {step} von {steps} · {at} von {all}");
const NOW: Words = Words::new("Now", "Jetzt");
const SAY: Words = Words::new("To say", "Zu sagen");
const NEXT: Words = Words::new("Next", "Als Nächstes");
const END: Words = Words::new("The end.", "Das Ende.");
const DETOUR: Words = Words::new("Detour: Esc goes back to the lesson.", "Abstecher: Esc führt zur Lektion zurück.");
const EXPECT: Words = Words::new("The run gives: {list}", "Der Lauf ergibt: {list}");
const PAUSED: Words = Words::new("stopped", "angehalten");
const BEHIND: Words = Words::new("{time} behind", "{time} im Verzug");
const AHEAD: Words = Words::new("{time} ahead", "{time} voraus");

/// Columns of the stage that the notes quote.
const WIDTH: u16 = 76;
/// How often the second terminal looks for news.
const LOOK: Duration = Duration::from_millis(250);

/// What the second terminal is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// The lesson's title.
    pub title: String,
    /// The step and how many there are, from 1.
    pub step: (usize, usize),
    /// The beat and how many there are, from 1.
    pub beat: (usize, usize),
    /// What is on stage.
    pub now: Vec<String>,
    /// What to say of it.
    pub say: Vec<String>,
    /// What comes next; empty at the end.
    pub next: Vec<String>,
    /// Whether a detour is open.
    pub detour: bool,
    /// Milliseconds of talking when this was told.
    pub elapsed: u64,
    /// The moment it was told, in milliseconds since 1970; none while the timer is stopped.
    pub since: Option<i64>,
    /// Milliseconds that the talk so far should have taken.
    pub planned: u64,
    /// Milliseconds that the whole talk should take.
    pub all: u64,
}

impl Prompt {
    /// What is to be told of a talk.
    #[must_use]
    pub fn of(talk: &Talk, minutes: u32, elapsed: u64, since: Option<i64>) -> Self {
        let (at, beats) = talk.place();
        let all = u64::from(minutes) * 60_000;
        let lines = |page: Page| page.read_out().lines().map(str::to_owned).collect::<Vec<_>>();
        Self {
            title: talk.reading().title.clone(),
            step: (talk.beat().step + 1, talk.reading().steps.len()),
            beat: (at + 1, beats),
            now: lines(stage::page(talk, WIDTH, &Aside::default())),
            say: say(talk),
            next: talk.coming().map(|beat| lines(coming(talk, beat))).unwrap_or_default(),
            detour: talk.is_detour(),
            elapsed,
            since,
            planned: planned(at, beats, all),
            all,
        }
    }

    /// The notes as a page at a moment.
    #[must_use]
    pub fn page(&self, moment: i64, lang: Lang) -> Page {
        let mut page = Page::new();
        let numbers = [self.step.0, self.step.1, self.beat.0, self.beat.1].map(|number| number.to_string());
        let [step, steps, at, all] = &numbers;
        let elapsed = self.elapsed + self.since.map_or(0, |since| u64::try_from(moment - since).unwrap_or(0));
        let mut head = Line::of(Role::Title, clock(elapsed)).and(Role::Quiet, format!(" / {}  ", clock(self.all)));
        let (role, pace) = pace(elapsed, self.planned, lang);
        head.push(role, pace);
        if self.since.is_none() {
            head.push(Role::Warning, format!("  {}", PAUSED.get(lang)));
        }
        page.line(head);
        page.say(Role::Quiet, STEP.fill(lang, &[("step", step), ("steps", steps), ("at", at), ("all", all)]));
        page.say(Role::Strong, self.title.clone());
        if self.detour {
            page.say(Role::Warning, DETOUR.get(lang));
        }
        section(&mut page, SAY.get(lang), Role::Text, &self.say);
        let end = [END.get(lang).to_owned()];
        section(&mut page, NEXT.get(lang), Role::Info, if self.next.is_empty() { &end } else { &self.next });
        section(&mut page, NOW.get(lang), Role::Quiet, &self.now);
        page
    }
}

fn section(page: &mut Page, title: &str, role: Role, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    page.gap();
    page.say(Role::Heading, title);
    for line in lines {
        page.line(Line::of(role, line.clone()));
    }
}

/// What the talk so far should have taken: every beat the same.
pub(super) fn planned(at: usize, beats: usize, all: u64) -> u64 {
    all * at as u64 / beats.max(1) as u64
}

/// Minutes and seconds.
pub(super) fn clock(millis: u64) -> String {
    let seconds = millis / 1000;
    format!("{:02}:{:02}", seconds / 60, seconds % 60)
}

/// How far the talk is from its plan.
pub(super) fn pace(elapsed: u64, planned: u64, lang: Lang) -> (Role, String) {
    let (words, role) = if elapsed > planned { (BEHIND, Role::Warning) } else { (AHEAD, Role::Good) };
    (role, words.fill(lang, &[("time", &clock(elapsed.abs_diff(planned)))]))
}

/// The heading or the block that a beat brings; of an outcome, which is not known before it is computed, its statement.
fn coming(talk: &Talk, beat: Beat) -> Page {
    let reading = talk.reading();
    let mut page = Page::new();
    let sign = if matches!(beat.part, Part::Outcome(_)) { "= " } else { "" };
    match (beat.part, reading.block(beat)) {
        (Part::Title, _) => {
            page.say(Role::Text, reading.steps.get(beat.step).map_or("", |step| step.title.as_str()));
        }
        (_, Some(Block::Prose(text))) => page = crate::tui::pages::markdown::page(text),
        (_, Some(Block::Code(code))) => {
            code.text.trim_end().lines().for_each(|line| page.say(Role::Text, format!("{sign}{line}")));
        }
        (_, Some(Block::Predict(predict))) => page.say(Role::Text, format!("{sign}? {}", predict.ask)),
        (_, Some(Block::Question(question))) => page.say(Role::Text, format!("{sign}? {}", question.ask)),
        (_, None) => {}
    }
    page
}

/// What to say of the beat on stage: what its run is known to give, why choices are right or wrong.
fn say(talk: &Talk) -> Vec<String> {
    let (reading, beat) = (talk.reading(), talk.beat());
    match reading.block(beat) {
        None => reading.goals.iter().filter(|_| beat.step == 0).cloned().collect(),
        Some(Block::Question(question)) => {
            let sign = |right: bool| if right { '✓' } else { '✗' };
            question.choices.iter().map(|one| format!("{} {}: {}", sign(one.right), one.text, one.why)).collect()
        }
        Some(Block::Predict(predict)) => {
            vec![predict.then.clone()].into_iter().filter(|then| !then.is_empty()).collect()
        }
        Some(block) => {
            let list = expectations(block).join(" · ");
            if list.is_empty() { Vec::new() } else { vec![EXPECT.fill(talk.lang, &[("list", &list)])] }
        }
    }
}

/// Shows the notes of the talk that writes to this file, until `q` or a signal ends it; gives the signal's number.
///
/// # Errors
/// What the terminal refuses.
pub fn read_along(file: &Path, lesson: &str, lang: Lang, theme: Theme) -> io::Result<Option<usize>> {
    let signals = Signals::listen()?;
    let mut screen = Screen::take(false)?;
    while signals.end().is_none() {
        let told = std::fs::read(file).ok().and_then(|bytes| serde_json::from_slice::<Prompt>(&bytes).ok());
        let page = told.map_or_else(
            || Page::of(Line::of(Role::Info, WAITING.fill(lang, &[("id", lesson)]))),
            |prompt| prompt.page(bson::DateTime::now().timestamp_millis(), lang),
        );
        screen.draw(|area, buffer| {
            let room = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
            for ((_, row), place) in page.rows(usize::from(room.width)).iter().zip(room.rows()) {
                draw_line(row, theme, place, buffer);
            }
            None
        })?;
        if event::poll(LOOK)?
            && let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
            && matches!(key.code, KeyCode::Char('q') | KeyCode::Esc)
        {
            break;
        }
    }
    Ok(signals.end())
}
