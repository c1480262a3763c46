//! The terminal app: screens as text, random events, colours, and the real program in a terminal.

mod chance;
mod colours;
mod learning;
mod pages;
mod plain;
mod present;
mod program;
mod screens;
mod sessions;
mod state;
mod terminal;
mod walk;
mod ways;

use std::path::Path;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use pegboard::course::{Pack, Progress};
use pegboard::tui::theme::{Depth, Ground};
use pegboard::tui::{App, Model, Settings, Theme};
use pegboard::words::Lang;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The app as a learner opens it for the second time, nothing kept.
fn app(lang: Lang) -> App {
    let pack = Pack::open(Path::new("tests/it/tui/pack")).expect("the tests' pack is whole");
    let settings = Settings { welcomed: true, lang, ..Settings::default() };
    let model = Model::new(pack, Progress::default(), settings, None);
    App::new(model, Theme { depth: Depth::True, ground: Ground::Dark })
}

fn draw(app: &mut App, width: u16, height: u16) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    app.hear(Event::Resize(width, height));
    let mut buffer = Buffer::empty(area);
    app.draw(area, &mut buffer);
    buffer
}

/// What a screen shows, without colours.
fn text(buffer: &Buffer) -> String {
    let row = |y: u16| {
        let mut line = String::new();
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(unicode_width::UnicodeWidthStr::width(symbol)).unwrap_or(1).max(1);
        }
        line.trim_end().to_owned()
    };
    (0..buffer.area.height).map(row).collect::<Vec<_>>().join("\n")
}

fn press(app: &mut App, code: KeyCode, held: KeyModifiers) {
    app.hear(Event::Key(KeyEvent::new(code, held)));
    app.settle();
}

fn key(app: &mut App, code: KeyCode) {
    press(app, code, KeyModifiers::NONE);
}

/// Puts a statement into the editor and runs it.
fn run(app: &mut App, statement: &str) {
    key(app, KeyCode::F(3));
    press(app, KeyCode::Char('l'), KeyModifiers::CONTROL);
    app.hear(Event::Paste(statement.into()));
    key(app, KeyCode::F(5));
}
