//! Keys and what they do: the one table that dispatch, footer, help and palette read.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::tui::actions::Action;
use crate::words::{Lang, Words};

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chord {
    /// The key.
    pub code: KeyCode,
    /// What is held down with it.
    pub held: KeyModifiers,
}

/// One line of a keymap.
#[derive(Debug)]
pub struct Binding {
    /// The keys, the one to show first.
    pub chords: &'static [Chord],
    /// What they ask for.
    pub action: Action,
    /// What it is called here, where that is not what it is called elsewhere.
    called: Option<(Words, Words)>,
    /// Whether the footer shows it.
    pub footer: bool,
    /// Whether help and palette leave it out: it works, and says why it can do nothing here.
    pub unlisted: bool,
}

impl Binding {
    /// Keys and what they ask for.
    #[must_use]
    pub const fn new(chords: &'static [Chord], action: Action) -> Self {
        Self { chords, action, called: None, footer: false, unlisted: false }
    }

    /// The line with words of its own: two for the footer, one sentence for help and palette.
    #[must_use]
    pub const fn called(mut self, name: Words, does: Words) -> Self {
        self.called = Some((name, does));
        self
    }

    /// The line as one that the footer shows.
    #[must_use]
    pub const fn footer(mut self) -> Self {
        self.footer = true;
        self
    }

    /// The line as one that help and palette leave out.
    #[must_use]
    pub const fn unlisted(mut self) -> Self {
        self.unlisted = true;
        self
    }

    /// Two words for the footer, and one sentence for help and palette.
    #[must_use]
    pub fn words(&self) -> (Words, Words) {
        self.called.unwrap_or_else(|| self.action.words())
    }
}

impl Chord {
    /// A bare key.
    #[must_use]
    pub const fn key(code: KeyCode) -> Self {
        Self { code, held: KeyModifiers::NONE }
    }

    /// A bare character.
    #[must_use]
    pub const fn char(character: char) -> Self {
        Self::key(KeyCode::Char(character))
    }

    /// A function key.
    #[must_use]
    pub const fn f(number: u8) -> Self {
        Self::key(KeyCode::F(number))
    }

    /// A key with Ctrl.
    #[must_use]
    pub const fn ctrl(code: KeyCode) -> Self {
        Self { code, held: KeyModifiers::CONTROL }
    }

    /// A key with Alt.
    #[must_use]
    pub const fn alt(code: KeyCode) -> Self {
        Self { code, held: KeyModifiers::ALT }
    }

    /// Whether a pressed key is this one; Shift counts only where the character does not already say it.
    #[must_use]
    pub fn is(self, event: &KeyEvent) -> bool {
        let mut held = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        if matches!(event.code, KeyCode::Char(_) | KeyCode::BackTab) {
            held.remove(KeyModifiers::SHIFT);
        }
        let code = match event.code {
            KeyCode::Char(character) if held.contains(KeyModifiers::CONTROL) => {
                KeyCode::Char(character.to_ascii_lowercase())
            }
            other => other,
        };
        self.code == code && self.held == held
    }

    /// Whether the chord would type a character where text is written.
    #[must_use]
    pub fn types(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && self.held.is_empty()
    }
}

impl Chord {
    /// The name of the key as it stands on keyboards of a language.
    #[must_use]
    pub fn name(self, lang: Lang) -> String {
        let held = [
            (KeyModifiers::CONTROL, Words::new("Ctrl", "Strg")),
            (KeyModifiers::ALT, Words::new("Alt", "Alt")),
            (KeyModifiers::SHIFT, Words::new("Shift", "Umschalt")),
        ];
        let held = held.iter().filter(|(modifier, _)| self.held.contains(*modifier));
        let key = match self.code {
            KeyCode::Char(letter) if letter != ' ' && self.held.is_empty() => letter.to_string(),
            KeyCode::Char(letter) if letter != ' ' => letter.to_uppercase().to_string(),
            KeyCode::F(number) => format!("F{number}"),
            code => key_name(code).get(lang).to_owned(),
        };
        held.map(|(_, words)| words.get(lang).to_owned()).chain([key]).collect::<Vec<_>>().join("-")
    }
}

/// The names of keys that are no letters.
fn key_name(code: KeyCode) -> Words {
    match code {
        KeyCode::Char(_) => Words::new("Space", "Leertaste"),
        KeyCode::BackTab => Words::new("Shift-Tab", "Umschalt-Tab"),
        KeyCode::PageUp => Words::new("PgUp", "Bild↑"),
        KeyCode::PageDown => Words::new("PgDn", "Bild↓"),
        KeyCode::Home => Words::new("Home", "Pos1"),
        KeyCode::End => Words::new("End", "Ende"),
        KeyCode::Up => Words::new("↑", "↑"),
        KeyCode::Down => Words::new("↓", "↓"),
        KeyCode::Left => Words::new("←", "←"),
        KeyCode::Right => Words::new("→", "→"),
        KeyCode::Enter => Words::new("Enter", "Enter"),
        KeyCode::Tab => Words::new("Tab", "Tab"),
        KeyCode::Esc => Words::new("Esc", "Esc"),
        KeyCode::Backspace => Words::new("Backspace", "Rücktaste"),
        KeyCode::Delete => Words::new("Del", "Entf"),
        _ => Words::new("?", "?"),
    }
}

/// The action of a pressed key: the first table that knows it wins; where text is written, plain characters are text.
#[must_use]
pub fn dispatch(tables: &[&'static [Binding]], event: &KeyEvent, writing: bool) -> Option<Action> {
    let bindings = tables.iter().flat_map(|table| table.iter());
    let fits = |binding: &&Binding| binding.chords.iter().any(|chord| chord.is(event) && !(writing && chord.types()));
    bindings.into_iter().find(fits).map(|binding| binding.action)
}

impl Binding {
    /// The key to show: the first that works here.
    #[must_use]
    pub fn shown(&self, writing: bool) -> Option<Chord> {
        self.chords.iter().find(|chord| !(writing && chord.types())).copied()
    }

    /// Two words in a language.
    #[must_use]
    pub fn label(&self, lang: Lang) -> &'static str {
        self.words().0.get(lang)
    }
}
