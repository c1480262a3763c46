//! How the course is gone through: predictions, solutions, slips that come back, where to begin, the summary.

use crossterm::event::{KeyCode, KeyModifiers};
use pegboard::course::{Block, Confidence, Deed, Pack, Progress, ProgressFile};
use pegboard::tui::theme::{Depth, Ground};
use pegboard::tui::{App, Kept, Model, Msg, Place, Settings, Theme, View, plain};
use pegboard::words::Lang;

use super::{draw, key, press, run, text};

/// A dotted pair, which the exercise X3 and the lesson on `$elemMatch` are about.
const DOTTED: &str = "db.products.find({\"attributes.k\": \"color\", \"attributes.v\": \"Yellow\"})";
const RIGHT: &str = "db.products.find({attributes: {$all: [{$elemMatch: {k: \"color\", v: \"Yellow\"}}, {$elemMatch: {k: \"voltage\", v: 20}}]}})";

/// The built-in course opened at a lesson's step or an exercise.
fn at(id: &str, step: usize) -> App {
    let pack = Pack::built_in().expect("the course reads");
    let mut progress = Progress { at: id.into(), ..Progress::default() };
    progress.lessons.entry(id.into()).or_default().step = step;
    let settings = Settings { welcomed: true, lang: Lang::En, ..Settings::default() };
    let mut app =
        App::new(Model::new(pack, progress, settings, None), Theme { depth: Depth::True, ground: Ground::Dark });
    draw(&mut app, 80, 24);
    app
}

fn shown(app: &mut App) -> String {
    text(&draw(app, 80, 24))
}

/// Takes the prediction's statement into the editor and asks for it to be run.
fn ask(app: &mut App) {
    press(app, KeyCode::Char('t'), KeyModifiers::ALT);
    key(app, KeyCode::F(5));
}

fn type_in(app: &mut App, answer: &str) {
    answer.chars().for_each(|letter| key(app, KeyCode::Char(letter)));
}

#[test]
fn a_prediction_is_asked_for_before_the_statement_runs_and_scored() {
    let mut app = at("elemmatch", 1);
    ask(&mut app);
    let asked = shown(&mut app);
    assert!(asked.contains("Predict before it runs") && asked.contains("How sure are you?"), "{asked}");
    assert!(app.model.answer.is_none(), "nothing has run yet");
    key(&mut app, KeyCode::Enter);
    assert!(app.model.answer.is_none(), "an empty prediction is none");
    type_in(&mut app, "1");
    key(&mut app, KeyCode::Enter);
    let made = app.model.progress.prediction("elemmatch", 1).expect("it is kept").clone();
    assert_eq!((made.answer.as_str(), made.actual.as_str(), made.right, made.score()), ("1", "2", false, -2));
    assert!(shown(&mut app).contains("You said 1, it is 2"), "{}", shown(&mut app));
    assert!(app.model.text().text().contains("✗ You said 1 (fairly sure): -2 points. It is 2."));
    ask(&mut app);
    assert!(!shown(&mut app).contains("How sure"), "what is known is not asked again");
}

#[test]
fn confidence_is_chosen_with_the_arrows() {
    let mut app = at("elemmatch", 1);
    ask(&mut app);
    type_in(&mut app, "22");
    key(&mut app, KeyCode::Backspace);
    key(&mut app, KeyCode::Right);
    key(&mut app, KeyCode::Enter);
    assert_eq!(app.model.progress.prediction_score(), 3);
}

#[test]
fn a_prediction_can_be_left_out() {
    let mut app = at("elemmatch", 1);
    ask(&mut app);
    key(&mut app, KeyCode::Esc);
    assert!(app.model.answer.is_some());
    assert!(app.model.progress.predictions.is_empty());
    assert!(app.model.text().text().contains("It is 2."));
    key(&mut app, KeyCode::F(5));
    assert!(!shown(&mut app).contains("How sure"));
}

#[test]
fn the_winning_index_is_chosen_from_those_there_are() {
    let mut app = at("index", 4);
    ask(&mut app);
    let asked = shown(&mut app);
    for name in ["_id_", "specs.k_1_specs.v_1", "specs.v_1_specs.k_1", "none"] {
        assert!(asked.contains(name), "{asked}");
    }
    key(&mut app, KeyCode::Enter);
    assert!(app.model.answer.is_none(), "no answer is chosen before the learner chooses one");
    key(&mut app, KeyCode::Down);
    key(&mut app, KeyCode::Down);
    key(&mut app, KeyCode::Enter);
    assert!(app.model.progress.predictions[0].right, "{:?}", app.model.progress.predictions);
}

#[test]
fn a_step_finds_what_the_steps_before_it_did() {
    let app = at("index", 2);
    let names = app.model.session.look(|database| {
        database
            .collection("shop")
            .map_or(Vec::new(), |shop| shop.indexes().iter().map(|one| one.name().to_owned()).collect())
    });
    assert_eq!(names, ["_id_", "specs.k_1_specs.v_1"]);
}

#[test]
fn going_back_begins_with_the_data_of_that_step() {
    let mut app = at("index", 5);
    (0..4).for_each(|_| key(&mut app, KeyCode::Left));
    let indexes = app.model.session.look(|database| database.collection("shop").map_or(0, |shop| shop.indexes().len()));
    assert_eq!(indexes, 1);
}

/// What the plain mode says to some lines, at a place of the built-in course.
fn said(id: &str, step: usize, lines: &str) -> (String, App) {
    let mut app = at(id, step);
    let mut output = Vec::new();
    plain::run(&mut app.model, lines.as_bytes(), &mut output, "").expect("a buffer takes everything");
    (String::from_utf8(output).expect("words are text"), app)
}

#[test]
fn the_plain_mode_asks_too() {
    let (said, app) = said("elemmatch", 1, ":take\nmany\n2 3\n:summary\n");
    assert!(said.contains("Predict before it runs: Look at the two machines."), "{said}");
    assert!(said.contains("That is no answer to it."));
    assert!(said.contains("✓ Right: 2. +3 points."));
    assert!(said.contains("1 of 1 right, +3 points"), "{said}");
    assert_eq!(app.model.progress.predictions.len(), 1);
}

#[test]
fn the_plain_mode_just_runs_on_an_empty_line() {
    let (said, app) = said("elemmatch", 1, ":take\n\n:choose 9\n");
    assert!(said.contains("Thin Laptop"), "{said}");
    assert!(app.model.progress.predictions.is_empty());
}

#[test]
fn questions_are_answered_in_the_plain_mode() {
    let (said, _) = said("elemmatch", 2, ":choose 2\n:choose 2\n");
    assert!(said.contains("✓ On many data sets both forms return the same"), "{said}");
    assert!(said.contains("There is nothing there."), "the only question is answered");
}

#[test]
fn the_placement_marks_what_is_known_and_goes_to_what_is_not() {
    let (said, app) = said("idea", 0, ":placement\n2\n3\n1\n2\n3\n2\n1\n3\n2\n\n1\n1\n");
    assert!(said.contains("12/12"), "{said}");
    let done = |id: &str| app.model.progress.lessons.get(id).is_some_and(|record| record.done);
    assert!(["warmup", "idea", "index", "elemmatch"].into_iter().all(done));
    assert!(!done("updates") && !done("names"));
    assert_eq!(app.model.place.id(), "several");
}

#[test]
fn the_placement_on_screen() {
    let mut app = at("idea", 0);
    app.tell(Msg::Action(pegboard::tui::Action::Placement));
    assert!(shown(&mut app).contains("Question 1 of 12"));
    for down in [1, 2, 0, 1, 2, 1, 0, 2, 1, 0, 2, 0] {
        (0..down).for_each(|_| key(&mut app, KeyCode::Down));
        key(&mut app, KeyCode::Enter);
        key(&mut app, KeyCode::Enter);
    }
    assert!(shown(&mut app).contains("You know already"), "{}", shown(&mut app));
    key(&mut app, KeyCode::Enter);
    assert_eq!(app.model.place.id(), "several");
    assert_eq!(app.model.progress.lessons.values().filter(|record| record.done).count(), 6);
}

#[test]
fn no_position_answers_the_placement() {
    let app = at("idea", 0);
    let pack = &app.model.pack;
    for choice in 0..3 {
        assert_eq!(pack.known(Lang::En, &[Some(choice); 12]), Vec::<String>::new(), "always the same choice {choice}");
    }
    let right = [1, 2, 0, 1, 2, 1, 0, 2, 1, 0, 2, 0].map(Some);
    assert_eq!(pack.known(Lang::De, &right).len(), 6);
    assert_eq!(pack.known(Lang::En, &right[..3]), ["warmup"], "half of a lesson's questions is not enough");
}

#[test]
fn going_back_over_a_lesson_keeps_the_place_in_it() {
    let mut app = at("idea", 3);
    app.model.go(Place::Lesson { id: "warmup".into(), step: 0 });
    let back = app.model.backward().expect("the idea stands before, with its exercises");
    app.model.go(back);
    while app.model.place.id() != "idea" {
        let back = app.model.backward().expect("the idea stands before");
        app.model.go(back);
    }
    assert_eq!(app.model.place, Place::Lesson { id: "idea".into(), step: 3 });
    assert!(!app.model.progress.lessons["idea"].done);
}

#[test]
fn a_cure_is_not_written_out_before_the_exercise_is_passed() {
    const STARTER: &str = r#"db.bikes.find({"specs.k": "frame", "specs.v": "carbon"})"#;
    let mut app = at("X6", 0);
    app.model.run(STARTER);
    let shown = |app: &App| app.model.view(View::Pitfalls, 80).text();
    assert!(app.model.answer.as_ref().is_some_and(|answer| answer.findings() > 0 && answer.fix(None).is_none()));
    assert!(shown(&app).contains("Here you write the fix yourself"), "{}", shown(&app));
    app.model.check(r#"db.bikes.find({specs: {$elemMatch: {k: "frame", v: "carbon"}}})"#);
    app.model.run(STARTER);
    assert!(app.model.answer.as_ref().is_some_and(|answer| answer.fix(None).is_some()), "it is passed");
    assert!(!shown(&app).contains("Here you write the fix yourself"));
}

#[test]
fn leaving_the_placement_changes_nothing() {
    let mut app = at("idea", 0);
    let before = app.model.progress.clone();
    app.tell(Msg::Action(pegboard::tui::Action::Placement));
    key(&mut app, KeyCode::Down);
    key(&mut app, KeyCode::Enter);
    key(&mut app, KeyCode::Esc);
    assert_eq!(app.model.progress, before);
}

#[test]
fn a_solution_looked_up_costs_the_points_and_is_asked_for_twice() {
    let mut app = at("X3", 0);
    press(&mut app, KeyCode::Char('s'), KeyModifiers::ALT);
    assert!(shown(&mut app).contains("gives up the points"), "{}", shown(&mut app));
    assert!(!app.model.text().text().contains("The model solution"));
    press(&mut app, KeyCode::Char('s'), KeyModifiers::ALT);
    let page = app.model.text().text();
    assert!(page.contains("The model solution") && page.contains("This passes too"), "{page}");
    app.model.check(RIGHT);
    let record = &app.model.progress.exercises["X3"];
    assert_eq!((record.points, record.attempts, record.passed()), (0, 1, false));
    assert_eq!(app.model.onward().map(|place| place.id().to_owned()), Some("X12".into()), "the way on is open");
}

#[test]
fn a_passed_exercise_shows_its_solutions() {
    let mut app = at("X3", 0);
    app.model.check(RIGHT);
    assert!(app.model.progress.exercises["X3"].passed());
    assert!(app.model.text().text().contains("This passes too"));
}

#[test]
fn a_slip_comes_back_with_fresh_data() {
    let mut app = at("X3", 0);
    run(&mut app, DOTTED);
    run(&mut app, DOTTED);
    assert_eq!(app.model.progress.slips["cross-element-match"].count, 1, "the same text again is no new slip");
    let shown_data =
        app.model.session.look(|database| database.collection("products").map_or(0, pegboard::store::Collection::len));
    app.tell(Msg::Review("cross-element-match".into()));
    let fresh =
        app.model.session.look(|database| database.collection("products").map_or(0, pegboard::store::Collection::len));
    assert_ne!(shown_data, fresh);
    assert!(app.model.text().text().starts_with("Review: "), "{}", app.model.text().text());
    app.model.check(DOTTED);
    assert_eq!(app.model.progress.slips["cross-element-match"].count, 2);
    app.model.check(RIGHT);
    assert_eq!(app.model.progress.slips["cross-element-match"].interval, 2);
    assert!(!app.model.progress.exercises.contains_key("X3") || app.model.progress.exercises["X3"].attempts == 0);
    key(&mut app, KeyCode::F(2));
    key(&mut app, KeyCode::Right);
    assert!(app.model.review.is_none());
    assert_eq!(app.model.place.id(), "X3");
}

#[test]
fn a_slip_of_a_lesson_is_cured_where_it_happened() {
    let mut app = at("elemmatch", 6);
    let slip = "db.single.find({specs: {$elemMatch: {k: \"color\"}}})";
    run(&mut app, slip);
    assert!(app.model.progress.slips.contains_key("elemmatch-on-non-array"), "{:?}", app.model.progress.slips);
    app.model.begin_review("elemmatch-on-non-array");
    assert_eq!(app.model.draft, slip);
    app.model.run("db.single.countDocuments()");
    assert_eq!(app.model.progress.slips["elemmatch-on-non-array"].count, 2, "another statement is no cure");
    app.model.run("db.single.find({\"specs.k\": \"color\"})");
    assert_eq!(app.model.progress.slips["elemmatch-on-non-array"].interval, 2);
}

#[test]
fn what_a_lesson_lets_one_make_is_no_slip() {
    let mut app = at("elemmatch", 1);
    ask(&mut app);
    key(&mut app, KeyCode::Esc);
    assert!(app.model.answer.as_ref().is_some_and(|answer| answer.findings() > 0));
    assert!(app.model.progress.slips.is_empty());
}

#[test]
fn the_summary_and_the_map() {
    for (name, act) in [
        ("summary", (|app| _ = app.tell(Msg::Action(pegboard::tui::Action::Summary))) as fn(&mut App)),
        ("course_map", |app| key(app, KeyCode::F(9))),
    ] {
        let mut app = at("X3", 0);
        run(&mut app, DOTTED);
        app.model.check(RIGHT);
        app.model.begin_after(&["idea".into(), "warmup".into()]);
        act(&mut app);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots" }, {
            insta::assert_snapshot!(format!("{name}_en_80x24"), shown(&mut app));
        });
    }
}

#[test]
fn two_windows_add_to_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || {
        let kept = Kept {
            progress: ProgressFile::new(folder.path().join("progress.json")),
            settings: folder.path().join("settings.toml"),
        };
        let pack = Pack::built_in().expect("the course reads");
        let mut model = Model::new(pack, Progress::default(), Settings::default(), Some(kept));
        model.go(pegboard::tui::Place::Lesson { id: "elemmatch".into(), step: 1 });
        model
    };
    let (mut one, mut other) = (open(), open());
    for window in [&mut one, &mut other] {
        let block =
            window.predictable("db.machines.find({\"specs.k\": \"ram\", \"specs.v\": 16})").expect("it is asked");
        window.predict(block, Some(("2".into(), pegboard::course::Confidence::Low)));
        window.save();
        window.save();
    }
    let kept = ProgressFile::new(folder.path().join("progress.json")).open().expect("it is readable").progress;
    assert_eq!(kept.predictions.len(), 2);
    let mut replayed = Progress::default();
    kept.predictions.iter().for_each(|made| replayed.note(&Deed::Predicted(made.clone())));
    assert_eq!(replayed.calibration(), kept.calibration());
}

#[test]
fn a_digit_chooses_a_line_of_a_prediction() {
    let mut app = at("index", 4);
    ask(&mut app);
    type_in(&mut app, "2");
    assert!(shown(&mut app).contains("(•) specs.k_1_specs.v_1"), "{}", shown(&mut app));
    type_in(&mut app, "9x");
    assert!(shown(&mut app).contains("(•) specs.k_1_specs.v_1"), "no line has these");
    key(&mut app, KeyCode::Enter);
    assert!(app.model.progress.prediction("index", 4).is_some_and(|made| made.right), "{}", shown(&mut app));
}

/// Tells whether the document that the step inserts is there.
const INSERTED: &str = "db.products.countDocuments()";

#[test]
fn leafing_back_and_forth_keeps_what_was_run() {
    let mut app = at("idea", 7);
    press(&mut app, KeyCode::Char('t'), KeyModifiers::ALT);
    key(&mut app, KeyCode::F(5));
    app.model.run(INSERTED);
    let count =
        |app: &App| app.model.answer.as_ref().and_then(|answer| Some(answer.outcome.value.as_ref().ok()?.to_bson()));
    let before = count(&app);
    press(&mut app, KeyCode::Char('b'), KeyModifiers::ALT);
    assert!(shown(&mut app).contains("what was run after it is undone"), "{}", shown(&mut app));
    press(&mut app, KeyCode::Char('n'), KeyModifiers::ALT);
    app.model.run(INSERTED);
    assert_eq!(count(&app), before);
    press(&mut app, KeyCode::Char('n'), KeyModifiers::ALT);
    press(&mut app, KeyCode::Char('b'), KeyModifiers::ALT);
    app.model.run(INSERTED);
    assert_eq!(count(&app), before);
}

#[test]
fn a_prediction_finds_what_its_step_runs_before_it() {
    let mut app = at("idea", 7);
    let block = app.model.pack.lesson("idea").expect("it is there").en.steps[7].blocks.iter();
    let block = block.enumerate().find_map(|(at, block)| matches!(block, Block::Predict(_)).then_some(at));
    app.model.predict(block.expect("the step asks for a prediction"), Some(("1".into(), Confidence::High)));
    let made = app.model.progress.prediction("idea", 7).expect("it is kept");
    assert!(made.right, "{made:?}");
}

#[test]
fn leafing_through_a_lesson_is_not_doing_it() {
    let mut app = at("idea", 0);
    let last = app.model.pack.lesson("idea").expect("it is there").en.steps.len() - 1;
    let done = |app: &App| app.model.progress.lessons["idea"].done;
    app.model.go(Place::Lesson { id: "idea".into(), step: last });
    assert!(!done(&app), "nothing was done in it");
    app.model.run("db.products.find()");
    assert!(done(&app));
}

#[test]
fn why_there_is_no_fix_is_said() {
    let mut app = at("X6", 0);
    app.model.run(r#"db.bikes.find({"specs.k": "frame", "specs.v": "carbon"})"#);
    app.tell(Msg::Ran);
    press(&mut app, KeyCode::Char('3'), KeyModifiers::ALT);
    assert!(shown(&mut app).contains("The fix is yours to write"), "{}", shown(&mut app));
    key(&mut app, KeyCode::Char('f'));
    assert!(shown(&mut app).contains("Here you write the fix yourself"), "{}", shown(&mut app));
}

#[test]
fn the_cursor_on_a_prediction_asks_for_it() {
    let mut app = at("elemmatch", 1);
    press(&mut app, KeyCode::Char('t'), KeyModifiers::ALT);
    assert!(shown(&mut app).contains("How sure are you?"), "{}", shown(&mut app));
}
