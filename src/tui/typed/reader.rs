//! Reading a line from the terminal, which is raw only meanwhile: while a statement runs, Ctrl-C is a signal as ever.

use std::io::{self, IsTerminal, Write, stdout};
use std::time::Duration;

use crossterm::event::{self, Event, KeyEventKind};
use crossterm::terminal::{Clear, ClearType, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, queue};

use crate::shell::Completion;
use crate::tui::terminal;
use crate::tui::typed::draft::{Draft, Wish};

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// A line, without its end.
    Line(String),
    /// Ctrl-C; whether something had been typed.
    Stopped(bool),
    /// The end of all lines.
    End,
}

/// So many lines are remembered.
const REMEMBERED: usize = 1000;

/// Reads lines and remembers them.
#[derive(Debug, Default)]
pub struct Reader {
    history: Vec<String>,
}

/// Gives the terminal back when it goes out of scope.
struct Raw;

impl Drop for Raw {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back to what reads it line by line.
pub fn give_back() {
    // Past helping where the terminal refuses.
    let _ = disable_raw_mode();
}

impl Reader {
    /// A reader, where input and output are a terminal that can be drawn on.
    #[must_use]
    pub fn new() -> Option<Self> {
        let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb" || term.is_empty());
        (!dumb && io::stdin().is_terminal() && stdout().is_terminal()).then(Self::default)
    }

    /// Remembers a line, unless it is blank or the one remembered last.
    fn remember(&mut self, line: &str) {
        if !line.trim().is_empty() && self.history.last().is_none_or(|last| last != line) {
            self.history.push(line.to_owned());
        }
        if self.history.len() > REMEMBERED {
            self.history.remove(0);
        }
    }

    /// Reads a line; `complete` tells what fits at a byte of it.
    ///
    /// # Errors
    /// What the terminal refuses.
    pub fn read(&mut self, prompt: &str, complete: &dyn Fn(&str, usize) -> Completion) -> io::Result<Typed> {
        enable_raw_mode()?;
        let raw = Raw;
        let mut line = Shown { prompt, draft: Draft::default(), row: 0 };
        line.draw()?;
        let typed = loop {
            match line.wish(&self.history)? {
                Wish::Enter => break Typed::Line(line.draft.text().to_owned()),
                Wish::Stop => break Typed::Stopped(!line.draft.text().is_empty()),
                Wish::End => break Typed::End,
                Wish::Complete => line.complete(complete)?,
                Wish::Clear => line.clear()?,
                Wish::Suspend => line.suspend()?,
                Wish::Nothing => {}
            }
            // What was pasted is drawn once.
            if !event::poll(Duration::ZERO)? {
                line.draw()?;
            }
        };
        line.leave()?;
        drop(raw);
        if let Typed::Line(text) = &typed {
            self.remember(text);
        }
        Ok(typed)
    }
}

/// A line on the terminal.
struct Shown<'a> {
    prompt: &'a str,
    draft: Draft,
    /// The row of the cursor below the first of the line.
    row: usize,
}

impl Shown<'_> {
    /// Waits for an event and takes it.
    fn wish(&mut self, history: &[String]) -> io::Result<Wish> {
        Ok(match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.draft.key(key, history),
            Event::Paste(text) => {
                self.draft.insert(&text);
                Wish::Nothing
            }
            _ => Wish::Nothing,
        })
    }

    /// Draws the line anew from its first row on, and sets the cursor.
    fn draw(&mut self) -> io::Result<()> {
        let mut out = stdout().lock();
        self.home(&mut out)?;
        let columns = columns();
        let (end, width) = self.draft.place(self.prompt, self.draft.text().len(), columns);
        let (row, column) = self.draft.place(self.prompt, self.draft.cursor(), columns);
        write!(out, "{}{}", self.prompt, self.draft.text())?;
        // At the last column a terminal waits with its next row.
        if width == 0 && end > 0 {
            write!(out, "\r\n")?;
        }
        up(&mut out, end - row)?;
        queue!(out, cursor::MoveToColumn(u16::try_from(column).unwrap_or(u16::MAX)))?;
        self.row = row;
        out.flush()
    }

    /// Goes to the line's first column and clears from there.
    fn home(&self, out: &mut impl Write) -> io::Result<()> {
        up(out, self.row)?;
        queue!(out, cursor::MoveToColumn(0), Clear(ClearType::FromCursorDown))
    }

    /// Draws the line as it was left and goes below it.
    fn leave(&mut self) -> io::Result<()> {
        self.draft.key(event::KeyCode::End.into(), &[]);
        self.draw()?;
        let mut out = stdout().lock();
        // Behind a line that fills its last row the cursor stands below it already.
        if !matches!(self.draft.place(self.prompt, self.draft.cursor(), columns()), (1.., 0)) {
            write!(out, "\r\n")?;
        }
        self.row = 0;
        out.flush()
    }

    fn clear(&mut self) -> io::Result<()> {
        let mut out = stdout().lock();
        queue!(out, Clear(ClearType::All), cursor::MoveTo(0, 0))?;
        self.row = 0;
        out.flush()
    }

    fn suspend(&mut self) -> io::Result<()> {
        give_back();
        terminal::stop();
        enable_raw_mode()?;
        self.row = 0;
        Ok(())
    }

    /// Puts in what fits at the cursor as far as it is sure; where nothing is sure, lists it.
    fn complete(&mut self, complete: &dyn Fn(&str, usize) -> Completion) -> io::Result<()> {
        let found = complete(self.draft.text(), self.draft.cursor());
        let names: Vec<&str> = found.choices.iter().map(|(_, name)| name.as_str()).collect();
        let typed = self.draft.text().get(found.span.clone()).unwrap_or_default();
        let sure = common(&names);
        if sure.len() > typed.len() && sure.starts_with(typed) || names.len() == 1 {
            self.draft.replace(found.span, sure);
            return Ok(());
        }
        if names.len() > 1 {
            let at = self.draft.clone();
            self.leave()?;
            self.draft = at;
            write!(stdout(), "{}\r\n", names.join("  "))?;
        }
        Ok(())
    }
}

fn up(out: &mut impl Write, rows: usize) -> io::Result<()> {
    match u16::try_from(rows) {
        Ok(rows) if rows > 0 => queue!(out, cursor::MoveUp(rows)),
        _ => Ok(()),
    }
}

fn columns() -> usize {
    terminal::size().map_or(80, |(columns, _)| usize::from(columns.max(1)))
}

/// What all names begin with.
fn common<'a>(names: &[&'a str]) -> &'a str {
    let Some((first, rest)) = names.split_first() else { return "" };
    let shared = |name: &&str| first.bytes().zip(name.bytes()).take_while(|(left, right)| left == right).count();
    let mut length = rest.iter().map(shared).min().unwrap_or(first.len());
    while !first.is_char_boundary(length) {
        length -= 1;
    }
    &first[..length]
}
