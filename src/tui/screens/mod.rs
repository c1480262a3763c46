//! The screens, a file each.

mod breaking;
mod card;
mod desk;
mod foretell;
mod lab;
mod lists;
mod menu;
mod placement;
mod reader;
mod study;
mod welcome;
mod why;

pub use card::Card;
pub use lab::Lab;
pub use lists::{glossary, map, palette, reviews, search, settings};
pub use menu::Menu;
pub use placement::Placement;
pub use reader::Reader;
pub use study::Study;
pub use welcome::Welcome;
