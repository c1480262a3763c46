//! The learner's sandbox: data of the place, a shell over it on its own thread, and what was run.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::mpsc::Receiver;

use bson::Bson;

use crate::course::{Block, Exercise, Lesson, Role as CodeRole};
use crate::design::walker::Walk;
use crate::design::{Bench, Duel, data};
use crate::engine::{Command, Database};
use crate::pitfall::{Detector, Finding};
use crate::shell::{Outcome, Vocabulary};
use crate::store::{Collection, Direction};
use crate::tui::pages::listed;
use crate::tui::worker::{Bay, Worker};
use crate::value::Source;
use crate::words::Lang;

/// Chance of a lesson's sandbox: the same for everybody, so that a lesson shows everybody the same.
const SEED: u64 = 1;

/// So many documents of a collection are read for words to complete.
const SAMPLE: usize = 500;

/// So many texts are remembered.
const REMEMBERED: usize = 500;

/// A shell over the data of one lesson or exercise.
#[derive(Debug)]
pub struct Session {
    worker: Worker,
    lang: Lang,
    /// The data as the last text that ended left them; empty until the place is prepared.
    data: OnceCell<Bench>,
    preparing: Option<Receiver<Bench>>,
    /// The data as they were before the text run last.
    before: Option<Bench>,
    history: Vec<String>,
    /// The lesson and step whose setup has run.
    at: Option<(String, usize)>,
}

/// What running a text gave, and what is to be said of it.
#[derive(Debug)]
pub struct Finished {
    /// What the shell says.
    pub outcome: Outcome,
    /// The documents, where it gave a list of them.
    pub documents: Option<Vec<Bson>>,
    /// The last question on all designs.
    pub duel: Option<Duel>,
    /// The way of the last find through its index, on the data as they are now.
    pub walk: Option<Walk>,
    /// The mistakes noticed, heaviest first.
    pub findings: Vec<Finding>,
    /// The data as they were before, and as they are now.
    data: [Bench; 2],
}

impl Session {
    /// A sandbox with a built-in data set in all its designs; an unknown or empty name gives an empty one.
    #[must_use]
    pub fn new(data: &str, lang: Lang) -> Self {
        let name = data.to_owned();
        let mut session = Self {
            worker: Worker::start(move || bench(&name), lang),
            lang,
            data: OnceCell::new(),
            preparing: None,
            before: None,
            history: Vec::new(),
            at: None,
        };
        session.prepare(Vec::new());
        session
    }

    /// Prepares a step: a fresh sandbox for another lesson, then the setup of every step up to this one that has not run.
    pub fn enter_lesson(&mut self, lesson: &Lesson, step: usize, lang: Lang) {
        let ready = self.at.as_ref().filter(|(id, _)| *id == lesson.id).map(|(_, step)| step + 1);
        let from = ready.unwrap_or_else(|| {
            self.renew(&lesson.data, lang);
            0
        });
        let blocks = lesson.en.steps.iter().take(step + 1).skip(from).flat_map(|part| &part.blocks);
        let setup = |block: &Block| match block {
            Block::Code(code) if code.role == CodeRole::Setup => Some(code.text.clone()),
            _ => None,
        };
        self.prepare(blocks.filter_map(setup).collect());
        self.at = Some((lesson.id.clone(), step.max(from.saturating_sub(1))));
    }

    /// Prepares an exercise: a fresh sandbox with its data.
    pub fn enter_exercise(&mut self, exercise: &Exercise, lang: Lang) {
        self.renew("", lang);
        self.prepare(vec![exercise.setup.clone()]);
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

    /// Runs setup texts; they are waited for when the data are looked at.
    fn prepare(&mut self, texts: Vec<String>) {
        if texts.is_empty() && self.data.get().is_some() {
            return;
        }
        self.data = OnceCell::new();
        self.preparing = Some(self.worker.ask(move |bay| {
            texts.iter().for_each(|text| _ = bay.shell.run(text));
            bay.shell.host().clone()
        }));
    }

    /// The data as the last text that ended left them.
    fn data(&self) -> &Bench {
        self.data.get_or_init(|| {
            let prepared = self.preparing.as_ref().and_then(|preparing| preparing.recv().ok());
            prepared.unwrap_or_else(|| bench(""))
        })
    }

    /// Begins to run a text and tells where the result comes; [`Session::ended`] has to hear of it.
    pub fn run(&mut self, text: &str) -> Receiver<Finished> {
        if self.history.last().is_none_or(|last| last != text) {
            self.history.push(text.to_owned());
        }
        if self.history.len() > REMEMBERED {
            self.history.remove(0);
        }
        let text = text.to_owned();
        self.worker.ask(move |bay| finish(bay, &text))
    }

    /// Does something with the shell and waits for it; none where it failed. Whatever it changes is not seen in the data.
    pub fn ask<T: Send + 'static>(&self, task: impl FnOnce(&mut Bay) -> T + Send + 'static) -> Option<T> {
        self.worker.ask(task).recv().ok()
    }

    /// Takes over the data that a text left.
    pub fn ended(&mut self, finished: &Finished) {
        let [before, now] = finished.data.clone();
        self.data = OnceCell::from(now);
        self.before = Some(before);
    }

    /// Begins to run a text on a copy of the data as they were before the text run last; the data stay as they are.
    pub fn try_out(&mut self, text: &str) -> Receiver<Outcome> {
        let text = text.to_owned();
        let before = self.before.as_ref().unwrap_or_else(|| self.data()).clone();
        self.worker.ask(move |bay| {
            let held = std::mem::replace(&mut *bay.shell.host_mut(), before);
            let outcome = bay.shell.run(&text);
            *bay.shell.host_mut() = held;
            outcome
        })
    }

    /// Speaks another language from the next text on.
    pub fn set_lang(&mut self, lang: Lang) {
        self.lang = lang;
        // Nobody waits for the answer: the tasks are done in their order.
        let _ = self.worker.ask(move |bay| {
            let bench = bay.shell.host().clone().in_language(lang);
            *bay.shell.host_mut() = bench;
            bay.shell.set_lang(lang);
            bay.detector = Detector::new(lang);
        });
    }

    /// Leaves what runs behind: the data are as before it, the script's variables are gone.
    pub fn cancel(&mut self) {
        let before = self.data().clone();
        self.worker = Worker::start(move || before, self.lang);
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
        at(self.data().database())
    }
}

/// The designs of a built-in data set, or an empty bench.
fn bench(data: &str) -> Bench {
    let source = Source::seeded(SEED);
    data::named(data).map_or_else(|| Bench::empty(source.clone()), |facts| Bench::of(&facts, source.clone()))
}

/// Runs a text and works out what is to be said of it.
fn finish(bay: &mut Bay, text: &str) -> Finished {
    let before = bay.shell.host().clone();
    let outcome = bay.shell.run(text);
    let data = bay.shell.host().clone();
    let duel = if outcome.ran.is_empty() { None } else { data.duel().cloned() };
    let walk = walk(&data, &outcome);
    let findings = bay.detector.detect(&outcome, before.database(), data.database());
    let documents = listed(&outcome);
    Finished { outcome, documents, duel, walk, findings, data: [before, data] }
}

fn walk(data: &Bench, outcome: &Outcome) -> Option<Walk> {
    let find = outcome.ran.iter().rev().find_map(|ran| match &ran.command {
        Command::Find(find) => Some(find),
        _ => None,
    })?;
    // A question that is refused has no way to show.
    Walk::of(data.database(), find).ok()
}
