//! Reading a learner's file, which may be anything.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::report::Status;
use crate::words::{Lang, Words};

/// No answer is longer.
pub const MAX_ANSWER_BYTES: u64 = 256 * 1024;

const MISSING: Words = Words::new(
    "There is no file {file}: nothing was handed in.",
    "Die Datei {file} gibt es nicht: Nichts wurde abgegeben.",
);
const NO_FILE: Words = Words::new(
    "{file} is a link or no ordinary file; hand in the text itself.",
    "{file} ist ein Verweis oder keine gewöhnliche Datei; gib den Text selbst ab.",
);
const HUGE: Words = Words::new(
    "{file} has {bytes bytes}; an answer has at most {most}.",
    "{file} hat {bytes Bytes}; eine Antwort hat höchstens {most}.",
);
const BINARY: Words = Words::new(
    "{file} is no text: byte {at} is not UTF-8 or a control character. Save it as a plain text file.",
    "{file} ist kein Text: Byte {at} ist kein UTF-8 oder ein Steuerzeichen. Speichere es als einfache Textdatei.",
);
const UNREADABLE: Words = Words::new("{file} cannot be read: {why}.", "{file} lässt sich nicht lesen: {why}.");

/// Why there is no answer to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAnswer {
    /// Not attempted or ungradable.
    pub status: Status,
    /// The reason in one sentence.
    pub message: String,
}

/// Reads an answer; messages call the file by `name`.
///
/// # Errors
/// A missing file is not attempted; a link, a huge or a binary file is ungradable.
pub fn read_answer(path: &Path, name: &str, lang: Lang) -> Result<String, NoAnswer> {
    let refuse = |status, words: Words, more: &[(&str, &str)]| {
        let mut values = vec![("file", name)];
        values.extend_from_slice(more);
        NoAnswer { status, message: words.fill(lang, &values) }
    };
    let unreadable = |error: std::io::Error| refuse(Status::Ungradable, UNREADABLE, &[("why", &error.to_string())]);
    let meta = match fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(refuse(Status::NotAttempted, MISSING, &[]));
        }
        Err(error) => return Err(unreadable(error)),
    };
    if !meta.is_file() {
        return Err(refuse(Status::Ungradable, NO_FILE, &[]));
    }
    if meta.len() > MAX_ANSWER_BYTES {
        let (bytes, most) = (meta.len().to_string(), MAX_ANSWER_BYTES.to_string());
        return Err(refuse(Status::Ungradable, HUGE, &[("bytes", &bytes), ("most", &most)]));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_ANSWER_BYTES).read_to_end(&mut bytes)).map_err(unreadable)?;
    text(bytes).map_err(|at| refuse(Status::Ungradable, BINARY, &[("at", &at.to_string())]))
}

/// The text of the bytes, a byte order mark left out; or the first byte that is none of a text.
fn text(bytes: Vec<u8>) -> Result<String, usize> {
    let control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t' | 0x0c);
    if let Some(at) = bytes.iter().position(control) {
        return Err(at);
    }
    let text = String::from_utf8(bytes).map_err(|error| error.utf8_error().valid_up_to())?;
    Ok(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
}
