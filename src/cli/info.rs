//! What this program is, where it keeps things, and what the terminal can do; and scripts for shells and `man`.

use std::io::{self, IsTerminal, Write};

use clap::{Command, CommandFactory};
use clap_mangen::Man;

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
    writeln!(out, "progress  {}", paths::progress(None)?.display())?;
    writeln!(out, "settings  {}", paths::settings()?.display())?;
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let theme = Theme::detect(set);
    writeln!(out, "colours   {:?} on {:?}; the app asks the terminal for its ground", theme.depth, theme.ground)?;
    for name in ["TERM", "COLORTERM", "TERM_PROGRAM", "NO_COLOR", "LANG"] {
        writeln!(out, "{name:<9} {}", set(name).as_deref().unwrap_or("-"))?;
    }
    let editor = set("VISUAL").or_else(|| set("EDITOR"));
    writeln!(out, "editor    {}", editor.as_deref().unwrap_or("none: set VISUAL or EDITOR"))?;
    match crate::tui::size() {
        Some((width, height)) if io::stdout().is_terminal() => writeln!(out, "terminal  {width}×{height}")?,
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

/// Prints the manual page, with a chapter for each command.
///
/// # Errors
/// None: the page is made in memory.
pub fn man<C: CommandFactory>() -> io::Result<()> {
    let mut command = C::command();
    command.build();
    let (page, man) = (&mut Vec::new(), Man::new(command.clone()));
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    for task in command.get_subcommands() {
        chapter(page, task)?;
    }
    man.render_version_section(page)?;
    out::text!("{}", String::from_utf8_lossy(page));
    Ok(())
}

/// One command and those below it, their sections one level lower than those of the page.
fn chapter(page: &mut Vec<u8>, command: &Command) -> io::Result<()> {
    let (sections, man) = (&mut Vec::new(), Man::new(command.clone()));
    man.render_synopsis_section(sections)?;
    man.render_description_section(sections)?;
    man.render_options_section(sections)?;
    writeln!(page, ".SH \"{}\"", command.get_bin_name().unwrap_or(command.get_name()))?;
    page.extend(String::from_utf8_lossy(sections).replace(".SH ", ".SS ").bytes());
    command.get_subcommands().try_for_each(|below| chapter(page, below))
}
