//! `lessons`, `lesson`, `exercises`, `exercise`: reading the course in plain text.

use super::out;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::EXIT_USAGE;
use crate::course::{Block, Exercise, Lesson, Pack, Predict, Question, Role, plain_step, strip_markup};
use crate::grade::{lesson_store, predicted};
use crate::shell::{Limits, Shell};
use crate::value::Source;
use crate::words::{Lang, Words};

const NO_LESSON: Words = Words::new(
    "There is no lesson `{id}`. `pegboard lessons{pack}` lists them.",
    "Es gibt keine Lektion `{id}`. `pegboard lessons{pack}` zählt sie auf.",
);
const NO_EXERCISE: Words = Words::new(
    "There is no exercise `{id}`. `pegboard exercises{pack}` lists them.",
    "Es gibt keine Aufgabe `{id}`. `pegboard exercises{pack}` zählt sie auf.",
);
const NO_HINT: Words = Words::new("This exercise has {n hints}.", "Diese Aufgabe hat {n Tipps}.");
const NO_STEP: Words = Words::new("This lesson has {n steps}.", "Diese Lektion hat {n Schritte}.");
const MINUTES: Words = Words::new("{n} min", "{n} Min.");
const BEFORE: Words = Words::new("Before: {list}", "Vorher: {list}");
const EXERCISES: Words = Words::new("Exercises: {list}", "Aufgaben: {list}");
const GOALS: Words = Words::new("Afterwards you can:", "Danach kannst du:");
const POINTS: Words = Words::new("level {level}, {points points}, {n} min", "Stufe {level}, {points Punkte}, {n} Min.");
const START: Words = Words::new("You start with:", "Du beginnst mit:");
const DATA: Words = Words::new("The shown data:", "Die gezeigten Daten:");
const CHECKS: Words = Words::new("Judged by:", "Beurteilt wird:");
const HINT: Words = Words::new("Hint {n} of {all}:", "Tipp {n} von {all}:");
const MORE_HINTS: Words = Words::new(
    "Stuck? `pegboard exercise{pack} {id} --hint 1` gives a nudge, 2 and 3 give more.",
    "Hängst du fest? `pegboard exercise{pack} {id} --hint 1` gibt einen Anstoß, 2 und 3 geben mehr.",
);
const GRADE: Words = Words::new(
    "Write your answer to a file and run `pegboard grade{pack} {id} FILE`.",
    "Schreib deine Antwort in eine Datei und rufe `pegboard grade{pack} {id} DATEI` auf.",
);
const ANSWER: Words = Words::new("Answer: {text}", "Antwort: {text}");

/// Where the course comes from and in which language it is read.
#[derive(Debug, Args)]
pub(super) struct Course {
    /// A pack's folder in place of the built-in course.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
    /// `en` or `de`; the locale decides otherwise.
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
}

impl Course {
    /// Opens the pack, or prints its faults.
    pub(super) fn open(&self) -> Result<Pack, ExitCode> {
        open(self.pack.as_deref())
    }

    /// A sentence about a lesson or exercise whose commands name the pack it is of.
    fn fill(&self, words: Words, id: &str) -> String {
        let pack = self.pack.as_ref().map(|folder| format!(" --pack {}", quoted(folder))).unwrap_or_default();
        words.fill(self.lang(), &[("id", id), ("pack", &pack)])
    }

    /// Says that the pack has no such lesson.
    pub(super) fn no_lesson(&self, id: &str) -> ExitCode {
        eprintln!("{}", self.fill(NO_LESSON, id));
        ExitCode::from(EXIT_USAGE)
    }

    /// Says that the pack has no such exercise.
    pub(super) fn no_exercise(&self, id: &str) -> ExitCode {
        eprintln!("{}", self.fill(NO_EXERCISE, id));
        ExitCode::from(EXIT_USAGE)
    }

    /// The language asked for, or the locale's.
    pub(super) fn lang(&self) -> Lang {
        self.lang.as_deref().map_or_else(locale, Lang::from_locale)
    }
}

/// Opens a pack's folder, or the built-in course, or prints its faults.
pub(super) fn open(folder: Option<&Path>) -> Result<Pack, ExitCode> {
    folder.map_or_else(Pack::built_in, Pack::open).map_err(|problems| {
        for problem in problems {
            eprintln!("{problem}");
        }
        ExitCode::from(EXIT_USAGE)
    })
}

/// A folder's name as a shell takes it.
fn quoted(folder: &Path) -> String {
    let name = folder.display().to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+~:\\".contains(letter);
    if name.chars().all(is_plain) { name } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

pub(super) fn locale() -> Lang {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    set.into_iter().find(|value| !value.is_empty()).map_or(Lang::En, |value| Lang::from_locale(&value))
}

/// `lesson ID`.
#[derive(Debug, Args)]
pub(super) struct ReadLesson {
    /// The lesson's id.
    id: String,
    /// One step only, from 1.
    #[arg(long)]
    step: Option<usize>,
    /// Shows the answers of questions as well.
    #[arg(long)]
    answers: bool,
    #[command(flatten)]
    course: Course,
}

/// `exercise ID`.
#[derive(Debug, Args)]
pub(super) struct ReadExercise {
    /// The exercise's id.
    id: String,
    /// Shows this hint, from 1 to 3.
    #[arg(long)]
    hint: Option<usize>,
    /// Shows the model solution and other ways, with reasons.
    #[arg(long)]
    solution: bool,
    /// Shows the statements that make the shown data.
    #[arg(long)]
    data: bool,
    #[command(flatten)]
    course: Course,
}

/// Lists the lessons in course order.
pub(super) fn list_lessons(course: &Course) -> Result<(), ExitCode> {
    let (pack, lang) = (course.open()?, course.lang());
    for (at, lesson) in pack.lessons.iter().enumerate() {
        let minutes = MINUTES.fill(lang, &[("n", &lesson.minutes.to_string())]);
        out::line!("{:>2}  {:<14} {} ({minutes})", at + 1, lesson.id, lesson.reading(lang).title);
    }
    Ok(())
}

/// Lists the exercises in course order.
pub(super) fn list_exercises(course: &Course) -> Result<(), ExitCode> {
    let (pack, lang) = (course.open()?, course.lang());
    for exercise in &pack.exercises {
        out::line!("{:<4} {} ({})", exercise.spec.id, exercise.title(lang), worth(exercise, lang));
    }
    Ok(())
}

/// Prints a lesson.
pub(super) fn lesson(args: &ReadLesson) -> Result<(), ExitCode> {
    let (pack, lang) = (args.course.open()?, args.course.lang());
    let lesson = pack.lesson(&args.id).ok_or_else(|| args.course.no_lesson(&args.id))?;
    let steps = &lesson.reading(lang).steps;
    if args.step.is_some_and(|step| step == 0 || step > steps.len()) {
        return Err(usage(NO_STEP, lang, "n", &steps.len().to_string()));
    }
    if args.step.is_none() {
        head(lesson, lang);
    }
    let came = if args.answers { foretold(lesson) } else { BTreeMap::new() };
    for (at, step) in steps.iter().enumerate().filter(|(at, _)| args.step.is_none_or(|step| step == at + 1)) {
        out::line!("\n{} {}\n", at + 1, step.title);
        for line in plain_step(step) {
            out::line!("{line}");
        }
        if args.answers {
            for (number, block) in step.blocks.iter().enumerate() {
                answer(block, came.get(&(at, number)), lang);
            }
        }
    }
    Ok(())
}

fn head(lesson: &Lesson, lang: Lang) {
    let reading = lesson.reading(lang);
    out::line!("{} ({})", reading.title, MINUTES.fill(lang, &[("n", &lesson.minutes.to_string())]));
    if !lesson.prerequisites.is_empty() {
        out::line!("{}", BEFORE.fill(lang, &[("list", &lesson.prerequisites.join(", "))]));
    }
    if !lesson.exercises.is_empty() {
        out::line!("{}", EXERCISES.fill(lang, &[("list", &lesson.exercises.join(", "))]));
    }
    out::line!("{}", GOALS.get(lang));
    reading.goals.iter().for_each(|goal| out::line!("- {goal}"));
}

fn answer(block: &Block, came: Option<&String>, lang: Lang) {
    match block {
        Block::Question(Question { choices, .. }) => choices.iter().filter(|choice| choice.right).for_each(|choice| {
            out::line!("  {}", ANSWER.fill(lang, &[("text", &format!("{} – {}", choice.text, choice.why))]));
        }),
        Block::Predict(Predict { then, .. }) => {
            if let Some(came) = came {
                out::line!("  {}", ANSWER.fill(lang, &[("text", came)]));
            }
            if !then.is_empty() {
                out::line!("  {then}");
            }
        }
        _ => {}
    }
}

/// What comes of each prediction of a lesson, by step and block: the lesson is run for it.
fn foretold(lesson: &Lesson) -> BTreeMap<(usize, usize), String> {
    let mut came = BTreeMap::new();
    let Some(store) = lesson_store(&lesson.data, Source::seeded(1)) else { return came };
    let mut shell = Shell::new(store, Limits::default());
    for (at, step) in lesson.en.steps.iter().enumerate() {
        for (number, block) in step.blocks.iter().enumerate() {
            match block {
                Block::Code(code) if code.role != Role::Show => _ = shell.run(&code.text),
                Block::Predict(asked) => {
                    came.extend(predicted(asked.of, &shell.run(&asked.run)).map(|what| ((at, number), what)));
                }
                _ => {}
            }
        }
    }
    came
}

/// Prints an exercise.
pub(super) fn exercise(args: &ReadExercise) -> Result<(), ExitCode> {
    let (pack, lang) = (args.course.open()?, args.course.lang());
    let exercise = pack.exercise(&args.id).ok_or_else(|| args.course.no_exercise(&args.id))?;
    let hints = exercise.hints.len();
    if args.hint.is_some_and(|stage| stage == 0 || stage > hints) {
        return Err(usage(NO_HINT, lang, "n", &hints.to_string()));
    }
    out::line!("{} {} ({})\n", exercise.spec.id, exercise.title(lang), worth(exercise, lang));
    out::line!("{}", strip_markup(exercise.task.get(lang).trim()));
    out::line!("\n{}", CHECKS.get(lang));
    exercise.spec.checks.iter().for_each(|check| out::line!("- {} ({})", check.name.get(lang), check.points));
    if !exercise.starter.trim().is_empty() {
        out::line!("\n{}\n{}", START.get(lang), indented(&exercise.starter));
    }
    if args.data {
        out::line!("\n{}\n{}", DATA.get(lang), indented(&exercise.setup));
    }
    match args.hint {
        Some(stage) => hint(exercise, stage, lang),
        None => out::line!("\n{}", args.course.fill(MORE_HINTS, &exercise.spec.id)),
    }
    if args.solution {
        exercise
            .solutions
            .iter()
            .for_each(|answer| out::line!("\n{}\n{}", answer.about.get(lang), indented(answer.statements().trim())));
    }
    out::line!("{}", args.course.fill(GRADE, &exercise.spec.id));
    Ok(())
}

fn hint(exercise: &Exercise, stage: usize, lang: Lang) {
    let all = exercise.hints.len();
    let (n, of) = (stage.to_string(), all.to_string());
    if let Some(text) = exercise.hints.get(stage - 1) {
        out::line!("\n{}\n{}\n", HINT.fill(lang, &[("n", &n), ("all", &of)]), strip_markup(text.get(lang)));
    }
}

fn worth(exercise: &Exercise, lang: Lang) -> String {
    let spec = &exercise.spec;
    let (level, points, minutes) =
        (spec.level.to_string(), exercise.max_points().to_string(), spec.minutes.to_string());
    POINTS.fill(lang, &[("level", &level), ("points", &points), ("n", &minutes)])
}

fn indented(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// Prints a usage error.
pub(super) fn usage(words: Words, lang: Lang, name: &str, value: &str) -> ExitCode {
    eprintln!("{}", words.fill(lang, &[(name, value)]));
    ExitCode::from(EXIT_USAGE)
}
