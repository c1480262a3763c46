//! The terminal app, or the same course as plain text where there is no terminal for it.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use super::paths;
use crate::course::{Pack, ProgressFile};
use crate::tui::{self, App, Kept, Line, Model, Role, Settings, Theme};
use crate::words::{Lang, Words};

const DAMAGED: Words =
    Words::new("A file was damaged; it is kept as {path}.", "Eine Datei war beschädigt; sie liegt noch als {path} da.");

/// Runs the app; `plain` asks for words in reading order instead of a drawn screen.
///
/// # Errors
/// What the terminal refuses, and a course that cannot be read.
pub fn run(plain: bool) -> anyhow::Result<ExitCode> {
    let variable = |name: &str| std::env::var(name).ok();
    let dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let mut model = open()?;
    if plain || dumb || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        let prompt = if io::stdin().is_terminal() { "pegboard> " } else { "" };
        tui::plain::run(&mut model, io::stdin().lock(), &mut io::stdout().lock(), prompt)?;
        return Ok(ExitCode::SUCCESS);
    }
    match tui::run(App::new(model, Theme::detect(variable)))? {
        Some(signal) => Ok(ExitCode::from(u8::try_from(128 + signal).unwrap_or(1))),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// The learner's course, progress and settings.
fn open() -> anyhow::Result<Model> {
    let pack = Pack::built_in().map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        anyhow::anyhow!("{}", lines.join("\n"))
    })?;
    let file = ProgressFile::new(paths::progress()?);
    let opened = file.open()?;
    let wishes = paths::settings()?;
    let (settings, wishes_aside) = Settings::read(&wishes, language())?;
    let mut model = Model::new(pack, opened.progress, settings, Some(Kept { progress: file, settings: wishes }));
    if let Some(aside) = opened.set_aside.or(wishes_aside) {
        let path = aside.display().to_string();
        model.notice = Some(Line::of(Role::Warning, DAMAGED.fill(model.settings.lang, &[("path", &path)])));
    }
    Ok(model)
}

/// The language of the environment, as POSIX orders its variables.
fn language() -> Lang {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_MESSAGES")).or_else(|| set("LANG"));
    Lang::from_locale(&locale.unwrap_or_default())
}
