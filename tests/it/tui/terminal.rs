//! A pseudo-terminal with the real program in it.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long anything may take before the test gives up; never a measure of speed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The program with everything it keeps in a folder.
pub fn program(home: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_pegboard"));
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"] {
        command.env(name, home);
    }
    for name in ["NO_COLOR", "COLORTERM", "COLORFGBG", "TERM_PROGRAM", "LC_ALL", "VISUAL", "EDITOR"] {
        command.env_remove(name);
    }
    command
}

/// A terminal with the program in it.
pub struct Terminal {
    pub child: Box<dyn Child + Send + Sync>,
    pub master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    pub output: Receiver<Vec<u8>>,
    pub screen: vt100::Parser,
    pub raw: Vec<u8>,
}

impl Terminal {
    pub fn open(home: &Path, rows: u16, cols: u16) -> Self {
        Self::start(program(home), rows, cols)
    }

    /// The program with arguments.
    pub fn with(home: &Path, rows: u16, cols: u16, arguments: &[&str]) -> Self {
        let mut command = program(home);
        command.args(arguments);
        Self::start(command, rows, cols)
    }

    /// Starts a command in a terminal of a size.
    pub fn start(command: CommandBuilder, rows: u16, cols: u16) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
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

    pub fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the program listens");
        self.keys.flush().expect("the program listens");
    }

    /// Waits until the screen shows a text.
    pub fn see(&mut self, wanted: &str) {
        self.wait_for(wanted, |terminal| terminal.screen.screen().contents().contains(wanted));
    }

    pub fn wait_for(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !done(self) {
            let left = end.saturating_duration_since(Instant::now());
            let received = self.output.recv_timeout(left).ok();
            assert!(received.is_some(), "waited in vain for {what}:\n{}", self.screen.screen().contents());
            self.take(&received.unwrap_or_default());
        }
    }

    pub fn take(&mut self, bytes: &[u8]) {
        self.raw.extend_from_slice(bytes);
        self.screen.process(bytes);
    }

    /// What the screen shows.
    pub fn shown(&self) -> String {
        self.screen.screen().contents()
    }

    /// Whether the program has written a sequence.
    pub fn said(&self, sequence: &str) -> bool {
        self.raw.windows(sequence.len()).any(|part| part == sequence.as_bytes())
    }

    /// Waits until the program has written a sequence.
    pub fn hear(&mut self, sequence: &str) {
        self.wait_for(sequence, |terminal| terminal.said(sequence));
    }

    /// Waits for the end and tells whether it was a success.
    pub fn end(&mut self) -> bool {
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
    pub fn is_restored(&self) -> bool {
        let screen = self.screen.screen();
        let said = |sequence: &[u8]| self.raw.windows(sequence.len()).any(|part| part == sequence);
        !screen.alternate_screen()
            && !screen.hide_cursor()
            && !screen.bracketed_paste()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
            && said(b"\x1b[?1049l")
    }

    #[cfg(unix)]
    pub fn signal(&self, signal: &str) {
        let id = self.child.process_id().expect("the program runs").to_string();
        let status = std::process::Command::new("kill").args([signal, &id]).status();
        assert!(status.expect("kill exists").success());
    }
}

/// A size of the terminal.
pub fn some(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).expect("a terminal has cells")
}

pub fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Opens the program and goes past the welcome.
pub fn begin(home: &Path, rows: u16, cols: u16) -> Terminal {
    let mut terminal = Terminal::open(home, rows, cols);
    terminal.see("Welcome to Pegboard");
    terminal.send("\r");
    terminal.see("Step 1");
    terminal
}
