//! An exercise made ready for judging: its data sets, shown and hidden, with the model solution run on each.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::check::{Scene, Seen};
use super::counter;
use super::findings::Noted;
use super::report::{Report, Row, SCHEMA, Status, Verdict};
use super::trial::Trial;
use crate::course::{Check, CheckKind, Data, Exercise, Problem};
use crate::engine::Database;
use crate::pitfall::Level;
use crate::shell::{Failure, FailureKind, Limits, position};
use crate::value::Source;
use crate::words::{Lang, Words};

const PRELUDE: &str = include_str!("prelude.js");

/// Keys, documents and values an answer may look at where its exercise names no budget.
const BUDGET: u64 = 2_000_000;

const RUNS: Words = Words::new("the statements run without an error", "die Anweisungen laufen ohne Fehler");
const STOPPED: Words =
    Words::new("Line {line}, column {column}: {message}", "Zeile {line}, Spalte {column}: {message}");
const STOPPED_HIDDEN: Words = Words::new(
    "It runs on the shown data, but stops on hidden data with {class}.",
    "Es läuft auf den gezeigten Daten, hält aber auf verborgenen Daten an mit {class}.",
);
const LIMIT_HIDDEN: Words = Words::new(
    "It runs on the shown data, but not on hidden data. {message}",
    "Es läuft auf den gezeigten Daten, aber nicht auf verborgenen. {message}",
);
const UNSEEN: Words = Words::new(
    "It runs so many commands that the first {count} of them were not kept, so what they did cannot be judged.",
    "So viele Befehle laufen, dass die ersten {count} nicht aufbewahrt wurden; was sie taten, lässt sich nicht beurteilen.",
);
const NEEDS: Words =
    Words::new("Not judged: “{name}” has to pass first.", "Nicht beurteilt: Zuerst muss „{name}“ gelingen.");
const IDLE: Words = Words::new(
    "This is so even if nothing is done; it counts once something that was asked for is done.",
    "Das ist auch so, wenn nichts getan wird; es zählt, sobald etwas Verlangtes getan ist.",
);
const HIDDEN: Words = Words::new(
    "Right on the shown data, but not on {n} of {all} hidden data sets.",
    "Richtig auf den gezeigten Daten, aber nicht auf {n} von {all} verborgenen Datensätzen.",
);
const HIDDEN_ONLY: Words =
    Words::new("Not so on {n} of {all} hidden data sets.", "Nicht so auf {n} von {all} verborgenen Datensätzen.");
const UNTOUCHED: Words = Words::new(
    "Nothing was written yet: the answer is empty or the starter unchanged.",
    "Noch wurde nichts geschrieben: Die Antwort ist leer oder der unveränderte Anfang.",
);

/// How answers are judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The seed of the hidden data.
    pub seed: u64,
    /// The language of messages.
    pub lang: Lang,
    /// The time of grading in milliseconds since 1970.
    pub clock: i64,
    /// What an answer may use up on one data set.
    pub limits: Limits,
    /// Keys, documents and values an answer may look at, in place of what the exercise says.
    pub budget: Option<u64>,
    /// The pack's id and version, for reports.
    pub pack: String,
    /// Whether a small case is looked for on which a wrong answer differs.
    pub counter_examples: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            lang: Lang::En,
            clock: 0,
            limits: limits(),
            budget: None,
            pack: String::new(),
            counter_examples: true,
        }
    }
}

/// The limits of one submission.
#[must_use]
pub fn limits() -> Limits {
    Limits { steps: 50_000_000, work: Some(BUDGET), memory: 64 << 20, output: 1 << 20, ..Limits::default() }
}

/// A data set with the model solution run on it.
pub(super) struct Board {
    pub(super) hidden: bool,
    pub(super) base: Database,
    pub(super) model: Trial,
}

/// An exercise made ready.
pub struct Judge<'a> {
    pub(super) exercise: &'a Exercise,
    pub(super) settings: Settings,
    pub(super) boards: Vec<Board>,
    /// The checks that pass when nothing is done.
    idle: OnceLock<BTreeSet<String>>,
}

impl<'a> Judge<'a> {
    /// Makes the data sets and runs the model solution on them.
    ///
    /// # Errors
    /// A setup or model solution that fails.
    pub fn new(exercise: &'a Exercise, mut settings: Settings) -> Result<Self, Problem> {
        settings.limits.work = settings.budget.or(exercise.spec.budget).or(settings.limits.work);
        let mut boards = Vec::new();
        for variant in 0..=exercise.spec.hidden {
            boards.push(board(exercise, &settings, variant)?);
        }
        Ok(Self { exercise, settings, boards, idle: OnceLock::new() })
    }

    /// Judges a text; `watch` sees the report before the first check and after every check.
    pub fn grade(&self, text: &str, watch: &mut dyn FnMut(&Report)) -> Report {
        if is_untouched(text, &self.exercise.starter) {
            return self.not_judged(Status::NotAttempted, UNTOUCHED.get(self.settings.lang));
        }
        self.judge(text, watch)
    }

    /// The report of an answer that cannot be judged, all rows without points.
    #[must_use]
    pub fn not_judged(&self, status: Status, message: &str) -> Report {
        let verdict = if status == Status::Ungradable { Verdict::Ungradable } else { Verdict::Skipped };
        let rows = self.exercise.spec.checks.iter();
        let rows = rows.map(|check| Row { verdict, message: message.into(), ..self.blank(check) }).collect();
        let mut report = Report { status, message: message.into(), checks: rows, ..self.begin() };
        report.sum();
        report
    }

    /// Judges a text even when it is the starter.
    pub(super) fn judge(&self, text: &str, watch: &mut dyn FnMut(&Report)) -> Report {
        let mut report = Report { answer: digest(text), ..self.begin() };
        watch(&report);
        let answers = self.trials(text);
        if let Some(message) = self.limit_reached(text, &answers).or_else(|| self.unseen(&answers)) {
            let report = Report { answer: report.answer, ..self.not_judged(Status::Ungradable, &message) };
            watch(&report);
            return report;
        }
        report.work = answers[0].effort;
        report.findings = ids(&answers[0]);
        report.shape = answers[0].shape();
        report.checks.push(self.runs(text, &answers));
        for check in &self.exercise.spec.checks {
            let row = self.row(check, text, &answers, &report.checks);
            report.checks.push(row);
            report.sum();
            watch(&report);
        }
        self.withhold(&mut report.checks);
        report.sum();
        report.status = Status::Graded;
        let failed = |check: &&Check| {
            let is_wrong = |row: &Row| row.id == check.id && matches!(row.verdict, Verdict::Fail | Verdict::Partial);
            matches!(check.kind, CheckKind::Result { .. }) && report.checks.iter().any(is_wrong)
        };
        if let Some(check) = self.exercise.spec.checks.iter().find(failed).filter(|_| self.settings.counter_examples) {
            report.counter_example = counter::search(self, check, text, &answers[0]);
        }
        watch(&report);
        report
    }

    fn begin(&self) -> Report {
        let lang = self.settings.lang;
        Report {
            schema: SCHEMA.into(),
            pack: self.settings.pack.clone(),
            exercise: self.exercise.spec.id.clone(),
            title: self.exercise.title(lang).into(),
            student: String::new(),
            answer: String::new(),
            shape: String::new(),
            seed: self.settings.seed,
            graded_at: timestamp(self.settings.clock),
            status: Status::Running,
            message: String::new(),
            points: 0,
            max_points: self.exercise.max_points(),
            checks: Vec::new(),
            work: super::report::Effort::default(),
            par: self.boards[0].model.effort,
            findings: Vec::new(),
            counter_example: None,
        }
    }

    fn blank(&self, check: &Check) -> Row {
        Row {
            id: check.id.clone(),
            name: check.name.get(self.settings.lang).into(),
            task: self.exercise.spec.id.clone(),
            verdict: Verdict::Fail,
            points: 0,
            max_points: check.points,
            hidden: check.on == Data::Hidden,
            message: String::new(),
            hint: String::new(),
            expected: String::new(),
            actual: String::new(),
            diagnoses: Vec::new(),
            needs: None,
            work: super::report::Effort::default(),
        }
    }

    /// The answer run on each data set, the shown one first, up to the first that stops it. On hidden data the detector looks
    /// on only where a check asks what it reports.
    fn trials(&self, text: &str) -> Vec<Trial> {
        let Settings { limits, lang, .. } = &self.settings;
        let is_asked = |check: &Check| matches!(check.kind, CheckKind::Findings { .. });
        let everywhere = self.exercise.spec.checks.iter().any(is_asked);
        let mut trials: Vec<Trial> = Vec::new();
        for board in &self.boards {
            if trials.last().is_some_and(|trial| trial.value.is_err()) {
                break;
            }
            trials.push(if everywhere || !board.hidden {
                Trial::watched(&board.base, text, limits, *lang)
            } else {
                Trial::run(&board.base, text, limits)
            });
        }
        trials
    }

    /// What is to be told of an answer that was stopped at a limit: it is not wrong, it cannot be judged.
    fn limit_reached(&self, text: &str, answers: &[Trial]) -> Option<String> {
        let lang = self.settings.lang;
        let failure = answers.last()?.value.as_ref().err()?;
        let FailureKind::Limit(limit) = failure.kind else { return None };
        let limits = &self.settings.limits;
        let message = limit.words().fill(lang, &[("limit", &limits.size(limit))]);
        let failure = Failure { message, ..failure.clone() };
        Some(match answers.len() {
            1 => stopped(&failure, text, lang),
            _ => LIMIT_HIDDEN.fill(lang, &[("message", &failure.message)]),
        })
    }

    /// What is to be told of an answer that did more than was looked at.
    fn unseen(&self, answers: &[Trial]) -> Option<String> {
        let count = answers.iter().map(|trial| trial.unseen).max().filter(|count| *count > 0)?;
        Some(UNSEEN.fill(self.settings.lang, &[("count", &count.to_string())]))
    }

    /// The row that all others need: the statements run at all.
    fn runs(&self, text: &str, answers: &[Trial]) -> Row {
        let lang = self.settings.lang;
        let failed = answers.iter().enumerate().find_map(|(at, trial)| trial.value.as_ref().err().map(|why| (at, why)));
        let message = match failed {
            None => String::new(),
            Some((0, failure)) => stopped(failure, text, lang),
            Some((_, failure)) => STOPPED_HIDDEN.fill(lang, &[("class", failure.class())]),
        };
        let check = Check {
            id: "runs".into(),
            name: crate::course::Text { en: RUNS.en.into(), de: RUNS.de.into() },
            hint: crate::course::Text::default(),
            hint_when: Vec::new(),
            points: 0,
            partial: 0,
            needs: Vec::new(),
            on: Data::All,
            kind: CheckKind::Cost { times: 0, plus: 0 },
        };
        let verdict = if message.is_empty() { Verdict::Pass } else { Verdict::Fail };
        Row { verdict, message, ..self.blank(&check) }
    }

    fn row(&self, check: &Check, text: &str, answers: &[Trial], before: &[Row]) -> Row {
        let blank = self.blank(check);
        let needed = std::iter::once("runs").chain(check.needs.iter().map(String::as_str));
        let failed = |id: &str| before.iter().find(|row| row.id == id && row.verdict != Verdict::Pass);
        if let Some(earlier) = needed.into_iter().find_map(failed) {
            let message = NEEDS.fill(self.settings.lang, &[("name", &earlier.name)]);
            let needs = Some(earlier.id.clone());
            return Row { verdict: Verdict::Skipped, message, needs, ..blank };
        }
        let seen: Vec<(bool, Seen)> = self
            .boards
            .iter()
            .zip(answers)
            .filter_map(|(board, answer)| {
                let wanted = match check.on {
                    Data::All => true,
                    Data::Shown => !board.hidden,
                    Data::Hidden => board.hidden,
                };
                wanted.then(|| (board.hidden, self.scene(board, answer, text).judge(&check.kind)))
            })
            .collect();
        self.verdict(check, blank, &seen, &answers[0])
    }

    /// Takes back what was given for doing nothing: such a check counts beside one that asks for something.
    fn withhold(&self, rows: &mut [Row]) {
        let idle = self.idle.get_or_init(|| self.passes_idle());
        let passed = |row: &Row| matches!(row.verdict, Verdict::Pass | Verdict::Partial);
        if rows.iter().any(|row| row.max_points > 0 && passed(row) && !idle.contains(&row.id)) {
            return;
        }
        for row in rows.iter_mut().filter(|row| idle.contains(&row.id) && passed(row)) {
            (row.verdict, row.points) = (Verdict::Skipped, 0);
            IDLE.get(self.settings.lang).clone_into(&mut row.message);
        }
    }

    fn passes_idle(&self) -> BTreeSet<String> {
        let answers: Vec<Trial> =
            self.boards.iter().map(|board| Trial::watched(&board.base, "", &self.settings.limits, Lang::En)).collect();
        let passes = |check: &&Check| self.row(check, "", &answers, &[]).verdict == Verdict::Pass;
        self.exercise.spec.checks.iter().filter(passes).map(|check| check.id.clone()).collect()
    }

    fn scene<'s>(&'s self, board: &'s Board, answer: &'s Trial, text: &'s str) -> Scene<'s> {
        let Settings { limits, lang, .. } = &self.settings;
        Scene { base: &board.base, model: &board.model, answer, text, limits, lang: *lang }
    }

    fn verdict(&self, check: &Check, blank: Row, seen: &[(bool, Seen)], answer: &Trial) -> Row {
        let shown = seen.iter().find(|(hidden, _)| !hidden).map(|(_, seen)| seen);
        let work = shown.map_or_else(Default::default, |seen| seen.effort);
        if let Some(wrong) = shown.filter(|seen| !seen.passes()) {
            let hint = self.explained(check, wrong, answer).unwrap_or_else(|| self.hint(check, wrong, answer));
            let Seen { wrong: message, expected, actual, diagnoses, .. } = wrong.clone();
            return Row { message, hint, expected, actual, diagnoses, work, ..blank };
        }
        let hidden = seen.iter().filter(|(hidden, _)| *hidden);
        let failed: Vec<&Seen> = hidden.clone().map(|(_, seen)| seen).filter(|seen| !seen.passes()).collect();
        if failed.is_empty() {
            return Row { verdict: Verdict::Pass, points: check.points, work, ..blank };
        }
        let words = if shown.is_some() { HIDDEN } else { HIDDEN_ONLY };
        let (n, all) = (failed.len().to_string(), hidden.count().to_string());
        let message = words.fill(self.settings.lang, &[("n", &n), ("all", &all)]);
        let verdict = if check.partial > 0 { Verdict::Partial } else { Verdict::Fail };
        let (hint, diagnoses) = (self.hint(check, failed[0], answer), failed[0].diagnoses.clone());
        Row { verdict, points: check.partial, message, hint, diagnoses, work, ..blank }
    }

    /// What the detector says of the mistake that makes a check fail on the shown data.
    fn explained(&self, check: &Check, seen: &Seen, answer: &Trial) -> Option<String> {
        let is_asked_for = |id: &String| self.exercise.spec.checks.iter().any(|check| check.wanted().contains(id));
        let explains = |noted: &&Noted| match check.kind {
            CheckKind::Result { .. } | CheckKind::State { .. } | CheckKind::Value { .. } => {
                noted.level == Level::WrongResult && !is_asked_for(&noted.id)
            }
            CheckKind::Plan { .. } | CheckKind::Cost { .. } | CheckKind::Probe { .. } | CheckKind::Indexes { .. } => {
                noted.level <= Level::Cost && !is_asked_for(&noted.id)
            }
            CheckKind::Findings { .. } => seen.diagnoses.contains(&noted.id),
        };
        let of_answer = || answer.findings.iter().find(explains).map(|noted| noted.message.clone());
        seen.explanation.clone().or_else(of_answer)
    }

    /// The check's hint, where what went wrong is what it is about.
    fn hint(&self, check: &Check, seen: &Seen, answer: &Trial) -> String {
        let holds = |sign: &String| {
            seen.signs.contains(&sign.as_str()) || answer.findings.iter().any(|noted| noted.id == *sign)
        };
        let fits = check.hint_when.is_empty() || check.hint_when.iter().any(holds);
        if fits { check.hint.get(self.settings.lang).to_owned() } else { String::new() }
    }
}

/// The statements that make a data set of an exercise: the shown one as number 0, hidden ones made from a seed.
#[must_use]
pub fn data_text(exercise: &Exercise, seed: u64, variant: u32) -> String {
    let (_, data) = data_file(exercise, variant);
    format!("const SEED = {}, VARIANT = {variant};\n{PRELUDE}\n{data}", seed % (1 << 32))
}

fn data_file(exercise: &Exercise, variant: u32) -> (&'static str, &str) {
    if variant > 0 && !exercise.variants.is_empty() {
        ("variants.js", &exercise.variants)
    } else {
        ("setup.js", &exercise.setup)
    }
}

fn board(exercise: &Exercise, settings: &Settings, variant: u32) -> Result<Board, Problem> {
    let hidden = variant > 0;
    let (name, _) = data_file(exercise, variant);
    let text = data_text(exercise, settings.seed, variant);
    let file = |name: &str| format!("exercises/{}/{name}", exercise.folder);
    let source = Source::seeded(settings.seed).with_clock(1_700_000_000_000);
    let limits = Limits::default();
    let made = Trial::run(&Database::new(source), &text, &limits);
    if let Err(failure) = made.value {
        return Err(Problem::of_file(&file(name), failure.message));
    }
    let model =
        exercise.model().ok_or_else(|| Problem::of_file(&file("solutions/model.js"), "this file is missing"))?;
    let trial = Trial::run(&made.host, &model.text, &limits);
    if let Err(failure) = &trial.value {
        let (line, column) = failure.span.as_ref().map_or((0, 0), |span| position(&model.text, span.start));
        let message = format!("on data set {variant}: {}", failure.message);
        return Err(Problem::new(&model.file, line, column, message));
    }
    Ok(Board { hidden, base: made.host, model: trial })
}

fn stopped(failure: &Failure, text: &str, lang: Lang) -> String {
    let (line, column) = failure.span.as_ref().map_or((1, 1), |span| position(text, span.start));
    let (line, column) = (line.to_string(), column.to_string());
    let code = failure.code().map(|code| format!(" ({} {})", code.number(), code.name())).unwrap_or_default();
    let message = match &failure.kind {
        FailureKind::Limit(_) => failure.message.clone(),
        _ => format!("{}: {}{code}", failure.class(), failure.message),
    };
    let message =
        failure.hint.as_ref().map_or(message.clone(), |hint| format!("{}. {hint}", message.trim_end_matches('.')));
    STOPPED.fill(lang, &[("line", &line), ("column", &column), ("message", &message)])
}

fn ids(trial: &Trial) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for noted in &trial.findings {
        if !ids.contains(&noted.id) {
            ids.push(noted.id.clone());
        }
    }
    ids
}

/// Whether nothing but blanks and comments was written, or the starter was left as it is.
fn is_untouched(text: &str, starter: &str) -> bool {
    let bare = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let text = bare(text);
    text.is_empty() || text == bare(starter)
}

/// What tells texts apart: the first sixty-four bits of their SHA-256, as hexadecimal digits.
pub(super) fn digest(text: &str) -> String {
    let first = Sha256::digest(text).iter().take(8).fold(0_u64, |digest, byte| (digest << 8) | u64::from(*byte));
    format!("{first:016x}")
}

/// UTC to the second.
pub(super) fn timestamp(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis).unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
