//! Statements typed at a prompt: a statement whose brackets are open goes on in the next line, Ctrl-C stops what runs.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::out;
use super::report::{Stop, report};
use crate::engine::Database;
use crate::shell::{Brake, Shell, is_open};
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
    /// The prompt that stands on the screen.
    shown: Mutex<String>,
}

impl Desk {
    fn prompt(&self, text: String) -> String {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&text);
        text
    }
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
    let mut text = String::new();
    loop {
        out::text!(
            "{}",
            desk.prompt(if text.is_empty() { format!("{}> ", shell.database_name()) } else { "... ".to_owned() })
        );
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            out::line!("");
            return Ok(ExitCode::SUCCESS);
        }
        if desk.state.swap(RUNNING, Ordering::SeqCst) == WARNED {
            text.clear();
        }
        text.push_str(&line);
        if !is_open(&text) || line.trim().is_empty() {
            let leave = statement(shell, &std::mem::take(&mut text), colors)?;
            if leave {
                return Ok(ExitCode::SUCCESS);
            }
        }
        desk.state.store(AWAITING, Ordering::SeqCst);
    }
}

/// Runs what was typed; true where it asks to leave. mongosh's commands with a dot are Node's.
fn statement(shell: &mut Shell<Database>, text: &str, colors: bool) -> Result<bool, Stop> {
    let text = match text.trim() {
        ".exit" => "exit",
        ".help" => "help",
        ".break" | ".clear" => return Ok(false),
        _ => text,
    };
    let outcome = shell.run(text);
    report(&outcome, colors)?;
    Ok(outcome.quit)
}

/// On Ctrl-C stops the running statement, or drops the line; twice in a row where nothing runs it leaves.
#[cfg(unix)]
fn heed(desk: &Arc<Desk>, brake: Brake, lang: Lang) -> io::Result<()> {
    let desk = Arc::clone(desk);
    let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGINT])?;
    std::thread::spawn(move || {
        for _ in &mut signals {
            match desk.state.compare_exchange(AWAITING, WARNED, Ordering::SeqCst, Ordering::SeqCst) {
                // The terminal itself has dropped what was typed of the line.
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
