//! The screens, a file each.

mod desk;
mod lists;
mod menu;
mod study;
mod welcome;

pub use lists::{glossary, map, search, settings};
pub use menu::Menu;
pub use study::Study;
pub use welcome::Welcome;
