//! `grade --all DIR`: a class at once.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::EXIT_NOT_GRADED;
use super::grade::{Grade, below, deliver, settings, surroundings};
use super::lessons::usage;
use crate::course::Pack;
use crate::grade::{
    ClassTable, Format, Report, Status, Surroundings, class_csv, export, grade_all, left_in, left_out, submission,
    submissions,
};
use crate::words::{Lang, Words};

const NO_FORMAT: Words = Words::new(
    "With --all the table is written as text, json or csv, not as {format}.",
    "Mit --all wird die Tabelle als text, json oder csv geschrieben, nicht als {format}.",
);

const NOTHING: Words = Words::new(
    "{folder} holds no answer: one is named after its exercise, such as X3.js.",
    "{folder} enthält keine Antwort: Eine heißt wie ihre Aufgabe, etwa X3.js.",
);
const END: Words = Words::new("{n} {n|answer|answers} in {seconds} s.", "{n} {n|Antwort|Antworten} in {seconds} s.");
const LEFT_OUT: Words = Words::new(
    "Left out: {file} is no answer STUDENT/EXERCISE.js that is asked for, or a second one.",
    "Ausgelassen: {file} ist keine Antwort LERNENDE/AUFGABE.js, nach der gefragt ist, oder eine zweite.",
);
const LEFT_IN: Words = Words::new(
    "Left out: {file} is no answer EXERCISE.js that is asked for, or a second one.",
    "Ausgelassen: {file} ist keine Antwort AUFGABE.js, nach der gefragt ist, oder eine zweite.",
);
const MORE: Words = Words::new("… and {n} more.", "… und {n} weitere.");

/// So many files that were left out are named.
const MOST_TOLD: usize = 10;

/// Grades all answers below a folder and writes the table.
pub(super) fn run(args: &Grade, folder: &Path) -> Result<(), ExitCode> {
    let (pack, lang) = (args.course.open()?, args.course.lang());
    if !matches!(args.format, Format::Text | Format::Json | Format::Csv) {
        return Err(usage(NO_FORMAT, lang, "format", args.format.name()));
    }
    let not_read = |error: std::io::Error| {
        eprintln!("{}: {error}", folder.display());
        ExitCode::from(EXIT_NOT_GRADED)
    };
    are_known(args, &pack)?;
    let answers = submissions(&pack, folder, &args.exercises).map_err(not_read)?;
    if let Some(reports) = &args.reports {
        std::fs::create_dir_all(reports).map_err(not_read)?;
    }
    let started = Instant::now();
    let bar = bar(answers.len());
    let graded = grade_all(&pack, &answers, &settings(args, &pack)?, args.reports.as_deref(), &bar);
    tell_end(answers.len(), started, lang);
    tell_left_out(LEFT_OUT, &left_out(folder, &answers), lang);
    let reports = graded.map_err(|error| {
        eprintln!("{error}");
        ExitCode::from(EXIT_NOT_GRADED)
    })?;
    let table = ClassTable::of(&reports);
    let text = match args.format {
        Format::Csv => class_csv(&reports),
        Format::Json => table.to_json(),
        _ => table.to_text(lang),
    };
    deliver(args.out.as_deref(), &text)?;
    below(args, reports.iter().map(crate::grade::Report::percent).min().unwrap_or(100))
}

/// Says how long it took; the table itself says how much work it was.
fn tell_end(answers: usize, started: Instant, lang: Lang) {
    let (n, seconds) = (answers.to_string(), lang.decimal(started.elapsed().as_secs_f64(), 1));
    let clear = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    eprintln!("{clear}{}", END.fill(lang, &[("n", &n), ("seconds", &seconds)]));
}

fn tell_left_out(words: Words, files: &[PathBuf], lang: Lang) {
    for file in files.iter().take(MOST_TOLD) {
        eprintln!("{}", words.fill(lang, &[("file", &format!("{:?}", file.display().to_string()))]));
    }
    if files.len() > MOST_TOLD {
        eprintln!("{}", MORE.fill(lang, &[("n", &(files.len() - MOST_TOLD).to_string())]));
    }
}

/// Refuses a name among those of `--exercises` that the pack has not.
fn are_known(args: &Grade, pack: &Pack) -> Result<(), ExitCode> {
    let unknown = args.exercises.iter().find(|id| pack.exercise(id).is_none());
    unknown.map_or(Ok(()), |id| Err(args.course.no_exercise(id)))
}

/// Grades all exercises of one student's folder into one report.
pub(super) fn run_submission(args: &Grade, folder: &Path) -> Result<(), ExitCode> {
    let (pack, lang) = (args.course.open()?, args.course.lang());
    are_known(args, &pack)?;
    let answers = submission(&pack, folder, &args.student, &args.exercises);
    tell_left_out(LEFT_IN, &left_in(folder, &answers), lang);
    if answers.is_empty() {
        return Err(usage(NOTHING, lang, "folder", &folder.display().to_string()));
    }
    let graded = grade_all(&pack, &answers, &settings(args, &pack)?, None, &|| ());
    let reports = graded.map_err(|error| {
        eprintln!("{error}");
        ExitCode::from(EXIT_NOT_GRADED)
    })?;
    let around = Surroundings { lang, ..surroundings() };
    deliver(args.out.as_deref(), &export(args.format, &reports, &around))?;
    let sum = |of: fn(&Report) -> u32| reports.iter().map(of).sum::<u32>();
    let percent = sum(|report| report.points) * 100 / sum(|report| report.max_points).max(1);
    if reports.iter().any(|report| report.status == Status::Ungradable) {
        return Err(ExitCode::from(EXIT_NOT_GRADED));
    }
    below(args, percent)
}

/// A bar on a terminal, nothing in a file.
fn bar(all: usize) -> impl Fn() + Sync {
    let done = AtomicUsize::new(0);
    let shown = std::io::stderr().is_terminal();
    move || {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if shown {
            let filled = done * 30 / all.max(1);
            eprint!("\r[{}{}] {done}/{all}", "#".repeat(filled), ".".repeat(30 - filled));
            let _ = std::io::stderr().flush();
        }
    }
}
