//! The real program in a pseudo-terminal.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long anything may take before the test gives up; never a measure of speed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with the program in it.
pub(super) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
}

impl Terminal {
    fn open(home: &Path, rows: u16, cols: u16) -> Self {
        Self::with(home, rows, cols, &[])
    }

    /// The program with arguments.
    pub(super) fn with(home: &Path, rows: u16, cols: u16, arguments: &[&str]) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_pegboard"));
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"] {
            command.env(name, home);
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 8192];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let screen = vt100::Parser::new(some(rows), some(cols), 0);
        Self { child, master: pair.master, keys, output, screen, raw: Vec::new() }
    }

    pub(super) fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the program listens");
        self.keys.flush().expect("the program listens");
    }

    /// Waits until the screen shows a text.
    pub(super) fn see(&mut self, wanted: &str) {
        self.wait_for(wanted, |terminal| terminal.screen.screen().contents().contains(wanted));
    }

    fn wait_for(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !done(self) {
            let left = end.saturating_duration_since(Instant::now());
            let received = self.output.recv_timeout(left).ok();
            assert!(received.is_some(), "waited in vain for {what}:\n{}", self.screen.screen().contents());
            self.take(&received.unwrap_or_default());
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.raw.extend_from_slice(bytes);
        self.screen.process(bytes);
    }

    /// Waits for the end and tells whether it was a success.
    pub(super) fn end(&mut self) -> bool {
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the program can be waited for") {
                break status;
            }
            assert!(Instant::now() < end, "the program does not end:\n{}", self.screen.screen().contents());
            std::thread::sleep(Duration::from_millis(20));
        };
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(200)) {
            self.take(&bytes);
        }
        status.success()
    }

    /// Whether everything that was switched on is off again.
    pub(super) fn is_restored(&self) -> bool {
        let screen = self.screen.screen();
        let said = |sequence: &[u8]| self.raw.windows(sequence.len()).any(|part| part == sequence);
        !screen.alternate_screen()
            && !screen.hide_cursor()
            && !screen.bracketed_paste()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
            && said(b"\x1b[?1049l")
    }

    #[cfg(unix)]
    fn signal(&self, signal: &str) {
        let id = self.child.process_id().expect("the program runs").to_string();
        let status = std::process::Command::new("kill").args([signal, &id]).status();
        assert!(status.expect("kill exists").success());
    }
}

/// A size of the terminal.
fn some(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).expect("a terminal has cells")
}

pub(super) fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Opens the program and goes past the welcome.
fn begin(home: &Path, rows: u16, cols: u16) -> Terminal {
    let mut terminal = Terminal::open(home, rows, cols);
    terminal.see("Welcome to Pegboard");
    terminal.send("\r");
    terminal.see("Step 1");
    terminal
}

#[test]
fn opens_types_keeps_the_text_and_quits_with_the_terminal_restored() {
    let home = home();
    let mut terminal = begin(home.path(), 24, 80);
    terminal.send("\x1bOR");
    terminal.see("Editor");
    terminal.send("db.half");
    terminal.see("db.half");
    terminal.send("\x11");
    assert!(terminal.end());
    assert!(terminal.is_restored());

    let mut again = Terminal::open(home.path(), 24, 80);
    again.see("Step 1");
    again.send("\x1bOR");
    again.see("db.half");
    again.send("\x11");
    assert!(again.end());
}

#[test]
fn the_main_job_at_120_by_40() {
    let home = home();
    let mut terminal = begin(home.path(), 40, 120);
    terminal.see("Three products");
    terminal.send("\x1bOR\x0cdb.products.find({specs: {$elemMatch: {k: \"ram\", v: 16}}})\x1b[15~");
    terminal.see("Developer Laptop");
    terminal.send("\x1b2");
    for wanted in ["kv  yours", "flat  twin", "COLLSCAN", "docsExamined", "Difference"] {
        terminal.see(wanted);
    }
    terminal.send("\x1bOR\x0cdb.products.createIndex({\"specs.k\": 1, \"specs.v\": 1})\x1b[15~");
    terminal.send("\x0cdb.products.find({specs: {$elemMatch: {k: \"ram\", v: 16}}})\x1b[15~");
    for wanted in ["IXSCAN", "[\"ram\", \"ram\"]", "[16, 16]"] {
        terminal.see(wanted);
    }
    terminal.send("\x0cdb.products.find({\"specs.k\": \"ram\", \"specs.v\": 16})\x1b[15~");
    terminal.see("cross-element-match");
    terminal.send("\x1b3");
    for wanted in ["different elements", "◄ 1: k = \"ram\"", "◄ 2: v = 16"] {
        terminal.see(wanted);
    }
    terminal.send("f");
    terminal.see("$elemMatch");
    terminal.send("\x11");
    assert!(terminal.end());
    assert!(terminal.is_restored());
}

#[test]
#[cfg(unix)]
fn signals_restore_the_terminal() {
    for signal in ["-TERM", "-HUP"] {
        let home = home();
        let mut terminal = begin(home.path(), 24, 80);
        terminal.signal(signal);
        assert!(!terminal.end());
        assert!(terminal.is_restored(), "after {signal}");
    }
}

#[test]
#[cfg(unix)]
fn suspends_with_the_terminal_restored_and_comes_back() {
    let home = home();
    let mut terminal = begin(home.path(), 24, 80);
    terminal.send("\x1a");
    terminal.wait_for("the terminal to be given back", Terminal::is_restored);
    // The program stops itself a moment after giving the terminal back, so it is woken until it is awake.
    let end = Instant::now() + PATIENCE;
    while !terminal.screen.screen().alternate_screen() {
        assert!(Instant::now() < end, "the program does not come back");
        terminal.signal("-CONT");
        if let Ok(bytes) = terminal.output.recv_timeout(Duration::from_millis(100)) {
            terminal.take(&bytes);
        }
    }
    terminal.see("Step 1");
    terminal.send("\x11");
    assert!(terminal.end());
    assert!(terminal.is_restored());
}

#[test]
fn a_resize_is_followed() {
    let home = home();
    let mut terminal = begin(home.path(), 24, 80);
    let size = PtySize { rows: 8, cols: 60, pixel_width: 0, pixel_height: 0 };
    terminal.master.resize(size).expect("a terminal can be resized");
    terminal.screen.screen_mut().set_size(some(8), some(60));
    terminal.see("needs 40×12");
    terminal.send("\x11");
    assert!(terminal.end());
    assert!(terminal.is_restored());
}
