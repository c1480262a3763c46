//! `grade --all DIR`: a class at once.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::EXIT_NOT_GRADED;
use super::grade::{FormatName, Grade, below, deliver, settings};
use super::lessons::usage;
use crate::grade::{ClassTable, class_csv, grade_all, submissions};
use crate::words::Words;

const NO_FORMAT: Words = Words::new(
    "With --all the table is written as text, json or csv, not as {format}.",
    "Mit --all wird die Tabelle als text, json oder csv geschrieben, nicht als {format}.",
);

/// Grades all answers below a folder and writes the table.
pub(super) fn run(args: &Grade, folder: &Path) -> Result<(), ExitCode> {
    let (pack, lang) = (args.course.open()?, args.course.lang());
    if !matches!(args.format, FormatName::Text | FormatName::Json | FormatName::Csv) {
        return Err(usage(NO_FORMAT, lang, "format", &format!("{:?}", args.format).to_lowercase()));
    }
    let not_read = |error: std::io::Error| {
        eprintln!("{}: {error}", folder.display());
        ExitCode::from(EXIT_NOT_GRADED)
    };
    let answers = submissions(&pack, folder).map_err(not_read)?;
    if let Some(reports) = &args.reports {
        std::fs::create_dir_all(reports).map_err(not_read)?;
    }
    let started = Instant::now();
    let bar = bar(answers.len());
    let graded = grade_all(&pack, &answers, &settings(args, &pack)?, args.reports.as_deref(), &bar);
    if std::io::stderr().is_terminal() {
        eprintln!("\r\x1b[K{:.1} s", started.elapsed().as_secs_f64());
    }
    let reports = graded.map_err(|error| {
        eprintln!("{error}");
        ExitCode::from(EXIT_NOT_GRADED)
    })?;
    let table = ClassTable::of(&reports);
    let text = match args.format {
        FormatName::Csv => class_csv(&reports),
        FormatName::Json => table.to_json(),
        _ => table.to_text(lang),
    };
    deliver(args.out.as_deref(), &text)?;
    below(args, reports.iter().map(crate::grade::Report::percent).min().unwrap_or(100))
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
