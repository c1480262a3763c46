//! What the screens look at and change: settings, place in the course, data, the last answer.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ratatui::layout::Rect;

use crate::course::{Deed, ExerciseRecord, Pack, Progress, ProgressFile};
use crate::design::lab::LabReport;
use crate::grade::Report;
use crate::pitfall::{Inquiry, Shown};
use crate::tui::answer::{Answer, View};
use crate::tui::beside::Reference;
use crate::tui::job::Job;
use crate::tui::learning::{Foretelling, Review};
use crate::tui::page::{Line, Page, Target};
use crate::tui::pages::{self, Choices};
use crate::tui::place::Place;
use crate::tui::role::Role;
use crate::tui::session::Session;
use crate::tui::settings::Settings;
use crate::words::{Lang, Words};

/// Columns of screen that a design should have in the duel; two stand side by side on any screen.
const DESIGN_WIDTH: u16 = 30;

/// Rows that a notice takes at most.
const NOTICE_ROWS: usize = 3;

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The files that outlive the program.
#[derive(Debug, Clone)]
pub struct Kept {
    /// What was done and typed.
    pub progress: ProgressFile,
    /// What was set.
    pub settings: PathBuf,
}

/// Everything the screens share.
#[derive(Debug)]
pub struct Model {
    /// What the learner has set.
    pub settings: Settings,
    /// The course.
    pub pack: Pack,
    /// What the learner has done in it.
    pub progress: Progress,
    /// Where the learner is.
    pub place: Place,
    /// The half-typed text.
    pub draft: String,
    /// The answer to what was run last.
    pub answer: Option<Answer>,
    /// How the answer to the exercise was judged, until something is run.
    pub report: Option<Report>,
    /// The text that was judged last.
    pub(super) judged: Option<String>,
    /// Something to say in the last row until the next key.
    pub notice: Option<Line>,
    /// The size of the terminal.
    pub size: Rect,
    /// The sandbox.
    pub session: Session,
    /// What runs on another thread now.
    pub(super) job: Option<Job>,
    /// The slip that is being reviewed.
    pub review: Option<Review>,
    /// What was said of which text already.
    pub(super) said: Shown,
    pub(super) choices: Choices,
    /// The prediction whose statement is about to run.
    pub(super) foretelling: Option<Foretelling>,
    /// What came of a prediction or a review, to be said once its text has run.
    pub verdict: Option<Line>,
    /// Predictions of the step that were run without one, by block.
    pub(super) unpredicted: BTreeMap<usize, String>,
    /// The exercise whose solution was asked for once.
    pub(super) warned: Option<String>,
    /// Deeds that are not written yet.
    pub(super) deeds: Vec<Deed>,
    /// Today, in days since 1970.
    pub(super) today: i64,
    /// The answer to the exercise here that passed last.
    pub(super) passed: Option<String>,
    /// The run that the next ones are compared with.
    pub(super) reference: Option<Reference>,
    /// What the cost lab found last.
    pub lab: Option<Arc<LabReport>>,
    kept: Option<Kept>,
    /// What is to be known before the first screen: files that were damaged, could not be read, or are newer.
    pub warnings: Vec<String>,
    /// Why the last save failed.
    pub trouble: Option<String>,
}

impl Model {
    /// A learner at the last place; without a file nothing is kept.
    #[must_use]
    pub fn new(pack: Pack, progress: Progress, settings: Settings, kept: Option<Kept>) -> Self {
        let place = Place::resume(&pack, &progress);
        let progress = Progress { pack: pack.manifest.id.clone(), ..progress };
        let mut model = Self {
            session: Session::new("", settings.lang),
            settings,
            pack,
            progress,
            place: place.clone(),
            draft: String::new(),
            answer: None,
            report: None,
            judged: None,
            notice: None,
            size: Rect::default(),
            job: None,
            review: None,
            foretelling: None,
            verdict: None,
            said: Shown::default(),
            reference: None,
            lab: None,
            choices: Choices::new(),
            unpredicted: BTreeMap::new(),
            warned: None,
            deeds: Vec::new(),
            today: bson::DateTime::now().timestamp_millis().div_euclid(DAY),
            passed: None,
            kept,
            warnings: Vec::new(),
            trouble: None,
        };
        model.go(place);
        model
    }

    /// Goes to a place: its data is loaded, its half-typed text comes back.
    pub fn go(&mut self, place: Place) {
        self.review = None;
        self.arrive(place);
    }

    /// Goes to a place with what is reviewed there already set.
    pub(super) fn arrive(&mut self, place: Place) {
        self.cancel();
        self.foretelling = None;
        self.passed = None;
        self.choices.clear();
        self.unpredicted.clear();
        self.answer = None;
        self.report = None;
        self.reference = None;
        self.draft = self.kept_draft(&place);
        self.place = place;
        self.prepare();
        if self.review.is_some() {
            return;
        }
        self.progress.at = self.place.id().to_owned();
        if let Some((lesson, step)) = self.place.as_lesson(&self.pack) {
            self.progress.lessons.entry(lesson.id.clone()).or_default().reached(lesson, step);
        }
    }

    /// Something was done in the lesson here: a statement run, a question answered.
    pub(super) fn worked(&mut self) {
        if let (None, Some((lesson, step))) = (&self.review, self.place.as_lesson(&self.pack)) {
            let record = self.progress.lessons.entry(lesson.id.clone()).or_default();
            record.tried = true;
            record.reached(lesson, step);
        }
    }

    /// Loads the data of the place.
    fn prepare(&mut self) {
        let lang = self.settings.lang;
        if let Some((lesson, step)) = self.place.as_lesson(&self.pack) {
            if self.session.enter_lesson(lesson, step, lang) {
                self.notice = Some(Line::of(Role::Info, PUT_BACK.get(lang)));
            }
        } else if let Some(exercise) = self.place.as_exercise(&self.pack) {
            let seed = self.review.as_ref().map(|review| review.seed);
            self.session.enter_exercise(exercise, seed, lang);
        }
    }

    /// Runs what the step has before a block and has not been run, so that the block finds the data it speaks of.
    pub fn catch_up(&mut self, block: usize) {
        if let Some((lesson, step)) = self.place.as_lesson(&self.pack) {
            self.session.catch_up(lesson, step, block);
        }
    }

    /// Puts the data of the place back as it was.
    pub fn reset(&mut self) {
        self.cancel();
        self.session.forget();
        self.prepare();
        self.answer = None;
    }

    /// The page of a view for so many columns of screen.
    #[must_use]
    pub fn view(&self, view: View, width: u16) -> Page {
        let lang = self.settings.lang;
        match (view, &self.answer) {
            (View::Result, _) if self.report.is_some() => {
                self.report.as_ref().map(|report| pages::verdict(report, lang)).unwrap_or_default()
            }
            (View::Data, _) => self.session.look(|database| pages::data(database.catalog(), lang)),
            (_, None) => Page::new(),
            (View::Result, Some(answer)) => pages::result(answer, lang),
            (View::Plans, Some(answer)) => plans(answer, usize::from(width / DESIGN_WIDTH), lang),
            (View::Index, Some(answer)) if answer.walk.is_none() => {
                let written = self.session.look(|database| pages::entries(&answer.outcome, database, lang));
                written.unwrap_or_else(|| pages::index(None, lang))
            }
            (View::Index, Some(answer)) => pages::index(answer.walk.as_ref(), lang),
            (View::Pitfalls, Some(answer)) => {
                pages::findings(&answer.noticed, answer.left_out, &answer.outcome, answer.trial.as_ref(), lang)
            }
        }
    }

    fn kept_draft(&self, place: &Place) -> String {
        if let Some(review) = &self.review {
            return review.draft.clone();
        }
        match place {
            Place::Lesson { id, .. } => {
                self.progress.lessons.get(id).map_or(String::new(), |record| record.draft.clone())
            }
            Place::Exercise { id } => {
                let kept = self.progress.exercises.get(id).map(|record| record.draft.clone());
                let starter = || self.pack.exercise(id).map_or(String::new(), |exercise| exercise.starter.clone());
                kept.filter(|draft| !draft.is_empty()).unwrap_or_else(starter)
            }
        }
    }

    /// The text on the left: the step of the lesson, or the task.
    #[must_use]
    pub fn text(&self) -> Page {
        let lang = self.settings.lang;
        if let Some((lesson, step)) = self.place.as_lesson(&self.pack) {
            let mut page = self.review_page();
            page.append(pages::lesson(lesson, step, &self.choices, &self.foretold(), lang));
            return page;
        }
        let Some(exercise) = self.place.as_exercise(&self.pack) else { return Page::new() };
        let record = self.progress.exercises.get(self.place.id()).cloned().unwrap_or_default();
        let mut page = self.review_page();
        page.append(pages::exercise(exercise, &self.record_to_show(record), lang));
        page
    }

    /// What was done at an exercise; while it comes back for review, only the hints shown there.
    fn record_to_show(&self, record: ExerciseRecord) -> ExerciseRecord {
        let hints = self.review.as_ref().map(|review| review.hints);
        hints.map_or(record, |hints| ExerciseRecord { hints, ..ExerciseRecord::default() })
    }

    /// The title of the lesson or exercise.
    #[must_use]
    pub fn title(&self) -> String {
        let lang = self.settings.lang;
        let lesson = self.place.as_lesson(&self.pack).map(|(lesson, _)| lesson.reading(lang).title.clone());
        let exercise = || Some(self.place.as_exercise(&self.pack)?.title(lang).to_owned());
        lesson.or_else(exercise).unwrap_or_default()
    }

    /// The room of the screens above the bars.
    #[must_use]
    pub fn room(&self) -> Rect {
        let said = self.notice_rows(self.size.width).len().max(usize::from(self.settings.learning));
        let bars = 1 + u16::try_from(said).unwrap_or(u16::MAX);
        Rect { height: self.size.height.saturating_sub(bars), ..self.size }
    }

    /// What is to be said until the next key, in rows of a width; more than a few are cut.
    #[must_use]
    pub fn notice_rows(&self, width: u16) -> Vec<Line> {
        let Some(notice) = &self.notice else { return Vec::new() };
        let mut rows = Line { hang: 1, ..notice.clone() }.wrap(usize::from(width));
        if rows.len() > NOTICE_ROWS {
            rows.truncate(NOTICE_ROWS);
            rows[NOTICE_ROWS - 1].push(Role::Quiet, " …");
        }
        rows
    }

    /// The place as a path: lesson and step, or exercise.
    #[must_use]
    pub fn crumbs(&self) -> String {
        match self.place.as_lesson(&self.pack) {
            Some((lesson, step)) => format!("{} › {}/{}", self.title(), step + 1, lesson.en.steps.len()),
            None => format!("{} {}", self.place.id(), self.title()),
        }
    }

    /// Answers a question of the step.
    pub fn choose(&mut self, target: &Target) {
        if let Target::Answer { block, choice } = target {
            self.choices.insert(*block, *choice);
            self.worked();
        }
    }

    /// The last filter that was asked, with the documents it looked through.
    #[must_use]
    pub fn inquiry(&self) -> Option<Inquiry> {
        self.session.inquiry(&self.answer.as_ref()?.outcome)
    }

    /// Keeps progress and half-typed text; a folder that cannot be written is told, and nothing is lost in memory.
    pub fn save(&mut self) {
        let draft = self.draft.clone();
        match &self.place {
            // What is typed for a review is not the answer that is kept.
            _ if self.review.is_some() => {}
            Place::Lesson { id, .. } => self.progress.lessons.entry(id.clone()).or_default().draft = draft,
            Place::Exercise { id } => self.progress.exercises.entry(id.clone()).or_default().draft = draft,
        }
        let mine = self.progress.clone();
        let id = self.place.id().to_owned();
        let Some(files) = &self.kept else { return };
        let deeds = std::mem::take(&mut self.deeds);
        let merge = |kept: &mut Progress| {
            kept.pack.clone_from(&mine.pack);
            kept.at.clone_from(&mine.at);
            kept.lessons.extend(mine.lessons.get(&id).map(|record| (id.clone(), record.clone())));
            kept.exercises.extend(mine.exercises.get(&id).map(|record| (id.clone(), record.clone())));
            for deed in &deeds {
                kept.note(deed);
            }
        };
        // Settings first: whoever finds the text of a killed program finds it welcomed, too.
        let set = self.settings.write(&files.settings);
        let written = files.progress.update(merge);
        if written.is_err() {
            self.deeds = deeds;
        }
        let failed = [
            written.err().map(|error| (files.progress.path().to_owned(), error)),
            set.err().map(|error| (files.settings.clone(), error)),
        ];
        let failed = failed.into_iter().flatten().next().map(|(path, error)| format!("{}: {error}", path.display()));
        if let Some(trouble) = failed.clone().filter(|trouble| self.trouble.as_ref() != Some(trouble)) {
            self.notice = Some(Line::of(Role::Bad, trouble));
        }
        self.trouble = failed;
    }
}

const PUT_BACK: Words = Words::new(
    "The data are as they were at this step: what was run after it is undone.",
    "Die Daten sind wieder wie bei diesem Schritt; was danach lief, ist zurückgenommen.",
);
const NO_QUESTION: Words = Words::new(
    "Nothing in this text has a plan: no find, aggregate, update or delete ran.",
    "Nichts in diesem Text hat einen Plan: Es lief kein find, aggregate, update oder delete.",
);
const STOPPED: Words = Words::new(
    "The text was stopped before a question was answered, so there is no plan to show. Result says why.",
    "Der Text wurde angehalten, bevor eine Frage beantwortet war; es gibt keinen Plan. Ergebnis sagt, warum.",
);

/// The duel, or the plan alone where the collection has no twins.
fn plans(answer: &Answer, columns: usize, lang: Lang) -> Page {
    let alone = || answer.outcome.ran.iter().rev().find_map(|ran| ran.result.as_ref().ok()?.explain.clone());
    let mut page = answer.beside.as_ref().map(|both| pages::duel(both, 2, lang)).unwrap_or_default();
    page.gap();
    match &answer.duel {
        Some(duel) => page.append(pages::duel(duel, columns.max(2), lang)),
        None if answer.beside.is_some() => page.trim(),
        None => page.append(alone().map_or_else(
            || {
                let words = if answer.failed() { STOPPED } else { NO_QUESTION };
                Page::of(Line::of(Role::Quiet, words.get(lang)))
            },
            |explain| pages::plan(&explain, lang),
        )),
    }
    page
}
