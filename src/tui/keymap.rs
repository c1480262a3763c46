//! Keys and what they do: the one table that dispatch, footer, help and palette read.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::words::{Lang, Words};

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chord {
    /// The key.
    pub code: KeyCode,
    /// What is held down with it.
    pub held: KeyModifiers,
}

/// Something the learner can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Runs what is in the editor.
    Run,
    /// Judges the exercise.
    Check,
    /// Shows the next hint of the exercise.
    Hint,
    /// Shows the solution of the exercise.
    Solution,
    /// Claims to be surer of a prediction.
    Surer,
    /// Claims to be less sure of a prediction.
    LessSure,
    /// Opens the questions that find where to begin.
    Placement,
    /// Lists the slips that come back.
    Review,
    /// Opens the summary of what was done.
    Summary,
    /// Puts the starter of the exercise, or the lesson's next statement, into the editor.
    Take,
    /// Goes to the next pane.
    NextPane,
    /// Goes to the pane before.
    PreviousPane,
    /// Goes to the lesson.
    Lesson,
    /// Goes to the editor.
    Editor,
    /// Goes to the answer.
    Answer,
    /// Shows the documents.
    Result,
    /// Shows the plans of every design.
    Plans,
    /// Shows the findings.
    Pitfalls,
    /// Walks the index.
    Index,
    /// Shows collections, indexes and presence.
    Data,
    /// Shows the view to the right.
    NextView,
    /// Shows the view to the left.
    PreviousView,
    /// Makes one pane as large as the screen, or small again.
    Zoom,
    /// Puts the fix of the finding into the editor.
    Fix,
    /// Tries the fix on a copy of the data.
    Try,
    /// Moves the cursor up.
    Up,
    /// Moves the cursor down.
    Down,
    /// Moves a page up.
    PageUp,
    /// Moves a page down.
    PageDown,
    /// Moves to the start.
    Home,
    /// Moves to the end.
    End,
    /// Chooses what is under the cursor.
    Choose,
    /// Changes how documents are shown: tree, table, JSON.
    Shape,
    /// Copies what is shown.
    Copy,
    /// Opens the next lesson.
    NextLesson,
    /// Opens the lesson before.
    PreviousLesson,
    /// The statement run before.
    Earlier,
    /// The statement run after.
    Later,
    /// Searches what was run.
    History,
    /// Finds a line in what is shown.
    Find,
    /// Makes the lesson narrower.
    Narrower,
    /// Makes the lesson wider.
    Wider,
    /// Takes back the last edit.
    Undo,
    /// Brings back what was taken back.
    Redo,
    /// Offers words that fit at the cursor.
    Complete,
    /// Sets the text in the usual layout.
    Format,
    /// Empties the editor.
    Clear,
    /// Opens the text in the learner's own editor.
    External,
    /// Puts the lesson's data back as it was.
    Reset,
    /// Opens the course map.
    Map,
    /// Opens the glossary.
    Glossary,
    /// Searches everything.
    Search,
    /// Opens the settings.
    Settings,
    /// Opens the palette.
    Palette,
    /// Opens the help of this screen.
    Help,
    /// Switches learning mode, in which the footer says what each key will do.
    Learning,
    /// Gives the mouse back to the terminal, or takes it.
    Mouse,
    /// Goes back.
    Back,
    /// Stops the program until the shell continues it.
    Suspend,
    /// Leaves the program.
    Quit,
}

/// One line of a keymap.
#[derive(Debug)]
pub struct Binding {
    /// The keys, the one to show first.
    pub chords: &'static [Chord],
    /// What they ask for.
    pub action: Action,
    /// Two words for the footer.
    pub name: Words,
    /// One sentence for help, palette and learning mode.
    pub does: Words,
    /// Whether the footer shows it.
    pub footer: bool,
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
        let mut name: String = held.map(|(_, words)| format!("{}-", words.get(lang))).collect();
        match self.code {
            KeyCode::Char(letter) if letter != ' ' && self.held.is_empty() => name.push(letter),
            KeyCode::Char(letter) if letter != ' ' => name.extend(letter.to_uppercase()),
            KeyCode::F(number) => name.push_str(&format!("F{number}")),
            code => name.push_str(key_name(code).get(lang)),
        }
        name
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
        self.name.get(lang)
    }
}
