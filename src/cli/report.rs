//! What a text gave, on the two streams: as mongosh prints it, or as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::pitfall::{Finding, remarks};
use crate::shell::{Failure, Note, Outcome};
use crate::value::{JsonMode, to_json};

/// Why a run ended otherwise than well.
pub(super) enum Stop {
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

/// Prints what was printed, the value, and on the other stream notes and the failure.
pub(super) fn report(outcome: &Outcome, colors: bool) -> Result<(), Stop> {
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

/// Prints one JSON document with the value, or with value or error, findings and notes; the failure goes to the other stream.
pub(super) fn report_json(
    outcome: &Outcome,
    mode: JsonMode,
    findings: Option<(&[Finding], usize)>,
) -> Result<(), Stop> {
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
    let mut whole = serde_json::Map::new();
    match (value, findings) {
        (Ok(value), None) => writeln!(out, "{value}")?,
        (Err(_), None) => {}
        (value, Some((findings, left_out))) => {
            match value {
                Ok(value) => whole.insert("value".into(), value),
                Err(_) => whole.insert("error".into(), json!(error)),
            };
            whole.insert("findings".into(), findings.iter().map(Finding::to_json).collect());
            let notes = remarks(&outcome.notes, &findings.iter().collect::<Vec<_>>());
            if !notes.is_empty() {
                whole.insert("notes".into(), notes.into_iter().map(note_json).collect());
            }
            if left_out > 0 {
                whole.insert("commandsNotLookedAt".into(), left_out.into());
            }
            writeln!(out, "{}", Value::Object(whole))?;
        }
    }
    out.flush()?;
    Ok(())
}

/// A note with the bytes it is about.
fn note_json(note: &Note) -> Value {
    let span = note.span.as_ref().map(|span| json!({"start": span.start, "end": span.end}));
    json!({"span": span, "message": note.message})
}

/// A failure with MongoDB's code where there is one, and its line and column.
pub(super) fn error_json(failure: &Failure, text: &str) -> Value {
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
