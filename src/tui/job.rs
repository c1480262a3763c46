//! What runs beside the screen: a text, a fix on trial, the judging of an answer; waited for, looked after or left behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};

use crate::course::Exercise;
use crate::design::lab::{self, LabPlan, LabReport, Progress};
use crate::grade::{self, Judge, Report};
use crate::shell::{FailureKind, Limit, Outcome};
use crate::tui::answer::Answer;
use crate::tui::model::Model;
use crate::tui::page::Line;
use crate::tui::pages::Trial;
use crate::tui::role::Role;
use crate::tui::session::Finished;
use crate::tui::worker;
use crate::words::Words;

const NO_EXERCISE: Words = Words::new(
    "This is a lesson; only answers to exercises are judged.",
    "Dies ist eine Lektion; bewertet werden nur Antworten auf Aufgaben.",
);
const CANCELLED: Words = Words::new(
    "Cancelled: the data are as before; variables of earlier statements are gone.",
    "Abgebrochen: Die Daten sind wie zuvor; Variablen früherer Anweisungen sind weg.",
);
const STOPPED: Words = Words::new("Cancelled.", "Abgebrochen.");
const BROKEN: Words = Words::new(
    "Pegboard itself failed at this text; the data are as before. Please report it.",
    "Pegboard selbst ist an diesem Text gescheitert; die Daten sind wie zuvor. Bitte melden.",
);

/// Something that runs.
#[derive(Debug)]
pub struct Job {
    since: Instant,
    work: Work,
}

/// What runs, and where its result comes.
#[derive(Debug)]
enum Work {
    /// A text.
    Run(String, Receiver<Finished>),
    /// The fix of a finding.
    Try(usize, Receiver<Outcome>),
    /// The judging of an answer.
    Check(String, Receiver<Result<Report, String>>),
    /// The cost lab.
    Lab(Building),
}

/// The cost lab at work.
#[derive(Debug)]
struct Building {
    cancel: Arc<AtomicBool>,
    percent: Arc<AtomicU8>,
    result: Receiver<Option<LabReport>>,
}

/// What has ended.
enum Ended {
    Run(String, Box<Finished>),
    Try(usize, Outcome),
    Check(String, Result<Box<Report>, String>),
    Lab(Option<LabReport>),
    /// Its thread is gone.
    Broken,
}

impl Model {
    /// Begins to run a text; what ran before is given up.
    pub fn start(&mut self, text: &str) {
        self.cancel();
        self.report = None;
        let result = self.session.run(text);
        self.begin(Work::Run(text.to_owned(), result));
    }

    /// Begins to run the fix of a finding on a copy of the data, to stand beside what was typed. Tells whether there is a fix.
    pub fn start_fix(&mut self, of: Option<usize>) -> bool {
        let Some((of, text)) = self.answer.as_ref().and_then(|answer| answer.fix(of)) else { return false };
        let text = text.to_owned();
        self.cancel();
        self.report = None;
        let result = self.session.try_out(&text);
        self.begin(Work::Try(of, result));
        true
    }

    /// Begins to judge an answer to the exercise on the shown and on hidden data.
    pub fn start_check(&mut self, text: &str) {
        let lang = self.settings.lang;
        let Some(exercise) = self.place.as_exercise(&self.pack) else {
            self.notice = Some(Line::of(Role::Info, NO_EXERCISE.get(lang)));
            return;
        };
        let (settings, exercise, answer) = (self.judging(), exercise.clone(), text.to_owned());
        self.cancel();
        let (sender, result) = channel();
        // Nobody may be waiting any more, which is no error.
        worker::beside(move || _ = sender.send(judge(&exercise, settings, &answer)));
        self.begin(Work::Check(text.to_owned(), result));
    }

    /// How answers are judged here and now.
    pub(super) fn judging(&self) -> grade::Settings {
        let usual = grade::Settings::default();
        grade::Settings {
            seed: self.review.as_ref().map_or(usual.seed, |review| review.seed),
            lang: self.settings.lang,
            clock: bson::DateTime::now().timestamp_millis(),
            pack: self.pack.manifest.name_and_version(),
            ..usual
        }
    }

    /// Begins to build every design and to measure it.
    pub fn start_lab(&mut self, plan: LabPlan) {
        self.cancel();
        let (sender, result) = channel();
        let building = Building { cancel: Arc::default(), percent: Arc::default(), result };
        let (cancel, percent) = (Arc::clone(&building.cancel), Arc::clone(&building.percent));
        worker::beside(move || {
            let mut tell = |progress: Progress| {
                let done = progress.done * 100 / progress.all.max(1);
                percent.store(u8::try_from(done).unwrap_or(100), Ordering::Relaxed);
            };
            // Nobody may be waiting any more, which is no error.
            let _ = sender.send(lab::run(&plan, &mut tell, &cancel));
        });
        self.begin(Work::Lab(building));
    }

    /// How many hundredths of what runs are done, where that is known.
    #[must_use]
    pub fn percent(&self) -> Option<u8> {
        match &self.job.as_ref()?.work {
            Work::Lab(building) => Some(building.percent.load(Ordering::Relaxed)),
            _ => None,
        }
    }

    fn begin(&mut self, work: Work) {
        self.job = Some(Job { since: Instant::now(), work });
    }

    /// How long something has been running; none where nothing is.
    #[must_use]
    pub fn running(&self) -> Option<Duration> {
        self.job.as_ref().map(|job| job.since.elapsed())
    }

    /// Gives up what runs; the data stay as they were before it. Tells whether anything ran.
    ///
    /// A text is asked to stop; one that does not within [`GRACE`] is left behind, and with it the variables of earlier texts.
    pub fn cancel(&mut self) -> bool {
        let Some(job) = self.job.take() else { return false };
        let words = match &job.work {
            Work::Run(..) | Work::Try(..) => {
                self.session.stop();
                match job.work.wait(GRACE) {
                    // It had ended by itself.
                    Some(ended @ Ended::Run(..)) if !ended.was_stopped() => {
                        self.take(ended);
                        return true;
                    }
                    Some(Ended::Run(..) | Ended::Try(..)) => STOPPED,
                    _ => {
                        self.session.cancel();
                        CANCELLED
                    }
                }
            }
            Work::Check(..) => STOPPED,
            Work::Lab(building) => {
                building.cancel.store(true, Ordering::Relaxed);
                STOPPED
            }
        };
        self.foretelling = None;
        self.notice = Some(Line::of(Role::Info, words.get(self.settings.lang)));
        true
    }

    /// Waits so long for what runs. Tells whether it has ended.
    pub fn wait(&mut self, time: Duration) -> bool {
        let Some(job) = &self.job else { return false };
        let Some(ended) = job.work.wait(time) else { return false };
        self.job = None;
        self.take(ended);
        true
    }

    /// Runs a text to its end.
    pub fn run(&mut self, text: &str) {
        self.start(text);
        self.settle();
    }

    /// Judges an answer to its end; the verdict is in [`Model::report`] then.
    pub fn check(&mut self, text: &str) {
        self.start_check(text);
        self.settle();
    }

    /// Waits for what runs.
    pub fn settle(&mut self) {
        while self.job.is_some() {
            self.wait(Duration::from_secs(1));
        }
    }

    fn take(&mut self, ended: Ended) {
        match ended {
            Ended::Run(text, finished) => {
                self.session.ended(&finished);
                let mut finished = *finished;
                self.learn_from(&text, &finished.findings, finished.outcome.value.is_err());
                let report = self.said.report(&text, std::mem::take(&mut finished.findings));
                let mut answer = Answer::new(&text, finished, report);
                if self.is_own_work() {
                    answer.withhold_cures();
                }
                answer.beside = self.beside();
                self.answer = Some(answer);
                self.came(&text);
            }
            Ended::Try(of, outcome) => {
                if let Some(answer) = &mut self.answer {
                    answer.try_fix(Trial { of, outcome });
                }
            }
            Ended::Lab(report) => self.lab = report.map(Arc::new),
            Ended::Check(text, Ok(report)) => {
                self.judged(&text, &report);
                self.report = Some(*report);
                // What an earlier text gave is not said of this one.
                self.answer = self.answer.take().filter(|answer| answer.text == text);
                self.judged = Some(text);
            }
            Ended::Check(_, Err(message)) => self.notice = Some(Line::of(Role::Bad, message)),
            Ended::Broken => {
                self.session.cancel();
                self.notice = Some(Line::of(Role::Bad, BROKEN.get(self.settings.lang)));
            }
        }
    }
}

/// How long a text that is asked to stop is waited for.
const GRACE: Duration = Duration::from_millis(300);

impl Ended {
    /// Whether a text ended because it was asked to.
    fn was_stopped(&self) -> bool {
        let Self::Run(_, finished) = self else { return false };
        finished.outcome.value.as_ref().is_err_and(|failure| failure.kind == FailureKind::Limit(Limit::Asked))
    }
}

impl Work {
    fn wait(&self, time: Duration) -> Option<Ended> {
        match self {
            Self::Run(text, result) => received(result, time, |finished| Ended::Run(text.clone(), Box::new(finished))),
            Self::Try(of, result) => received(result, time, |outcome| Ended::Try(*of, outcome)),
            Self::Lab(building) => received(&building.result, time, Ended::Lab),
            Self::Check(text, result) => {
                received(result, time, |report| Ended::Check(text.clone(), report.map(Box::new)))
            }
        }
    }
}

/// What has come within a time.
fn received<T>(result: &Receiver<T>, time: Duration, ended: impl FnOnce(T) -> Ended) -> Option<Ended> {
    let come = if time.is_zero() {
        result.try_recv().map_err(|error| error == TryRecvError::Disconnected)
    } else {
        result.recv_timeout(time).map_err(|error| error == RecvTimeoutError::Disconnected)
    };
    match come {
        Ok(value) => Some(ended(value)),
        Err(gone) => gone.then_some(Ended::Broken),
    }
}

fn judge(exercise: &Exercise, settings: grade::Settings, text: &str) -> Result<Report, String> {
    let judge = Judge::new(exercise, settings).map_err(|error| error.to_string())?;
    Ok(judge.grade(text, &mut |_| {}))
}
