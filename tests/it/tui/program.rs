//! The real program in a pseudo-terminal: sessions, signals, what is kept and what is given back.

use std::fs;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize};

use super::terminal::{PATIENCE, Terminal, begin, home, program, some};

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
    for wanted in ["ifferent elements", "◄ 1: k = \"ram\"", "◄ 2: v = 16"] {
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

/// The number of steps that the first screen of a lesson names.
fn steps(terminal: &Terminal) -> usize {
    let shown = terminal.shown();
    let (_, rest) = shown.split_once("Step 1 of ").expect("a lesson says how many steps it has");
    rest.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number of steps")
}

#[test]
fn a_whole_lesson() {
    let home = home();
    let mut terminal = begin(home.path(), 40, 120);
    let steps = steps(&terminal);
    terminal.send("\x1bOR\x0c'some' + 'thing'\x1b[15~");
    terminal.see("something");
    for step in 2..=steps {
        terminal.send("\x1bn");
        terminal.see(&format!("Step {step} of"));
    }
    terminal.send("\x1b[20~");
    terminal.see("Course map");
    terminal.send("\r");
    terminal.send("\x11");
    assert!(terminal.end());
    let progress = fs::read_to_string(home.path().join("pegboard/progress.json")).expect("progress is kept");
    assert!(progress.contains("\"done\": true"), "{progress}");
}

#[test]
fn a_whole_exercise() {
    let home = home();
    let mut terminal = begin(home.path(), 40, 120);
    terminal.send("\x1b[20~X3");
    terminal.see("› X3");
    terminal.send("\r");
    terminal.see("X3  ");
    let folder = std::path::Path::new("exercises/x03/solutions");
    let solution = fs::read_dir(folder).expect("solutions").flatten().next().expect("a solution").path();
    let solution = fs::read_to_string(solution).expect("text");
    terminal.send(&format!("\x1bOR\x0c\x1b[200~{solution}\x1b[201~"));
    terminal.send("\x1b[19~");
    terminal.see("Solved.");
    terminal.send("\x11");
    assert!(terminal.end());
}

#[test]
fn what_runs_without_end_is_cancelled() {
    let home = home();
    let mut terminal = begin(home.path(), 24, 80);
    terminal.send("\x1bOR\x0cdb.products.deleteMany({}); while (true) {}\x1b[15~");
    terminal.see("Esc cancels");
    terminal.send("\x1b");
    terminal.see("Cancelled");
    terminal.send("\x0cdb.products.countDocuments({}) > 0\x1b[15~");
    terminal.see("true");
    terminal.send("\x11");
    assert!(terminal.end());
}

#[test]
#[cfg(unix)]
fn a_killed_program_has_kept_the_text() {
    let home = home();
    let mut terminal = begin(home.path(), 24, 80);
    terminal.send("\x1bOR\x0cdb.products.find({kept: 1})");
    let file = home.path().join("pegboard/progress.json");
    let kept = |_: &Terminal| fs::read_to_string(&file).is_ok_and(|text| text.contains("kept: 1"));
    let end = Instant::now() + PATIENCE;
    while !kept(&terminal) {
        assert!(Instant::now() < end, "the text is not written");
        std::thread::sleep(Duration::from_millis(50));
    }
    terminal.signal("-KILL");
    assert!(!terminal.end());
    let mut again = Terminal::open(home.path(), 24, 80);
    again.see("Step 1");
    again.send("\x1bOR");
    again.see("kept: 1");
    again.send("\x11");
    assert!(again.end());
}

#[test]
fn damaged_and_newer_files_are_named_and_kept() {
    let home = home();
    let folder = home.path().join("pegboard");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("settings.json"), "[]").expect("a file");
    let newer = "{\"format\": 99, \"lessons\": 5}";
    fs::write(folder.join("progress.json"), newer).expect("a file");
    let mut terminal = Terminal::open(home.path(), 24, 100);
    for wanted in ["damaged", "settings.damaged-1", "A newer Pegboard wrote", "progress.json"] {
        terminal.see(wanted);
    }
    terminal.send("\r");
    terminal.see("Welcome to Pegboard");
    terminal.send("\r\x11");
    terminal.end();
    assert_eq!(fs::read_to_string(folder.join("settings.damaged-1")).expect("kept"), "[]");
    assert_eq!(fs::read_to_string(folder.join("progress.json")).expect("kept"), newer);
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let home = home();
    // A file in place of the folder: nobody can write into it, whoever runs the test.
    fs::write(home.path().join("pegboard"), "").expect("a file");
    let mut terminal = Terminal::open(home.path(), 24, 100);
    terminal.see("cannot be read");
    terminal.send("\r");
    terminal.see("Welcome to Pegboard");
    terminal.send("\r");
    terminal.see("Step 1");
    terminal.send("\x11");
    terminal.end();
    terminal.see("pegboard: ");
}

#[test]
fn the_ground_is_the_terminals() {
    let home = home();
    let mut command = program(home.path());
    command.env("COLORTERM", "truecolor");
    let mut terminal = Terminal::start(command, 24, 80);
    terminal.hear("\x1b]11;?");
    terminal.see("Welcome to Pegboard");
    terminal.send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
    // The colour of titles on a light ground.
    terminal.hear("38;2;11;102;92");
    assert!(terminal.said("\x1b[?2026h"), "frames are synchronised updates");
    terminal.send("\r\x11");
    assert!(terminal.end());
}

#[test]
fn a_kitty_keyboard_is_used_and_given_back() {
    let home = home();
    let mut command = program(home.path());
    command.env("TERM", "xterm-kitty");
    let mut terminal = Terminal::start(command, 24, 80);
    terminal.hear("\x1b[?u");
    terminal.send("\x1b[?0u\x1b[?62c");
    terminal.hear("\x1b[>1u");
    terminal.see("Welcome to Pegboard");
    terminal.send("\r");
    terminal.see("Step 1");
    terminal.send("\x1bOR\x0c1 + 41\x1b[13;5u");
    terminal.see("42");
    terminal.send("\x1b[113;5u");
    assert!(terminal.end());
    assert!(terminal.said("\x1b[<1u"));
    assert!(terminal.is_restored());
}

#[test]
fn no_colour_means_none() {
    let home = home();
    let mut command = program(home.path());
    command.env("NO_COLOR", "1");
    let mut terminal = Terminal::start(command, 24, 80);
    terminal.see("Welcome to Pegboard");
    terminal.send("\r");
    terminal.see("Step 1");
    let coloured = ["\x1b[38;", "\x1b[48;", ";38;", ";48;"].into_iter().find(|sequence| terminal.said(sequence));
    assert_eq!(coloured, None);
    terminal.send("\x11");
    assert!(terminal.end());
}

#[test]
fn the_mouse_does_what_the_keys_do_and_is_given_back() {
    let home = home();
    let mut terminal = begin(home.path(), 40, 120);
    terminal.see("5 Data");
    let modes = |terminal: &Terminal| terminal.screen.screen().mouse_protocol_mode();
    assert_ne!(modes(&terminal), vt100::MouseProtocolMode::None);
    let shown = terminal.shown();
    let row = shown.lines().position(|line| line.contains("5 Data")).expect("a tab");
    let line = shown.lines().nth(row).expect("a row");
    let column = line.chars().take_while(|letter| *letter != '5').count();
    terminal.send(&format!("\x1b[<0;{};{}M", column + 1, row + 1));
    terminal.see("documents");
    terminal.send("\x11");
    assert!(terminal.end());
    assert!(terminal.is_restored());
}

/// Not a test by itself: the program of the next one.
#[test]
fn panics_where_it_is_told_to() {
    if std::env::var_os("PEGBOARD_TEST_PANIC").is_some() {
        let _terminal = pegboard::tui::Terminal::take(true).expect("a terminal");
        panic!("on purpose");
    }
}

#[test]
fn a_panic_gives_the_terminal_back() {
    let mut command = CommandBuilder::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "tui::program::panics_where_it_is_told_to", "--nocapture"]);
    command.env("PEGBOARD_TEST_PANIC", "1");
    command.env("TERM", "xterm-256color");
    command.cwd(std::env::current_dir().expect("a folder"));
    let mut terminal = Terminal::start(command, 24, 80);
    terminal.hear("\x1b[?1049h");
    terminal.hear("on purpose");
    assert!(!terminal.end());
    assert!(terminal.is_restored());
}

#[test]
fn a_huge_paste_is_cut_and_said() {
    let home = home();
    let mut terminal = begin(home.path(), 24, 80);
    terminal.send("\x1bOR\x0c\x1b[200~");
    terminal.send(&"db.products.find()\n".repeat(100_000));
    terminal.send("\x1b[201~");
    terminal.see("longer than 1 MiB");
    terminal.send("\x11");
    assert!(terminal.end());
}

#[test]
fn a_lab_is_cancelled() {
    let home = home();
    let mut terminal = begin(home.path(), 40, 120);
    terminal.see("5 Data");
    terminal.send("\x1bl");
    terminal.see("Cost lab");
    terminal.send("\x1b[C\x1b[C\x1b[C\r");
    // Long enough for the lab to begin; it takes far longer to end.
    std::thread::sleep(Duration::from_millis(500));
    terminal.send("\x1b");
    terminal.see("Cancelled");
    terminal.send("\x1b");
    terminal.see("Step 1");
    terminal.send("\x11");
    assert!(terminal.end());
    assert!(terminal.is_restored());
}
