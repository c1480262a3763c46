//! The desk: the lesson or task, the editor, and the answer with its five views, side by side where there is room.

mod act;
mod advice;
mod answer;
mod desk;
mod draw;
mod pointer;
mod screen;
mod travel;

pub use screen::Study;
