//! A list that is searched by typing and does what is chosen: help, palette, search, and any other choice.

use std::borrow::Cow;

use crossterm::event::KeyCode;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};

use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::keys::MENU;
use crate::tui::model::Model;
use crate::tui::page::Line;
use crate::tui::role::Role;
use crate::tui::screen::{Msg, Screen, Step};
use crate::tui::screens::lazy::Lazy;
use crate::tui::theme::Theme;
use crate::tui::widgets::{draw_line, frame};
use crate::words::Words;

const HELP: Words = Words::new("Help: the keys of this screen", "Hilfe: die Tasten dieser Ansicht");
const PALETTE: Words = Words::new("Everything you can do", "Alles, was man tun kann");
const TYPE: Words = Words::new("type to search", "tippen, um zu suchen");
const NOTHING: Words =
    Words::new("Nothing fits. Backspace takes letters back.", "Nichts passt. Rücktaste nimmt Buchstaben zurück.");

/// One thing to choose.
#[derive(Debug, Clone)]
pub struct Item {
    /// What it is called, before the name.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What it is or does.
    pub about: String,
    /// What the screen below hears when it is chosen.
    pub msg: Msg,
}

/// A list to search.
#[derive(Debug)]
pub struct Menu {
    title: String,
    items: Items,
    query: String,
    /// Columns of the widest key.
    keys: usize,
    /// Positions of the items that fit, best first.
    fitting: Vec<usize>,
    at: usize,
}

impl Menu {
    /// A list of things.
    #[must_use]
    pub fn new(title: impl Into<String>, items: Vec<Item>) -> Self {
        let keys = items.iter().map(|item| first_key(item).chars().count()).max().unwrap_or(0).min(24);
        Self::of(title, Items::Written(items), keys)
    }

    /// A list too long to be written out, the last item with the widest key.
    #[must_use]
    pub fn long(title: impl Into<String>, items: Lazy) -> Self {
        let last = items.len().checked_sub(1).map(|last| items.item(last));
        let keys = last.map_or(0, |last| first_key(&last).chars().count());
        Self::of(title, Items::Lazy(items), keys)
    }

    fn of(title: impl Into<String>, items: Items, keys: usize) -> Self {
        Self { title: title.into(), fitting: (0..items.len()).collect(), items, query: String::new(), keys, at: 0 }
    }

    /// The list with the cursor on an item.
    #[must_use]
    pub fn at(mut self, number: usize) -> Self {
        self.at = number.min(self.items.len().saturating_sub(1));
        self
    }

    /// The items alone.
    #[must_use]
    pub fn into_items(self) -> Vec<Item> {
        self.into_parts().1
    }

    /// The title and the items.
    #[must_use]
    pub fn into_parts(self) -> (String, Vec<Item>) {
        let items = match self.items {
            Items::Written(items) => items,
            Items::Lazy(lazy) => (0..lazy.len()).map(|number| lazy.item(number)).collect(),
        };
        (self.title, items)
    }

    /// The keys that work on a screen.
    #[must_use]
    pub fn help(tables: &[&'static [Binding]], writing: bool, model: &Model) -> Self {
        Self::new(
            HELP.get(model.settings.lang),
            items(tables, model, |binding| {
                let keys: Vec<String> = binding
                    .chords
                    .iter()
                    .filter(|chord| !(writing && chord.types()))
                    .map(|chord| chord.name(model.settings.lang))
                    .collect();
                (!keys.is_empty()).then(|| keys.join(", "))
            }),
        )
    }

    /// Everything that can be done, keys or not.
    #[must_use]
    pub fn palette(tables: &[&'static [Binding]], model: &Model) -> Self {
        Self::new(
            PALETTE.get(model.settings.lang),
            items(tables, model, |binding| {
                Some(binding.chords.first().map(|chord| chord.name(model.settings.lang)).unwrap_or_default())
            }),
        )
    }

    fn search(&mut self) {
        self.fitting = match &mut self.items {
            Items::Written(items) => fitting(items, &self.query),
            Items::Lazy(lazy) => lazy.search(&self.query),
        };
        self.at = 0;
    }

    fn choose(&self) -> Step {
        match self.fitting.get(self.at) {
            Some(number) => Step::Tell(self.items.get(*number).msg.clone()),
            None => Step::Stay,
        }
    }

    fn act(&mut self, action: Action) -> Step {
        let last = self.fitting.len().saturating_sub(1);
        match action {
            Action::Up => self.at = self.at.checked_sub(1).unwrap_or(last),
            Action::Down => self.at = if self.at < last { self.at + 1 } else { 0 },
            Action::PageUp => self.at = self.at.saturating_sub(10),
            Action::PageDown => self.at = (self.at + 10).min(last),
            Action::Choose => return self.choose(),
            Action::Back => return Step::Close,
            _ => {}
        }
        Step::Stay
    }

    /// The room of the list in an area.
    fn room(area: Rect) -> Rect {
        let width = area.width.saturating_sub(4).min(92);
        let height = area.height.saturating_sub(2);
        Rect { x: area.x + (area.width - width) / 2, y: area.y + 1, width, height }
    }

    /// The first item shown in so many rows.
    fn top(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }

    fn row(&self, number: usize) -> Line {
        let item = self.items.get(number);
        let keys = self.keys;
        let gap = if keys > 0 { "  " } else { "" };
        Line::of(Role::Key, format!("{:keys$}{gap}", first_key(&item)))
            .and(Role::Strong, item.name.clone())
            .and(Role::Quiet, format!("  {}", item.about))
    }
}

/// What a list offers.
#[derive(Debug)]
enum Items {
    Written(Vec<Item>),
    Lazy(Lazy),
}

impl Items {
    fn len(&self) -> usize {
        match self {
            Self::Written(items) => items.len(),
            Self::Lazy(lazy) => lazy.len(),
        }
    }

    fn get(&self, number: usize) -> Cow<'_, Item> {
        match self {
            Self::Written(items) => Cow::Borrowed(&items[number]),
            Self::Lazy(lazy) => Cow::Owned(lazy.item(number)),
        }
    }
}

/// The positions of the items that fit, best first.
fn fitting(items: &[Item], query: &str) -> Vec<usize> {
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut found: Vec<(u8, u32, usize)> = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let text = format!("{} {} {}", item.name, item.about, item.key);
        let score = pattern.score(Utf32Str::new(&text, &mut letters), &mut matcher);
        found.extend(score.map(|score| (closeness(query, item), score, number)));
    }
    found.sort_by_key(|(close, score, number)| (std::cmp::Reverse((*close, *score)), *number));
    found.into_iter().map(|(_, _, number)| number).collect()
}

/// How plainly an item is what is searched: its whole name or a word or start of it comes before letters strewn about.
fn closeness(query: &str, item: &Item) -> u8 {
    let query = query.trim().to_lowercase();
    let name = item.name.to_lowercase();
    let mut words = name.split(|letter: char| !letter.is_alphanumeric() && letter != '$');
    match () {
        () if query.is_empty() => 0,
        () if name == query || item.key.to_lowercase() == query => 5,
        () if words.clone().next() == Some(&query) => 4,
        () if words.clone().any(|word| word == query) => 3,
        () if words.any(|word| word.starts_with(&query)) => 2,
        () if name.contains(&query) || item.about.to_lowercase().contains(&query) => 1,
        () => 0,
    }
}

/// The first of an item's keys.
fn first_key(item: &Item) -> &str {
    item.key.split(", ").next().unwrap_or_default()
}

/// Bindings as items, each action once.
fn items(tables: &[&'static [Binding]], model: &Model, key: impl Fn(&Binding) -> Option<String>) -> Vec<Item> {
    let lang = model.settings.lang;
    let mut items: Vec<Item> = Vec::new();
    for binding in tables.iter().flat_map(|table| table.iter()).filter(|binding| !binding.unlisted) {
        let msg = Msg::Action(binding.action);
        if items.iter().any(|item| item.msg == msg) {
            continue;
        }
        if let Some(key) = key(binding) {
            items.push(Item { key, name: binding.label(lang).into(), about: binding.words().1.get(lang).into(), msg });
        }
    }
    items
}

impl Screen for Menu {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![MENU]
    }

    fn writes(&self) -> bool {
        true
    }

    fn is_list(&self) -> bool {
        true
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(action) => return self.act(action),
            Msg::Key(key) => match key.code {
                KeyCode::Char(letter) => self.query.push(letter),
                KeyCode::Backspace => _ = self.query.pop(),
                _ => return Step::Stay,
            },
            Msg::Paste(text) => self.query.extend(text.chars().filter(|c| !c.is_control()).take(100)),
            Msg::Wheel { down, .. } => return self.act(if down { Action::Down } else { Action::Up }),
            Msg::Click(at) => return self.click(at, model),
            _ => return Step::Stay,
        }
        self.search();
        Step::Stay
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let room = Self::room(area);
        Clear.render(room, buffer);
        let inner = frame(&Line::of(Role::Title, format!(" {} ", self.title)), true, theme, room, buffer);
        if inner.is_empty() {
            return None;
        }
        let prompt = Line::of(Role::Key, "› ").and(Role::Text, self.query.clone());
        let row = Rect { height: 1, ..inner };
        let used = draw_line(&prompt, theme, row, buffer);
        if self.query.is_empty() {
            draw_line(&prompt.and(Role::Quiet, TYPE.get(model.settings.lang)), theme, row, buffer);
        }
        let below = Rect { y: inner.y + 1, height: inner.height - 1, ..inner };
        let list = self.draw_detail(theme, below, buffer);
        if self.fitting.is_empty() && !self.query.is_empty() {
            draw_line(&Line::of(Role::Quiet, NOTHING.get(model.settings.lang)), theme, list, buffer);
        }
        let top = self.top(usize::from(list.height));
        for ((at, number), place) in self.fitting.iter().enumerate().skip(top).zip(list.rows()) {
            draw_line(&self.row(*number).cut(usize::from(place.width)), theme, place, buffer);
            if at == self.at {
                buffer.set_style(place, theme.style(Role::Selected));
            }
        }
        Some(Position::new((inner.x + used).min(inner.right() - 1), inner.y))
    }
}

/// Rows that the full text of the chosen item takes below the list.
const DETAIL: u16 = 4;

impl Menu {
    /// Draws the full text of the chosen item where there is room for it, and gives the room left for the list.
    fn draw_detail(&self, theme: Theme, area: Rect, buffer: &mut Buffer) -> Rect {
        let (Some(list), Some(number)) = (Self::list(area), self.fitting.get(self.at)) else { return area };
        let item = self.items.get(*number);
        let line = Line::of(Role::Strong, item.name.clone())
            .and(Role::Key, format!("  {}", item.key))
            .and(Role::Text, format!("  {}", item.about));
        let room = Rect { y: list.bottom(), height: DETAIL, ..area };
        buffer.set_string(room.x, room.y, "─".repeat(usize::from(room.width)), theme.style(Role::Frame));
        for (row, place) in line.wrap(usize::from(room.width)).iter().zip(room.rows().skip(1)) {
            draw_line(row, theme, place, buffer);
        }
        list
    }

    /// The rows of the list, where the full text of an item has room below.
    fn list(area: Rect) -> Option<Rect> {
        (area.height > 2 * DETAIL).then(|| Rect { height: area.height - DETAIL, ..area })
    }

    fn click(&mut self, at: Position, model: &Model) -> Step {
        let room = Self::room(model.room());
        if !room.contains(at) {
            return Step::Close;
        }
        let below = Rect { y: room.y + 2, height: room.height.saturating_sub(3), ..room };
        let list = Self::list(below).unwrap_or(below);
        if at.y >= list.bottom() {
            return Step::Stay;
        }
        let rows = usize::from(list.height);
        let row = usize::from(at.y.saturating_sub(room.y + 2));
        let wanted = self.top(rows) + row;
        if at.y < room.y + 2 || wanted >= self.fitting.len() {
            return Step::Stay;
        }
        self.at = wanted;
        self.choose()
    }
}
