//! `present LESSON`: a lesson on a big screen, its notes on a second terminal, its record played, forked or written down.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::grade::deliver;
use super::lessons::{Course, usage};
use super::{EXIT_USAGE, paths};
use crate::course::{Lesson, Pack, TalkRecord};
use crate::tui::Theme;
use crate::tui::present::{self, Cast, Player, Talk};
use crate::tui::theme::{Depth, Ground};
use crate::words::{Lang, Words};

const WHICH: Words =
    Words::new("Name a lesson, or a record with --replay.", "Nenne eine Lektion, oder eine Aufnahme mit --replay.");
const NO_TERMINAL: Words = Words::new(
    "Presenting needs a terminal; --replay FILE --export FILE needs none.",
    "Vorführen braucht ein Terminal; --replay DATEI --export DATEI braucht keines.",
);
const OTHER_PACK: Words = Words::new(
    "The record was made with {was}; it is computed again with {is}.",
    "Die Aufnahme entstand mit {was}; sie wird mit {is} neu berechnet.",
);

/// `present`.
#[derive(Debug, Args)]
pub(super) struct Present {
    /// The lesson's id.
    lesson: Option<String>,
    /// Shows the presenter's notes of the talk that runs in another terminal.
    #[arg(long, conflicts_with_all = ["replay", "record", "export"])]
    notes: bool,
    /// How long the talk should take; the lesson's own time otherwise.
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<u32>,
    /// Keeps what is done in this file, to be replayed.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Plays a record by computing everything again; the first key other than Space forks it.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Writes the replayed record as a film (`.cast`) or as text.
    #[arg(long, value_name = "FILE", requires = "replay")]
    export: Option<PathBuf>,
    /// The version of asciinema's format.
    #[arg(long, value_enum, default_value_t = CastName::V2)]
    asciicast: CastName,
    #[command(flatten)]
    course: Course,
}

/// The versions by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CastName {
    V2,
    V3,
}

/// Presents, shows notes, replays or exports.
pub(super) fn run(args: &Present) -> Result<(), ExitCode> {
    let (pack, wanted) = (args.course.open()?, args.course.lang());
    let script = args.replay.as_deref().map(read).transpose()?;
    let lang = script.as_ref().map_or(wanted, |record| Lang::from_locale(&record.head.lang));
    let id = args.lesson.as_deref().or(script.as_ref().map(|record| record.head.lesson.as_str()));
    let id = id.ok_or_else(|| usage(WHICH, wanted, "", ""))?;
    let lesson = pack.lesson(id).ok_or_else(|| args.course.no_lesson(id))?;
    if let (Some(file), Some(record)) = (&args.export, &script) {
        warn(record, &pack, wanted);
        return deliver(Some(file), &exported(file, record, lesson, lang, args.asciicast));
    }
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(usage(NO_TERMINAL, wanted, "", ""));
    }
    let theme = Theme::detect(|name| std::env::var(name).ok());
    let told = paths::presenting(&lesson.id).map_err(|error| failed(&error))?;
    let ended = if args.notes {
        present::read_along(&told, &lesson.id, lang, theme)
    } else {
        present::perform(player(args, &pack, lesson, lang, script, told), theme)
    };
    match ended.map_err(|error| failed(&error))? {
        Some(signal) => Err(ExitCode::from(u8::try_from(128 + signal).unwrap_or(1))),
        None => Ok(()),
    }
}

fn player(
    args: &Present,
    pack: &Pack,
    lesson: &Lesson,
    lang: Lang,
    script: Option<TalkRecord>,
    told: PathBuf,
) -> Player {
    let size = crate::tui::size().unwrap_or((80, 24));
    let record = TalkRecord::new(&lesson.id, &version(pack), lang.code(), size);
    let cues = script.map(|record| record.cues).unwrap_or_default();
    let minutes = args.minutes.unwrap_or(lesson.minutes);
    Player::new(Talk::new(lesson, lang), record, cues, minutes).keeping(args.record.clone()).telling(Some(told))
}

/// The record as the file's name asks for it; films have the colours of a dark terminal.
fn exported(file: &Path, record: &TalkRecord, lesson: &Lesson, lang: Lang, cast: CastName) -> String {
    let talk = Talk::new(lesson, lang);
    if file.extension().is_none_or(|end| end != "cast") {
        return present::transcript(record, talk);
    }
    let cast = if cast == CastName::V2 { Cast::V2 } else { Cast::V3 };
    present::film(record, talk, cast, Theme { depth: Depth::True, ground: Ground::Dark })
}

fn version(pack: &Pack) -> String {
    pack.manifest.name_and_version()
}

fn warn(record: &TalkRecord, pack: &Pack, lang: Lang) {
    let is = version(pack);
    if record.head.pack != is {
        eprintln!("{}", OTHER_PACK.fill(lang, &[("was", &record.head.pack), ("is", &is)]));
    }
}

fn read(file: &Path) -> Result<TalkRecord, ExitCode> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        eprintln!("{}: {error}", file.display());
        ExitCode::from(EXIT_USAGE)
    })?;
    TalkRecord::read(&file.display().to_string(), &text).map_err(|problem| {
        eprintln!("{problem}");
        ExitCode::from(EXIT_USAGE)
    })
}

fn failed(error: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("pegboard: {error}");
    ExitCode::FAILURE
}
