//! A presentation's state: a function of the lesson and the cues given so far.

use super::said::Said;
use crate::course::{Beat, Block, Cue, Lesson, Part, Reading, Role as CodeRole};
use crate::design::{Bench, data};
use crate::shell::{Limits, Shell};
use crate::tui::answer::View;
use crate::value::Source;
use crate::words::Lang;

/// Chance and clock of every presentation, so that a replayed one gives the same bytes.
const SEED: u64 = 1;
const CLOCK: i64 = 1_700_000_000_000;

/// A presentation at one moment.
pub struct Talk {
    lesson: Lesson,
    pub(super) lang: Lang,
    beats: Vec<Beat>,
    at: usize,
    shell: Shell<Bench>,
    said: Option<Said>,
    detour: Option<Detour>,
    pub(super) view: View,
    pub(super) scroll: usize,
}

/// A copy of the data to try things on.
struct Detour {
    shell: Shell<Bench>,
    said: Option<Said>,
}

impl std::fmt::Debug for Talk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Talk").field("lesson", &self.lesson.id).field("at", &self.at).finish_non_exhaustive()
    }
}

impl Talk {
    /// A presentation at its first beat.
    #[must_use]
    pub fn new(lesson: &Lesson, lang: Lang) -> Self {
        let beats = lesson.reading(lang).beats();
        let mut talk = Self {
            lesson: lesson.clone(),
            lang,
            beats,
            at: 0,
            shell: shell(&lesson.data, lang),
            said: None,
            detour: None,
            view: View::Result,
            scroll: 0,
        };
        talk.reach(0);
        talk
    }

    /// The lesson's text.
    #[must_use]
    pub fn reading(&self) -> &Reading {
        self.lesson.reading(self.lang)
    }

    /// The beat on stage.
    #[must_use]
    pub fn beat(&self) -> Beat {
        self.beats[self.at]
    }

    /// The number of the beat on stage, from 0, and how many there are.
    #[must_use]
    pub fn place(&self) -> (usize, usize) {
        (self.at, self.beats.len())
    }

    /// The beat that comes next.
    #[must_use]
    pub fn coming(&self) -> Option<Beat> {
        self.beats.get(self.at + 1).copied()
    }

    /// How long the lesson takes, in minutes.
    #[must_use]
    pub fn minutes(&self) -> u32 {
        self.lesson.minutes
    }

    /// Whether a detour is open.
    #[must_use]
    pub fn is_detour(&self) -> bool {
        self.detour.is_some()
    }

    /// The statement that the beat on stage types.
    #[must_use]
    pub fn typing(&self) -> Option<&str> {
        match (self.detour.is_none(), self.beat().part) {
            (true, Part::Block(_)) => self.reading().block(self.beat())?.statement(),
            _ => None,
        }
    }

    /// What the last statement gave, where the stage shows it.
    pub(super) fn said(&self) -> Option<&Said> {
        self.detour.as_ref().map_or(self.said.as_ref(), |detour| detour.said.as_ref())
    }

    /// The data as they are on stage.
    pub(super) fn bench(&self) -> Bench {
        self.detour.as_ref().map_or(&self.shell, |detour| &detour.shell).host().clone()
    }

    /// Follows a cue; false where it means nothing now.
    pub fn hear(&mut self, cue: &Cue) -> bool {
        let heard = match cue {
            Cue::Next => self.next(),
            Cue::Back => self.back(),
            Cue::Detour => self.leave(),
            Cue::Run(text) => self.run(text),
            Cue::Return => self.detour.take().is_some(),
            Cue::View(number) => self.look(*number),
            Cue::Scroll(rows) => {
                let rows = isize::try_from(*rows).unwrap_or_default();
                self.scroll = self.scroll.saturating_add_signed(rows);
                return true;
            }
        };
        if heard {
            self.scroll = 0;
        }
        heard
    }

    fn next(&mut self) -> bool {
        if self.is_detour() || self.at + 1 >= self.beats.len() {
            return false;
        }
        self.at += 1;
        self.view = View::Result;
        self.reach(self.at);
        true
    }

    /// Does what a beat does: a step's setup, a statement's run.
    fn reach(&mut self, at: usize) {
        self.said = act(&mut self.shell, &self.lesson, self.beats[at], self.lang, self.said.take());
    }

    fn back(&mut self) -> bool {
        if self.is_detour() || self.at == 0 {
            return false;
        }
        self.at -= 1;
        self.view = View::Result;
        (self.shell, self.said) = self.again();
        true
    }

    /// The shell as it is at the beat on stage, computed anew from the beginning, and what the beat gave.
    fn again(&self) -> (Shell<Bench>, Option<Said>) {
        let mut shell = shell(&self.lesson.data, self.lang);
        let next = |said, beat: &Beat| act(&mut shell, &self.lesson, *beat, self.lang, said);
        let said = self.beats[..=self.at].iter().fold(None, next);
        (shell, said)
    }

    fn leave(&mut self) -> bool {
        if self.is_detour() {
            return false;
        }
        let (shell, said) = self.again();
        self.detour = Some(Detour { shell, said });
        true
    }

    fn run(&mut self, text: &str) -> bool {
        let Some(detour) = &mut self.detour else { return false };
        detour.said = Some(Said::run(&mut detour.shell, text, self.lang));
        self.view = View::Result;
        true
    }

    fn look(&mut self, number: usize) -> bool {
        let Some(view) = View::ALL.get(number).filter(|_| self.said().is_some()) else { return false };
        self.view = *view;
        true
    }
}

fn shell(name: &str, lang: Lang) -> Shell<Bench> {
    let source = Source::seeded(SEED).with_clock(CLOCK);
    let bench = match data::named(name) {
        Some(facts) => Bench::of(&facts, source),
        None => Bench::empty(source),
    };
    let mut shell = Shell::new(bench.in_language(lang), Limits::default());
    shell.set_lang(lang);
    shell
}

/// Does what a beat does to the data, and gives what the stage shows then: what its statement gave, or below a text that
/// follows what was `shown` before.
fn act(shell: &mut Shell<Bench>, lesson: &Lesson, beat: Beat, lang: Lang, shown: Option<Said>) -> Option<Said> {
    let statement = lesson.en.block(beat).and_then(Block::statement);
    match (beat.part, statement) {
        (Part::Title, _) => {
            set_up(shell, lesson, beat);
            None
        }
        (Part::Block(_), Some(_)) => None,
        (Part::Outcome(_), Some(text)) => Some(Said::run(shell, text, lang)),
        (Part::Block(_) | Part::Outcome(_), None) => shown,
    }
}

/// Runs the setup of a step.
fn set_up(shell: &mut Shell<Bench>, lesson: &Lesson, beat: Beat) {
    for block in lesson.en.steps.get(beat.step).into_iter().flat_map(|step| &step.blocks) {
        if let Block::Code(code) = block
            && code.role == CodeRole::Setup
        {
            shell.run(&code.text);
        }
    }
}
