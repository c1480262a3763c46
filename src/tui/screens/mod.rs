//! The screens, a file each.

mod menu;
mod study;

pub use menu::Menu;
pub use study::Study;
