//! `pack new`, `pack check`: making and proving a course of one's own.

use super::out;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use include_dir::{Dir, include_dir};

use super::EXIT_USAGE;
use super::lessons::locale;
use crate::course::Pack;
use crate::grade::prove;
use crate::words::{Lang, Words};

static SCAFFOLD: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/cli/scaffold");

const PROVEN: Words = Words::new(
    "Proven. Lessons: {lessons}, exercises: {exercises}.",
    "Bewiesen. Lektionen: {lessons}, Aufgaben: {exercises}.",
);
const FAULTS: Words = Words::new("Faults: {n}.", "Fehler: {n}.");
const NO_FOLDER: Words = Words::new("There is no folder {path}.", "Es gibt keinen Ordner {path}.");
const NOT_EMPTY: Words =
    Words::new("{path} is not empty; nothing was written.", "{path} ist nicht leer; nichts wurde geschrieben.");
const MADE: Words = Words::new(
    "Made {path}. Prove it with `pegboard pack check {path}`.",
    "{path} ist angelegt. Beweise es mit `pegboard pack check {path}`.",
);

/// `pack`.
#[derive(Debug, Args)]
pub(super) struct PackArgs {
    #[command(subcommand)]
    task: PackTask,
}

#[derive(Debug, Subcommand)]
enum PackTask {
    /// Write a small pack that proves itself, to be changed.
    New {
        /// An empty or new folder.
        folder: PathBuf,
    },
    /// Prove a pack: its form, every claim of its lessons, every answer kept beside its exercises.
    Check {
        /// The pack's folder; the built-in course where missing.
        folder: Option<PathBuf>,
        /// The seed of the hidden data.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

/// Makes or proves a pack.
pub(super) fn run(args: &PackArgs) -> Result<(), ExitCode> {
    let lang = locale();
    match &args.task {
        PackTask::New { folder } => new(folder, lang),
        PackTask::Check { folder, seed } => check(folder.as_deref(), *seed, lang),
    }
}

fn new(folder: &Path, lang: Lang) -> Result<(), ExitCode> {
    let shown = folder.display().to_string();
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(super::lessons::usage(NOT_EMPTY, lang, "path", &shown));
    }
    let written = fs::create_dir_all(folder).and_then(|()| SCAFFOLD.extract(folder));
    written.map_err(|error| {
        eprintln!("{shown}: {error}");
        ExitCode::from(EXIT_USAGE)
    })?;
    out::line!("{}", MADE.fill(lang, &[("path", &shown)]));
    Ok(())
}

fn check(folder: Option<&Path>, seed: u64, lang: Lang) -> Result<(), ExitCode> {
    if let Some(missing) = folder.filter(|folder| !folder.is_dir()) {
        return Err(super::lessons::usage(NO_FOLDER, lang, "path", &missing.display().to_string()));
    }
    let opened = folder.map_or_else(Pack::built_in, Pack::open);
    let problems = match &opened {
        Ok(pack) => prove(pack, seed, &told()),
        Err(problems) => problems.clone(),
    };
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    for problem in &problems {
        out::line!("{problem}");
    }
    match &opened {
        Ok(pack) if problems.is_empty() => {
            let (lessons, exercises) = (pack.lessons.len().to_string(), pack.exercises.len().to_string());
            out::line!("{}", PROVEN.fill(lang, &[("lessons", &lessons), ("exercises", &exercises)]));
            Ok(())
        }
        _ => {
            out::line!("{}", FAULTS.fill(lang, &[("n", &problems.len().to_string())]));
            Err(ExitCode::FAILURE)
        }
    }
}

/// Tells a person at a terminal what is done; says nothing into a file.
fn told() -> impl Fn(&str) + Sync {
    let shown = std::io::stderr().is_terminal();
    move |part| {
        if shown {
            eprint!("\r\x1b[K{part}");
            let _ = std::io::stderr().flush();
        }
    }
}
