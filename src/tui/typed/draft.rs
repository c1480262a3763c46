//! The line as it is being typed: its text, the place in it, and the earlier lines gone back to.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_width::UnicodeWidthChar;

/// What a key asks of whoever reads the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Nothing; the line may have changed.
    Nothing,
    /// The line is at its end.
    Enter,
    /// The line is dropped.
    Stop,
    /// No more lines come.
    End,
    /// What fits at the cursor.
    Complete,
    /// An empty screen with the line on top.
    Clear,
    /// The program is to be suspended.
    Suspend,
}

/// A line that is being typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    text: String,
    /// The byte that the cursor stands before.
    at: usize,
    /// What was cut last.
    cut: String,
    /// How many lines back the one shown is, and what was typed before going back.
    back: Option<(usize, String)>,
}

impl Draft {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte that the cursor stands before.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.at
    }

    /// Takes a key, as the usual keys of a line are (those of Emacs among them); `history` has the earlier lines, the latest
    /// last.
    pub fn key(&mut self, key: KeyEvent, history: &[String]) -> Wish {
        let held = key.modifiers;
        match key.code {
            KeyCode::Char(letter) if held.contains(KeyModifiers::CONTROL) => {
                return self.control(letter.to_ascii_lowercase(), history);
            }
            KeyCode::Char(letter) if held.contains(KeyModifiers::ALT) => self.meta(letter),
            KeyCode::Char(letter) => self.insert(letter.encode_utf8(&mut [0; 4])),
            KeyCode::Enter => return Wish::Enter,
            KeyCode::Tab => return Wish::Complete,
            KeyCode::Backspace if held.contains(KeyModifiers::ALT) => self.take(self.word_before()..self.at),
            KeyCode::Backspace => self.drop(self.before()..self.at),
            KeyCode::Delete => self.drop(self.at..self.after()),
            KeyCode::Left if !held.is_empty() => self.at = self.word_before(),
            KeyCode::Right if !held.is_empty() => self.at = self.word_after(),
            KeyCode::Left => self.at = self.before(),
            KeyCode::Right => self.at = self.after(),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            KeyCode::Up => self.recall(1, history),
            KeyCode::Down => self.recall(-1, history),
            _ => {}
        }
        Wish::Nothing
    }

    fn control(&mut self, letter: char, history: &[String]) -> Wish {
        match letter {
            'j' | 'm' => return Wish::Enter,
            'c' => return Wish::Stop,
            'd' if self.text.is_empty() => return Wish::End,
            'i' => return Wish::Complete,
            'l' => return Wish::Clear,
            'z' => return Wish::Suspend,
            'd' => self.drop(self.at..self.after()),
            'h' => self.drop(self.before()..self.at),
            'a' => self.at = 0,
            'e' => self.at = self.text.len(),
            'b' => self.at = self.before(),
            'f' => self.at = self.after(),
            'k' => self.take(self.at..self.text.len()),
            'u' => self.take(0..self.at),
            'w' => self.take(self.word_before()..self.at),
            'y' => self.insert(&self.cut.clone()),
            'p' => self.recall(1, history),
            'n' => self.recall(-1, history),
            _ => {}
        }
        Wish::Nothing
    }

    fn meta(&mut self, letter: char) {
        match letter.to_ascii_lowercase() {
            'b' => self.at = self.word_before(),
            'f' => self.at = self.word_after(),
            'd' => self.take(self.at..self.word_after()),
            _ => {}
        }
    }

    /// Puts a text in at the cursor; control characters are left out.
    pub fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
        self.text.insert_str(self.at, &text);
        self.at += text.len();
    }

    /// Puts a text in the place of some bytes before the cursor, which stands behind it then.
    pub fn replace(&mut self, bytes: std::ops::Range<usize>, text: &str) {
        self.drop(bytes);
        self.insert(text);
    }

    fn drop(&mut self, bytes: std::ops::Range<usize>) {
        self.at = bytes.start;
        self.text.replace_range(bytes, "");
    }

    /// Drops a part that can be put in again.
    fn take(&mut self, bytes: std::ops::Range<usize>) {
        if !bytes.is_empty() {
            self.text[bytes.clone()].clone_into(&mut self.cut);
            self.drop(bytes);
        }
    }

    /// Goes so many lines back, below zero forward; what was typed comes back in front of the latest.
    fn recall(&mut self, by: isize, history: &[String]) {
        let (back, typed) = self.back.take().unwrap_or_else(|| (0, self.text.clone()));
        let wanted = back.checked_add_signed(by).filter(|wanted| *wanted <= history.len()).unwrap_or(back);
        self.text = if wanted == 0 { typed.clone() } else { history[history.len() - wanted].clone() };
        self.at = self.text.len();
        self.back = (wanted > 0).then_some((wanted, typed));
    }

    fn before(&self) -> usize {
        self.text[..self.at].char_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.text[self.at..].chars().next().map_or(self.at, |letter| self.at + letter.len_utf8())
    }

    /// Where the word before the cursor begins.
    fn word_before(&self) -> usize {
        let before = self.text[..self.at].trim_end_matches(|letter| !is_word(letter));
        before.trim_end_matches(is_word).len()
    }

    /// Where the word behind the cursor ends.
    fn word_after(&self) -> usize {
        let rest = &self.text[self.at..];
        let word = rest.trim_start_matches(|letter| !is_word(letter));
        self.text.len() - word.trim_start_matches(is_word).len()
    }

    /// Row and column, from 0, of a byte behind a prompt on a screen of so many columns.
    #[must_use]
    pub fn place(&self, prompt: &str, byte: usize, columns: usize) -> (usize, usize) {
        let (mut row, mut column) = (0, 0);
        for letter in prompt.chars().chain(self.text[..byte].chars()) {
            let width = letter.width().unwrap_or(0);
            if column + width > columns {
                (row, column) = (row + 1, 0);
            }
            column += width;
        }
        if column >= columns { (row + 1, 0) } else { (row, column) }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}
