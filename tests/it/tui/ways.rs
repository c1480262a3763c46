//! Ways through the app: from any screen to any place, back and on, and in the other language.

use crossterm::event::{KeyCode, KeyModifiers};
use pegboard::course::{Block, Pack, Progress, Role as CodeRole};
use pegboard::tui::theme::{Depth, Ground};
use pegboard::tui::{Action, App, Model, Msg, Place, Settings, Theme, View};
use pegboard::words::Lang;

use super::{app, draw, key, press, run, text};

const PAIR: &str = "db.products.find({\"specs.k\": \"ram\", \"specs.v\": 16})";

fn type_in(app: &mut App, letters: &str) {
    letters.chars().for_each(|letter| key(app, KeyCode::Char(letter)));
}

fn shown(app: &mut App, width: u16, height: u16) -> String {
    text(&draw(app, width, height))
}

/// A learner who opens the course for the first time.
fn newcomer() -> App {
    let pack = Pack::open(std::path::Path::new("tests/it/tui/pack")).expect("the tests' pack is whole");
    let model = Model::new(pack, Progress::default(), Settings::default(), None);
    App::new(model, Theme { depth: Depth::True, ground: Ground::Dark })
}

/// Opens a screen.
type Open = fn(&mut App);

#[test]
fn a_place_chosen_over_any_screen_is_gone_to() {
    let screens: [(&str, Open); 5] = [
        ("welcome", |_| {}),
        ("lab", |app| press(app, KeyCode::Char('l'), KeyModifiers::ALT)),
        ("pitfall", |app| _ = app.tell(Msg::Word("cross-element-match".into()))),
        ("summary", |app| _ = app.tell(Msg::Action(Action::Summary))),
        ("why", |app| {
            run(app, PAIR);
            key(app, KeyCode::F(4));
            key(app, KeyCode::Char('w'));
        }),
    ];
    for (name, open) in screens {
        let mut app = if name == "welcome" { newcomer() } else { self::app(Lang::En) };
        draw(&mut app, 80, 24);
        open(&mut app);
        key(&mut app, KeyCode::F(9));
        type_in(&mut app, "X3");
        key(&mut app, KeyCode::Enter);
        assert_eq!(app.model.place.id(), "X3", "over {name}");
        let shown = shown(&mut app, 80, 24);
        assert!(shown.contains("› X3 "), "over {name}:\n{shown}");
        assert!(app.model.settings.welcomed);
    }
}

#[test]
fn why_after_a_write_speaks_of_before_it() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    run(&mut app, "db.products.updateMany({specs: {$elemMatch: {k: \"ram\", v: 16}}}, {$set: {\"specs.$.v\": 32}})");
    key(&mut app, KeyCode::F(4));
    key(&mut app, KeyCode::Char('w'));
    let why = shown(&mut app, 120, 40);
    assert!(why.contains("products before the change, document 2 of 60"), "{why}");
    assert!(why.contains("The document before the change"), "{why}");
    key(&mut app, KeyCode::Esc);
    run(&mut app, PAIR);
    key(&mut app, KeyCode::F(4));
    key(&mut app, KeyCode::Char('w'));
    assert!(!shown(&mut app, 120, 40).contains("before the change"));
}

/// What the statements of a step give, in their order.
fn answers(model: &mut Model, lesson: &str, step: usize) -> Vec<String> {
    let blocks = model.pack.lesson(lesson).expect("it exists").en.steps[step].blocks.clone();
    let texts = blocks.iter().filter_map(|block| match block {
        Block::Code(code) if code.role == CodeRole::Run => Some(code.text.clone()),
        _ => None,
    });
    texts
        .map(|text| {
            model.run(&text);
            let answer = model.answer.as_ref().expect("it ran");
            answer.outcome.value.as_ref().map_or_else(|failure| failure.message.clone(), |shown| shown.print(false))
        })
        .collect()
}

#[test]
fn a_step_gone_back_to_is_as_it_is_when_it_is_come_to() {
    let pack = Pack::built_in().expect("the course reads");
    for id in ["idea", "elemmatch"] {
        let settings = Settings { welcomed: true, ..Settings::default() };
        let mut model = Model::new(pack.clone(), Progress::default(), settings, None);
        let steps = model.pack.lesson(id).expect("it exists").en.steps.len();
        let go = |model: &mut Model, step| model.go(Place::Lesson { id: id.into(), step });
        for step in 0..steps - 1 {
            model.session.forget();
            go(&mut model, step);
            let come = answers(&mut model, id, step);
            model.session.forget();
            (0..=step + 1).for_each(|on| go(&mut model, on));
            go(&mut model, step);
            assert_eq!(answers(&mut model, id, step), come, "step {step} of {id}");
        }
    }
}

#[test]
fn a_duplicate_names_the_way_back_of_each_mode() {
    let mut app = app(Lang::En);
    run(&mut app, "db.products.insertOne({_id: 1})");
    let page = app.model.view(View::Result, 80);
    assert!(page.text().contains("Try: Alt-R puts the data back") && !page.text().contains(":reset"));
    assert!(page.read_out().contains("Try: :reset puts the data back") && !page.read_out().contains("Alt-R"));
}

#[test]
fn a_notice_longer_than_the_screen_is_shown_whole() {
    for (lang, end) in [(Lang::En, "Alt-S again does it."), (Lang::De, "Alt-S noch einmal tut es.")] {
        let mut app = app(lang);
        draw(&mut app, 80, 24);
        app.tell(Msg::Open("X3".into()));
        press(&mut app, KeyCode::Char('s'), KeyModifiers::ALT);
        let shown = shown(&mut app, 80, 24);
        let said = shown.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        assert!(said.contains(end), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 80));
    }
}

#[test]
fn what_was_run_before_is_not_said_of_what_is_judged() {
    let mut app = app(Lang::En);
    draw(&mut app, 80, 24);
    app.tell(Msg::Open("X3".into()));
    let dotted = "db.products.find({\"attributes.k\": \"color\", \"attributes.v\": \"Yellow\"})";
    run(&mut app, dotted);
    assert!(shown(&mut app, 80, 24).contains("3 Pitfalls "));
    key(&mut app, KeyCode::F(8));
    assert!(app.model.answer.is_some(), "the same text was judged");
    key(&mut app, KeyCode::F(3));
    press(&mut app, KeyCode::Char('l'), KeyModifiers::CONTROL);
    app.hear(crossterm::event::Event::Paste("db.products.find({_id: 1})".into()));
    key(&mut app, KeyCode::F(8));
    let judged = shown(&mut app, 80, 24);
    assert!(!judged.contains("Alt-3 shows") && judged.contains(" 3 Pitfalls  4"), "{judged}");
    press(&mut app, KeyCode::Char('2'), KeyModifiers::ALT);
    assert!(shown(&mut app, 80, 24).contains("F8 has judged this text on data of its own."));
}

/// What is shown in a language, after some texts, and after the same in the other with the language changed then.
fn told(act: &impl Fn(&mut App), lang: Lang, changed: bool) -> Vec<String> {
    let other = if lang == Lang::En { Lang::De } else { Lang::En };
    let mut app = app(if changed { other } else { lang });
    draw(&mut app, 120, 40);
    act(&mut app);
    if changed {
        key(&mut app, KeyCode::F(12));
        key(&mut app, KeyCode::Enter);
        key(&mut app, KeyCode::Esc);
    }
    View::ALL.map(|view| app.model.view(view, 120).text()).to_vec()
}

#[test]
fn a_change_of_language_tells_everything_again() {
    let acts: [fn(&mut App); 5] = [
        |app| run(app, PAIR),
        |app| run(app, "db.products.updateMany({\"specs.k\": \"ram\", \"specs.v\": 16}, {$set: {\"specs.$.v\": 32}})"),
        |app| run(app, "db.product.find({})"),
        |app| run(app, "db.products.find({specs: {$elemMatc: {k: 1}}})"),
        |app| {
            app.tell(Msg::Open("X3".into()));
            run(app, "db.products.find({\"attributes.k\": \"color\"})");
            key(app, KeyCode::F(8));
        },
    ];
    for (number, act) in acts.iter().enumerate() {
        for lang in [Lang::En, Lang::De] {
            assert_eq!(told(act, lang, true), told(act, lang, false), "text {number}");
        }
    }
}

#[test]
fn the_menu_says_that_one_can_type_and_finds_settings_and_pitfalls() {
    let mut app = app(Lang::En);
    draw(&mut app, 80, 24);
    for (letters, found) in [
        ("theme", "Ground  The theme"),
        ("dark", "Ground  The theme"),
        ("duel", "Plans  The duel"),
        ("all pitfalls", "All pitfalls  Lists every pitfall"),
    ] {
        press(&mut app, KeyCode::Char('p'), KeyModifiers::CONTROL);
        assert!(shown(&mut app, 80, 24).contains("› type to search"));
        type_in(&mut app, letters);
        let screen = shown(&mut app, 80, 24);
        assert!(screen.lines().nth(3).is_some_and(|first| first.contains(found)), "{letters}:\n{screen}");
        if letters != "all pitfalls" {
            key(&mut app, KeyCode::Esc);
        }
    }
    key(&mut app, KeyCode::Enter);
    type_in(&mut app, "cross-el");
    key(&mut app, KeyCode::Enter);
    assert!(shown(&mut app, 80, 24).contains("Cure: "));
}

#[test]
fn help_lists_what_can_be_done_here() {
    let listed = |app: &mut App, letters: &str| {
        key(app, KeyCode::F(1));
        type_in(app, letters);
        // The first rows have the title and what was typed.
        let found = shown(app, 120, 40).lines().skip(3).collect::<Vec<_>>().join("\n");
        key(app, KeyCode::Esc);
        found
    };
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    let words = ["Judges your answer", "next hint", "solution of the exercise"];
    for word in words {
        assert!(!listed(&mut app, word).contains(word), "{word} in a lesson");
    }
    key(&mut app, KeyCode::F(8));
    assert!(shown(&mut app, 120, 40).contains("only answers to exercises are judged"), "the key says why not");
    app.tell(Msg::Open("X3".into()));
    for word in words {
        assert!(listed(&mut app, word).contains(word), "{word} at an exercise");
    }
}

#[test]
fn the_last_hint_is_said_to_be_the_last() {
    let mut app = app(Lang::En);
    draw(&mut app, 80, 24);
    press(&mut app, KeyCode::Char('h'), KeyModifiers::ALT);
    assert!(shown(&mut app, 80, 24).contains("There is no exercise here."));
    app.tell(Msg::Open("X3".into()));
    let hints = app.model.pack.exercise("X3").expect("it exists").hints.len();
    for _ in 0..hints {
        press(&mut app, KeyCode::Char('h'), KeyModifiers::ALT);
        assert!(!shown(&mut app, 80, 24).contains("no further hint"));
    }
    press(&mut app, KeyCode::Char('h'), KeyModifiers::ALT);
    assert!(shown(&mut app, 80, 24).contains("There is no further hint; Alt-S shows the solution."));
}

#[test]
fn a_tried_fix_of_a_write_tells_what_was_written() {
    let mut app = app(Lang::En);
    draw(&mut app, 120, 40);
    run(&mut app, "db.products.deleteMany({\"specs.k\": \"ram\", \"specs.v\": 16})");
    press(&mut app, KeyCode::Char('3'), KeyModifiers::ALT);
    key(&mut app, KeyCode::Char('t'));
    let page = app.model.view(View::Pitfalls, 120).text();
    assert!(page.contains("5 documents deleted") && page.contains("2 documents deleted"), "{page}");
    assert!(!page.contains("acknowledged"), "{page}");
}

#[test]
fn the_glossary_is_in_the_order_of_its_language() {
    let pack = Pack::built_in().expect("the course reads");
    for lang in [Lang::En, Lang::De] {
        let terms = pack.glossary.sorted(lang);
        let first: Vec<char> =
            terms.iter().filter_map(|(_, term)| term.name.get(lang).to_lowercase().chars().next()).collect();
        let base = |letter: &char| match letter {
            'ä' => 'a',
            'ö' => 'o',
            'ü' => 'u',
            letter => *letter,
        };
        assert!(first.iter().map(base).is_sorted(), "{first:?}");
        assert_eq!(terms.len(), pack.glossary.iter().count());
    }
}

#[test]
fn the_plan_of_one_document_by_its_id_says_what_is_read() {
    let mut app = app(Lang::En);
    run(&mut app, "db.products.findOne({_id: 2})");
    let plans = app.model.view(View::Plans, 120).read_out();
    assert!(plans.contains("db.products.findOne({_id: 2})") && !plans.contains("limit(-1)"), "{plans}");
    assert!(plans.contains("Index bounds\nthe one entry of this _id in the index on _id"), "{plans}");
    run(&mut app, "db.nothing.find({_id: 1})");
    let plans = app.model.view(View::Plans, 120).read_out();
    assert!(plans.contains("EOF") && plans.contains("none: there is nothing to read"), "{plans}");
}

#[test]
fn one_of_a_kind_is_said_in_the_singular() {
    let mut app = app(Lang::En);
    run(&mut app, "db.goods.find({_id: 1})");
    let plans = app.model.view(View::Plans, 120).read_out();
    assert!(!plans.contains("     1 indexes") && !plans.contains("     1 entries"), "{plans}");
}
