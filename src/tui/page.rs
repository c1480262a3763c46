//! A page: lines of text with meanings, which the terminal draws and the plain mode reads out.

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::tui::long::Long;
use crate::tui::role::Role;

/// A piece of a line with one meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The text, without line breaks.
    pub text: String,
    /// What it means.
    pub role: Role,
}

/// What a line does when it is chosen with Enter or the mouse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Takes code into the editor.
    Take(String),
    /// Folds or unfolds a part of a document, named by its path.
    Fold(String),
    /// Unfolds a finding or folds it, by position.
    Finding(usize),
    /// Applies the fix of a finding, by position.
    Fix(usize),
    /// Tries the fix of a finding on a copy of the data, by position.
    Try(usize),
    /// Nothing: what a fix gave begins here.
    Trial,
    /// Opens a lesson or exercise, by id.
    Open(String),
    /// A document of the list, by position.
    Row(usize),
    /// Leads to words, places and views, each written `term:ID`, `lesson:ID`, `exercise:ID` or `screen:NAME`.
    Links(Vec<String>),
    /// Asks for the prediction of a block of the step, then runs it.
    Predict(usize),
    /// Answers a question of the lesson.
    Answer {
        /// The number of the block in its step.
        block: usize,
        /// The number of the choice.
        choice: usize,
    },
}

/// One logical line; a renderer wraps it at its own width.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// The pieces from left to right.
    pub pieces: Vec<Piece>,
    /// Columns that continuation lines are set in by.
    pub hang: usize,
    /// Whether the line is code: it is broken anywhere, not between words.
    pub code: bool,
    /// Whether the line is cut where a screen ends, and not broken: a row of a table.
    pub row: bool,
    /// Bytes of the text that signs are set below.
    pub under: Option<(Range<usize>, Role)>,
    /// Whether the line speaks of keys, which the plain mode has not.
    pub keys: bool,
    /// What is read out in its place, where the plain mode does the same in another way.
    pub read_as: Option<String>,
    /// What choosing the line does.
    pub target: Option<Target>,
    /// Lines that stand side by side in place of the pieces.
    pub columns: Vec<Line>,
}

/// What stands between two columns.
const BETWEEN: &str = " │ ";

/// Lines in reading order.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The lines.
    pub lines: Vec<Line>,
    /// A list that follows them and is written when it is looked at.
    pub long: Option<Long>,
}

impl Line {
    /// An empty line.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A line of one piece.
    #[must_use]
    pub fn of(role: Role, text: impl Into<String>) -> Self {
        Self::new().and(role, text)
    }

    /// The line with a further piece; line breaks and control characters become spaces.
    #[must_use]
    pub fn and(mut self, role: Role, text: impl Into<String>) -> Self {
        self.push(role, text);
        self
    }

    /// Adds a further piece.
    pub fn push(&mut self, role: Role, text: impl Into<String>) {
        let mut text: String = text.into();
        if text.contains(char::is_control) {
            text = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        }
        if !text.is_empty() {
            self.pieces.push(Piece { text, role });
        }
    }

    /// The line with its continuation set in.
    #[must_use]
    pub fn hang(mut self, columns: usize) -> Self {
        self.hang = columns;
        self
    }

    /// The line as code.
    #[must_use]
    pub fn code(mut self) -> Self {
        self.code = true;
        self
    }

    /// The line with signs below a part of its text.
    #[must_use]
    pub fn under(mut self, bytes: Range<usize>, role: Role) -> Self {
        self.under = Some((bytes, role));
        self
    }

    /// The line as one that speaks of keys.
    #[must_use]
    pub fn of_keys(mut self) -> Self {
        self.keys = true;
        self
    }

    /// The line with what is read out in its place.
    #[must_use]
    pub fn read_as(mut self, text: impl Into<String>) -> Self {
        self.read_as = Some(text.into());
        self
    }

    /// The line with something it does.
    #[must_use]
    pub fn target(mut self, target: Target) -> Self {
        self.target = Some(target);
        self
    }

    /// The bare text.
    #[must_use]
    pub fn text(&self) -> String {
        if self.columns.is_empty() {
            return self.pieces.iter().map(|piece| piece.text.as_str()).collect();
        }
        let texts: Vec<String> = self.columns.iter().map(Line::text).collect();
        texts.join(BETWEEN)
    }

    /// The line cut to a width, with a sign where something is missing.
    #[must_use]
    pub fn cut(&self, width: usize) -> Line {
        if self.width() <= width {
            return self.clone();
        }
        let whole = Line { pieces: self.pieces.clone(), code: true, ..Line::default() };
        let mut cut = whole.wrap(width.saturating_sub(1)).swap_remove(0);
        let role = cut.pieces.last().map_or(Role::Quiet, |piece| piece.role);
        cut.push(role, "…");
        cut
    }

    /// Whether nothing is on the line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.columns.iter().all(Line::is_empty)
    }

    /// Columns the line takes when it is not wrapped.
    #[must_use]
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|piece| piece.text.width()).sum()
    }

    /// How many rows the line takes at a width.
    #[must_use]
    pub fn height(&self, width: usize) -> usize {
        let whole = self.columns.is_empty() && self.under.is_none() && (self.row || self.width() <= width);
        if whole { 1 } else { self.wrap(width).len() }
    }

    /// The line broken to a width; at least one row, none wider than the width except by a single wide character.
    #[must_use]
    pub fn wrap(&self, width: usize) -> Vec<Line> {
        let width = width.max(1);
        if !self.columns.is_empty() {
            return self.wrap_columns(width);
        }
        if self.row || (self.width() <= width && self.under.is_none()) {
            return vec![self.cut(width)];
        }
        let hang = if self.hang < width { self.hang } else { 0 };
        let text = self.text();
        let mut rows = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let room = if start == 0 { width } else { width - hang };
            let end = break_at(&text, start, room, self.code);
            let indent = if start == 0 { 0 } else { hang };
            rows.push(self.row(start..end, indent));
            rows.extend(self.signs(&text, start..end, indent));
            start = if self.code { end } else { skip_spaces(&text, end) };
        }
        rows
    }

    /// The row of signs below a row of the text.
    fn signs(&self, text: &str, row: Range<usize>, indent: usize) -> Option<Line> {
        let (bytes, role) = self.under.as_ref()?;
        let touches = bytes.start < row.end && bytes.end > row.start;
        // An empty place, or one behind the text, is marked by one sign.
        let points = bytes.start >= row.start && (bytes.start < row.end || row.end == text.len());
        if !touches && !points {
            return None;
        }
        let from = bytes.start.clamp(row.start, row.end);
        let before = indent + text[row.start..from].width();
        let marked = text[from..bytes.end.clamp(from, row.end)].width().max(1);
        Some(Line::of(Role::Quiet, " ".repeat(before)).and(*role, "^".repeat(marked)).code())
    }

    /// The line without what is only drawn, or what is read out in its place.
    fn spoken(&self) -> Line {
        if let Some(text) = &self.read_as {
            return Line::of(Role::Text, text.clone());
        }
        let said = |piece: &&Piece| piece.role != Role::Drawing;
        Line { pieces: self.pieces.iter().filter(said).cloned().collect(), ..self.clone() }
    }

    /// The bare text as it is read out.
    #[must_use]
    pub fn read_out(&self) -> String {
        self.spoken().text()
    }

    /// The line and, where there are any, the signs below it, as bare text.
    fn told(&self) -> Vec<String> {
        let text = self.text();
        let signs = self.signs(&text, 0..text.len(), 0).map(|signs| signs.text());
        std::iter::once(text).chain(signs).collect()
    }

    /// Rows of lines that stand side by side, each broken to its own share of the width.
    fn wrap_columns(&self, width: usize) -> Vec<Line> {
        let count = self.columns.len();
        let share = (width.saturating_sub((count - 1) * BETWEEN.width()) / count).max(1);
        let wrapped: Vec<Vec<Line>> = self.columns.iter().map(|column| column.wrap(share)).collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(1);
        (0..height).map(|row| beside(&wrapped, row, share, self.target.as_ref())).collect()
    }

    /// The bytes of the text in a range, as a line set in by some columns.
    fn row(&self, range: Range<usize>, indent: usize) -> Line {
        let mut row = Line { code: self.code, target: self.target.clone(), ..Line::default() };
        row.push(Role::Text, " ".repeat(indent));
        let mut at = 0;
        for piece in &self.pieces {
            let from = range.start.clamp(at, at + piece.text.len()) - at;
            let to = range.end.clamp(at, at + piece.text.len()) - at;
            row.push(piece.role, &piece.text[from..to]);
            at += piece.text.len();
        }
        row
    }
}

/// One row of columns, each filled up to its share of the width.
fn beside(columns: &[Vec<Line>], row: usize, share: usize, target: Option<&Target>) -> Line {
    let mut line = Line { target: target.cloned(), code: true, ..Line::default() };
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            line.push(Role::Frame, BETWEEN);
        }
        let used = column.get(row).map_or(0, Line::width);
        line.pieces.extend(column.get(row).into_iter().flat_map(|part| part.pieces.iter().cloned()));
        if at + 1 < columns.len() {
            line.push(Role::Text, " ".repeat(share.saturating_sub(used)));
        }
    }
    line
}

/// Where a row that starts at a byte has to end: behind the last space that fits; code, where that would leave most of the
/// row empty, behind a comma or an open bracket, and words that are longer than the row anywhere.
fn break_at(text: &str, start: usize, room: usize, code: bool) -> usize {
    let mut used = 0;
    let mut space = None;
    let mut sign = None;
    for (at, character) in text[start..].char_indices() {
        let columns = character.width().unwrap_or(0);
        if used + columns > room && at > 0 {
            let hard = start + at;
            let long = |(_, from): &(usize, usize)| from * 2 > room;
            return match space {
                _ if character == ' ' && !code => hard,
                Some((end, _)) if !code => end,
                _ if !code => hard,
                _ => space.filter(long).or(sign.filter(long)).map_or(hard, |(end, _)| end),
            };
        }
        used += columns;
        if character == ' ' && at > 0 {
            // A space in code stays at the end of its row, so that rows put together are the code.
            space = Some((start + at + usize::from(code), used));
        }
        if matches!(character, ',' | '(' | '[' | '{' | ':') {
            sign = Some((start + at + 1, used));
        }
    }
    text.len()
}

/// The rows of a line of code at a width, as byte ranges; at least one.
#[must_use]
pub fn code_rows(text: &str, width: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = break_at(text, start, width.max(1), true);
        rows.push(start..end);
        start = end;
    }
    if rows.is_empty() {
        rows.push(0..0);
    }
    rows
}

fn skip_spaces(text: &str, from: usize) -> usize {
    from + text[from..].len() - text[from..].trim_start_matches(' ').len()
}

impl Page {
    /// An empty page.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A page of one line.
    #[must_use]
    pub fn of(line: Line) -> Self {
        Self { lines: vec![line], long: None }
    }

    /// Adds a line.
    pub fn line(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Adds a line of one piece.
    pub fn say(&mut self, role: Role, text: impl Into<String>) {
        self.line(Line::of(role, text));
    }

    /// Adds an empty line, unless the page is empty or already ends with one.
    pub fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.line(Line::new());
        }
    }

    /// Takes empty lines off the end.
    pub fn trim(&mut self) {
        while self.lines.last().is_some_and(Line::is_empty) {
            self.lines.pop();
        }
    }

    /// Adds pages side by side, line by line.
    pub fn beside(&mut self, pages: &[Page]) {
        let height = pages.iter().map(|page| page.lines.len()).max().unwrap_or(0);
        for row in 0..height {
            let part = |page: &Page| page.lines.get(row).cloned().unwrap_or_default();
            let columns: Vec<Line> = pages.iter().map(part).collect();
            let target = columns.iter().find_map(|column| column.target.clone());
            self.line(Line { target, columns, ..Line::default() });
        }
    }

    /// The bare text in reading order: columns that stand side by side come one after the other.
    #[must_use]
    pub fn read_out(&self) -> String {
        let mut out = String::new();
        for group in self.lines.chunk_by(|one, other| one.columns.len() == other.columns.len()) {
            let count = group.first().map_or(0, |line| line.columns.len());
            for at in 0..count.max(1) {
                for line in group.iter().map(|line| line.columns.get(at).unwrap_or(line)).filter(|line| !line.keys) {
                    for text in line.spoken().told() {
                        out.push_str(text.trim_end());
                        out.push('\n');
                    }
                }
            }
        }
        for (_, line) in self.from(self.lines.len()) {
            out.push_str(line.read_out().trim_end());
            out.push('\n');
        }
        out
    }

    /// Adds another page's lines; a long list ends the page.
    pub fn append(&mut self, other: Page) {
        self.lines.extend(other.lines);
        self.long = self.long.take().or(other.long);
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len() + self.long.as_ref().map_or(0, Long::len)
    }

    /// Whether there is no line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A line by its number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<Cow<'_, Line>> {
        let written = self.lines.get(number).map(Cow::Borrowed);
        written.or_else(|| self.long.as_ref()?.line(number.checked_sub(self.lines.len())?))
    }

    /// The text that a line is found by.
    #[must_use]
    pub fn whole(&self, number: usize) -> Option<String> {
        let written = self.lines.get(number).map(Line::text);
        written.or_else(|| self.long.as_ref()?.whole(number.checked_sub(self.lines.len())?))
    }

    /// The lines from a number on.
    #[must_use]
    pub fn from(&self, number: usize) -> impl DoubleEndedIterator<Item = (usize, Cow<'_, Line>)> {
        (number..self.len()).filter_map(|number| Some((number, self.get(number)?)))
    }

    /// How many rows each line takes at a width.
    #[must_use]
    pub fn heights(&self, width: usize) -> Vec<usize> {
        let written = self.lines.iter().map(|line| line.height(width));
        written.chain(self.long.iter().flat_map(|long| long.heights(width))).collect()
    }

    /// Rows at a width, each with the number of the line it comes from.
    #[must_use]
    pub fn rows(&self, width: usize) -> Vec<(usize, Line)> {
        let wrapped =
            |(number, line): (usize, Cow<'_, Line>)| line.wrap(width).into_iter().map(move |row| (number, row));
        self.from(0).flat_map(wrapped).collect()
    }

    /// The bare text, a line each.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.from(0).flat_map(|(_, line)| line.told());
        lines.map(|text| text.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }
}
