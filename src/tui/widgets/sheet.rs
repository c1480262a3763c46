//! How the editor's text is drawn: wrapped, coloured, with underlines, brackets and selection; only what is seen is drawn.

use std::cell::RefCell;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::tui::highlight::Kept;
use crate::tui::page::{Line, code_rows};
use crate::tui::role::Role;
use crate::tui::theme::Theme;
use crate::tui::widgets::draw_line;

/// A longer text, in bytes, is shown without colours, so that typing stays quick.
const COLOURED: usize = 1 << 16;

/// Where the rows of a text are at a width: number of the line, bytes of the row in it.
type Rows = Vec<(usize, Range<usize>)>;

/// What is remembered of a text until it changes.
#[derive(Debug, Default)]
pub struct Sheet {
    rows: RefCell<Option<(u16, Rows)>>,
    colours: RefCell<Option<Kept>>,
    /// Whether the colours are those of the text.
    coloured: RefCell<bool>,
}

/// What is marked in the text, in bytes of the whole.
#[derive(Debug)]
pub struct Marks<'a> {
    /// Underlined places.
    pub underlined: &'a [(Range<usize>, Role)],
    /// The selection.
    pub selected: Option<Range<usize>>,
    /// The cursor.
    pub cursor: usize,
}

impl Sheet {
    /// The text has changed.
    pub fn forget(&mut self) {
        self.rows.replace(None);
        self.coloured.replace(false);
    }

    /// How many rows the text takes at a width.
    #[must_use]
    pub fn height(&self, lines: &[String], width: u16) -> usize {
        self.with_rows(lines, width, Vec::len)
    }

    fn with_rows<T>(&self, lines: &[String], width: u16, then: impl FnOnce(&Rows) -> T) -> T {
        let mut kept = self.rows.borrow_mut();
        if kept.as_ref().is_none_or(|(known, _)| *known != width) {
            let rows = |(number, line): (usize, &String)| {
                code_rows(line, usize::from(width)).into_iter().map(move |row| (number, row))
            };
            *kept = Some((width, lines.iter().enumerate().flat_map(rows).collect()));
        }
        kept.as_ref().map(|(_, rows)| then(rows)).expect("the rows were just made")
    }

    /// The line and the column, in characters, of the text at a place of the screen.
    #[must_use]
    pub fn place(&self, lines: &[String], cursor: (usize, usize), area: Rect, at: Position) -> (usize, usize) {
        self.with_rows(lines, area.width, |rows| {
            let wanted = scroll(rows, cursor, area) + usize::from(at.y.saturating_sub(area.y));
            let Some((line, row)) = rows.get(wanted).or(rows.last()) else { return (0, 0) };
            let column = usize::from(at.x.saturating_sub(area.x));
            let text = &lines[*line];
            let mut used = 0;
            let fits = |character: &char| {
                used += character.width().unwrap_or(0);
                used <= column
            };
            let inside = text[row.clone()].chars().take_while(fits).count();
            (*line, text[..row.start].chars().count() + inside)
        })
    }

    /// Draws the rows around the cursor and tells where the cursor is.
    pub fn draw(
        &self,
        lines: &[String],
        cursor: (usize, usize),
        marks: Marks<'_>,
        theme: Theme,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        self.colour(lines);
        let colours = self.colours.borrow();
        let marks = self.all_marks(lines, marks);
        self.with_rows(lines, area.width, |rows| {
            let top = scroll(rows, cursor, area);
            let first = rows.get(top).map_or(0, |(line, _)| *line);
            let mut start: usize = lines[..first].iter().map(|line| line.len() + 1).sum();
            let mut here = first;
            for ((line, row), place) in rows.iter().skip(top).zip(area.rows()) {
                start += lines[here..*line].iter().map(|line| line.len() + 1).sum::<usize>();
                here = *line;
                let syntax = colours.as_ref().map(|colours| colours.line(*line)).unwrap_or_default();
                draw_line(&painted(&lines[*line], row, start, &syntax, &marks), theme, place, buffer);
            }
            Some(cell(rows, lines, cursor, top, area))
        })
    }

    /// Looks at the colours of what changed.
    fn colour(&self, lines: &[String]) {
        if self.coloured.replace(true) {
            return;
        }
        let mut colours = self.colours.borrow_mut();
        if lines.iter().map(String::len).sum::<usize>() > COLOURED {
            *colours = None;
        } else {
            colours.get_or_insert_default().update(lines);
        }
    }

    /// Everything that is marked, what matters most last.
    fn all_marks(&self, lines: &[String], marks: Marks<'_>) -> Vec<(Range<usize>, Role)> {
        let mut all = marks.underlined.to_vec();
        let brackets = self.colours.borrow().as_ref().and_then(|colours| brackets(lines, colours, marks.cursor));
        all.extend(brackets.into_iter().flatten().map(|at| (at..at + 1, Role::Marked)));
        all.extend(marks.selected.map(|range| (range, Role::Selected)));
        all
    }
}

/// The row the cursor is in.
fn cursor_row(rows: &Rows, (line, byte): (usize, usize)) -> usize {
    rows.partition_point(|(number, row)| (*number, row.start) <= (line, byte)).saturating_sub(1)
}

/// How many rows are hidden above, so that the cursor is in view.
fn scroll(rows: &Rows, cursor: (usize, usize), area: Rect) -> usize {
    (cursor_row(rows, cursor) + 1).saturating_sub(usize::from(area.height))
}

fn cell(rows: &Rows, lines: &[String], cursor: (usize, usize), top: usize, area: Rect) -> Position {
    let at = cursor_row(rows, cursor);
    let before = rows.get(at).and_then(|(line, row)| lines.get(*line)?.get(row.start..cursor.1));
    let column = before.map_or(0, UnicodeWidthStr::width);
    let short = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    Position::new(
        area.x + short(column).min(area.width - 1),
        area.y + short(at.saturating_sub(top)).min(area.height - 1),
    )
}

/// A row of a line, cut at every change of colour; later marks win over earlier ones and over syntax.
fn painted(
    line: &str,
    row: &Range<usize>,
    start: usize,
    syntax: &[(Range<usize>, Role)],
    marks: &[(Range<usize>, Role)],
) -> Line {
    let mut out = Line::new().code();
    let mut run = String::new();
    let mut current = Role::Code;
    for (at, character) in line[row.clone()].char_indices().map(|(at, character)| (row.start + at, character)) {
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

/// The brackets of a text outside strings and comments, with their places.
fn all_brackets<'a>(lines: &'a [String], colours: &'a Kept) -> impl Iterator<Item = (usize, u8)> + 'a {
    let mut start = 0;
    lines.iter().enumerate().flat_map(move |(number, line)| {
        let from = start;
        start += line.len() + 1;
        let text = |at: usize| {
            let quiet = |(range, role): &(Range<usize>, Role)| {
                range.contains(&at) && matches!(role, Role::Literal | Role::Comment)
            };
            colours.line(number).iter().any(quiet)
        };
        let bracket =
            move |(at, byte): (usize, u8)| (b"()[]{}".contains(&byte) && !text(at)).then_some((from + at, byte));
        line.bytes().enumerate().filter_map(bracket).collect::<Vec<_>>()
    })
}

/// The bracket at or before the cursor and its partner.
fn brackets(lines: &[String], colours: &Kept, cursor: usize) -> Option<[usize; 2]> {
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut found = None;
    for (at, byte) in all_brackets(lines, colours) {
        match byte {
            b'(' | b'[' | b'{' => open.push((at, byte)),
            close => {
                let (from, opened) = open.pop()?;
                // One that does not fit its partner is left for the error to tell.
                if !(1..=2).contains(&close.wrapping_sub(opened)) {
                    return None;
                }
                for near in [from, at] {
                    if near == cursor {
                        return Some([from, at]);
                    }
                    if near + 1 == cursor {
                        found = Some([from, at]);
                    }
                }
            }
        }
    }
    found
}
