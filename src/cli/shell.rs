//! `shell`: mongosh text from the command line, a file, standard input or typed line by line.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::report::{Stop, report, report_json};
use super::watchdog::Watchdog;
use super::{EXIT_USAGE, clock, load, prompt};
use crate::engine::Database;
use crate::pitfall::Detector;
use crate::shell::{Limits, Shell};
use crate::value::{JsonMode, Source};
use crate::words::Lang;

/// Run mongosh text.
///
/// Of a text that is given (--eval, --file or standard input) the last value is printed, as `mongosh --eval` does; `print()` shows
/// others on the way.
#[derive(Debug, Args)]
pub struct Statements {
    /// Load a data set by name, or Extended JSON lines from FILE.jsonl or COLLECTION=FILE.jsonl.
    #[arg(long, value_name = "NAME|[COLLECTION=]FILE")]
    data: Vec<String>,
    /// Say nothing but results.
    #[arg(long)]
    quiet: bool,
    /// Give the last value as one Extended JSON document.
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "relaxed")]
    json: Option<Json>,
    /// Give the last value together with the mistakes noticed, as JSON.
    #[arg(long)]
    findings: bool,
    /// Where object ids and chance begin.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// A clock that stands still at this instant.
    #[arg(long, value_name = "ISO")]
    fixed_clock: Option<String>,
    /// The statements to run.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["file", "stdin"], allow_hyphen_values = true)]
    eval: Option<String>,
    /// A file of statements.
    #[arg(long, short, value_name = "FILE", conflicts_with = "stdin")]
    file: Option<PathBuf>,
    /// `-` reads the statements from standard input.
    #[arg(value_name = "-", value_parser = ["-"])]
    stdin: Option<String>,
}

/// How much type is kept in JSON.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Json {
    Relaxed,
    Canonical,
}

impl Json {
    fn mode(self) -> JsonMode {
        match self {
            Self::Relaxed => JsonMode::Relaxed,
            Self::Canonical => JsonMode::Canonical,
        }
    }
}

/// Runs the command.
pub fn run(args: &Statements) -> ExitCode {
    let lang = super::lessons::locale();
    match start(args, lang) {
        Ok(code) => code,
        Err(Stop::Pipe) => ExitCode::SUCCESS,
        Err(Stop::Said(sentence, code)) => {
            let _ = writeln!(io::stderr(), "pegboard: {sentence}");
            ExitCode::from(code)
        }
    }
}

fn start(args: &Statements, lang: Lang) -> Result<ExitCode, Stop> {
    let mut database = Database::new(source(args, lang)?);
    for given in &args.data {
        load::load(&mut database, given, lang)?;
    }
    let limits = Limits::default();
    let most = limits.text;
    let mut shell = Shell::new(database, limits);
    shell.set_lang(lang);
    match text(args, most, lang)? {
        Some(text) => script(args, &mut shell, &text, lang),
        None => prompt::interactive(&mut shell, args.quiet, io::stdout().is_terminal(), lang),
    }
}

fn source(args: &Statements, lang: Lang) -> Result<Source, Stop> {
    let source = Source::seeded(args.seed);
    let Some(text) = &args.fixed_clock else { return Ok(source) };
    match clock::instant(text, lang) {
        Ok(instant) => Ok(source.with_clock(instant)),
        Err(said) => Err(Stop::Said(said, EXIT_USAGE)),
    }
}

/// The statements to run; none asks for a prompt.
fn text(args: &Statements, most: usize, lang: Lang) -> Result<Option<String>, Stop> {
    if let Some(text) = &args.eval {
        return Ok(Some(text.clone()));
    }
    if let Some(file) = &args.file {
        return load::statements(file, most, lang).map(Some);
    }
    if args.stdin.is_none() && io::stdin().is_terminal() {
        return Ok(None);
    }
    Ok(Some(load::standard_input(most, lang)?))
}

/// Runs a script and reports its last value.
fn script(args: &Statements, shell: &mut Shell<Database>, text: &str, lang: Lang) -> Result<ExitCode, Stop> {
    let colors = args.json.is_none() && !args.findings && io::stdout().is_terminal();
    shell.set_colors(colors);
    let before = shell.host().clone();
    let watchdog = Watchdog::start(&Limits::default(), args.json.is_some() || args.findings, lang);
    let outcome = shell.run(text);
    watchdog.stop();
    let mode = args.json.map_or(JsonMode::Relaxed, Json::mode);
    if args.findings {
        let mut detector = Detector::new(lang);
        let findings = detector.detect(&outcome, &before, &shell.host());
        report_json(&outcome, mode, Some((&findings, detector.work().left_out)))?;
    } else if args.json.is_some() {
        report_json(&outcome, mode, None)?;
    } else {
        report(&outcome, colors)?;
    }
    Ok(match (&outcome.value, outcome.quit) {
        (Err(_), _) => ExitCode::FAILURE,
        (Ok(_), status) => ExitCode::from(status.unwrap_or_default()),
    })
}
