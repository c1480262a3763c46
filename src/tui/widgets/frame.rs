//! Frames of panes, and the footer with the keys that matter now.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, BorderType, Widget};

use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::page::Line;
use crate::tui::role::Role;
use crate::tui::theme::Theme;
use crate::tui::widgets::draw_line;
use crate::words::Lang;

/// Draws a frame with a title and gives the room inside; the pane that has the keys has a double line.
pub fn frame(title: &Line, active: bool, theme: Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    if area.width < 3 || area.height < 3 {
        return area;
    }
    let role = if active { Role::FrameActive } else { Role::Frame };
    let kind = if active { BorderType::Thick } else { BorderType::Rounded };
    let block = Block::bordered().border_type(kind).border_style(theme.style(role));
    let inner = block.inner(area);
    block.render(area, buffer);
    let room = Rect { x: area.x + 2, y: area.y, width: area.width.saturating_sub(4), height: 1 };
    draw_line(&title.cut(usize::from(room.width)), theme, room, buffer);
    inner
}

/// Draws the keys that matter now, as many as fit.
pub fn footer(tables: &[&'static [Binding]], writing: bool, lang: Lang, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let mut line = Line::new();
    for (_, key) in footer_keys(tables, writing, lang, area.width) {
        line.pieces.extend(key.pieces);
    }
    draw_line(&line, theme, area, buffer);
}

/// What the footer's key in a column asks for.
#[must_use]
pub fn footer_action(
    tables: &[&'static [Binding]],
    writing: bool,
    lang: Lang,
    width: u16,
    column: u16,
) -> Option<Action> {
    let mut end = 0;
    footer_keys(tables, writing, lang, width).into_iter().find_map(|(action, key)| {
        end += key.width();
        (usize::from(column) < end).then_some(action)
    })
}

/// The keys that fit a width, each action once. What does not fit goes from the end; help, the first key of the last table,
/// stays to the last.
fn footer_keys(tables: &[&'static [Binding]], writing: bool, lang: Lang, width: u16) -> Vec<(Action, Line)> {
    let mut keys: Vec<(Action, Line)> = Vec::new();
    let mut help = None;
    for (from, table) in tables.iter().enumerate() {
        for binding in table.iter().filter(|binding| binding.footer) {
            let Some(chord) = binding.shown(writing) else { continue };
            if keys.iter().all(|(action, _)| *action != binding.action) {
                let key = Line::of(Role::Key, format!(" {}", chord.name(lang)))
                    .and(Role::Text, format!(" {} ", binding.label(lang)));
                if from + 1 == tables.len() {
                    help = help.or(Some(keys.len()));
                }
                keys.push((binding.action, key));
            }
        }
    }
    while keys.len() > 1 && keys.iter().map(|(_, key)| key.width()).sum::<usize>() > usize::from(width) {
        let last = keys.len() - 1;
        keys.remove(if Some(last) == help { last - 1 } else { last });
        help = help.map(|help| help.min(keys.len() - 1));
    }
    keys
}
