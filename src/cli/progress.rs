//! `progress`: what was done; one signed file out of it, and a class table of many such files.

use super::out;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};

use super::grade::deliver;
use super::lessons::{locale, open};
use super::{EXIT_USAGE, paths};
use crate::course::{Progress, ProgressFile};
use crate::grade::{NotSigned, Signed, merge, merged_csv, merged_json, merged_text};
use crate::words::{Lang, Words};

const AT: Words = Words::new(
    "Lessons done: {done}. Points: {points} of {max}.",
    "Lektionen fertig: {done}. Punkte: {points} von {max}.",
);
const PREDICTED: Words = Words::new(
    "Predictions: {right} of {made} right, {score points}.",
    "Vorhersagen: {right} von {made} richtig, {score Punkte}.",
);
const ASIDE: Words = Words::new(
    "The progress file was damaged. It was set aside as {path}; nothing of it is lost.",
    "Die Fortschrittsdatei war beschädigt. Sie liegt nun unter {path}; nichts davon ist verloren.",
);
const ALTERED: Words = Words::new(
    "{file} was altered or signed with another key; it is left out.",
    "{file} wurde verändert oder mit anderem Schlüssel unterschrieben; sie bleibt außen vor.",
);
const DAMAGED: Words = Words::new(
    "{file} is no exported progress, or only a part of one; it is left out.",
    "{file} ist kein ausgeführter Fortschritt oder nur ein Teil davon; sie bleibt außen vor.",
);
const VERSION: Words = Words::new(
    "{file} was written by another version of this program ({schema}); it is left out.",
    "{file} schrieb eine andere Version dieses Programms ({schema}); sie bleibt außen vor.",
);
const UNREADABLE: Words = Words::new(
    "{file} cannot be read ({why}); it is left out.",
    "{file} lässt sich nicht lesen ({why}); sie bleibt außen vor.",
);
const KEPT: Words = Words::new("Kept in {path}.", "Liegt in {path}.");
const SURE: Words = Words::new(
    "This removes all progress. Say --yes if you mean it.",
    "Das entfernt allen Fortschritt. Sag --yes, wenn du es meinst.",
);

/// No exported file is longer.
const MAX_BYTES: u64 = 1 << 20;

/// `progress`.
#[derive(Debug, Args)]
pub(super) struct ProgressArgs {
    /// A pack's folder in place of the built-in course.
    #[arg(long, value_name = "DIR", global = true)]
    pack: Option<PathBuf>,
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
    let pack = args.pack.as_deref();
    match &args.task {
        None => show(pack, lang),
        Some(ProgressTask::Export { name, key, out }) => {
            let signed = Signed::new(name, &opened(pack, lang)?, key);
            deliver(out.as_deref(), &signed.to_json())
        }
        Some(ProgressTask::Merge { files, key, format, out }) => merge_files(files, key, *format, out.as_ref(), lang),
        Some(ProgressTask::Reset { yes: false }) => {
            eprintln!("{}", SURE.get(lang));
            Err(ExitCode::from(EXIT_USAGE))
        }
        Some(ProgressTask::Reset { yes: true }) => {
            let done = file(pack)?.update(|progress| *progress = Progress::default());
            done.map(|_| ()).map_err(|error| failed(&error))
        }
    }
}

/// The progress file of the built-in course, or of a pack.
fn file(pack: Option<&Path>) -> Result<ProgressFile, ExitCode> {
    let id = pack.map(|folder| open(Some(folder))).transpose()?.map(|pack| pack.manifest.id);
    paths::progress(id.as_deref()).map(ProgressFile::new).map_err(|error| failed(&error))
}

fn failed(error: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("pegboard: {error}");
    ExitCode::FAILURE
}

fn opened(pack: Option<&Path>, lang: Lang) -> Result<Progress, ExitCode> {
    let opened = file(pack)?.open().map_err(|error| failed(&error))?;
    if let Some(path) = &opened.set_aside {
        eprintln!("{}", ASIDE.fill(lang, &[("path", &path.display().to_string())]));
    }
    // Files written before they named their course are of the built-in one.
    let id = if opened.progress.pack.is_empty() { open(pack)?.manifest.id } else { opened.progress.pack };
    Ok(Progress { pack: id, ..opened.progress })
}

fn show(pack: Option<&Path>, lang: Lang) -> Result<(), ExitCode> {
    let progress = opened(pack, lang)?;
    let done = progress.lessons.values().filter(|lesson| lesson.done).count().to_string();
    let points: u32 = progress.exercises.values().map(|exercise| exercise.points).sum();
    let max: u32 = progress.exercises.values().map(|exercise| exercise.max_points).sum();
    let (points, max) = (points.to_string(), max.to_string());
    out::line!("{}", AT.fill(lang, &[("done", &done), ("points", &points), ("max", &max)]));
    let right = progress.predictions.iter().filter(|made| made.right).count().to_string();
    let (made, score) = (progress.predictions.len().to_string(), format!("{:+}", progress.prediction_score()));
    out::line!("{}", PREDICTED.fill(lang, &[("right", &right), ("made", &made), ("score", &score)]));
    out::line!("{}", KEPT.fill(lang, &[("path", &file(pack)?.path().display().to_string())]));
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
    for path in files {
        match read_signed(path, key, lang) {
            Ok(signed) => good.push(signed),
            Err(why) => eprintln!("{why}"),
        }
    }
    let is_whole = good.len() == files.len();
    let table = merge(good);
    let text = match format {
        TableFormat::Text => merged_text(&table, lang),
        TableFormat::Csv => merged_csv(&table),
        TableFormat::Json => merged_json(&table),
    };
    deliver(out.map(PathBuf::as_path), &text)?;
    if is_whole { Ok(()) } else { Err(ExitCode::FAILURE) }
}

/// Reads one exported file, or says why it is left out.
fn read_signed(path: &Path, key: &str, lang: Lang) -> Result<Signed, String> {
    let file = path.display().to_string();
    let text = match read_limited(path) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| DAMAGED.fill(lang, &[("file", &file)]))?,
        Err(error) => return Err(UNREADABLE.fill(lang, &[("file", &file), ("why", &error.to_string())])),
    };
    Signed::read(&text, key).map_err(|why| match why {
        NotSigned::Damaged => DAMAGED.fill(lang, &[("file", &file)]),
        NotSigned::Version(schema) => VERSION.fill(lang, &[("file", &file), ("schema", &schema)]),
        NotSigned::Altered => ALTERED.fill(lang, &[("file", &file)]),
    })
}

/// Reads an ordinary file as far as an exported one can reach.
fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
