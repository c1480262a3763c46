//! The pictures of the README: the app itself is opened, used and drawn, so that they show what it shows.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::course::{Pack, Progress};
use crate::tui::app::App;
use crate::tui::model::Model;
use crate::tui::picture::svg;
use crate::tui::settings::Settings;
use crate::tui::theme::{Depth, Ground, Theme};

/// What is shown: a name, the statements run before, and the last one with the key of the view that is looked at.
const SHOWN: [(&str, &[&str], &str, KeyCode); 4] = [
    ("lesson", &[], "", KeyCode::F(2)),
    ("plans", &[INDEX], QUESTION, KeyCode::Char('2')),
    ("index", &[INDEX], QUESTION, KeyCode::Char('4')),
    ("pitfalls", &[], "db.products.find({\"specs.k\": \"ram\", \"specs.v\": 16})", KeyCode::Char('3')),
];

const INDEX: &str = "db.products.createIndex({\"specs.k\": 1, \"specs.v\": 1})";
const QUESTION: &str = "db.products.find({specs: {$elemMatch: {k: \"ram\", v: 16}}})";

/// The size of the pictures.
const SIZE: Rect = Rect { x: 0, y: 0, width: 120, height: 36 };

/// Every picture, on a dark and on a light ground, under its file's name.
#[must_use]
pub fn pictures(pack: &Pack) -> Vec<(String, String)> {
    let mut pictures = Vec::new();
    for (name, before, last, key) in SHOWN {
        let mut app = open(pack.clone());
        before.iter().chain([&last]).filter(|text| !text.is_empty()).for_each(|text| run(&mut app, text));
        press(&mut app, KeyCode::F(4), KeyModifiers::NONE);
        press(&mut app, key, KeyModifiers::NONE);
        for (suffix, ground) in [("dark", Ground::Dark), ("light", Ground::Light)] {
            app.model.settings.light = Some(ground == Ground::Light);
            let mut buffer = Buffer::empty(SIZE);
            app.draw(SIZE, &mut buffer);
            pictures.push((format!("{name}-{suffix}.svg"), svg(&buffer, ground, &format!("Pegboard: {name}"))));
        }
    }
    pictures
}

/// The app as a new learner has it, behind the welcome; nothing is kept.
fn open(pack: Pack) -> App {
    let settings = Settings { welcomed: true, learning: false, mouse: false, ..Settings::default() };
    let model = Model::new(pack, Progress::default(), settings, None);
    let mut app = App::new(model, Theme { depth: Depth::True, ground: Ground::Dark });
    app.hear(Event::Resize(SIZE.width, SIZE.height));
    app
}

/// Puts a statement into the editor and runs it.
fn run(app: &mut App, statement: &str) {
    press(app, KeyCode::F(3), KeyModifiers::NONE);
    press(app, KeyCode::Char('l'), KeyModifiers::CONTROL);
    app.hear(Event::Paste(statement.to_owned()));
    press(app, KeyCode::F(5), KeyModifiers::NONE);
}

fn press(app: &mut App, code: KeyCode, held: KeyModifiers) {
    app.hear(Event::Key(KeyEvent::new(code, held)));
    app.settle();
}
