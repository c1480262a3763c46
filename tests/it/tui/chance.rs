//! Random sizes and events: no panic, and a key always leads out.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use pegboard::tui::App;
use pegboard::words::Lang;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::{app, draw, key, text};

fn code() -> impl Strategy<Value = KeyCode> {
    prop_oneof![
        4 => prop::sample::select("abfghjklmnstyz?:/1234567 {}()[]$\"'.,é漢".chars().map(KeyCode::Char).collect::<Vec<_>>()),
        3 => (1..=12_u8).prop_map(KeyCode::F),
        4 => prop::sample::select(vec![
            KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::BackTab, KeyCode::Up, KeyCode::Down, KeyCode::Left,
            KeyCode::Right, KeyCode::Home, KeyCode::End, KeyCode::PageUp, KeyCode::PageDown, KeyCode::Backspace, KeyCode::Delete,
        ]),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let held = prop::sample::select(vec![
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::CONTROL,
        KeyModifiers::ALT,
        KeyModifiers::SHIFT,
    ]);
    let mouse = prop::sample::select(vec![
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::ScrollDown,
        MouseEventKind::ScrollUp,
    ]);
    prop_oneof![
        12 => (code(), held).prop_map(|(code, held)| Event::Key(KeyEvent::new(code, held))),
        2 => (mouse, 0..200_u16, 0..70_u16)
            .prop_map(|(kind, column, row)| Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })),
        1 => (1..200_u16, 1..70_u16).prop_map(|(width, height)| Event::Resize(width, height)),
        1 => "(db\\.products\\.find\\(\\{specs: |[a-z{}$\n\t漢🙂\u{301}]){0,12}".prop_map(Event::Paste),
    ]
}

/// Whether an event would leave the app, open another program, or be slow for no gain here.
fn leaves(event: &Event) -> bool {
    matches!(event, Event::Key(key) if key.code == KeyCode::F(10)
        || (key.modifiers == KeyModifiers::CONTROL && matches!(key.code, KeyCode::Char('q' | 'z' | 'o'))))
}

proptest! {
    #![proptest_config(crate::chosen::cases(24))]
    #[test]
    fn no_event_at_any_size_panics(
        width in 1..200_u16, height in 1..70_u16, events in prop::collection::vec(event(), 1..60),
    ) {
        let mut app = app(Lang::En);
        let (mut width, mut height) = (width, height);
        draw(&mut app, width, height);
        for event in events.into_iter().filter(|event| !leaves(event)) {
            if let Event::Resize(wide, high) = event {
                (width, height) = (wide, high);
            }
            app.hear(event);
            draw(&mut app, width, height);
        }
        for _ in 0..12 {
            key(&mut app, KeyCode::Esc);
        }
        key(&mut app, KeyCode::F(10));
        prop_assert!(app.is_done(), "the way out is always open");
    }
}

#[test]
fn every_size_draws() {
    let mut app = app(Lang::De);
    for width in (1..=130).step_by(3) {
        for height in (1..=50).step_by(3) {
            draw(&mut app, width, height);
        }
    }
}

/// So many events of one long walk; `PEGBOARD_EVENTS` asks for another number.
const EVENTS: usize = 600;

/// One app, many events: it neither panics nor gets stuck where Esc does not lead back to the lesson.
#[test]
fn a_long_walk_always_finds_back() {
    let asked = std::env::var("PEGBOARD_EVENTS").ok().and_then(|number| number.parse().ok());
    let mut runner = TestRunner::deterministic();
    let events = event();
    let mut app = app(Lang::En);
    let (mut width, mut height) = (120, 40);
    for number in 0..asked.unwrap_or(EVENTS) {
        let event = events.new_tree(&mut runner).expect("an event").current();
        if leaves(&event) {
            continue;
        }
        if let Event::Resize(wide, high) = event {
            (width, height) = (wide, high);
        }
        app.hear(event);
        if number % 7 == 0 {
            draw(&mut app, width, height);
        }
        if number % 500 == 499 {
            let home = |app: &mut App| text(&draw(app, 120, 40)).contains("Pegboard ›");
            let found = (0..20).any(|_| {
                home(&mut app) || {
                    key(&mut app, KeyCode::Esc);
                    false
                }
            });
            assert!(found, "stuck after {number} events:\n{}", text(&draw(&mut app, 120, 40)));
        }
    }
}
