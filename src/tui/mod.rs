//! The terminal app: screens over one model, and the same views read out as plain text.
//!
//! Keys become messages, messages change the [`Model`], views only read it, and what only the terminal's owner can do is an
//! [`Effect`] that [`run`] performs. Every view is a [`Page`] of lines with meanings; [`theme`] alone knows colours, so the
//! plain mode reads out the very lines that the screen draws.

mod actions;
mod answer;
mod app;
mod beside;
mod breaking;
mod ground;
mod highlight;
mod job;
mod keymap;
mod keys;
mod learning;
mod long;
mod model;
mod page;
mod pages;
mod picture;
mod pictures;
mod place;
pub mod plain;
pub mod present;
mod retell;
mod role;
mod screen;
mod screens;
mod session;
mod settings;
mod terminal;
pub mod theme;
pub mod typed;
mod widgets;
mod worker;

pub use actions::Action;
pub use answer::{Answer, View};
pub use app::{App, Ended, SMALLEST, run};
pub use ground::{Heard, Listener};
pub use keymap::{Binding, Chord};
pub use model::{Kept, Model};
pub use page::{Line, Page, Piece, Target};
pub use pages::{Mark, Reading, Shape, documents, duel, exercise, lesson, long, markdown, result, value};
pub use picture::svg;
pub use pictures::pictures;
pub use place::Place;
pub use role::Role;
pub use screen::{Effect, Msg, Screen, Step};
pub use session::vocabulary;
pub use settings::Settings;
pub use terminal::{Screen as Terminal, size};
pub use theme::Theme;
