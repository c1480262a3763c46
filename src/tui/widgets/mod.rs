//! Things drawn: lines, frames, scrolled pages, the editor, the footer.

mod editor;
mod frame;
mod paper;
mod sheet;

pub use editor::Editor;
pub use frame::{footer, footer_action, frame};
pub use paper::Paper;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::page::Line;
use crate::tui::theme::Theme;

/// Draws one line into one row, cut at its end; tells how many columns were used.
pub fn draw_line(line: &Line, theme: Theme, area: Rect, buffer: &mut Buffer) -> u16 {
    let mut x = area.x;
    if area.is_empty() {
        return 0;
    }
    for piece in &line.pieces {
        let left = area.right().saturating_sub(x);
        let (next, _) = buffer.set_stringn(x, area.y, &piece.text, usize::from(left), theme.style(piece.role));
        x = next;
    }
    x - area.x
}
