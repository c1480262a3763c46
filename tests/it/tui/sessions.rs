//! The real program in a pseudo-terminal: predictions, reviews, a statement that is stopped, borders that are dragged.

use std::fs;

use super::terminal::{Terminal, begin, home};

/// Goes to a lesson or an exercise by the course map.
fn go(terminal: &mut Terminal, name: &str, seen: &str) {
    terminal.send("\x1b[20~");
    terminal.see("Course map");
    terminal.send(name);
    terminal.see(&format!("› {name}"));
    terminal.send("\r");
    terminal.see(seen);
}

fn leave(mut terminal: Terminal) {
    terminal.send("\x11");
    assert!(terminal.end());
    assert!(terminal.is_restored());
}

/// Goes to the second step of the lesson on `$elemMatch`, takes its prediction and says a number.
fn predict(terminal: &mut Terminal, number: &str) {
    go(terminal, "elemMatch", "Step 1 of");
    terminal.send("\x1bn");
    terminal.see("Step 2 of");
    terminal.send("\x1bt\x1b[15~");
    terminal.see("How sure are you?");
    terminal.send(&format!("{number}\x1b[C\r"));
}

#[test]
fn a_prediction_is_asked_answered_and_scored() {
    let home = home();
    let mut terminal = begin(home.path(), 40, 120);
    predict(&mut terminal, "2");
    terminal.see("+3 points");
    leave(terminal);
    let progress = fs::read_to_string(home.path().join("pegboard/progress.json")).expect("progress is kept");
    assert!(progress.contains("\"answer\": \"2\""), "{progress}");
}

#[test]
fn a_slip_comes_back_for_review_and_is_mended() {
    let home = home();
    let mut terminal = begin(home.path(), 40, 120);
    go(&mut terminal, "X3", "X3  ");
    terminal.send("\x1bOR\x0cdb.products.find({\"attributes.k\": \"color\", \"attributes.v\": \"Yellow\"})\x1b[19~");
    terminal.see("Reported: cross-element-match");
    terminal.send("\x1b[20~");
    terminal.see("Course map");
    terminal.send("Review");
    terminal.see("› Review");
    terminal.send("\r");
    terminal.see("Your slips");
    terminal.see("Key and value matched");
    terminal.send("\r");
    terminal.see("Review: Key and value");
    let right = "db.products.find({attributes: {$all: [{$elemMatch: {k: \"color\", v: \"Yellow\"}}, \
                 {$elemMatch: {k: \"voltage\", v: 20}}]}})";
    terminal.send(&format!("\x1bOR\x0c{right}\x1b[19~"));
    terminal.see("not made again");
    leave(terminal);
}

#[test]
fn ctrl_c_stops_what_runs() {
    let home = home();
    let mut terminal = begin(home.path(), 24, 80);
    terminal.send("\x1bOR\x0cdb.products.deleteMany({}); while (true) {}\x1b[15~");
    terminal.see("Esc cancels");
    terminal.send("\x03");
    terminal.see("Cancelled");
    terminal.send("\x0cdb.products.countDocuments({}) > 0\x1b[15~");
    terminal.see("true");
    leave(terminal);
}

/// The column of the first border of the answer's frame.
fn border(terminal: &Terminal) -> Option<usize> {
    let shown = terminal.shown();
    let line = shown.lines().find(|line| line.contains("1 Result"))?;
    line.chars().position(|sign| sign == '╭')
}

#[test]
fn a_border_is_dragged_and_stays_where_it_was_left() {
    let home = home();
    let mut terminal = begin(home.path(), 40, 120);
    terminal.see("1 Result");
    let before = border(&terminal).expect("the answer has a frame");
    // The press on the border, the way to column 71, and letting go.
    terminal.send(&format!("\x1b[<0;{};20M\x1b[<32;65;20M\x1b[<32;71;20M\x1b[<0;71;20m", before + 1));
    terminal.wait_for("the border at another place", |terminal| border(terminal).is_some_and(|at| at > before + 15));
    let after = border(&terminal);
    leave(terminal);
    let mut again = Terminal::open(home.path(), 40, 120);
    again.see("1 Result");
    assert_eq!(border(&again), after);
    leave(again);
}
