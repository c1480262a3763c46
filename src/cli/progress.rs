//! `progress`: what was done; one signed file out of it, and a class table of many such files.

use super::out;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};

use super::grade::deliver;
use super::lessons::locale;
use super::{EXIT_USAGE, paths};
use crate::course::{Progress, ProgressFile};
use crate::grade::{Signed, merge, merged_csv, merged_json, merged_text};
use crate::words::{Lang, Words};

const AT: Words = Words::new(
    "Lessons done: {done}. Points: {points} of {max}.",
    "Lektionen fertig: {done}. Punkte: {points} von {max}.",
);
const ASIDE: Words = Words::new(
    "The progress file was damaged. It was set aside as {path}; nothing of it is lost.",
    "Die Fortschrittsdatei war beschädigt. Sie liegt nun unter {path}; nichts davon ist verloren.",
);
const ALTERED: Words = Words::new(
    "{file} was altered or signed with another key; it is left out.",
    "{file} wurde verändert oder mit anderem Schlüssel unterschrieben; sie bleibt außen vor.",
);
const KEPT: Words = Words::new("Kept in {path}.", "Liegt in {path}.");
const SURE: Words = Words::new(
    "This removes all progress. Say --yes if you mean it.",
    "Das entfernt allen Fortschritt. Sag --yes, wenn du es meinst.",
);

/// `progress`.
#[derive(Debug, Args)]
pub(super) struct ProgressArgs {
    #[command(subcommand)]
    task: Option<ProgressTask>,
}

#[derive(Debug, Subcommand)]
enum ProgressTask {
    /// Write one signed file for a teacher.
    Export {
        /// The student's name or id.
        #[arg(long)]
        name: String,
        /// The class's key, given by the teacher.
        #[arg(long, default_value = "")]
        key: String,
        /// The file.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Make one table of many exported files.
    Merge {
        /// The exported files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The class's key.
        #[arg(long, default_value = "")]
        key: String,
        /// The table's format.
        #[arg(long, value_enum, default_value_t = TableFormat::Text)]
        format: TableFormat,
        /// The file.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Remove all progress.
    Reset {
        /// Really.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Text,
    Csv,
    Json,
}

/// Shows, exports, merges or resets progress.
pub(super) fn run(args: &ProgressArgs) -> Result<(), ExitCode> {
    let lang = locale();
    match &args.task {
        None => show(lang),
        Some(ProgressTask::Export { name, key, out }) => {
            let signed = Signed::new(name, &opened(lang)?, key);
            deliver(out.as_deref(), &signed.to_json())
        }
        Some(ProgressTask::Merge { files, key, format, out }) => merge_files(files, key, *format, out.as_ref(), lang),
        Some(ProgressTask::Reset { yes: false }) => {
            eprintln!("{}", SURE.get(lang));
            Err(ExitCode::from(EXIT_USAGE))
        }
        Some(ProgressTask::Reset { yes: true }) => {
            let done = file()?.update(|progress| *progress = Progress::default());
            done.map(|_| ()).map_err(|error| failed(&error))
        }
    }
}

fn file() -> Result<ProgressFile, ExitCode> {
    paths::progress().map(ProgressFile::new).map_err(|error| failed(&error))
}

fn failed(error: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("pegboard: {error}");
    ExitCode::FAILURE
}

fn opened(lang: Lang) -> Result<Progress, ExitCode> {
    let opened = file()?.open().map_err(|error| failed(&error))?;
    if let Some(path) = &opened.set_aside {
        eprintln!("{}", ASIDE.fill(lang, &[("path", &path.display().to_string())]));
    }
    Ok(opened.progress)
}

fn show(lang: Lang) -> Result<(), ExitCode> {
    let progress = opened(lang)?;
    let done = progress.lessons.values().filter(|lesson| lesson.done).count().to_string();
    let points: u32 = progress.exercises.values().map(|exercise| exercise.points).sum();
    let max: u32 = progress.exercises.values().map(|exercise| exercise.max_points).sum();
    let (points, max) = (points.to_string(), max.to_string());
    out::line!("{}", AT.fill(lang, &[("done", &done), ("points", &points), ("max", &max)]));
    out::line!("{}", KEPT.fill(lang, &[("path", &file()?.path().display().to_string())]));
    Ok(())
}

fn merge_files(
    files: &[PathBuf],
    key: &str,
    format: TableFormat,
    out: Option<&PathBuf>,
    lang: Lang,
) -> Result<(), ExitCode> {
    let mut good = Vec::new();
    let mut altered = false;
    for path in files {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if let Some(signed) = Signed::read(&text, key) {
            good.push(signed);
        } else {
            altered = true;
            eprintln!("{}", ALTERED.fill(lang, &[("file", &path.display().to_string())]));
        }
    }
    let table = merge(good);
    let text = match format {
        TableFormat::Text => merged_text(&table),
        TableFormat::Csv => merged_csv(&table),
        TableFormat::Json => merged_json(&table),
    };
    deliver(out.map(PathBuf::as_path), &text)?;
    if altered { Err(ExitCode::FAILURE) } else { Ok(()) }
}
