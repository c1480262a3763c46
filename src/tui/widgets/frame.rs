//! Frames of panes, and the footer with the keys that matter now.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, BorderType, Widget};

use crate::tui::keymap::Binding;
use crate::tui::page::Line;
use crate::tui::role::Role;
use crate::tui::theme::Theme;
use crate::tui::widgets::draw_line;
use crate::words::Lang;

/// Draws a frame with a title and gives the room inside; the pane that has the keys has a double line.
pub fn frame(title: &Line, active: bool, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    if area.width < 3 || area.height < 3 {
        return area;
    }
    let role = if active { Role::FrameActive } else { Role::Frame };
    let kind = if active { BorderType::Thick } else { BorderType::Rounded };
    let block = Block::bordered().border_type(kind).border_style(theme.style(role));
    let inner = block.inner(area);
    block.render(area, buffer);
    let room = Rect { x: area.x + 2, y: area.y, width: area.width.saturating_sub(4), height: 1 };
    draw_line(title, theme, room, buffer);
    inner
}

/// Draws the keys that matter now, as many as fit.
pub fn footer(
    tables: &[&'static [Binding]],
    writing: bool,
    lang: Lang,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let mut line = Line::new();
    let mut shown = Vec::new();
    for binding in tables.iter().flat_map(|table| table.iter()).filter(|binding| binding.footer) {
        let Some(chord) = binding.shown(writing) else { continue };
        if shown.contains(&binding.action) {
            continue;
        }
        shown.push(binding.action);
        let mut longer = line.clone();
        let gap = if longer.pieces.is_empty() { " " } else { "  " };
        longer.push(Role::Text, gap);
        longer.push(Role::Key, chord.to_string());
        longer.push(Role::Text, format!(" {}", binding.label(lang)));
        if longer.width() > usize::from(area.width) {
            break;
        }
        line = longer;
    }
    draw_line(&line, theme, area, buffer);
}
