//! The learner's sandbox: data of the place, a shell over it on its own thread, and what was run.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::Receiver;

use bson::Bson;

use crate::course::{Block, Exercise, Lesson, Role as CodeRole};
use crate::design::walker::Walk;
use crate::design::{Bench, Duel, data};
use crate::engine::{Command, Database};
use crate::grade::data_text;
use crate::pitfall::{Detector, Finding, Inquiry};
use crate::shell::{Limits, Outcome, Shell, Vocabulary};
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
    /// The lesson whose data is loaded.
    lesson: Option<String>,
    /// The blocks of that lesson that have run, as step and block.
    done: BTreeSet<(usize, usize)>,
    /// Those of them that the learner ran.
    ran: BTreeSet<(usize, usize)>,
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
    /// How many commands of the text were not looked at for mistakes.
    pub left_out: usize,
    /// The data as they were before, and as they are now.
    data: [Bench; 2],
}

impl Session {
    /// A sandbox with a built-in data set in all its designs; an unknown or empty name gives an empty one.
    #[must_use]
    pub fn new(data: &str, lang: Lang) -> Self {
        let name = data.to_owned();
        let mut session = Self {
            worker: Worker::new(move || bench(&name), lang),
            lang,
            data: OnceCell::new(),
            preparing: None,
            before: None,
            history: Vec::new(),
            lesson: None,
            done: BTreeSet::new(),
            ran: BTreeSet::new(),
        };
        session.prepare(Vec::new());
        session
    }

    /// Prepares a step: a fresh sandbox for another lesson, then what the steps before it do and its own setup.
    ///
    /// Statements of earlier steps that the learner has not run are run unseen, so that every step finds the data its text
    /// speaks of, wherever the learner comes from. Going back behind what has run, seen or not, begins with fresh data, on
    /// which the blocks of the step that the learner had run are run again; tells whether that happened.
    pub fn enter_lesson(&mut self, lesson: &Lesson, step: usize, lang: Lang) -> bool {
        let again = self.lesson.as_ref() == Some(&lesson.id);
        let beyond = again && (self.done.iter().any(|(at, _)| *at > step) || self.ran_unseen(lesson, step));
        if beyond || !again {
            let ran = if again { std::mem::take(&mut self.ran) } else { BTreeSet::new() };
            self.renew(&lesson.data, lang);
            (self.lesson, self.ran) = (Some(lesson.id.clone()), ran);
        }
        let mut texts = Vec::new();
        for (at, part) in lesson.en.steps.iter().enumerate().take(step + 1) {
            let wanted = |number| at < step || self.ran.contains(&(at, number));
            let wanted: Vec<bool> = (0..part.blocks.len()).map(wanted).collect();
            texts.extend(self.not_done(at, &part.blocks, |number| wanted[number]));
        }
        self.prepare(texts);
        beyond
    }

    /// Whether statements of a step were run for the learner, who had passed them by.
    fn ran_unseen(&self, lesson: &Lesson, step: usize) -> bool {
        let blocks = lesson.en.steps.get(step).map_or(&[][..], |part| part.blocks.as_slice());
        let known = |set: &BTreeSet<(usize, usize)>, number| set.contains(&(step, number));
        let unseen_here =
            |(number, block)| known(&self.done, number) && !known(&self.ran, number) && unseen(block, false).is_none();
        blocks.iter().enumerate().any(unseen_here)
    }

    /// Runs what a step has before one of its blocks and has not been run, so that the block finds the data it speaks of.
    pub fn catch_up(&mut self, lesson: &Lesson, step: usize, block: usize) {
        let blocks = lesson.en.steps.get(step).map_or(&[][..], |part| part.blocks.as_slice());
        let texts = self.not_done(step, &blocks[..block.min(blocks.len())], |_| true);
        if !texts.is_empty() {
            self.prepare(texts);
        }
    }

    /// The statements of a step's blocks that have not run, its setup and what is `wanted`; they count as run now.
    fn not_done(&mut self, step: usize, blocks: &[Block], wanted: impl Fn(usize) -> bool) -> Vec<String> {
        let mut open = |(number, block): (usize, &Block)| {
            let text = unseen(block, wanted(number))?;
            self.done.insert((step, number)).then(|| text.to_owned())
        };
        blocks.iter().enumerate().filter_map(&mut open).collect()
    }

    /// Notes that the learner has run a block of the lesson.
    pub fn has_run(&mut self, step: usize, block: usize) {
        self.done.insert((step, block));
        self.ran.insert((step, block));
    }

    /// Prepares an exercise: a fresh sandbox with its shown data, or data made from a seed.
    pub fn enter_exercise(&mut self, exercise: &Exercise, seed: Option<u64>, lang: Lang) {
        self.renew("", lang);
        let text = data_text(exercise, seed.unwrap_or_default(), u32::from(seed.is_some()));
        self.data = OnceCell::new();
        self.preparing = Some(self.worker.later(move |bay| {
            // In a shell of its own, so that the names it declares stay free for the learner.
            let mut maker = Shell::new(bay.shell.host().clone(), Limits::default());
            maker.run(&text);
            let made = maker.host().clone();
            *bay.shell.host_mut() = made.clone();
            made
        }));
    }

    /// Forgets which lesson is prepared, so that entering one loads its data anew.
    pub fn forget(&mut self) {
        self.lesson = None;
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
        self.preparing = Some(self.worker.later(move |bay| {
            for text in &texts {
                bay.shell.run(text);
            }
            bay.shell.host().clone()
        }));
    }

    /// The data as the last text that ended left them.
    fn data(&self) -> &Bench {
        self.data.get_or_init(|| {
            self.worker.wake();
            let prepared = self.preparing.as_ref().and_then(|preparing| preparing.recv().ok());
            prepared.unwrap_or_else(|| bench(""))
        })
    }

    /// The data with what was asked of them last, to keep.
    #[must_use]
    pub fn bench(&self) -> &Bench {
        self.data()
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

    /// The last filter of the text run last, with the documents it looked through; none where it asked none.
    #[must_use]
    pub fn inquiry(&self, outcome: &Outcome) -> Option<Inquiry> {
        let now = self.data();
        let before = self.before.as_ref().unwrap_or(now);
        // A collation that is refused has been told by the statement itself.
        Inquiry::of(outcome, before.database(), now.database())?.ok()
    }

    /// The data before the text run last, and as it left them.
    #[must_use]
    pub fn moments(&self) -> [Bench; 2] {
        let now = self.data();
        [self.before.as_ref().unwrap_or(now), now].map(Bench::clone)
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

    /// The names of the indexes that a text's last question could use, the data left as they are.
    #[must_use]
    pub fn indexes_for(&self, text: &str) -> Vec<String> {
        let text = text.to_owned();
        let asked = self.ask(move |bay| {
            let held = bay.shell.host().clone();
            let outcome = bay.shell.run(&text);
            *bay.shell.host_mut() = held;
            outcome.ran.iter().rev().find_map(|ran| match &ran.command {
                Command::Find(find) => Some(find.collection.clone()),
                Command::Aggregate(aggregate) => aggregate.collection.clone(),
                _ => None,
            })
        });
        let Some(collection) = asked.flatten() else { return Vec::new() };
        let names =
            |collection: &Collection| collection.indexes().iter().map(|index| index.name().to_owned()).collect();
        self.look(|database| database.collection(&collection).map(names)).unwrap_or_default()
    }

    /// Whether the last statement of a text is of the same kind as that of another; both run on copies of the data as they
    /// were before the text run last.
    #[must_use]
    pub fn asks_the_same_of(&self, other: &str, text: &str) -> bool {
        let before = self.before.as_ref().unwrap_or_else(|| self.data()).clone();
        let texts = [other.to_owned(), text.to_owned()];
        let kinds = self.ask(move |bay| {
            let held = bay.shell.host().clone();
            let kinds = texts.map(|text| {
                *bay.shell.host_mut() = before.clone();
                bay.shell.run(&text).ran.last().map(|ran| std::mem::discriminant(&ran.command))
            });
            *bay.shell.host_mut() = held;
            kinds
        });
        kinds.is_some_and(|[one, other]| one.is_some() && one == other)
    }

    /// Speaks another language from the next text on.
    pub fn set_lang(&mut self, lang: Lang) {
        self.lang = lang;
        // Nobody waits for the answer: the tasks are done in their order.
        let _ = self.worker.later(move |bay| {
            let bench = bay.shell.host().clone().in_language(lang);
            *bay.shell.host_mut() = bench;
            bay.shell.set_lang(lang);
            bay.detector = Detector::new(lang);
        });
    }

    /// Asks the text that runs to stop; what it has changed is taken back, and its result comes as that of any other.
    pub fn stop(&self) {
        self.worker.stop();
    }

    /// Leaves what runs behind: the data are as before it, the script's variables are gone.
    pub fn cancel(&mut self) {
        let before = self.data().clone();
        self.worker = Worker::new(move || before, self.lang);
    }

    /// What was run, the latest last.
    #[must_use]
    pub fn history(&self) -> &[String] {
        &self.history
    }

    /// The words of the data, by collection; a sample of each is read.
    #[must_use]
    pub fn vocabulary(&self) -> BTreeMap<String, Vocabulary> {
        self.look(vocabulary)
    }

    /// Looks at the data.
    pub fn look<T>(&self, at: impl FnOnce(&Database) -> T) -> T {
        at(self.data().database())
    }
}

/// What a block of a lesson runs unseen: its setup always, its other statements where they are `wanted`.
fn unseen(block: &Block, wanted: bool) -> Option<&str> {
    match block {
        Block::Code(code) if code.role == CodeRole::Setup || (wanted && code.role == CodeRole::Run) => Some(&code.text),
        Block::Predict(predict) if wanted => Some(&predict.run),
        _ => None,
    }
}

/// The words of a database's data, by collection; a sample of each is read.
#[must_use]
pub fn vocabulary(database: &Database) -> BTreeMap<String, Vocabulary> {
    let words = |(name, collection): (&str, &Collection)| {
        let sample = collection.scan(Direction::Ascending).take(SAMPLE).map(|(_, document)| document);
        let indexes = collection.indexes().iter().map(|index| index.name().to_owned());
        (name.to_owned(), Vocabulary::of(sample).with_indexes(indexes))
    };
    database.catalog().iter().map(words).collect()
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
    let left_out = bay.detector.work().left_out;
    let documents = listed(&outcome);
    Finished { outcome, documents, duel, walk, findings, left_out, data: [before, data] }
}

fn walk(data: &Bench, outcome: &Outcome) -> Option<Walk> {
    let find = outcome.ran.iter().rev().find_map(|ran| match &ran.command {
        Command::Find(find) => Some(find),
        _ => None,
    })?;
    // A question that is refused has no way to show.
    Walk::of(data.database(), find).ok()
}
