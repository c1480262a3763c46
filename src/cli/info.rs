//! What this program is, where it keeps things, and what the terminal can do; and scripts for shells and `man`.

use std::io::{self, IsTerminal, Write};

use clap::CommandFactory;

use super::{out, paths};
use crate::course::Pack;
use crate::tui::Theme;

/// For which shell.
#[derive(Debug, clap::Args)]
pub struct Completions {
    /// The shell.
    shell: clap_complete::Shell,
}

/// Prints version, paths and terminal capabilities, a line each.
///
/// # Errors
/// A system that names no home directory, and what the output refuses.
pub fn info() -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "version   {}", env!("CARGO_PKG_VERSION"))?;
    if let Ok(pack) = Pack::built_in() {
        let (lessons, exercises) = (pack.lessons.len(), pack.exercises.len());
        writeln!(
            out,
            "course    {} {}: {lessons} lessons, {exercises} exercises",
            pack.manifest.id, pack.manifest.version
        )?;
    }
    writeln!(out, "progress  {}", paths::progress()?.display())?;
    writeln!(out, "settings  {}", paths::settings()?.display())?;
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let theme = Theme::detect(set);
    writeln!(out, "colours   {:?} on {:?}; the app asks the terminal for its ground", theme.depth, theme.ground)?;
    for name in ["TERM", "COLORTERM", "TERM_PROGRAM", "NO_COLOR", "LANG"] {
        writeln!(out, "{name:<9} {}", set(name).as_deref().unwrap_or("-"))?;
    }
    let editor = set("VISUAL").or_else(|| set("EDITOR"));
    writeln!(out, "editor    {}", editor.as_deref().unwrap_or("none: set VISUAL or EDITOR"))?;
    match crossterm::terminal::size() {
        Ok((width, height)) if io::stdout().is_terminal() => writeln!(out, "terminal  {width}×{height}")?,
        _ => writeln!(out, "terminal  none: plain text")?,
    }
    Ok(())
}

/// Prints the completion script of a shell.
pub fn completions<C: CommandFactory>(wanted: &Completions) {
    let mut script = Vec::new();
    clap_complete::generate(wanted.shell, &mut C::command(), "pegboard", &mut script);
    out::text!("{}", String::from_utf8_lossy(&script));
}

/// Prints the manual page.
///
/// # Errors
/// What the output refuses.
pub fn man<C: CommandFactory>() -> io::Result<()> {
    clap_mangen::Man::new(C::command()).render(&mut io::stdout())
}
