//! The learner's sandbox: data of the place, a shell over it, and what was run.

use std::collections::BTreeMap;

use crate::course::{Block, Exercise, Lesson, Role as CodeRole};
use crate::design::walker::Walk;
use crate::design::{Bench, Duel, data};
use crate::engine::{Command, Database};
use crate::pitfall::{Detector, Finding};
use crate::shell::{Limits, Outcome, Shell, Vocabulary};
use crate::store::{Collection, Direction};
use crate::value::Source;
use crate::words::Lang;

/// Chance of a lesson's sandbox: the same for everybody, so that a lesson shows everybody the same.
const SEED: u64 = 1;

/// So many documents of a collection are read for words to complete.
const SAMPLE: usize = 500;

/// So many texts are remembered.
const REMEMBERED: usize = 500;

/// A shell over the data of one lesson or exercise.
pub struct Session {
    shell: Shell<Bench>,
    /// The data as it was before the text run last.
    before: Bench,
    detector: Detector,
    history: Vec<String>,
    /// The lesson and step whose setup has run.
    at: Option<(String, usize)>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("at", &self.at).finish_non_exhaustive()
    }
}

impl Session {
    /// A sandbox with a built-in data set in all its designs; an unknown or empty name gives an empty one.
    #[must_use]
    pub fn new(data: &str, lang: Lang) -> Self {
        let source = Source::seeded(SEED);
        let bench = match data::named(data) {
            Some(facts) => Bench::of(&facts, source),
            None => Bench::empty(source),
        };
        let bench = bench.in_language(lang);
        let mut shell = Shell::new(bench.clone(), Limits::default());
        shell.set_lang(lang);
        Self { shell, before: bench, detector: Detector::new(lang), history: Vec::new(), at: None }
    }

    /// Speaks another language.
    pub fn set_lang(&mut self, lang: Lang) {
        self.shell.set_lang(lang);
        self.detector = Detector::new(lang);
    }

    /// Prepares a step: a fresh sandbox for another lesson, then the setup of every step up to this one that has not run.
    pub fn enter_lesson(&mut self, lesson: &Lesson, step: usize, lang: Lang) {
        let ready = self.at.as_ref().filter(|(id, _)| *id == lesson.id).map(|(_, step)| step + 1);
        let from = ready.unwrap_or_else(|| {
            self.renew(&lesson.data, lang);
            0
        });
        for part in lesson.en.steps.iter().take(step + 1).skip(from) {
            for block in &part.blocks {
                if let Block::Code(code) = block
                    && code.role == CodeRole::Setup
                {
                    self.shell.run(&code.text);
                }
            }
        }
        self.at = Some((lesson.id.clone(), step.max(from.saturating_sub(1))));
    }

    /// Prepares an exercise: a fresh sandbox with its data.
    pub fn enter_exercise(&mut self, exercise: &Exercise, lang: Lang) {
        self.renew("", lang);
        self.shell.run(&exercise.setup);
    }

    /// Forgets which lesson is prepared, so that entering one loads its data anew.
    pub fn forget(&mut self) {
        self.at = None;
    }

    /// A fresh sandbox; what was run stays in memory.
    fn renew(&mut self, data: &str, lang: Lang) {
        let history = std::mem::take(&mut self.history);
        *self = Self { history, ..Self::new(data, lang) };
    }

    /// Runs a text.
    pub fn run(&mut self, text: &str) -> Outcome {
        if self.history.last().is_none_or(|last| last != text) {
            self.history.push(text.to_owned());
        }
        if self.history.len() > REMEMBERED {
            self.history.remove(0);
        }
        self.before = self.shell.host().clone();
        self.shell.run(text)
    }

    /// The findings about the text run last, heaviest first.
    #[must_use]
    pub fn findings(&mut self, outcome: &Outcome) -> Vec<Finding> {
        self.detector.detect(outcome, self.before.database(), self.shell.host().database())
    }

    /// Runs a text on a copy of the data as they were before the text run last; the data stay as they are.
    pub fn try_out(&mut self, text: &str) -> Outcome {
        let held = std::mem::replace(&mut *self.shell.host_mut(), self.before.clone());
        let outcome = self.shell.run(text);
        *self.shell.host_mut() = held;
        outcome
    }

    /// What was run, the latest last.
    #[must_use]
    pub fn history(&self) -> &[String] {
        &self.history
    }

    /// The words of the data, by collection; a sample of each is read.
    #[must_use]
    pub fn vocabulary(&self) -> BTreeMap<String, Vocabulary> {
        self.look(|database| {
            let words = |(name, collection): (&str, &Collection)| {
                let sample = collection.scan(Direction::Ascending).take(SAMPLE).map(|(_, document)| document);
                (name.to_owned(), Vocabulary::of(sample))
            };
            database.catalog().iter().map(words).collect()
        })
    }

    /// Looks at the data.
    pub fn look<T>(&self, at: impl FnOnce(&Database) -> T) -> T {
        at(self.shell.host().database())
    }

    /// The way of the last find of an outcome through its index, on the data as they are now.
    #[must_use]
    pub fn walk(&self, outcome: &Outcome) -> Option<Walk> {
        let find = outcome.ran.iter().rev().find_map(|ran| match &ran.command {
            Command::Find(find) => Some(find),
            _ => None,
        })?;
        // A question that is refused has no way to show.
        Walk::of(self.shell.host().database(), find).ok()
    }

    /// The latest statement compared on all designs.
    #[must_use]
    pub fn duel(&self) -> Option<Duel> {
        self.shell.host().duel().cloned()
    }
}
