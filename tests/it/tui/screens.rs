//! Screens in both sizes, as they are read.

use crossterm::event::{KeyCode, KeyModifiers};
use pegboard::words::Lang;

use super::{app, draw, key, press, run, text};

const SIZES: [(u16, u16); 2] = [(120, 40), (80, 24)];

/// The screen after some keys, in one size.
fn check(name: &str, lang: Lang, act: impl Fn(&mut pegboard::tui::App)) {
    for (width, height) in SIZES {
        let mut app = app(lang);
        draw(&mut app, width, height);
        act(&mut app);
        let shown = text(&draw(&mut app, width, height));
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots" }, {
            insta::assert_snapshot!(format!("{name}_{}_{width}x{height}", lang.code()), shown);
        });
    }
}

#[test]
fn a_lesson() {
    for lang in [Lang::En, Lang::De] {
        check("lesson", lang, |_| {});
    }
}

#[test]
fn a_question_answered_wrongly() {
    check("question", Lang::En, |app| {
        key(app, KeyCode::Right);
        key(app, KeyCode::End);
        key(app, KeyCode::Enter);
    });
}

#[test]
fn an_exercise() {
    for lang in [Lang::En, Lang::De] {
        check("exercise", lang, |app| {
            key(app, KeyCode::Right);
            key(app, KeyCode::Right);
            press(app, KeyCode::Char('h'), KeyModifiers::ALT);
        });
    }
}

#[test]
fn the_data() {
    check("data", Lang::En, |app| press(app, KeyCode::Char('5'), KeyModifiers::ALT));
}

#[test]
fn the_glossary() {
    check("glossary", Lang::De, |app| key(app, KeyCode::Char('g')));
}

/// The question of the first lesson, with the index that serves it.
const INDEXED: &str = "db.products.createIndex({\"specs.k\": 1, \"specs.v\": 1})\ndb.products.find({specs: {$elemMatch: {k: \"ram\", v: 16}}})";

#[test]
fn the_result() {
    check("result", Lang::En, |app| run(app, INDEXED));
}

#[test]
fn the_duel() {
    for lang in [Lang::En, Lang::De] {
        check("plans", lang, |app| {
            run(app, INDEXED);
            press(app, KeyCode::Char('2'), KeyModifiers::ALT);
        });
    }
}

#[test]
fn the_walk_through_the_index() {
    check("index", Lang::En, |app| {
        run(app, INDEXED);
        press(app, KeyCode::Char('4'), KeyModifiers::ALT);
        (0..3).for_each(|_| key(app, KeyCode::Down));
    });
}

#[test]
fn completion_offers_what_fits_and_says_what_it_does() {
    check("completion", Lang::En, |app| {
        key(app, KeyCode::F(3));
        app.hear(crossterm::event::Event::Paste("db.products.find({specs: {$e".into()));
        press(app, KeyCode::Char(' '), KeyModifiers::CONTROL);
    });
}

#[test]
fn the_only_completion_goes_in_at_once() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    key(&mut app, KeyCode::F(3));
    app.hear(crossterm::event::Event::Paste("db.products.find({specs: {$elemM".into()));
    press(&mut app, KeyCode::Char(' '), KeyModifiers::CONTROL);
    assert!(text(&draw(&mut app, 120, 40)).contains("{specs: {$elemMatch"));
}

/// A dotted pair, which different elements meet.
const DOTTED: &str = "db.products.find({\"specs.k\": \"ram\", \"specs.v\": 16})";

#[test]
fn the_pitfalls() {
    for lang in [Lang::En, Lang::De] {
        check("pitfalls", lang, |app| {
            run(app, DOTTED);
            press(app, KeyCode::Char('3'), KeyModifiers::ALT);
        });
    }
}

#[test]
fn a_fix_is_tried_beside_what_was_typed() {
    check("trial", Lang::En, |app| {
        run(app, DOTTED);
        press(app, KeyCode::Char('3'), KeyModifiers::ALT);
        key(app, KeyCode::Char('t'));
    });
}

#[test]
fn a_fix_goes_into_the_editor() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    run(&mut app, DOTTED);
    key(&mut app, KeyCode::F(7));
    key(&mut app, KeyCode::F(5));
    let answer = app.model.answer.as_ref().expect("the fix runs");
    assert!(answer.text.contains("$elemMatch"), "{}", answer.text);
    assert!(answer.noticed.iter().all(|noticed| noticed.finding.id != "cross-element-match"));
}

#[test]
fn a_tried_fix_changes_nothing() {
    let mut app = app(Lang::En);
    let documents = |app: &pegboard::tui::App| {
        app.model.session.look(|database| database.collection("products").map_or(0, pegboard::store::Collection::len))
    };
    let before = documents(&app);
    run(&mut app, "db.products.deleteMany({\"specs.k\": \"ram\", \"specs.v\": 16})");
    let after = documents(&app);
    assert!(after < before);
    press(&mut app, KeyCode::Char('3'), KeyModifiers::ALT);
    key(&mut app, KeyCode::Char('t'));
    assert!(app.model.answer.as_ref().is_some_and(|answer| answer.trial.is_some()));
    assert_eq!(documents(&app), after);
}

#[test]
fn the_same_finding_about_the_same_text_is_one_line() {
    let mut app = app(Lang::En);
    run(&mut app, DOTTED);
    run(&mut app, DOTTED);
    let noticed = &app.model.answer.as_ref().expect("an answer").noticed;
    assert!(noticed.iter().all(|noticed| noticed.again && !noticed.open));
    assert!(!noticed.is_empty());
}

#[test]
fn a_table() {
    check("table", Lang::En, |app| {
        run(app, INDEXED);
        key(app, KeyCode::F(4));
        key(app, KeyCode::Char('s'));
    });
}

#[test]
fn a_syntax_error_is_placed() {
    check("error", Lang::En, |app| run(app, "db.goods.find({a: 1}"));
}

#[test]
fn the_help() {
    check("help", Lang::En, |app| key(app, KeyCode::F(1)));
}

#[test]
fn the_palette_searched() {
    check("palette", Lang::En, |app| {
        press(app, KeyCode::Char('p'), KeyModifiers::CONTROL);
        for letter in "pitf".chars() {
            key(app, KeyCode::Char(letter));
        }
    });
}

#[test]
fn the_course_map() {
    check("map", Lang::En, |app| key(app, KeyCode::F(9)));
}

#[test]
fn the_settings() {
    check("settings", Lang::De, |app| key(app, KeyCode::F(12)));
}

#[test]
fn a_statement_half_typed() {
    check("editor", Lang::En, |app| {
        key(app, KeyCode::F(3));
        app.hear(crossterm::event::Event::Paste("db.products.find({\n  specs: {$elemMatch: {k: \"ram\"".into()));
    });
}

#[test]
fn too_small_a_terminal_says_what_is_needed() {
    let mut app = app(Lang::En);
    assert_eq!(text(&draw(&mut app, 39, 5)).trim(), "Pegboard needs 40×12, this is 39×5.");
}

#[test]
fn a_paste_does_not_run() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    key(&mut app, KeyCode::F(3));
    app.hear(crossterm::event::Event::Paste("db.products.drop()\n".into()));
    assert!(app.model.answer.is_none());
}

#[test]
fn an_empty_text_is_not_run() {
    let mut app = app(Lang::En);
    run(&mut app, " \n ");
    assert!(app.model.answer.is_none());
    assert!(app.model.notice.is_some());
}

#[test]
fn an_exercise_is_judged() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    key(&mut app, KeyCode::Right);
    key(&mut app, KeyCode::Right);
    key(&mut app, KeyCode::F(3));
    press(&mut app, KeyCode::Char('l'), KeyModifiers::CONTROL);
    let right = "db.products.find({attributes: {$all: [{$elemMatch: {k: 'color', v: 'Yellow'}}, {$elemMatch: {k: 'voltage', v: 20}}]}})";
    app.hear(crossterm::event::Event::Paste(right.into()));
    key(&mut app, KeyCode::F(8));
    let report = app.model.report.as_ref().expect("an exercise gives a report");
    assert_eq!(report.points, report.max_points, "{report:#?}");
    assert!(text(&draw(&mut app, 120, 40)).contains("Solved."));
    assert!(app.model.progress.exercises["X3"].passed());
}

#[test]
fn what_runs_without_end_is_cancelled_and_changes_nothing() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    let count = |app: &pegboard::tui::App| {
        app.model.session.look(|database| database.collection("products").map_or(0, pegboard::store::Collection::len))
    };
    let before = count(&app);
    key(&mut app, KeyCode::F(3));
    app.hear(crossterm::event::Event::Paste("db.products.deleteMany({}); while (true) {}".into()));
    app.hear(crossterm::event::Event::Key(KeyCode::F(5).into()));
    assert!(app.model.running().is_some(), "the screen does not wait for it");
    app.hear(crossterm::event::Event::Key(KeyCode::Down.into()));
    assert!(app.model.running().is_some(), "other keys go on");
    app.hear(crossterm::event::Event::Key(KeyCode::F(5).into()));
    assert!(text(&draw(&mut app, 120, 40)).contains("Esc cancels both"));
    app.hear(crossterm::event::Event::Key(KeyCode::Esc.into()));
    assert!(app.model.running().is_none());
    assert!(text(&draw(&mut app, 120, 40)).contains("Cancelled"));
    assert_eq!(count(&app), before);
    run(&mut app, "db.products.countDocuments({})");
    assert!(app.model.answer.as_ref().is_some_and(|answer| !answer.failed()), "the shell goes on");
}
