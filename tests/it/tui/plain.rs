//! The plain mode: the course through a pipe, and every number of a drawn view in its words.

use crossterm::event::{KeyCode, KeyModifiers};
use pegboard::course::{Pack, Progress};
use pegboard::tui::{Model, Settings, View, plain};
use pegboard::words::Lang;

use super::{app, draw, press, run, text};

/// What the plain mode says to some lines of input.
fn check(input: &str) -> String {
    let mut app = app(Lang::En);
    let mut output = Vec::new();
    plain::run(&mut app.model, input.as_bytes(), &mut output, "").expect("a buffer takes everything");
    String::from_utf8(output).expect("words are text")
}

#[test]
fn a_session_through_a_pipe() {
    let said = check(":data\n:next\n:hint\n:map\n:open X3\n:nonsense\ndb.goods.find({a: 1}\n");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots" }, {
        insta::assert_snapshot!("plain_session", said);
    });
}

#[test]
fn why_a_document_matched_is_told() {
    let said = check("db.goods.find({\"specs.k\": \"ram\"})\n:why\n:why 1\n:why nothing\n");
    assert!(said.contains("_id 2 matches.") && said.contains("specs.0.k = \"ram\""), "{said}");
    assert!(said.contains("There is nothing there."), "{said}");
}

#[test]
fn nothing_is_drawn() {
    let said = check(":data\ndb.goods.find()\n:quit\ndb.goods.drop()\n");
    assert!(!said.contains(['┃', '│', '╭', '\u{1b}']), "{said}");
    assert!(!said.contains("drop"), "nothing is read behind :quit");
}

#[test]
fn a_statement_may_span_lines() {
    assert!(check("[1,\n2].length + 40\n").contains("42"));
}

/// What the plain mode says to some lines of input at a step of the built-in course.
fn check_at(lesson: &str, step: usize, input: &str) -> String {
    let pack = Pack::built_in().expect("the course reads");
    let mut progress = Progress { at: lesson.into(), ..Progress::default() };
    progress.lessons.entry(lesson.into()).or_default().step = step;
    let mut model = Model::new(pack, progress, Settings { welcomed: true, ..Settings::default() }, None);
    let mut output = Vec::new();
    plain::run(&mut model, input.as_bytes(), &mut output, "").expect("a buffer takes everything");
    String::from_utf8(output).expect("words are text")
}

#[test]
fn a_command_at_a_prediction_leaves_it_open() {
    let said = check_at("elemmatch", 1, ":take\n:plans\n2 3\n:plans\n");
    assert!(said.contains(":take asks you first, then runs it.") && !said.contains("Enter here"), "{said}");
    let (before, after) =
        said.split_once("Nothing has been run here yet.\nThe statement has not run yet.\n").expect(&said);
    assert_eq!(before.matches("Predict before it runs").count(), 1, "{said}");
    assert_eq!(after.matches("Predict before it runs").count(), 1, "{said}");
    assert!(after.contains("✓ Right: 2.") && after.matches("COLLSCAN").count() >= 2, "{said}");
    let left = check_at("elemmatch", 1, ":take\n:next\n:plans\n");
    assert!(!left.contains("has not run yet"), "{left}");
}

#[test]
fn the_words_of_this_mode_are_said() {
    let said = check(":open X3\n:solution\n");
    assert!(said.contains(":solution again does it.") && !said.contains("Alt-S"), "{said}");
}

/// The words of the plain mode after some input, and the numbers of the drawn screen after the same.
#[test]
fn every_number_that_is_drawn_is_said() {
    let statement = "db.goods.createIndex({\"specs.k\": 1, \"specs.v\": 1}); db.goods.find({\"specs.k\": \"ram\", \"specs.v\": 16})";
    let said = check(&format!("{statement}\n:plans\n:pitfalls\n:index\n:data\n"));
    let said: Vec<&str> = numbers(&said);
    let mut app = app(Lang::En);
    draw(&mut app, 200, 60);
    run(&mut app, statement);
    press(&mut app, KeyCode::F(4), KeyModifiers::NONE);
    press(&mut app, KeyCode::Char('z'), KeyModifiers::NONE);
    for view in '1'..='5' {
        press(&mut app, KeyCode::Char(view), KeyModifiers::NONE);
        let shown = text(&draw(&mut app, 200, 60));
        // The first row has the names of the views with their keys, the last two the keys.
        let rows = shown.lines().skip(1).take(57);
        for number in rows.flat_map(numbers) {
            assert!(said.contains(&number), "{number} of view {view} is not said:\n{shown}");
        }
    }
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect()
}

#[test]
fn every_number_of_a_view_is_in_its_words() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    run(&mut app, "db.goods.createIndex({\"specs.k\": 1, \"specs.v\": 1}); db.goods.find({\"specs.k\": \"ram\"})");
    for view in View::ALL {
        let page = app.model.view(view, 60);
        let words = page.read_out();
        let said = numbers(&words);
        for (_, row) in page.rows(60) {
            for number in numbers(&row.text()) {
                assert!(words.contains(number), "{number} of {view:?} is not in its words: {said:?}");
            }
        }
    }
}
