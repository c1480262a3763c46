//! Where the panes of the desk lie: side by side on a wide screen, one at a time on a narrow one.

use ratatui::layout::{Position, Rect};

/// From so many columns on, the panes stand side by side.
pub const WIDE: u16 = 110;

/// A part of the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// The lesson or the task.
    Text,
    /// The editor.
    Editor,
    /// The answer.
    Answer,
}

impl Pane {
    /// All, in reading order.
    pub const ALL: [Self; 3] = [Self::Text, Self::Editor, Self::Answer];

    /// The next one; the last is followed by the first.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Text => Self::Editor,
            Self::Editor => Self::Answer,
            Self::Answer => Self::Text,
        }
    }

    /// The one before.
    #[must_use]
    pub fn previous(self) -> Self {
        self.next().next()
    }
}

/// A border between panes that the mouse can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Border {
    /// Between the lesson and what stands beside it.
    Beside,
    /// Below the editor.
    Below,
}

/// The rooms of the panes; a hidden pane has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Desk {
    rooms: [Option<Rect>; 3],
}

impl Desk {
    /// Lays out an area: so many percent of a wide area are the lesson's, so many of its height the editor's; with none set,
    /// the editor grows with the rows its text takes at a width.
    #[must_use]
    pub fn new(
        area: Rect,
        focus: Pane,
        zoomed: bool,
        (split, editor): (u16, u16),
        rows: impl Fn(u16) -> usize,
    ) -> Self {
        let mut rooms = [None; 3];
        if zoomed || area.width < WIDE {
            rooms[focus as usize] = Some(area);
            return Self { rooms };
        }
        let left = area.width * split.clamp(20, 70) / 100;
        rooms[Pane::Text as usize] = Some(Rect { width: left, ..area });
        let right = Rect { x: area.x + left, width: area.width - left, ..area };
        let editor = match editor {
            0 => editor_height(right.height, rows(right.width.saturating_sub(2)), focus),
            share => {
                (right.height * share.min(100) / 100).clamp(3, right.height.saturating_sub(3).max(3)).min(right.height)
            }
        };
        rooms[Pane::Editor as usize] = Some(Rect { height: editor, ..right });
        rooms[Pane::Answer as usize] = Some(Rect { y: right.y + editor, height: right.height - editor, ..right });
        Self { rooms }
    }

    /// The room of a pane with its frame.
    #[must_use]
    pub fn pane(&self, pane: Pane) -> Option<Rect> {
        self.rooms[pane as usize]
    }

    /// The room inside the frame of a pane.
    #[must_use]
    pub fn inside(&self, pane: Pane) -> Rect {
        let room = self.pane(pane).unwrap_or_default();
        let margin = ratatui::layout::Margin::new(1, 1);
        if room.width < 3 || room.height < 3 { room } else { room.inner(margin) }
    }

    /// Whether a pane is to be seen.
    #[must_use]
    pub fn shows(&self, pane: Pane) -> bool {
        self.pane(pane).is_some()
    }

    /// The border at a place, where panes stand side by side.
    #[must_use]
    pub fn border(&self, place: Position) -> Option<Border> {
        let (text, editor) = (self.pane(Pane::Text)?, self.pane(Pane::Editor)?);
        let beside = place.x + 1 == text.right() || place.x == editor.x;
        let below = place.x > editor.x && place.y + 1 == editor.bottom();
        match () {
            () if beside && place.y < text.bottom() => Some(Border::Beside),
            () if below && place.x < editor.right() => Some(Border::Below),
            () => None,
        }
    }

    /// The pane at a place.
    #[must_use]
    pub fn at(&self, place: Position) -> Option<Pane> {
        Pane::ALL.into_iter().find(|pane| self.pane(*pane).is_some_and(|room| room.contains(place)))
    }
}

/// Rows of the editor with its frame: room for the text and a line more, at most half while writing and a third while reading.
fn editor_height(height: u16, rows: usize, focus: Pane) -> u16 {
    let wanted = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(3);
    let most = if focus == Pane::Editor { height / 2 } else { height / 4 };
    wanted.clamp(3, most.max(3)).min(height)
}
