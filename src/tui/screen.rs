//! What a screen is, what it hears and what it can ask for.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::course::Confidence;
use crate::design::lab::LabPlan;
use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::model::Model;
use crate::tui::settings::Setting;
use crate::tui::theme::Theme;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// A key of the keymap.
    Action(Action),
    /// Any other key.
    Key(KeyEvent),
    /// Text was pasted; it is never run by itself.
    Paste(String),
    /// The mouse was pressed.
    Click(Position),
    /// The mouse was moved while pressed.
    Drag(Position),
    /// The wheel was turned.
    Wheel {
        /// Where.
        at: Position,
        /// Which way.
        down: bool,
    },
    /// What was begun has ended; the model holds what it gave.
    Ran,
    /// Opens a lesson or exercise.
    Open(String),
    /// Opens a step of a lesson.
    OpenStep(String, usize),
    /// Goes to a line of what is shown.
    Line(usize),
    /// Goes to a document of the collection, by position.
    Document(usize),
    /// Shows a word of the glossary or a pitfall, by its id.
    Word(String),
    /// Changes a setting.
    Set(Setting),
    /// A setting changed.
    Changed,
    /// Puts a completion in place of the bytes of the editor that it completes.
    Complete(std::ops::Range<usize>, String),
    /// Runs the statement of a block of the step, with what was foretold of it, or without.
    Predicted(usize, Option<(String, Confidence)>),
    /// Begins behind the lessons that the placement found to be known.
    Placed(Vec<String>),
    /// Begins the review of a slip, by the finding's id.
    Review(String),
    /// Text for the editor, from a lesson, a fix or another program.
    Take(String),
}

impl Msg {
    /// Whether it leads to a place of the course: only the desk can go there, whatever lies over it.
    pub(super) fn leads(&self) -> bool {
        matches!(self, Self::Open(_) | Self::OpenStep(..) | Self::Placed(_) | Self::Review(_))
    }
}

/// Something only the program around the screens can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Runs a text.
    Run(String),
    /// Judges a text as the answer to the exercise.
    Check(String),
    /// Tries the fix of a finding, by position, on a copy of the data; of the first that has one where none is named.
    Try(Option<usize>),
    /// Builds every design and measures it.
    Lab(LabPlan),
    /// Copies a text to the clipboard.
    Copy(String),
    /// Opens a text in the learner's own editor and brings it back.
    External(String),
    /// Takes or returns the mouse.
    Mouse(bool),
    /// Suspends the program.
    Suspend,
    /// Ends the program.
    Quit,
}

/// What follows a message.
pub enum Step {
    /// Nothing.
    Stay,
    /// Another screen opens on top.
    Open(Box<dyn Screen>),
    /// The screen closes.
    Close,
    /// The screen closes and the one below hears a message.
    Tell(Msg),
    /// Something is done.
    Perform(Effect),
}

/// A screen.
pub trait Screen {
    /// The keys that work now, nearest first.
    fn keymaps(&self) -> Vec<&'static [Binding]>;

    /// Whether plain characters are text now.
    fn writes(&self) -> bool {
        false
    }

    /// Hears a message.
    fn update(&mut self, msg: Msg, model: &mut Model) -> Step;

    /// Draws itself and tells where the text cursor is.
    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position>;

    /// Whether it is a list over another screen, which leaves the keys of everywhere to that one.
    fn is_list(&self) -> bool {
        false
    }

    /// What to do next, for learners who want to be told.
    fn advice(&self, _model: &Model) -> Option<String> {
        None
    }

    /// The text to keep for the next start.
    fn draft(&self) -> Option<String> {
        None
    }
}
