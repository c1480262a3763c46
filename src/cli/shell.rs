//! `shell`: mongosh text from the command line, a file, standard input or typed line by line.

use super::out;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::EXIT_USAGE;
use crate::design::{data, pour};
use crate::engine::{Command, Database, Host, Insert, Reply};
use crate::pitfall::{Detector, Finding};
use crate::shell::{Failure, Limits, Outcome, Shell};
use crate::value::{Document, JsonMode, Source, to_json};
use crate::words::{Lang, Words};

/// Run mongosh text.
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
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["file", "stdin"])]
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

const BAD_CLOCK: Words = Words::new(
    "--fixed-clock wants an instant such as 2024-01-01T00:00:00Z, not {text}.",
    "--fixed-clock will einen Zeitpunkt wie 2024-01-01T00:00:00Z, nicht {text}.",
);
const UNREADABLE: Words = Words::new("{file} cannot be read: {reason}.", "{file} ist nicht lesbar: {reason}.");
const BAD_LINE: Words = Words::new(
    "{file}, line {line}: {reason}. Nothing was loaded.",
    "{file}, Zeile {line}: {reason}. Nichts wurde geladen.",
);
const NO_DATA: Words = Words::new(
    "There is no file `{name}` and no data set of that name; there are: {all}.",
    "Es gibt keine Datei `{name}` und keinen Datensatz dieses Namens; es gibt: {all}.",
);
const BANNER: Words = Words::new(
    "Pegboard shell, database test. help shows what there is; exit leaves.",
    "Pegboard-Shell, Datenbank test. help zeigt, was es gibt; exit verlässt sie.",
);

/// Why a run ended otherwise than well.
enum Stop {
    /// A sentence and an exit code.
    Said(String, u8),
    /// Nobody reads the output any more.
    Pipe,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Pipe } else { Self::Said(error.to_string(), 1) }
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
        load(&mut database, given, lang)?;
    }
    let mut shell = Shell::new(database, Limits::default());
    shell.set_lang(lang);
    match text(args, lang)? {
        Some(text) => script(args, &mut shell, &text, lang),
        None => interactive(args, &mut shell, lang),
    }
}

fn source(args: &Statements, lang: Lang) -> Result<Source, Stop> {
    let source = Source::seeded(args.seed);
    let Some(text) = &args.fixed_clock else { return Ok(source) };
    match bson::DateTime::parse_rfc3339_str(text) {
        Ok(instant) => Ok(source.with_clock(instant.timestamp_millis())),
        Err(_) => Err(Stop::Said(BAD_CLOCK.fill(lang, &[("text", text)]), EXIT_USAGE)),
    }
}

/// The statements to run; none asks for a prompt.
fn text(args: &Statements, lang: Lang) -> Result<Option<String>, Stop> {
    if let Some(text) = &args.eval {
        return Ok(Some(text.clone()));
    }
    if let Some(file) = &args.file {
        return read(file, lang).map(Some);
    }
    if args.stdin.is_none() && io::stdin().is_terminal() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn read(file: &Path, lang: Lang) -> Result<String, Stop> {
    let unreadable = |reason: &dyn std::fmt::Display| {
        Stop::Said(
            UNREADABLE.fill(lang, &[("file", &file.display().to_string()), ("reason", &reason.to_string())]),
            EXIT_USAGE,
        )
    };
    let bytes = fs::read(file).map_err(|error| unreadable(&error))?;
    String::from_utf8(bytes).map_err(|error| unreadable(&error.utf8_error()))
}

/// Runs a script and reports its last value.
fn script(args: &Statements, shell: &mut Shell<Database>, text: &str, lang: Lang) -> Result<ExitCode, Stop> {
    let colors = args.json.is_none() && !args.findings && io::stdout().is_terminal();
    shell.set_colors(colors);
    let before = shell.host().clone();
    let outcome = shell.run(text);
    if args.findings {
        let findings = Detector::new(lang).detect(&outcome, &before, &shell.host());
        report_json(args, &outcome, Some(&findings))?;
    } else if args.json.is_some() {
        report_json(args, &outcome, None)?;
    } else {
        report(&outcome, colors)?;
    }
    Ok(if outcome.value.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints what was printed, the value, and on the other stream notes and the failure.
fn report(outcome: &Outcome, colors: bool) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    for line in &outcome.printed {
        writeln!(out, "{line}")?;
    }
    if let Ok(shown) = &outcome.value {
        let shown = shown.print(colors);
        if !shown.is_empty() {
            writeln!(out, "{shown}")?;
        }
    }
    out.flush()?;
    let mut err = io::stderr().lock();
    let text = outcome.script.text();
    for note in &outcome.notes {
        writeln!(err, "{}", note.render(text, colors))?;
    }
    if let Err(failure) = &outcome.value {
        writeln!(err, "{}", failure.render(text, colors))?;
    }
    Ok(())
}

fn report_json(args: &Statements, outcome: &Outcome, findings: Option<&[Finding]>) -> Result<(), Stop> {
    let mode = args.json.map_or(JsonMode::Relaxed, Json::mode);
    let error = outcome.value.as_ref().err().map(|failure| error_json(failure, outcome.script.text()));
    let mut err = io::stderr().lock();
    for line in &outcome.printed {
        writeln!(err, "{line}")?;
    }
    if let Some(error) = &error {
        writeln!(err, "{}", json!({ "error": error }))?;
    }
    let mut out = io::stdout().lock();
    let value = outcome.value.as_ref().map(|shown| to_json(&shown.to_bson(), mode));
    let findings = findings.map(|findings| findings.iter().map(Finding::to_json).collect::<Vec<_>>());
    match (value, findings) {
        (Ok(value), None) => writeln!(out, "{value}")?,
        (Ok(value), Some(findings)) => writeln!(out, "{}", json!({ "value": value, "findings": findings }))?,
        (Err(_), Some(findings)) => writeln!(out, "{}", json!({ "error": error, "findings": findings }))?,
        (Err(_), None) => {}
    }
    out.flush()?;
    Ok(())
}

/// A failure with MongoDB's code where there is one, and its line and column.
fn error_json(failure: &Failure, text: &str) -> Value {
    let mut error = serde_json::Map::new();
    if let Some(code) = failure.code() {
        error.insert("code".into(), code.number().into());
        error.insert("codeName".into(), code.name().into());
    }
    error.insert("name".into(), failure.class().into());
    error.insert("message".into(), failure.message.clone().into());
    if let Some((line, column)) = failure.position(text) {
        error.insert("line".into(), line.into());
        error.insert("column".into(), column.into());
    }
    if let Some(hint) = &failure.hint {
        error.insert("hint".into(), hint.clone().into());
    }
    Value::Object(error)
}

/// Reads statements from a terminal; a statement whose brackets are open goes on in the next line.
fn interactive(args: &Statements, shell: &mut Shell<Database>, lang: Lang) -> Result<ExitCode, Stop> {
    let colors = io::stdout().is_terminal();
    shell.set_colors(colors);
    if !args.quiet {
        out::line!("{}", BANNER.get(lang));
    }
    let mut text = String::new();
    loop {
        out::text!("{}", if text.is_empty() { format!("{}> ", shell.database_name()) } else { "... ".to_owned() });
        io::stdout().flush()?;
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            out::line!("");
            return Ok(ExitCode::SUCCESS);
        }
        text.push_str(&line);
        if crate::shell::is_open(&text) && !line.trim().is_empty() {
            continue;
        }
        let outcome = shell.run(&std::mem::take(&mut text));
        report(&outcome, colors)?;
        if outcome.quit {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// Loads one `--data` into its collection: a built-in set in its home design, or a file.
fn load(database: &mut Database, given: &str, lang: Lang) -> Result<(), Stop> {
    let path = Path::new(given.split_once('=').map_or(given, |(_, file)| file));
    if !given.contains('=') && !path.exists() {
        let set = data::named(given).ok_or_else(|| {
            Stop::Said(NO_DATA.fill(lang, &[("name", given), ("all", &data::NAMES.join(", "))]), EXIT_USAGE)
        })?;
        let design = set.home_design();
        let documents = set.entities.iter().flat_map(|entity| pour(&design, entity).made).collect();
        return insert(database, &set.name, documents, |_, reason| Stop::Said(reason.to_owned(), 1));
    }
    let stem = || path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let collection = given.split_once('=').map_or_else(stem, |(collection, _)| collection.to_owned());
    let text = read(path, lang)?;
    let documents = data::read_lines(&text).map_err(|bad| bad_line(path, bad.line, &bad.reason, lang))?;
    let line = |at: usize| {
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).nth(at).map_or(1, |(line, _)| line + 1)
    };
    insert(database, &collection, documents, |at, reason| bad_line(path, line(at), reason, lang))
}

fn bad_line(file: &Path, line: usize, reason: &str, lang: Lang) -> Stop {
    let (file, line) = (file.display().to_string(), line.to_string());
    Stop::Said(BAD_LINE.fill(lang, &[("file", &file), ("line", &line), ("reason", reason)]), EXIT_USAGE)
}

/// Inserts on a copy, so that a refused document leaves nothing behind.
fn insert(
    database: &mut Database,
    collection: &str,
    documents: Vec<Document>,
    refused: impl Fn(usize, &str) -> Stop,
) -> Result<(), Stop> {
    if documents.is_empty() {
        return Ok(());
    }
    let mut copy = database.clone();
    let command = Command::Insert(Insert { collection: collection.to_owned(), documents, ordered: true });
    let run = copy.run(&command).map_err(|error| refused(0, &error.message))?;
    if let Reply::Inserted { failures, .. } = &run.reply
        && let Some(failure) = failures.first()
    {
        return Err(refused(failure.index, &failure.error.message));
    }
    *database = copy;
    Ok(())
}
