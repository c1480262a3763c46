//! Files as they are given on the command line: statements and documents, read up to a size, faults by their line.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::EXIT_USAGE;
use super::report::Stop;
use crate::design::{data, pour};
use crate::engine::{Command, Database, Host, Insert, Reply};
use crate::value::Document;
use crate::words::{Lang, Words};

/// Bytes of documents in one file.
const LARGEST_DATA: u64 = 256 << 20;

const UNREADABLE: Words = Words::new("{file} cannot be read: {reason}.", "{file} ist nicht lesbar: {reason}.");
const FOLDER: Words = Words::new("it is a directory", "es ist ein Ordner");
const TOO_LARGE: Words = Words::new("it holds more than {limit} MiB", "es hat mehr als {limit} MiB");
const NO_TEXT: Words = Words::new("this is no UTF-8 text", "das ist kein UTF-8-Text");
const BAD_LINE: Words = Words::new("{file}, line {line}: {reason}.", "{file}, Zeile {line}: {reason}.");
const NOTHING_LOADED: Words = Words::new("Nothing was loaded.", "Nichts wurde geladen.");
const NO_DATA: Words = Words::new(
    "There is no file `{name}` and no data set of that name; there are: {all}.",
    "Es gibt keine Datei `{name}` und keinen Datensatz dieses Namens; es gibt: {all}.",
);

/// Reads a file of statements; one byte more than `most` is enough to see that there are too many.
pub(super) fn statements(file: &Path, most: usize, lang: Lang) -> Result<String, Stop> {
    read(file, u64::try_from(most).unwrap_or(u64::MAX), lang)
}

/// Reads the statements that come by standard input, which is called `-`.
pub(super) fn standard_input(most: usize, lang: Lang) -> Result<String, Stop> {
    text_of(io::stdin().lock(), Path::new("-"), u64::try_from(most).unwrap_or(u64::MAX), lang)
}

fn read(file: &Path, most: u64, lang: Lang) -> Result<String, Stop> {
    if file.is_dir() {
        return Err(unreadable(file, FOLDER.get(lang), lang));
    }
    let opened = File::open(file).map_err(|error| unreadable(file, &error.to_string(), lang))?;
    text_of(opened, file, most, lang)
}

/// The text that a file of this name holds, without a byte order mark; what is no text is named by its line.
fn text_of(from: impl Read, file: &Path, most: u64, lang: Lang) -> Result<String, Stop> {
    let mut bytes = Vec::new();
    let read = from.take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(file, &error.to_string(), lang))?;
    if bytes.len() as u64 > most {
        return Err(unreadable(file, &TOO_LARGE.fill(lang, &[("limit", &(most >> 20).to_string())]), lang));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        bad_line(file, good.split(|byte| *byte == b'\n').count(), NO_TEXT.get(lang), lang)
    })?;
    Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}

fn unreadable(file: &Path, reason: &str, lang: Lang) -> Stop {
    let name = file.display().to_string();
    Stop::Said(UNREADABLE.fill(lang, &[("file", &name), ("reason", reason)]), EXIT_USAGE)
}

/// Loads one `--data` into its collection: a built-in set in its home design, or a file.
pub(super) fn load(database: &mut Database, given: &str, lang: Lang) -> Result<(), Stop> {
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
    let text = read(path, LARGEST_DATA, lang)?;
    let nothing = |line: usize, reason: &str| {
        let reason = format!("{}. {}", reason.trim_end_matches('.'), NOTHING_LOADED.get(lang));
        bad_line(path, line, reason.trim_end_matches('.'), lang)
    };
    let documents = data::read_lines(&text).map_err(|bad| nothing(bad.line, &bad.reason))?;
    let line = |at: usize| {
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).nth(at).map_or(1, |(line, _)| line + 1)
    };
    insert(database, &collection, documents, |at, reason| nothing(line(at), reason))
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
