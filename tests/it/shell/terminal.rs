//! The shell typed at in a pseudo-terminal, and its output read by others.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long anything may take before the test gives up; never a measure of speed.
const PATIENCE: Duration = Duration::from_secs(90);

struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    fn open() -> Self {
        let pair = native_pty_system().openpty(PtySize::default()).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_pegboard"));
        command.args(["shell", "--quiet"]);
        command.env("LC_ALL", "C");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut terminal = Self { child, _master: pair.master, keys, output, seen: String::new() };
        terminal.see("test> ");
        terminal
    }

    fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the program listens");
        self.keys.flush().expect("the program listens");
    }

    /// Waits for a text behind everything that was waited for before.
    fn see(&mut self, wanted: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(wanted) {
                self.seen.drain(..at + wanted.len());
                return;
            }
            let left = end.saturating_duration_since(Instant::now());
            let bytes = self.output.recv_timeout(left);
            let bytes = bytes.unwrap_or_else(|_| panic!("waited in vain for {wanted:?}: {:?}", self.seen));
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    /// The exit code.
    fn end(&mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("the program can be waited for") {
                return status.exit_code();
            }
            assert!(Instant::now() < end, "the program does not end: {:?}", self.seen);
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn statements_are_typed_line_by_line() {
    let mut terminal = Terminal::open();
    terminal.send("db.c.insertMany([\n");
    terminal.see("... ");
    terminal.send("{_id: 1}, {_id: 2}])\n");
    terminal.see("acknowledged");
    terminal.see("test> ");
    terminal.send("db.c.find({nope: {$gth: 1}})\n");
    terminal.see("unknown operator: $gth");
    terminal.send("use shop\n");
    terminal.see("switched to db shop");
    terminal.see("shop> ");
    terminal.send("exit\n");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn interrupting_stops_the_statement_and_not_the_shell() {
    let mut terminal = Terminal::open();
    terminal.send("db.c.insertOne({_id: 1})\n");
    terminal.see("insertedId");
    terminal.see("test> ");
    terminal.send("print('begun'); while (true) { db.c.deleteMany({}) }\n");
    // The echo comes first; the statement is running once the terminal has had time to hand it over.
    terminal.see("deleteMany({}) }");
    std::thread::sleep(Duration::from_millis(500));
    terminal.send("\u{3}");
    terminal.see("Stopped as you asked");
    terminal.see("test> ");
    terminal.send("'left: ' + db.c.countDocuments()\n");
    terminal.see("left: 1");
    terminal.see("test> ");
    terminal.send("exit\n");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn interrupting_clears_the_line_and_twice_leaves() {
    let mut terminal = Terminal::open();
    terminal.send("db.c.find({\n");
    terminal.see("... ");
    terminal.send("a: \u{3}");
    terminal.see("To exit, press Ctrl+C again");
    terminal.see("test> ");
    terminal.send("1 + 41\n");
    terminal.see("42");
    terminal.see("test> ");
    terminal.send("\u{3}");
    terminal.see("To exit, press Ctrl+C again");
    terminal.send("\u{3}");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_line_is_moved_in_and_remembered() {
    let mut terminal = Terminal::open();
    // Typed in the wrong order: home, the front, end, the back; a letter too many is taken away.
    terminal.send(" + 41x\x7f\x1b[H1\x1b[F + 0\n");
    terminal.see("42");
    terminal.see("test> ");
    terminal.send("'other'\n");
    terminal.see("other");
    terminal.see("test> ");
    terminal.send("\x1b[A\x1b[A\x01'again: ' + (\x05)\n");
    terminal.see("again: 42");
    terminal.see("test> ");
    terminal.send("db.c.inser\t\tOne({_id: 1})\x17\x15'cut'\n");
    terminal.see("cut");
    terminal.see("test> ");
    terminal.send("exit\n");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_comment_goes_on_in_the_next_line() {
    let mut terminal = Terminal::open();
    terminal.send("/* one\n");
    terminal.see("... ");
    terminal.send("two */ 'be' + 'hind'\n");
    terminal.see("behind");
    terminal.see("test> ");
    terminal.send("exit\n");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn the_end_of_input_leaves() {
    let mut terminal = Terminal::open();
    terminal.send("\u{4}");
    assert_eq!(terminal.end(), 0);
}

/// A reader that goes away ends the program quietly.
#[test]
fn a_pipe_that_breaks_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pegboard"))
        .args(["shell", "--quiet", "--eval", "for (let i = 0; i < 100000; i++) print('a line of text')"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut first = [0; 10];
    child.stdout.take().expect("piped").read_exact(&mut first).expect("a line comes");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

/// Where the result cannot be kept, the program says so and fails.
#[cfg(target_os = "linux")]
#[test]
fn a_result_that_is_lost_is_a_failure() {
    let run = |arguments: &str, redirect: &str| {
        let line = format!("exec \"$0\" shell {arguments} {redirect}");
        let mut command = Command::new("sh");
        command.args(["-c", &line, env!("CARGO_BIN_EXE_pegboard")]).env("LC_ALL", "C");
        command.output().expect("the program runs")
    };
    for arguments in ["--quiet --eval 1", "--json --eval 1", "--findings --eval 1"] {
        let output = run(arguments, ">/dev/full");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {stderr}");
        assert!(stderr.contains("No space left"), "{arguments}: {stderr}");
    }
    // Thrown away on purpose, by a shell and by what opens the null device for both ways, as Python does.
    for redirect in [">/dev/null", "1<>/dev/null"] {
        assert_eq!(run("--quiet --eval 1", redirect).status.code(), Some(0), "{redirect}");
    }
}
