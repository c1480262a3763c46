//! A lesson on a big screen: one beat at a time, statements typed for the presenter with real results, a free detour and back.
//!
//! A [`Talk`] is a function of its lesson and the cues given so far; the terminal, a second terminal with notes, a replayed
//! record and an exported film are four ways to look at it.

mod big;
mod film;
mod live;
mod notes;
mod said;
mod stage;
mod talk;

pub use film::{Cast, film, transcript};
pub use live::{Player, perform};
pub use notes::{Prompt, read_along};
pub use stage::{Aside, draw, page};
pub use talk::Talk;
