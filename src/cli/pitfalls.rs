//! `pitfalls`: the list of all pitfalls, or the card of one, made from the table.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::lessons::locale;
use super::{EXIT_USAGE, out};
use crate::pitfall::{Pitfall, table};
use crate::words::{Lang, Words};

const WHY: Words = Words::new("Why", "Warum");
const FIX: Words = Words::new("Fix", "Abhilfe");
const EXAMPLE: Words = Words::new("Example", "Beispiel");
const UNKNOWN: Words = Words::new("There is no pitfall {id}.", "Es gibt keine Falle {id}.");

/// Which pitfall, in which language.
#[derive(Debug, clap::Args)]
pub struct Wanted {
    /// The id of one pitfall, to be read whole; all of them as a list without it.
    id: Option<String>,
    /// The language: en or de; else the locale's.
    #[arg(long, value_name = "CODE")]
    lang: Option<String>,
}

/// Prints the list, or one pitfall.
///
/// # Errors
/// The exit code of a usage error where there is no such id.
pub fn run(wanted: &Wanted) -> Result<(), ExitCode> {
    let lang = wanted.lang.as_deref().map_or_else(locale, Lang::from_locale);
    let Some(id) = &wanted.id else {
        out::text!("{}", list(lang));
        return Ok(());
    };
    let Some(pitfall) = table().find(|pitfall| pitfall.id == id) else {
        eprintln!("pegboard: {}", UNKNOWN.fill(lang, &[("id", id)]));
        return Err(ExitCode::from(EXIT_USAGE));
    };
    out::text!("{}", card(pitfall, lang));
    Ok(())
}

/// A line for each pitfall, in the order of the table.
fn list(lang: Lang) -> String {
    let mut text = String::new();
    let level = |pitfall: &Pitfall| pitfall.level.words().get(lang);
    let wide = table().map(|pitfall| level(pitfall).chars().count()).max().unwrap_or_default();
    for pitfall in table() {
        let _ = writeln!(text, "{:<42} {:<wide$} {}", pitfall.id, level(pitfall), pitfall.title.get(lang));
    }
    text
}

fn card(pitfall: &Pitfall, lang: Lang) -> String {
    let mut text = format!("{} ({}): {}\n", pitfall.id, pitfall.level.words().get(lang), pitfall.title.get(lang));
    for (name, words) in [(WHY, pitfall.explanation), (FIX, pitfall.cure)] {
        let _ = writeln!(text, "\n{}: {}", name.get(lang), words.get(lang));
    }
    let _ = writeln!(text, "\n{}: {}", EXAMPLE.get(lang), pitfall.example);
    text
}
