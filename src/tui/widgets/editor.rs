//! The editor: text, cursor, selection and undo by `ratatui-textarea`; colours, wrapping and underlines are drawn here.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui_textarea::{CursorMove, TextArea};
use unicode_width::UnicodeWidthStr;

use crate::tui::highlight;
use crate::tui::page::Line;
use crate::tui::role::Role;
use crate::tui::theme::Theme;
use crate::tui::widgets::draw_line;

/// The largest text a paste may bring in; a larger one is cut there.
pub const LARGEST_PASTE: usize = 1 << 20;

/// Text being written.
#[derive(Debug, Default)]
pub struct Editor {
    area: TextArea<'static>,
    /// Places underlined, as byte ranges of the text.
    pub underlined: Vec<(Range<usize>, Role)>,
}

impl Editor {
    /// An editor with a text, the cursor at its end.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut area = TextArea::new(text.lines().map(clean).collect());
        area.set_tab_length(2);
        area.move_cursor(CursorMove::Bottom);
        area.move_cursor(CursorMove::End);
        Self { area, underlined: Vec::new() }
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
        let rows = |line: &String| Line::of(Role::Code, line.as_str()).code().wrap(usize::from(width)).len();
        self.area.lines().iter().map(rows).sum()
    }

    /// Replaces the whole text as one edit that can be undone.
    pub fn replace(&mut self, text: &str) {
        self.underlined.clear();
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
        self.underlined.clear();
        self.area.insert_str(lines.join("\n"));
        end < text.len()
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
            self.underlined.clear();
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
        self.underlined.clear();
        self.area.undo()
    }

    /// Brings back what was taken back.
    pub fn redo(&mut self) -> bool {
        self.underlined.clear();
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
        let short = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
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
        let width = usize::from(area.width);
        let rows = self.rows(width);
        let wanted = self.scroll(&rows, area, width) + usize::from(at.y.saturating_sub(area.y));
        let Some((line, start, _)) = rows.get(wanted).or(rows.last()) else { return };
        let column = usize::from(at.x.saturating_sub(area.x));
        let text = self.area.lines().get(*line).map_or("", String::as_str);
        let mut used = 0;
        let fits = |character: &char| {
            used += unicode_width::UnicodeWidthChar::width(*character).unwrap_or(0);
            used <= column
        };
        let inside = text[*start..].chars().take_while(fits).count();
        self.jump(*line, text[..*start].chars().count() + inside);
    }

    /// Draws the text and tells where the cursor is.
    pub fn draw(&self, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let width = usize::from(area.width);
        let rows = self.rows(width);
        let scroll = self.scroll(&rows, area, width);
        for ((_, _, row), y) in rows.iter().skip(scroll).zip(area.rows()) {
            draw_line(row, theme, y, buffer);
        }
        let (row, column) = self.cursor_cell(&rows, width);
        let short = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Some(Position::new(
            area.x + short(column).min(area.width - 1),
            area.y + short(row.saturating_sub(scroll)).min(area.height - 1),
        ))
    }

    /// Rows at a width: number of the line, first byte of the row in it, coloured text.
    fn rows(&self, width: usize) -> Vec<(usize, usize, Line)> {
        let mut rows = Vec::new();
        for (number, line) in self.coloured().into_iter().enumerate() {
            let mut start = 0;
            for row in line.wrap(width) {
                let length = row.text().len();
                rows.push((number, start, row));
                start += length;
            }
        }
        rows
    }

    /// The lines with the colours of the grammar under those of underlines, brackets and selection.
    fn coloured(&self) -> Vec<Line> {
        let lines = self.area.lines();
        let syntax = highlight::spans(lines.iter().map(String::as_str));
        let mut marks = self.underlined.clone();
        marks.extend(self.brackets().map(|at| (at..at + 1, Role::Marked)));
        if let Some((from, to)) = self.area.selection_range() {
            marks.push((self.byte(from)..self.byte(to), Role::Selected));
        }
        let mut start = 0;
        let mut coloured = Vec::with_capacity(lines.len());
        for (line, spans) in lines.iter().zip(syntax) {
            coloured.push(painted(line, start, &spans, &marks));
            start += line.len() + 1;
        }
        coloured
    }

    /// The bracket at or before the cursor and its partner.
    fn brackets(&self) -> impl Iterator<Item = usize> + use<> {
        let text = self.text();
        let cursor = self.cursor();
        let mut near = [Some(cursor), cursor.checked_sub(1)].into_iter().flatten();
        near.find_map(|at| Some((at, partner(&text, at)?))).into_iter().flat_map(|(one, other)| [one, other])
    }

    fn cursor_cell(&self, rows: &[(usize, usize, Line)], width: usize) -> (usize, usize) {
        let (line, before) = (self.area.cursor().0, self.before_cursor().1);
        let on_row =
            |(_, (number, start, _)): &(usize, &(usize, usize, Line))| *number == line && *start <= before.len();
        let Some((at, (_, start, _))) = rows.iter().enumerate().rfind(on_row) else { return (0, 0) };
        (at, before[*start..].width().min(width))
    }

    /// How many rows are hidden above, so that the cursor is in view.
    fn scroll(&self, rows: &[(usize, usize, Line)], area: Rect, width: usize) -> usize {
        let (row, _) = self.cursor_cell(rows, width);
        (row + 1).saturating_sub(usize::from(area.height))
    }
}

/// A line without control characters, tabs as two spaces.
fn clean(line: &str) -> String {
    line.replace('\t', "  ").chars().filter(|c| !c.is_control()).collect()
}

/// A line cut at every change of colour; later marks win over earlier ones and over syntax.
fn painted(line: &str, start: usize, syntax: &[(Range<usize>, Role)], marks: &[(Range<usize>, Role)]) -> Line {
    let mut out = Line::new().code();
    let mut run = String::new();
    let mut current = Role::Code;
    for (at, character) in line.char_indices() {
        let marked = marks.iter().rev().find(|(range, _)| range.contains(&(start + at))).map(|(_, role)| *role);
        let role = marked.or_else(|| syntax.iter().find(|(range, _)| range.contains(&at)).map(|(_, role)| *role));
        let role = role.unwrap_or(Role::Code);
        if role != current {
            out.push(current, std::mem::take(&mut run));
            current = role;
        }
        run.push(character);
    }
    out.push(current, run);
    out
}

/// The place of the bracket that belongs to the one at a place; brackets in strings count too, which is good enough for a hint.
fn partner(text: &str, at: usize) -> Option<usize> {
    const PAIRS: [(u8, u8); 3] = [(b'(', b')'), (b'[', b']'), (b'{', b'}')];
    let bytes = text.as_bytes();
    let here = *bytes.get(at)?;
    let (open, close) = *PAIRS.iter().find(|(open, close)| *open == here || *close == here)?;
    let mut depth = 0_i32;
    let mut step = |place: usize| {
        depth += i32::from(bytes[place] == open) - i32::from(bytes[place] == close);
        depth == 0
    };
    if here == open { (at..bytes.len()).find(|place| step(*place)) } else { (0..=at).rev().find(|place| step(*place)) }
}
