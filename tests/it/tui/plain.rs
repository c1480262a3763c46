//! The plain mode: the course through a pipe, and every number of a drawn view in its words.

use pegboard::tui::{View, plain};
use pegboard::words::Lang;

use super::{app, draw, run};

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
fn nothing_is_drawn() {
    let said = check(":data\ndb.goods.find()\n:quit\ndb.goods.drop()\n");
    assert!(!said.contains(['┃', '│', '╭', '\u{1b}']), "{said}");
    assert!(!said.contains("drop"), "nothing is read behind :quit");
}

#[test]
fn a_statement_may_span_lines() {
    assert!(check("[1,\n2].length + 40\n").contains("42"));
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
