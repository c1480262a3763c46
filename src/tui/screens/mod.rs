//! The screens, a file each.

mod desk;
mod menu;
mod study;

pub use menu::{Item, Menu};
pub use study::Study;
