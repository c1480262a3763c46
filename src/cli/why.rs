//! `why`: for documents of a collection, what made the last filter match them or not.

use std::process::ExitCode;

use clap::Args;

use super::duel::{Asked, usage};
use super::out;
use crate::engine::Database;
use crate::pitfall::Inquiry;
use crate::proof::said_text;
use crate::shell::{Limits, Shell};
use crate::value::{Bson, Source};
use crate::words::{Lang, Words};

const NO_FILTER: Words = Words::new("No statement asked a filter.", "Keine Anweisung hat mit einem Filter gefragt.");
const NO_DOCUMENT: Words = Words::new(
    "`{collection}` has no document with the _id {id}.",
    "`{collection}` hat kein Dokument mit der _id {id}.",
);

/// Which documents of which question.
#[derive(Debug, Args)]
pub(super) struct WhyArguments {
    #[command(flatten)]
    asked: Asked,
    /// The `_id` of a document, as mongosh reads a value; may be given more than once. Without one, the first document that
    /// matches and the first that does not.
    #[arg(long = "id", value_name = "VALUE")]
    ids: Vec<String>,
    /// One JSON document.
    #[arg(long)]
    json: bool,
}

/// Runs the statements and says why documents matched their last filter or not.
pub(super) fn run(arguments: &WhyArguments) -> Result<(), ExitCode> {
    let lang = arguments.asked.lang();
    let (text, bench) = arguments.asked.prepared(lang)?;
    let before = bench.database().clone();
    let mut shell = Shell::new(bench, Limits::default());
    shell.set_lang(lang);
    let outcome = shell.run(&text);
    if outcome.value.is_err() {
        super::duel::report(&outcome, &text, arguments.json);
        return Err(ExitCode::FAILURE);
    }
    let inquiry = match Inquiry::of(&outcome, &before, shell.host().database()) {
        Some(Ok(inquiry)) => inquiry,
        Some(Err(error)) => return Err(failed(&error.message)),
        None => return Err(failed(NO_FILTER.get(lang))),
    };
    let positions = positions(&inquiry, &arguments.ids, lang)?;
    if arguments.json {
        out::line!("{:#}", inquiry.to_json(&positions));
        return Ok(());
    }
    for (number, at) in positions.into_iter().enumerate() {
        let lines = inquiry.said(at, lang).map_err(|error| failed(&error.message))?;
        out::text!("{}{}", if number == 0 { "" } else { "\n" }, said_text(&lines));
    }
    Ok(())
}

fn positions(inquiry: &Inquiry, ids: &[String], lang: Lang) -> Result<Vec<usize>, ExitCode> {
    if ids.is_empty() {
        return Ok(inquiry.examples());
    }
    let position = |text: &String| {
        let known = inquiry.find_written(text).or_else(|| inquiry.find(&value(text)?));
        known.ok_or_else(|| usage(&NO_DOCUMENT.fill(lang, &[("collection", &inquiry.collection), ("id", text)])))
    };
    ids.iter().map(position).collect()
}

/// A value as mongosh reads it.
fn value(text: &str) -> Option<Bson> {
    let mut shell = Shell::new(Database::new(Source::seeded(0)), Limits::default());
    let outcome = shell.run(&format!("({text})"));
    outcome.value.ok().map(|shown| shown.to_bson())
}

fn failed(message: &str) -> ExitCode {
    eprintln!("pegboard: {message}");
    ExitCode::FAILURE
}
