//! The terminal's ground: asked for once, and the answer picked out of the keys among which it comes.

use crossterm::event::{Event, KeyCode, KeyModifiers};

use crate::tui::theme::{Ground, Rgb, luminance};

/// Asks the terminal for the colour behind its text (OSC 11).
pub const QUESTION: &str = "\x1b]11;?\x1b\\";

/// How an answer begins behind its escape sequence's sign.
const START: &str = "11;rgb:";

/// A ground lighter than this is light.
const MIDDLE: f64 = 0.18;

/// Events held back while they may be the terminal's answer: it comes as Alt-], then its letters.
#[derive(Debug, Default)]
pub struct Listener {
    held: Vec<Event>,
    text: String,
}

/// What an event turned out to be.
#[derive(Debug, PartialEq)]
pub enum Heard {
    /// Events that are no answer, in order.
    Events(Vec<Event>),
    /// A part of what may be an answer.
    Part,
    /// The whole answer.
    Ground(Ground),
}

impl Listener {
    /// Takes one event.
    pub fn hear(&mut self, event: Event) -> Heard {
        let Some((letter, held)) = letter(&event) else { return self.give_up(event) };
        if self.held.is_empty() {
            if letter != ']' || held != KeyModifiers::ALT {
                return Heard::Events(vec![event]);
            }
            self.held.push(event);
            return Heard::Part;
        }
        let ends = (letter, held) == ('\\', KeyModifiers::ALT) || (letter, held) == ('g', KeyModifiers::CONTROL);
        if ends && let Some(colour) = self.text.strip_prefix(START).and_then(colour) {
            *self = Self::default();
            return Heard::Ground(ground(colour));
        }
        self.text.push(letter);
        let fits = START.starts_with(&self.text) || (self.text.starts_with(START) && self.text.len() < 32);
        if ends || !fits {
            return self.give_up(event);
        }
        self.held.push(event);
        Heard::Part
    }

    /// What was held back was no answer.
    fn give_up(&mut self, event: Event) -> Heard {
        let mut events = std::mem::take(self).held;
        events.push(event);
        Heard::Events(events)
    }
}

fn letter(event: &Event) -> Option<(char, KeyModifiers)> {
    match event {
        Event::Key(key) => match key.code {
            KeyCode::Char(letter) => Some((letter, key.modifiers & (KeyModifiers::ALT | KeyModifiers::CONTROL))),
            _ => None,
        },
        _ => None,
    }
}

/// A colour as X11 writes it, `1e1e/1e1e/2e2e`: one to four hexadecimal digits each.
fn colour(text: &str) -> Option<Rgb> {
    let part = |digits: &str| {
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)? - 1;
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| (1..=4).contains(&digits.len()))?;
        u8::try_from(value * 255 / most).ok()
    };
    let mut parts = text.split('/').map(part);
    let colour = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(colour)
}

fn ground(colour: Rgb) -> Ground {
    if luminance(colour) > MIDDLE { Ground::Light } else { Ground::Dark }
}
