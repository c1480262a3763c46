//! `duel`: one question on every design, as text, Markdown, JSON or SVG.

use super::out;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::EXIT_USAGE;
use crate::design::data::{self, guess, read_lines};
use crate::design::{Bench, Duel, to_json, to_markdown, to_svg, to_text, versus};
use crate::shell::{Limits, Outcome, Shell};
use crate::value::Source;
use crate::words::{Lang, Words};

const NO_DATA: Words = Words::new(
    "There is no data set `{name}`; there are: {all}. A file is given as NAME=FILE.jsonl.",
    "Es gibt keinen Datensatz `{name}`; es gibt: {all}. Eine Datei gibt man als NAME=DATEI.jsonl an.",
);
const NO_DUEL: Words = Words::new(
    "No statement spoke of a collection that is kept in several designs.",
    "Keine Anweisung sprach von einer Collection, die in mehreren Designs gehalten wird.",
);

const TOO_MANY: Words = Words::new(
    "At most eight statements stand beside the first.",
    "Höchstens acht Anweisungen stehen neben der ersten.",
);

/// How a duel is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Plain text.
    Text,
    /// Markdown.
    Markdown,
    /// One JSON document.
    Json,
    /// A picture.
    Svg,
}

/// What is asked, of which data.
#[derive(Debug, Args)]
pub(super) struct Asked {
    /// A built-in data set, or NAME=FILE.jsonl with documents of your own.
    #[arg(long, value_name = "NAME", default_value = "products")]
    data: String,
    /// The statements; the last one counts.
    #[arg(long, value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    eval: Option<String>,
    /// A file with statements; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// `en` or `de`; the locale decides otherwise.
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
}

/// What is compared, and how that is written.
#[derive(Debug, Args)]
pub(super) struct DuelArguments {
    #[command(flatten)]
    asked: Asked,
    /// How the duel is written.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Statements to set beside the first ones instead of the other designs; each runs on the data as they were at the
    /// start. May be given up to eight times.
    #[arg(long, value_name = "TEXT")]
    against: Vec<String>,
}

/// What heads the columns of statements set beside each other.
const LETTERS: [&str; 9] = ["A", "B", "C", "D", "E", "F", "G", "H", "I"];

/// Runs the statements on a bench and prints the last one's duel, or what sets it apart from the others'.
pub(super) fn run(arguments: &DuelArguments) -> Result<(), ExitCode> {
    let lang = arguments.asked.lang();
    let (text, bench) = arguments.asked.prepared(lang)?;
    if arguments.against.len() >= LETTERS.len() {
        return Err(usage(TOO_MANY.get(lang)));
    }
    let run = |text: &String| after(bench.clone(), text, arguments.is_json(), lang);
    let first = run(&text)?;
    let duel = if arguments.against.is_empty() {
        first.duel().cloned()
    } else {
        let others = arguments.against.iter().map(run).collect::<Result<Vec<_>, _>>()?;
        let sides: Vec<_> = LETTERS.into_iter().zip(std::iter::once(&first).chain(&others)).collect();
        versus(&sides, lang)
    };
    let Some(duel) = duel else {
        eprintln!("pegboard: {}", NO_DUEL.get(lang));
        return Err(ExitCode::FAILURE);
    };
    out::text!("{}", arguments.written(&duel, lang));
    Ok(())
}

/// The bench once the statements have run on it.
fn after(bench: Bench, text: &str, json: bool, lang: Lang) -> Result<Bench, ExitCode> {
    let mut shell = Shell::new(bench, Limits::default());
    shell.set_lang(lang);
    let outcome = shell.run(text);
    if outcome.value.is_err() {
        report(&outcome, text, json);
        return Err(ExitCode::FAILURE);
    }
    let bench = shell.host().clone();
    Ok(bench)
}

pub(super) fn usage(message: &str) -> ExitCode {
    eprintln!("pegboard: {message}");
    ExitCode::from(EXIT_USAGE)
}

impl Asked {
    /// The language to answer in.
    pub(super) fn lang(&self) -> Lang {
        self.lang.as_deref().map_or_else(super::lessons::locale, Lang::from_locale)
    }

    /// The statements and the data they run on; says what is wrong with them.
    pub(super) fn prepared(&self, lang: Lang) -> Result<(String, Bench), ExitCode> {
        let text = self.text().map_err(|message| usage(&message))?;
        let bench = bench(&self.data, lang).map_err(|message| usage(&message))?;
        Ok((text, bench.in_language(lang)))
    }

    fn text(&self) -> Result<String, String> {
        match (&self.eval, &self.file) {
            (Some(text), _) => Ok(text.clone()),
            (None, Some(path)) if path.as_os_str() == "-" => {
                let mut text = String::new();
                std::io::stdin().read_to_string(&mut text).map(|_| text).map_err(|error| error.to_string())
            }
            (None, Some(path)) => std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display())),
            (None, None) => Ok(String::new()),
        }
    }
}

impl DuelArguments {
    fn is_json(&self) -> bool {
        self.json || self.format == Format::Json
    }

    fn written(&self, duel: &Duel, lang: Lang) -> String {
        match if self.json { Format::Json } else { self.format } {
            Format::Text => to_text(duel, lang),
            Format::Markdown => to_markdown(duel, lang),
            Format::Json => format!("{:#}\n", to_json(duel)),
            Format::Svg => to_svg(duel, lang),
        }
    }
}

/// The bench of a built-in data set, or of a file's documents in the design they are guessed to have.
fn bench(named: &str, lang: Lang) -> Result<Bench, String> {
    let source = Source::seeded(0);
    if let Some((name, file)) = named.split_once('=') {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let documents = read_lines(&text).map_err(|bad| format!("{file}:{}: {}", bad.line, bad.reason))?;
        let (home, twins) = guess(&documents);
        let mut bench = Bench::empty(source);
        bench.add_documents(home, twins, name, documents);
        return Ok(bench);
    }
    let data =
        data::named(named).ok_or_else(|| NO_DATA.fill(lang, &[("name", named), ("all", &data::NAMES.join(", "))]))?;
    Ok(Bench::of(&data, source))
}

/// The failure on standard error, as text or as JSON.
pub(super) fn report(outcome: &Outcome, text: &str, json: bool) {
    let Err(failure) = &outcome.value else { return };
    let (line, column) = failure.position(text).unwrap_or((1, 1));
    let code = failure.code();
    if json {
        let mut error = serde_json::Map::new();
        if let Some(code) = code {
            error.insert("code".into(), code.number().into());
            error.insert("codeName".into(), code.name().into());
        }
        error.insert("message".into(), failure.message.clone().into());
        error.insert("line".into(), line.into());
        error.insert("column".into(), column.into());
        eprintln!("{}", serde_json::json!({ "error": error }));
    } else {
        eprintln!("{line}:{column}: {}: {}", failure.class(), failure.message);
    }
}
