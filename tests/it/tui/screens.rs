//! Screens in both sizes, as they are read.

use std::collections::BTreeSet;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use pegboard::words::Lang;

use super::{app, draw, key, press, run, text};

const SIZES: [(u16, u16); 2] = [(120, 40), (80, 24)];

/// The screen after some keys, in both sizes and both languages.
fn check(name: &str, act: impl Fn(&mut pegboard::tui::App)) {
    for ((width, height), lang) in SIZES.into_iter().flat_map(|size| [(size, Lang::En), (size, Lang::De)]) {
        let mut app = app(lang);
        draw(&mut app, width, height);
        act(&mut app);
        let shown = text(&draw(&mut app, width, height));
        assert!(lang == Lang::En || !shown.contains("Ctrl"), "keys have German names:\n{shown}");
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots" }, {
            insta::assert_snapshot!(format!("{name}_{}_{width}x{height}", lang.code()), shown);
        });
    }
}

#[test]
fn a_lesson() {
    check("lesson", |_| {});
}

#[test]
fn a_question_answered_wrongly() {
    check("question", |app| {
        key(app, KeyCode::Right);
        key(app, KeyCode::End);
        key(app, KeyCode::Enter);
    });
}

#[test]
fn an_exercise() {
    check("exercise", |app| {
        key(app, KeyCode::Right);
        key(app, KeyCode::Right);
        press(app, KeyCode::Char('h'), KeyModifiers::ALT);
    });
}

#[test]
fn the_data() {
    check("data", |app| press(app, KeyCode::Char('5'), KeyModifiers::ALT));
}

#[test]
fn the_glossary() {
    check("glossary", |app| key(app, KeyCode::Char('g')));
}

/// The question of the first lesson, with the index that serves it.
const INDEXED: &str = "db.products.createIndex({\"specs.k\": 1, \"specs.v\": 1})\ndb.products.find({specs: {$elemMatch: {k: \"ram\", v: 16}}})";

#[test]
fn the_result() {
    check("result", |app| run(app, INDEXED));
}

/// A pair of dotted conditions, which different elements may answer.
const PAIR: &str = "db.products.find({\"specs.k\": \"ram\", \"specs.v\": {$gt: 10}})";

#[test]
fn why_a_document_matched_and_another_did_not() {
    check("why", |app| {
        run(app, PAIR);
        press(app, KeyCode::Char('1'), KeyModifiers::ALT);
        key(app, KeyCode::Char('w'));
    });
    check("why_not", |app| {
        run(app, INDEXED);
        press(app, KeyCode::Char('1'), KeyModifiers::ALT);
        key(app, KeyCode::Char('w'));
        key(app, KeyCode::Enter);
        key(app, KeyCode::Down);
        key(app, KeyCode::Enter);
    });
    check("why_pick", |app| {
        run(app, PAIR);
        press(app, KeyCode::Char('1'), KeyModifiers::ALT);
        key(app, KeyCode::Char('w'));
        key(app, KeyCode::Enter);
    });
}

/// Passes the exercise.
fn pass(app: &mut pegboard::tui::App) {
    key(app, KeyCode::Right);
    key(app, KeyCode::Right);
    key(app, KeyCode::F(3));
    press(app, KeyCode::Char('l'), KeyModifiers::CONTROL);
    let right = "db.products.find({attributes: {$all: [{$elemMatch: {k: 'color', v: 'Yellow'}}, {$elemMatch: {k: 'voltage', v: 20}}]}})";
    app.hear(crossterm::event::Event::Paste(right.into()));
    key(app, KeyCode::F(8));
    press(app, KeyCode::Char('1'), KeyModifiers::ALT);
}

#[test]
fn a_passed_answer_is_broken_and_asked_about() {
    check("break", |app| {
        pass(app);
        key(app, KeyCode::Char('b'));
    });
    check("break_answered", |app| {
        pass(app);
        key(app, KeyCode::Char('b'));
        key(app, KeyCode::Enter);
    });
}

#[test]
fn a_wrong_guess_at_a_broken_answer_comes_back_as_a_slip() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    pass(&mut app);
    let quizzes = app.model.quizzes();
    let quiz = quizzes.iter().find(|quiz| quiz.pitfall.is_some()).expect("a break falls into a pitfall");
    let id = quiz.pitfall.expect("it was asked for");
    app.model.answered(quiz, false);
    assert_eq!(app.model.progress.slips[id].count, 1);
    let due = app.model.progress.slips[id].due;
    app.model.answered(quiz, true);
    assert!(app.model.progress.slips[id].due > due, "a right answer moves it on");
}

#[test]
fn the_duel() {
    check("plans", |app| {
        run(app, INDEXED);
        press(app, KeyCode::Char('2'), KeyModifiers::ALT);
    });
}

#[test]
fn two_runs_beside_each_other() {
    check("beside", |app| {
        run(app, "db.products.find({\"specs.k\": \"ram\", \"specs.v\": 16})");
        key(app, KeyCode::F(4));
        key(app, KeyCode::Char('c'));
        key(app, KeyCode::F(3));
        press(app, KeyCode::Char('l'), KeyModifiers::CONTROL);
        run(app, INDEXED);
        press(app, KeyCode::Char('2'), KeyModifiers::ALT);
        key(app, KeyCode::Char('z'));
    });
}

#[test]
fn the_cost_lab() {
    check("lab", |app| {
        press(app, KeyCode::Char('l'), KeyModifiers::ALT);
        for _ in 0..3 {
            key(app, KeyCode::Left);
        }
        key(app, KeyCode::Enter);
        app.settle();
    });
}

#[test]
fn a_small_screen_shows_the_tables_of_the_lab_or_its_chart() {
    let mut app = app(Lang::En);
    draw(&mut app, 80, 24);
    press(&mut app, KeyCode::Char('l'), KeyModifiers::ALT);
    for _ in 0..3 {
        key(&mut app, KeyCode::Left);
    }
    key(&mut app, KeyCode::Enter);
    app.settle();
    let figures = pegboard::design::lab::FIGURES.len();
    let tables = text(&draw(&mut app, 80, 24));
    let mut shown = BTreeSet::new();
    for _ in 0..figures {
        key(&mut app, KeyCode::Tab);
        shown.insert(text(&draw(&mut app, 80, 24)));
    }
    assert!(shown.len() == figures && !shown.contains(&tables), "each figure has a chart");
    key(&mut app, KeyCode::Tab);
    assert_eq!(text(&draw(&mut app, 80, 24)), tables);
    key(&mut app, KeyCode::Tab);
    key(&mut app, KeyCode::Tab);
    assert_ne!(text(&draw(&mut app, 80, 24)), tables);
    key(&mut app, KeyCode::PageDown);
    assert_eq!(text(&draw(&mut app, 80, 24)), tables, "the keys of the tables bring them back");
}

#[test]
fn a_figure_of_the_lab() {
    check("lab_figure", |app| {
        press(app, KeyCode::Char('l'), KeyModifiers::ALT);
        for _ in 0..3 {
            key(app, KeyCode::Left);
        }
        key(app, KeyCode::Enter);
        app.settle();
        let tabs = if app.model.size.height > 30 { 4 } else { 5 };
        (0..tabs).for_each(|_| key(app, KeyCode::Tab));
    });
}

#[test]
fn a_lab_that_is_cancelled_leaves_nothing() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    press(&mut app, KeyCode::Char('l'), KeyModifiers::ALT);
    for _ in 0..3 {
        key(&mut app, KeyCode::Right);
    }
    app.hear(Event::Key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE)));
    assert!(app.model.running().is_some());
    key(&mut app, KeyCode::Esc);
    assert!(app.model.running().is_none() && app.model.lab.is_none());
    assert!(text(&draw(&mut app, 120, 40)).contains("Cancelled."));
}

#[test]
fn the_walk_through_the_index() {
    check("index", |app| {
        run(app, INDEXED);
        press(app, KeyCode::Char('4'), KeyModifiers::ALT);
        (0..3).for_each(|_| key(app, KeyCode::Down));
    });
}

#[test]
fn completion_offers_what_fits_and_says_what_it_does() {
    check("completion", |app| {
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
    check("pitfalls", |app| {
        run(app, DOTTED);
        press(app, KeyCode::Char('3'), KeyModifiers::ALT);
    });
}

#[test]
fn a_fix_is_tried_beside_what_was_typed() {
    check("trial", |app| {
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
    check("table", |app| {
        run(app, INDEXED);
        key(app, KeyCode::F(4));
        key(app, KeyCode::Char('s'));
    });
}

#[test]
fn a_syntax_error_is_placed() {
    check("error", |app| run(app, "db.goods.find({a: 1}"));
}

#[test]
fn the_help() {
    check("help", |app| key(app, KeyCode::F(1)));
}

#[test]
fn the_palette_searched() {
    check("palette", |app| {
        press(app, KeyCode::Char('p'), KeyModifiers::CONTROL);
        for letter in "pitf".chars() {
            key(app, KeyCode::Char(letter));
        }
    });
}

#[test]
fn the_course_map() {
    check("map", |app| key(app, KeyCode::F(9)));
}

#[test]
fn the_settings() {
    check("settings", |app| key(app, KeyCode::F(12)));
}

#[test]
fn a_statement_half_typed() {
    check("editor", |app| {
        key(app, KeyCode::F(3));
        app.hear(crossterm::event::Event::Paste("db.products.find({\n  specs: {$elemMatch: {k: \"ram\"".into()));
    });
}

/// Opens a menu with a key and types into it.
fn search(app: &mut pegboard::tui::App, code: KeyCode, held: KeyModifiers, letters: &str) {
    press(app, code, held);
    letters.chars().for_each(|letter| key(app, KeyCode::Char(letter)));
}

#[test]
fn the_search_and_what_it_finds() {
    check("search", |app| search(app, KeyCode::Char('/'), KeyModifiers::NONE, "cross-el"));
    check("pitfall", |app| {
        search(app, KeyCode::Char('/'), KeyModifiers::NONE, "cross-element");
        key(app, KeyCode::Enter);
    });
}

#[test]
fn what_was_run_is_searched() {
    check("history", |app| {
        run(app, INDEXED);
        run(app, "db.products.countDocuments({})");
        // A narrow screen goes to the answer; texts are searched from the editor.
        key(app, KeyCode::F(3));
        search(app, KeyCode::Char('r'), KeyModifiers::CONTROL, "count");
    });
}

#[test]
fn a_line_of_an_answer_is_found() {
    check("find", |app| {
        run(app, "db.products.find()");
        key(app, KeyCode::F(4));
        search(app, KeyCode::Char('f'), KeyModifiers::CONTROL, "ram");
    });
}

#[test]
fn documents_as_json() {
    check("json", |app| {
        run(app, INDEXED);
        key(app, KeyCode::F(4));
        key(app, KeyCode::Char('s'));
        key(app, KeyCode::Char('s'));
    });
}

#[test]
fn an_error_has_no_plan_and_says_so() {
    check("no_plan", |app| {
        run(app, "db.products.find({specs: {$elemMatc: 1}})");
        press(app, KeyCode::Char('2'), KeyModifiers::ALT);
    });
}

#[test]
fn a_collection_that_is_not_there_is_noted() {
    check("note", |app| run(app, "db.product.find()"));
}

#[test]
fn a_long_faulty_line_is_marked_where_it_is() {
    check("long_error", |app| {
        let many = (0..12).map(|at| format!("{{k: \"key{at}\", v: {at}}}, ")).collect::<Vec<_>>().concat();
        run(app, &format!("db.products.insertOne({{specs: [{many}{{k: \"last\" v: 1}}]}})"));
    });
}

#[test]
fn the_welcome() {
    for (width, height) in SIZES {
        let pack = pegboard::course::Pack::open(std::path::Path::new("tests/it/tui/pack")).expect("a pack");
        let settings = pegboard::tui::Settings::default();
        let mut model = pegboard::tui::Model::new(pack, pegboard::course::Progress::default(), settings, None);
        model.warnings.push("A file was damaged; it is kept as /somewhere/progress.damaged-1.".into());
        let theme = pegboard::tui::Theme::detect(|_| None);
        let mut app = pegboard::tui::App::new(model, theme);
        let warned = text(&draw(&mut app, width, height));
        assert!(warned.contains("progress.damaged-1"), "{warned}");
        key(&mut app, KeyCode::Enter);
        let shown = text(&draw(&mut app, width, height));
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots" }, {
            insta::assert_snapshot!(format!("welcome_en_{width}x{height}"), shown);
        });
    }
}

#[test]
fn a_click_on_a_key_of_the_footer_is_that_key() {
    use crossterm::event::{Event, MouseButton, MouseEvent, MouseEventKind};
    let mut app = app(Lang::En);
    let shown = text(&draw(&mut app, 120, 40));
    let row = shown.lines().last().unwrap_or_default();
    let column = row.chars().take_while(|letter| *letter != 'H').count();
    let column = u16::try_from(column).expect("a column");
    let kind = MouseEventKind::Down(MouseButton::Left);
    app.hear(Event::Mouse(MouseEvent { kind, column, row: 39, modifiers: KeyModifiers::NONE }));
    assert!(text(&draw(&mut app, 120, 40)).contains("the keys of this screen"), "{row}");
}

#[test]
fn an_exact_name_comes_first_in_a_search() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    search(&mut app, KeyCode::F(9), KeyModifiers::NONE, "x3");
    let shown = text(&draw(&mut app, 120, 40));
    let first = shown.lines().find(|line| line.contains("X3")).unwrap_or_default();
    assert!(first.contains("X3 "), "{shown}");
}

#[test]
fn esc_leads_back_to_where_a_jump_began() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    let start = app.model.place.clone();
    search(&mut app, KeyCode::F(9), KeyModifiers::NONE, "x3");
    key(&mut app, KeyCode::Enter);
    assert_ne!(app.model.place, start);
    key(&mut app, KeyCode::Esc);
    assert_eq!(app.model.place, start);
    key(&mut app, KeyCode::Esc);
    assert!(text(&draw(&mut app, 120, 40)).contains("Course map"));
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
    run(&mut app, "kept = 41");
    key(&mut app, KeyCode::F(3));
    press(&mut app, KeyCode::Char('l'), KeyModifiers::CONTROL);
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
    run(&mut app, "kept + 1");
    let answer = app.model.answer.as_ref().expect("an answer");
    assert_eq!(answer.outcome.value.as_ref().ok().map(|shown| shown.print(false)), Some("42".into()), "variables stay");
    run(&mut app, "db.products.countDocuments({})");
    assert!(app.model.answer.as_ref().is_some_and(|answer| !answer.failed()), "the shell goes on");
}

#[test]
fn the_readme_shows_pictures_that_the_program_draws() {
    let readme = std::fs::read_to_string("README.md").expect("a README");
    let drawn = pegboard::tui::pictures(&pegboard::course::Pack::built_in().expect("a whole course"));
    for name in readme.split('"').filter_map(|part| part.strip_prefix("docs/pictures/")) {
        let (_, picture) = drawn.iter().find(|(known, _)| known == name).expect(name);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert!(std::path::Path::new("docs/pictures").join(name).exists(), "docs/pictures.sh writes {name}");
    }
    assert!(drawn.iter().all(|(_, picture)| !picture.contains("textLength=\"0\"")));
}
