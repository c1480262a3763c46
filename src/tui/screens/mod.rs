//! The screens, a file each.

mod asked;
mod breaking;
mod foretell;
mod lab;
mod lazy;
mod lists;
mod menu;
mod placement;
mod reader;
mod study;
mod welcome;
mod why;

pub use lab::Lab;
pub use lists::{all_pitfalls, glossary, map, palette, reviews, search, settings};
pub use menu::Menu;
pub use placement::placement;
pub use reader::{Reader, summary};
pub use study::Study;
pub use welcome::Welcome;
