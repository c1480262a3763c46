//! The terminal app, or the same course as plain text where there is no terminal for it.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use etcetera::BaseStrategy;

use crate::course::{Pack, ProgressFile};
use crate::tui::{self, App, Line, Model, Role, Settings, Theme};
use crate::words::Lang;

/// Runs the app; `plain` asks for words in reading order instead of a drawn screen.
///
/// # Errors
/// What the terminal refuses, and a course that cannot be read.
pub fn run(plain: bool) -> anyhow::Result<ExitCode> {
    let variable = |name: &str| std::env::var(name).ok();
    let dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let mut model = open()?;
    if plain || dumb || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        println!("{}", model.text().read_out());
        return Ok(ExitCode::SUCCESS);
    }
    let theme = model.settings.theme(Theme::detect(variable));
    model.settings.welcomed = true;
    match tui::run(App::new(model, theme))? {
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
    let file = ProgressFile::new(folder()?.join("progress.json"));
    let opened = file.open()?;
    let settings = Settings { lang: language(), ..Settings::default() };
    let mut model = Model::new(pack, opened.progress, settings, Some(file));
    if let Some(aside) = opened.set_aside {
        let text = format!("The progress file was damaged; it is kept as {}.", aside.display());
        model.notice = Some(Line::of(Role::Warning, text));
    }
    Ok(model)
}

/// The folder that progress is kept in.
fn folder() -> anyhow::Result<PathBuf> {
    Ok(etcetera::choose_base_strategy()?.data_dir().join("pegboard"))
}

/// The language of the environment, as POSIX orders its variables.
fn language() -> Lang {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_MESSAGES")).or_else(|| set("LANG"));
    Lang::from_locale(&locale.unwrap_or_default())
}
