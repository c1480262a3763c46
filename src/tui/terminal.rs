//! The terminal, taken for the app and given back whatever ends it: quit, error, panic, signal or suspension.

use std::io::{self, Stdout, Write, stdout};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, KeyboardEnhancementFlags,
    PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    SetTitle, disable_raw_mode, enable_raw_mode, supports_keyboard_enhancement,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect};

use crate::tui::ground;
use crate::tui::worker;
use crate::value::base64;

/// Whether the terminal is taken now; the panic hook and the guard share it, so that it is given back once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The taken terminal; dropping it gives the terminal back.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    mouse: bool,
}

impl Screen {
    /// Takes the terminal: alternate screen, raw mode, bracketed paste, mouse if wanted, the kitty keyboard where there is one.
    ///
    /// # Errors
    /// What the terminal refuses; it is given back then.
    pub fn take(mouse: bool) -> io::Result<Self> {
        restore_on_panic();
        enter(mouse).inspect_err(|_| give_back())?;
        let terminal = Terminal::new(CrosstermBackend::new(stdout())).inspect_err(|_| give_back())?;
        Ok(Self { terminal, mouse })
    }

    /// Draws one frame as a synchronised update, with the text cursor where the frame wants it.
    ///
    /// # Errors
    /// What the terminal refuses.
    pub fn draw(
        &mut self,
        frame: impl FnOnce(Rect, &mut ratatui::buffer::Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        execute!(stdout(), BeginSynchronizedUpdate)?;
        let drawn = self.terminal.draw(|target| {
            if let Some(position) = frame(target.area(), target.buffer_mut()) {
                target.set_cursor_position(position);
            }
        });
        execute!(stdout(), EndSynchronizedUpdate)?;
        drawn.map(|_| ())
    }

    /// Gives the mouse back to the terminal, or takes it.
    ///
    /// # Errors
    /// What the terminal refuses.
    pub fn set_mouse(&mut self, wanted: bool) -> io::Result<()> {
        self.mouse = wanted;
        if wanted { execute!(stdout(), EnableMouseCapture) } else { execute!(stdout(), DisableMouseCapture) }
    }

    /// Gives the terminal back while something else has it, then takes it again and draws everything anew.
    ///
    /// # Errors
    /// What the terminal refuses.
    pub fn lend<T>(&mut self, meanwhile: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let result = meanwhile();
        enter(self.mouse)?;
        // A fresh terminal has drawn nothing yet, so that the next frame is drawn whole; clearing the old one would ask the
        // terminal where its cursor is, and not every terminal answers.
        execute!(stdout(), Clear(ClearType::All))?;
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(result)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter(mouse: bool) -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, SetTitle("Pegboard"))?;
    // The answer comes among the keys, whenever it comes; nobody waits for it.
    send(ground::QUESTION)?;
    if mouse {
        execute!(stdout(), EnableMouseCapture)?;
    }
    if has_kitty_keyboard() {
        execute!(stdout(), PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES))?;
    }
    Ok(())
}

/// Gives the terminal back; does nothing when it is not taken. Errors are past helping here.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = stdout();
    if has_kitty_keyboard() {
        let _ = execute!(out, PopKeyboardEnhancementFlags);
    }
    let _ = execute!(
        out,
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// Asks the terminal once whether it speaks the kitty keyboard protocol; a terminal that answers nothing costs its time-out once.
fn has_kitty_keyboard() -> bool {
    static ANSWER: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *ANSWER.get_or_init(|| known_for_kitty_keyboard() && supports_keyboard_enhancement().unwrap_or(false))
}

/// Only terminals known for the protocol are asked, so that the others need not be waited for.
fn known_for_kitty_keyboard() -> bool {
    let set = |name: &str| std::env::var(name).unwrap_or_default().to_lowercase();
    let names = [set("TERM"), set("TERM_PROGRAM")].join(" ");
    ["kitty", "ghostty", "foot", "alacritty", "wezterm", "iterm", "rio"].iter().any(|known| names.contains(known))
}

fn restore_on_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // What fails beside the screen is told on the screen.
            if std::thread::current().name() == Some(worker::NAME) {
                return;
            }
            give_back();
            before(info);
        }));
    });
}

/// What signals have asked for since it was last looked at.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    end: Arc<AtomicUsize>,
    suspend: Arc<AtomicBool>,
}

impl Signals {
    /// Listens for the signals that end or suspend a program. The event loop is woken by a size event.
    ///
    /// # Errors
    /// When no handler can be set.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
        let heard = Self::default();
        let told = heard.clone();
        let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP])?;
        std::thread::spawn(move || {
            for signal in &mut signals {
                match signal {
                    SIGTSTP => told.suspend.store(true, Ordering::SeqCst),
                    other => told.end.store(usize::try_from(other).unwrap_or(1), Ordering::SeqCst),
                }
                // The terminal's event source wakes up for a change of size; that the size is the same does no harm.
                let _ = signal_hook::low_level::raise(SIGWINCH);
                if let Some(signal) = told.end() {
                    leave_late(signal);
                }
            }
        });
        Ok(heard)
    }

    /// Signals are not listened for here; the console's own events end the program.
    ///
    /// # Errors
    /// None.
    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self::default())
    }

    /// The number of the signal that wants the program to end.
    #[must_use]
    pub fn end(&self) -> Option<usize> {
        Some(self.end.load(Ordering::SeqCst)).filter(|signal| *signal > 0)
    }

    /// Whether the program is to be suspended; asking takes the wish away.
    #[must_use]
    pub fn take_suspend(&self) -> bool {
        self.suspend.swap(false, Ordering::SeqCst)
    }
}

/// Ends the program where the event loop has not done so: reading from a terminal that is gone never comes back.
#[cfg(unix)]
fn leave_late(signal: usize) {
    std::thread::sleep(GRACE);
    give_back();
    std::process::exit(128 + i32::try_from(signal).unwrap_or(1));
}

/// How long the event loop has to save and leave after a signal.
#[cfg(unix)]
const GRACE: std::time::Duration = std::time::Duration::from_secs(2);

/// Columns and rows of the terminal; none where there is no terminal.
#[must_use]
pub fn size() -> Option<(u16, u16)> {
    crossterm::terminal::size().ok()
}

/// Stops the process until its shell continues it; returns then.
#[cfg(unix)]
pub fn stop() {
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
}

/// There is nothing to stop to.
#[cfg(not(unix))]
pub fn stop() {}

/// The largest text that terminals take for the clipboard without cutting it, in bytes.
pub const LARGEST_COPY: usize = 74_994;

/// The escape sequence that puts a text on the clipboard (OSC 52).
#[must_use]
pub fn copying(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", base64(text.as_bytes()))
}

/// Lets the learner edit a text in the program that `VISUAL` or `EDITOR` names.
///
/// # Errors
/// When neither is set, the program cannot start or fails, or the file cannot be read back.
pub fn edit_outside(text: &str) -> io::Result<String> {
    let named = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let Some(command) = named("VISUAL").or_else(|| named("EDITOR")) else {
        return Err(io::Error::other("neither VISUAL nor EDITOR names an editor"));
    };
    let mut file = tempfile::Builder::new().prefix("pegboard-").suffix(".js").tempfile()?;
    file.write_all(text.as_bytes())?;
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = std::process::Command::new(program).args(words).arg(file.path()).status()?;
    if !status.success() {
        return Err(io::Error::other(format!("{program} ended with {status}")));
    }
    std::fs::read_to_string(file.path())
}

/// Writes an escape sequence of our own, such as a copy to the clipboard.
///
/// # Errors
/// What the terminal refuses.
pub fn send(sequence: &str) -> io::Result<()> {
    stdout().write_all(sequence.as_bytes())?;
    stdout().flush()
}
