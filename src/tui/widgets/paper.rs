//! A page that scrolls and has a cursor.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};

use crate::tui::actions::Action;
use crate::tui::page::{Line, Page, Target};
use crate::tui::role::Role;
use crate::tui::screen::Msg;
use crate::tui::theme::Theme;
use crate::tui::widgets::{draw_line, frame};

/// A page with a place to read at.
#[derive(Debug, Default)]
pub struct Paper {
    page: Page,
    /// The line the cursor is on.
    cursor: usize,
    /// The first row shown.
    top: RefCell<usize>,
    /// Rows of the page at the width it was last drawn at: line and part of the line.
    rows: RefCell<Option<(usize, Rows)>>,
    /// The size it was last drawn at.
    seen: RefCell<Rect>,
}

/// Lines that no screen is higher than.
const SCREEN: usize = 200;

/// Number of a line and of a row of it.
type Rows = Rc<Vec<(usize, usize)>>;

impl Paper {
    /// A page, read from its start.
    #[must_use]
    pub fn new(page: Page) -> Self {
        Self { page, ..Self::default() }
    }

    /// The page.
    #[must_use]
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Shows another version of the page at the same place.
    pub fn set(&mut self, page: Page) {
        self.page = page;
        self.cursor = self.cursor.min(self.page.len().saturating_sub(1));
        self.rows.replace(None);
    }

    /// What choosing does: the target of the cursor's line, or else the next one below, no further than a screen, that is more
    /// than links.
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        let own = self.own_target();
        own.or_else(|| {
            let near = self.page.from(self.cursor).take(SCREEN);
            let below = near.filter_map(|(_, line)| line.target.clone());
            below.into_iter().find(|target| !matches!(target, Target::Links(_)))
        })
    }

    /// What the cursor's own line does.
    #[must_use]
    pub fn own_target(&self) -> Option<Target> {
        self.page.get(self.cursor)?.target.clone()
    }

    /// What the nearest line at or above the cursor says to this.
    #[must_use]
    pub fn above<T>(&self, of: impl Fn(&Target) -> Option<T>) -> Option<T> {
        (0..=self.cursor).rev().find_map(|number| of(self.page.get(number)?.target.as_ref()?))
    }

    /// The number of the first line with such a target.
    #[must_use]
    pub fn find(&self, such: impl Fn(&Target) -> bool) -> Option<usize> {
        self.page.from(0).find(|(_, line)| line.target.as_ref().is_some_and(&such)).map(|(number, _)| number)
    }

    /// The number of the first line at the cursor or below it with such a target.
    #[must_use]
    pub fn below(&self, such: impl Fn(&Target) -> bool) -> Option<usize> {
        let is_such = |(_, line): &(usize, Cow<'_, Line>)| line.target.as_ref().is_some_and(&such);
        self.page.from(self.cursor).find(is_such).map(|(number, _)| number)
    }

    /// Sets the cursor to a line and brings it into view.
    pub fn go(&mut self, line: usize) {
        self.cursor = line.min(self.page.len().saturating_sub(1));
        self.reveal();
    }

    /// Moves as an action asks. Tells whether the action was one of moving.
    pub fn act(&mut self, action: Action) -> bool {
        let page = usize::from(self.seen.borrow().height.max(2)) - 1;
        let last = || self.page.from(0).rfind(|(_, line)| !line.is_empty()).map_or(0, |(number, _)| number);
        match action {
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::PageUp => self.leap(page, false),
            Action::PageDown => self.leap(page, true),
            Action::Home => self.go(0),
            Action::End => self.go(last()),
            _ => return false,
        }
        true
    }

    /// Moves as a message asks: by a key, the wheel, a click, or to a line. Tells whether the message was one of moving.
    pub fn hear(&mut self, msg: &Msg) -> bool {
        match msg {
            Msg::Action(action) => return self.act(*action),
            Msg::Wheel { down, .. } => self.scroll(*down),
            Msg::Click(at) => return self.click(*at),
            Msg::Line(number) => self.go(*number),
            _ => return false,
        }
        true
    }

    /// Moves the cursor by a line, over empty ones.
    fn step(&mut self, by: isize) {
        let mut at = self.cursor;
        while let Some(next) = at.checked_add_signed(by).filter(|next| *next < self.page.len()) {
            at = next;
            if self.page.get(at).is_some_and(|line| !line.is_empty()) {
                break;
            }
        }
        self.go(at);
    }

    /// Moves by a screen of rows.
    fn leap(&mut self, rows: usize, down: bool) {
        let all = self.rows(usize::from(self.seen.borrow().width));
        let here = all.iter().position(|(line, _)| *line >= self.cursor).unwrap_or(0);
        let there = if down { (here + rows).min(all.len().saturating_sub(1)) } else { here.saturating_sub(rows) };
        let line = all.get(there).map_or(0, |(line, _)| *line);
        self.top.replace(there.min(all.len().saturating_sub(rows + 1)));
        self.go(line);
    }

    /// Scrolls by the wheel; the cursor stays in view.
    pub fn scroll(&mut self, down: bool) {
        for _ in 0..3 {
            self.step(if down { 1 } else { -1 });
        }
    }

    /// Sets the cursor to the line under the mouse.
    pub fn click(&mut self, at: Position) -> bool {
        let seen = *self.seen.borrow();
        if !seen.contains(at) {
            return false;
        }
        let row = *self.top.borrow() + usize::from(at.y - seen.y);
        let Some((line, _)) = self.rows(usize::from(seen.width)).get(row).copied() else { return false };
        self.cursor = line;
        true
    }

    fn rows(&self, width: usize) -> Rows {
        if let Some((known, rows)) = &*self.rows.borrow()
            && *known == width
        {
            return Rc::clone(rows);
        }
        let parts = |(number, height): (usize, usize)| (0..height).map(move |part| (number, part));
        let rows: Rows = Rc::new(self.page.heights(width).into_iter().enumerate().flat_map(parts).collect());
        self.rows.replace(Some((width, Rc::clone(&rows))));
        rows
    }

    /// Scrolls as little as needed for the cursor's line to be seen, a row of context around it.
    fn reveal(&self) {
        let seen = *self.seen.borrow();
        let rows = self.rows(usize::from(seen.width));
        let height = usize::from(seen.height.max(1));
        let first = rows.partition_point(|(line, _)| *line < self.cursor);
        let end = rows.partition_point(|(line, _)| *line <= self.cursor);
        let mut top = *self.top.borrow();
        let context = usize::from(height > 4);
        top = top.max((end + context).min(rows.len()).saturating_sub(height));
        top = top.min(first.saturating_sub(context)).min(rows.len().saturating_sub(height.min(rows.len())));
        self.top.replace(top);
    }

    /// Draws the page in a frame of its own over what is there, so many columns wide at most, in the middle.
    pub fn draw_over(&self, title: &str, most: u16, theme: Theme, area: Rect, buffer: &mut Buffer) {
        let width = area.width.min(most);
        let room = Rect { x: area.x + (area.width - width) / 2, width, ..area };
        Clear.render(area, buffer);
        let inner = frame(&Line::of(Role::Title, title), true, theme, room, buffer);
        self.draw(true, theme, Rect { width: inner.width.saturating_sub(1), ..inner }, buffer);
    }

    /// Draws the rows that fit; a sign in the first column shows the cursor where the page has the keys.
    pub fn draw(&self, active: bool, theme: Theme, area: Rect, buffer: &mut Buffer) {
        if area.width < 3 {
            return;
        }
        let gutter = area.x;
        let area = Rect { x: area.x + 1, width: area.width - 1, ..area };
        let before = self.seen.replace(area);
        if before.as_size() != area.as_size() || *self.top.borrow() + usize::from(area.height) > self.page.len() {
            self.reveal();
        }
        let rows = self.rows(usize::from(area.width));
        let top = *self.top.borrow();
        for ((number, part), place) in rows.iter().skip(top).zip(area.rows()) {
            let Some(line) = self.page.get(*number) else { continue };
            let wrapped = line.wrap(usize::from(area.width));
            let Some(row) = wrapped.get(*part) else { continue };
            draw_line(row, theme, place, buffer);
            if active && *number == self.cursor {
                let sign = if *part == 0 { "›" } else { " " };
                buffer.set_string(gutter, place.y, sign, theme.style(Role::Key));
                if line.target.is_some() {
                    buffer.set_style(place, theme.style(Role::Selected));
                }
            }
        }
        more(top, rows.len(), theme, area, buffer);
    }
}

/// Signs at the right edge that there is more above or below.
fn more(top: usize, rows: usize, theme: Theme, area: Rect, buffer: &mut Buffer) {
    if area.width < 4 || area.height < 2 {
        return;
    }
    let style = theme.style(Role::Key);
    if top > 0 {
        buffer.set_string(area.right() - 1, area.y, "↑", style);
    }
    if top + usize::from(area.height) < rows {
        buffer.set_string(area.right() - 1, area.bottom() - 1, "↓", style);
    }
}
