//! `grade`: one answer to a report in any format.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::lessons::{Course, usage};
use super::{EXIT_NOT_GRADED, EXIT_USAGE, clock, out};
use crate::course::{Pack, write_by_rename};
use crate::grade::{Format, Judge, Report, Settings, Status, Surroundings, export, read_answer};
use crate::words::{Lang, Words};

const OUT_IS_ANSWER: Words = Words::new(
    "{file} is the answer: the report would take its place. Name another file.",
    "{file} ist die Antwort: Der Bericht käme an ihre Stelle. Nenne eine andere Datei.",
);
const MISSING: Words = Words::new(
    "Give an exercise and a file, --submission and a student's folder, or --all and a folder of such folders.",
    "Gib eine Aufgabe und eine Datei an, --submission und einen Ordner, oder --all und einen Ordner solcher Ordner.",
);

/// `grade EXERCISE FILE`, `grade --all DIR`.
#[derive(Debug, Args)]
pub(super) struct Grade {
    /// The exercise's id, such as X3.
    pub(super) exercise: Option<String>,
    /// The answer.
    pub(super) file: Option<PathBuf>,
    /// Grades every STUDENT/EXERCISE.js below a folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["exercise", "file"])]
    pub(super) all: Option<PathBuf>,
    /// Grades every EXERCISE.js of one student's folder into one report.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["exercise", "file", "all"])]
    pub(super) submission: Option<PathBuf>,
    /// With --submission or --all: the exercises that belong to it, such as X3,X4; one without a file counts as not attempted.
    #[arg(long, value_name = "IDS", value_delimiter = ',', conflicts_with_all = ["exercise", "file"])]
    pub(super) exercises: Vec<String>,
    /// The seed of the hidden data.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// The report's format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Writes the report here, by rename, before the first check and after every check.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// With --all: a folder for one JSON report per answer; reports that are there are not made again.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["exercise", "file", "submission"])]
    pub(super) reports: Option<PathBuf>,
    /// Grades as if it were this moment, so that two runs give the same bytes.
    #[arg(long, value_name = "TIME")]
    fixed_clock: Option<String>,
    /// How many keys, documents and values an answer may look at on one data set, in place of what the exercise says.
    #[arg(long, value_name = "N")]
    budget: Option<u64>,
    /// Exits with 1 when fewer percent of the points are reached.
    #[arg(long, value_name = "PERCENT")]
    fail_below: Option<u32>,
    /// The student's name or id, for the report; with --all the folders have the names.
    #[arg(long, default_value = "", conflicts_with = "all")]
    pub(super) student: String,
    #[command(flatten)]
    pub(super) course: Course,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

/// Grades one answer, or all of a folder.
pub(super) fn run(args: &Grade) -> Result<(), ExitCode> {
    if let Some(folder) = &args.all {
        return super::grade_all::run(args, folder);
    }
    if let Some(folder) = &args.submission {
        return super::grade_all::run_submission(args, folder);
    }
    let (pack, lang) = (args.course.open()?, args.course.lang());
    let (Some(id), Some(file)) = (&args.exercise, &args.file) else {
        return Err(usage(MISSING, lang, "", ""));
    };
    if args.out.as_deref().is_some_and(|out| is_same(out, file)) {
        return Err(usage(OUT_IS_ANSWER, lang, "file", &file.display().to_string()));
    }
    let exercise = pack.exercise(id).ok_or_else(|| args.course.no_exercise(id))?;
    let settings = settings(args, &pack)?;
    let judge = Judge::new(exercise, settings).map_err(|error| {
        eprintln!("{error}");
        ExitCode::from(EXIT_NOT_GRADED)
    })?;
    let around = Surroundings { lang, ..surroundings() };
    let mut trouble = None;
    let mut show = |report: &Report| {
        if let Some(out) = &args.out {
            let named = Report { student: args.student.clone(), ..report.clone() };
            let text = export(args.format, &[named], &around);
            trouble = write_by_rename(out, text.as_bytes()).err();
        }
    };
    let answer = read_answer(file, &file.display().to_string(), lang);
    let missing = answer.as_ref().is_err_and(|error| error.status == Status::NotAttempted);
    let report = match answer {
        Ok(text) => judge.grade(&text, &mut show),
        Err(error) => judge.not_judged(error.status, &error.message),
    };
    show(&report);
    if let (Some(out), Some(error)) = (&args.out, trouble) {
        eprintln!("{}: {error}", out.display());
        return Err(ExitCode::from(EXIT_NOT_GRADED));
    }
    let report = Report { student: args.student.clone(), ..report };
    if args.out.is_none() {
        out::text!("{}", export(args.format, std::slice::from_ref(&report), &around));
    }
    if report.status == Status::Ungradable || missing {
        return Err(ExitCode::from(EXIT_NOT_GRADED));
    }
    below(args, report.percent())
}

/// Whether two paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The settings that the arguments ask for.
pub(super) fn settings(args: &Grade, pack: &Pack) -> Result<Settings, ExitCode> {
    let lang = args.course.lang();
    let clock = match &args.fixed_clock {
        None => bson::DateTime::now().timestamp_millis(),
        Some(time) => clock::instant(time, lang).map_err(|said| {
            eprintln!("{said}");
            ExitCode::from(EXIT_USAGE)
        })?,
    };
    let pack = pack.manifest.name_and_version();
    let (seed, budget) = (args.seed, args.budget);
    Ok(Settings { seed, lang, clock, budget, pack, ..Settings::default() })
}

/// Fails when the line was given and not reached.
pub(super) fn below(args: &Grade, percent: u32) -> Result<(), ExitCode> {
    match args.fail_below {
        Some(line) if percent < line => Err(ExitCode::FAILURE),
        _ => Ok(()),
    }
}

/// What the classroom's runner says in the environment.
pub(super) fn surroundings() -> Surroundings {
    let read = |name: &str| std::env::var(name).unwrap_or_default();
    Surroundings {
        lang: Lang::En,
        classroom: read("CLASSROOM"),
        assignment: read("ASSIGNMENT"),
        owner: [read("OWNER"), read("USERNAME")].into_iter().find(|name| !name.is_empty()).unwrap_or_default(),
        submission: read("SUBMISSION_TAG"),
        links: [read("COMMIT_URL"), read("RELEASE_URL"), read("REVIEW_URL")],
        submitted_at: read("SUBMITTED_AT"),
    }
}

/// Writes a text to the file asked for, or prints it.
pub(super) fn deliver(out: Option<&Path>, text: &str) -> Result<(), ExitCode> {
    match out {
        None => out::text!("{text}"),
        Some(path) => write_by_rename(path, text.as_bytes()).map_err(|error| {
            eprintln!("{}: {error}", path.display());
            ExitCode::from(EXIT_USAGE)
        })?,
    }
    Ok(())
}
