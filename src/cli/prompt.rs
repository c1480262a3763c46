//! Statements typed at a prompt: a statement whose brackets are open goes on in the next line, Ctrl-C stops what runs.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::out;
use super::report::{Stop, report};
use crate::engine::Database;
use crate::shell::{Brake, Completion, Shell, complete, is_open};
#[cfg(unix)]
use crate::tui::typed::give_back;
use crate::tui::typed::{Reader, Typed};
use crate::tui::vocabulary;
use crate::words::{Lang, Words};

const BANNER: Words = Words::new(
    "Pegboard shell, database test. help shows what there is; exit leaves.",
    "Pegboard-Shell, Datenbank test. help zeigt, was es gibt; exit verlässt sie.",
);
const TO_EXIT: Words = Words::new(
    "(To exit, press Ctrl+C again or Ctrl+D or type exit)",
    "(Zum Verlassen noch einmal Strg+C, Strg+D oder exit tippen)",
);

/// A line is awaited.
const AWAITING: u8 = 0;
/// A statement runs.
const RUNNING: u8 = 1;
/// A line is awaited, and Ctrl-C has been pressed since the last one.
const WARNED: u8 = 2;

/// What the prompt and Ctrl-C know of each other.
#[derive(Default)]
struct Desk {
    state: AtomicU8,
    /// The prompt that follows where a statement is dropped.
    shown: Mutex<String>,
}

/// Where lines come from: typed with keys that move and remember, or from a terminal that has none.
enum Lines {
    Typed(Reader),
    Plain,
}

impl Lines {
    /// The next line behind a prompt; `before` are the lines of the statement so far.
    fn next(&mut self, prompt: &str, before: &str, shell: &Shell<Database>) -> io::Result<Typed> {
        match self {
            Self::Typed(reader) => reader.read(prompt, &|line, at| completion(before, line, at, shell)),
            Self::Plain => {
                out::text!("{prompt}");
                let mut line = String::new();
                let end = io::stdin().lock().read_line(&mut line)? == 0;
                if end {
                    out::line!("");
                }
                Ok(if end { Typed::End } else { Typed::Line(line.trim_end_matches(['\r', '\n']).to_owned()) })
            }
        }
    }
}

/// What fits at a byte of the line that follows those of a statement.
fn completion(before: &str, line: &str, at: usize, shell: &Shell<Database>) -> Completion {
    let found = complete(&format!("{before}{line}"), before.len() + at, &vocabulary(&shell.host()));
    let span = found.span.start.saturating_sub(before.len())..found.span.end.saturating_sub(before.len());
    Completion { span, ..found }
}

/// Reads statements from a terminal until the end.
pub(super) fn interactive(
    shell: &mut Shell<Database>,
    quiet: bool,
    colors: bool,
    lang: Lang,
) -> Result<ExitCode, Stop> {
    shell.set_colors(colors);
    if !quiet {
        out::line!("{}", BANNER.get(lang));
    }
    let desk = Arc::new(Desk::default());
    heed(&desk, shell.brake(), lang)?;
    let mut lines = Reader::new().map_or(Lines::Plain, Lines::Typed);
    let mut text = String::new();
    loop {
        let fresh = format!("{}> ", shell.database_name());
        desk.shown.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&fresh);
        let prompt = if text.is_empty() { fresh.as_str() } else { "... " };
        let line = match lines.next(prompt, &text, shell)? {
            Typed::Line(line) => line,
            Typed::Stopped(typed) => {
                // Between two lines Ctrl-C comes as a signal; whichever way it comes, there is one warning.
                if desk.state.swap(WARNED, Ordering::SeqCst) == WARNED && !typed && text.is_empty() {
                    return Ok(ExitCode::SUCCESS);
                }
                text.clear();
                out::line!("{}", TO_EXIT.get(lang));
                continue;
            }
            Typed::End => return Ok(ExitCode::SUCCESS),
        };
        if desk.state.swap(RUNNING, Ordering::SeqCst) == WARNED {
            text.clear();
        }
        text.push_str(&line);
        text.push('\n');
        if !is_open(&text) || line.trim().is_empty() {
            let leave = statement(shell, &std::mem::take(&mut text), colors)?;
            if let Some(status) = leave {
                return Ok(ExitCode::from(status));
            }
        }
        desk.state.store(AWAITING, Ordering::SeqCst);
    }
}

/// Runs what was typed; gives the exit status where it asks to leave. mongosh's commands with a dot are Node's.
fn statement(shell: &mut Shell<Database>, text: &str, colors: bool) -> Result<Option<u8>, Stop> {
    let text = match text.trim() {
        ".exit" => "exit",
        ".help" => "help",
        ".break" | ".clear" => return Ok(None),
        "cls" | "console.clear()" => {
            out::text!("\x1b[H\x1b[2J\x1b[3J");
            return Ok(None);
        }
        _ => text,
    };
    let outcome = shell.run(text);
    report(&outcome, colors)?;
    Ok(outcome.quit)
}

/// On Ctrl-C stops the running statement, or drops the line; twice in a row where nothing runs it leaves.
#[cfg(unix)]
fn heed(desk: &Arc<Desk>, brake: Brake, lang: Lang) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let desk = Arc::clone(desk);
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::spawn(move || {
        for signal in &mut signals {
            if signal != SIGINT {
                give_back();
                std::process::exit(128 + signal);
            }
            match desk.state.compare_exchange(AWAITING, WARNED, Ordering::SeqCst, Ordering::SeqCst) {
                // The terminal itself has dropped what was typed of the line, and the next line begins a statement.
                Ok(_) => warn(&desk, lang),
                Err(RUNNING) => brake.pull(),
                Err(_) => {
                    println!();
                    std::process::exit(0);
                }
            }
        }
    });
    Ok(())
}

#[cfg(unix)]
fn warn(desk: &Desk, lang: Lang) {
    let mut out = io::stdout().lock();
    let prompt = desk.shown.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = write!(out, "\n{}\n{prompt}", TO_EXIT.get(lang));
    let _ = out.flush();
}

/// Ctrl-C ends the program here, as the console does it.
#[cfg(not(unix))]
fn heed(_: &Arc<Desk>, _: Brake, _: Lang) -> io::Result<()> {
    Ok(())
}
