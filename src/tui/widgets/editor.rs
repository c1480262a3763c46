//! The editor: text, cursor, selection and undo by `ratatui-textarea`; how it is drawn is the sheet's.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui_textarea::{CursorMove, TextArea};

use crate::tui::role::Role;
use crate::tui::theme::Theme;
use crate::tui::widgets::sheet::{Marks, Sheet};

/// The largest text a paste may bring in; a larger one is cut there.
pub const LARGEST_PASTE: usize = 1 << 20;

/// Text being written.
#[derive(Debug, Default)]
pub struct Editor {
    area: TextArea<'static>,
    /// Places underlined, as byte ranges of the text.
    pub underlined: Vec<(Range<usize>, Role)>,
    sheet: Sheet,
}

impl Editor {
    /// An editor with a text, the cursor at its end.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut area = TextArea::new(text.lines().map(clean).collect());
        area.set_tab_length(2);
        area.move_cursor(CursorMove::Bottom);
        area.move_cursor(CursorMove::End);
        Self { area, underlined: Vec::new(), sheet: Sheet::default() }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Whether nothing but white space is written.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.area.lines().iter().all(|line| line.trim().is_empty())
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.area.lines().len()
    }

    /// How many rows the text takes at a width.
    #[must_use]
    pub fn height(&self, width: u16) -> usize {
        self.sheet.height(self.area.lines(), width)
    }

    /// Replaces the whole text as one edit that can be undone.
    pub fn replace(&mut self, text: &str) {
        self.area.select_all();
        self.area.cut();
        self.insert(text);
    }

    /// Inserts text at the cursor, made harmless: no control characters, tabs as spaces, at most [`LARGEST_PASTE`] bytes.
    /// Tells whether something was left out.
    pub fn insert(&mut self, text: &str) -> bool {
        let mut end = text.len().min(LARGEST_PASTE);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let lines: Vec<String> = text[..end].replace("\r\n", "\n").split(['\n', '\r']).map(clean).collect();
        self.area.insert_str(lines.join("\n"));
        self.edited();
        end < text.len()
    }

    /// What was said of places of the text, and how it is laid out, holds no more.
    fn edited(&mut self) {
        self.underlined.clear();
        self.sheet.forget();
    }

    /// Replaces a part of the text; the cursor stands behind what came in.
    pub fn splice(&mut self, part: &Range<usize>, with: &str) {
        let text = self.text();
        let (Some(before), Some(after)) = (text.get(..part.start), text.get(part.end..)) else { return };
        self.replace(&format!("{before}{with}"));
        let cursor = self.area.cursor();
        self.insert(after);
        self.jump(cursor.0, cursor.1);
    }

    /// Takes a key that no keymap wanted. Tells whether the text changed.
    pub fn key(&mut self, event: KeyEvent) -> bool {
        let plain = !event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let changed = match event.code {
            KeyCode::Enter if plain => {
                self.new_line();
                true
            }
            KeyCode::Char(closing @ ('}' | ']' | ')')) if plain => {
                self.dedent();
                self.area.insert_char(closing);
                true
            }
            // The area scrolls by itself for these, which our own drawing would not see.
            KeyCode::PageUp | KeyCode::PageDown => false,
            _ => self.area.input(event),
        };
        if changed {
            self.edited();
        }
        changed
    }

    /// Starts a line as far in as the one before, two columns further behind an open bracket.
    fn new_line(&mut self) {
        let (line, before) = self.before_cursor();
        let indent = line.len() - line.trim_start().len();
        let deeper = if before.trim_end().ends_with(['{', '[', '(']) { 2 } else { 0 };
        self.area.insert_newline();
        self.area.insert_str(" ".repeat(indent + deeper));
    }

    /// Moves a closing bracket out by two columns where it starts its line.
    fn dedent(&mut self) {
        let (_, before) = self.before_cursor();
        if before.len() >= 2 && before.trim().is_empty() {
            self.area.delete_char();
            self.area.delete_char();
        }
    }

    /// The cursor's line, and the part of it before the cursor.
    fn before_cursor(&self) -> (String, String) {
        let cursor = self.area.cursor();
        let line = self.area.lines().get(cursor.0).cloned().unwrap_or_default();
        let before = line.chars().take(cursor.1).collect();
        (line, before)
    }

    /// Takes back the last edit.
    pub fn undo(&mut self) -> bool {
        self.edited();
        self.area.undo()
    }

    /// Brings back what was taken back.
    pub fn redo(&mut self) -> bool {
        self.edited();
        self.area.redo()
    }

    /// The selected text.
    #[must_use]
    pub fn selected(&self) -> Option<String> {
        let (from, to) = self.area.selection_range()?;
        let text = self.text();
        text.get(self.byte(from)..self.byte(to)).filter(|part| !part.is_empty()).map(str::to_owned)
    }

    /// The cursor as a byte position of the text.
    #[must_use]
    pub fn cursor(&self) -> usize {
        let cursor = self.area.cursor();
        self.byte((cursor.0, cursor.1))
    }

    fn jump(&mut self, row: usize, column: usize) {
        self.area.cancel_selection();
        self.area.move_cursor(CursorMove::Jump(short(row), short(column)));
    }

    /// The byte position of a row and a column of characters.
    fn byte(&self, (row, column): (usize, usize)) -> usize {
        let above: usize = self.area.lines().iter().take(row).map(|line| line.len() + 1).sum();
        let line = self.area.lines().get(row).map_or("", String::as_str);
        above + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
    }

    /// Sets the cursor to where the mouse points, in an area the editor was drawn to.
    pub fn click(&mut self, area: Rect, at: Position) {
        let (line, column) = self.sheet.place(self.area.lines(), self.cursor_place(), area, at);
        self.jump(line, column);
    }

    /// Selects from where the mouse was pressed to where it is now.
    pub fn drag(&mut self, area: Rect, at: Position) {
        let (line, column) = self.sheet.place(self.area.lines(), self.cursor_place(), area, at);
        if !self.area.is_selecting() {
            self.area.start_selection();
        }
        self.area.move_cursor(CursorMove::Jump(short(line), short(column)));
    }

    /// The cursor's line and its byte in that line.
    fn cursor_place(&self) -> (usize, usize) {
        (self.area.cursor().0, self.before_cursor().1.len())
    }

    /// Draws the text and tells where the cursor is.
    pub fn draw(&self, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let selected = self.area.selection_range().map(|(from, to)| self.byte(from)..self.byte(to));
        let marks = Marks { underlined: &self.underlined, selected, cursor: self.cursor() };
        self.sheet.draw(self.area.lines(), self.cursor_place(), marks, theme, area, buffer)
    }
}

fn short(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// A line without control characters, tabs as two spaces.
fn clean(line: &str) -> String {
    line.replace('\t', "  ").chars().filter(|c| !c.is_control()).collect()
}
