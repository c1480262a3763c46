//! The terminal app, or the same course as plain text where there is no terminal for it.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use crate::tui::{self, App, Model, Theme};

/// Runs the app; `plain` asks for words in reading order instead of a drawn screen.
///
/// # Errors
/// What the terminal refuses.
pub fn run(plain: bool) -> io::Result<ExitCode> {
    let variable = |name: &str| std::env::var(name).ok();
    let dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let mut model = Model::default();
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
