//! One line typed at a prompt, without a drawn screen: moved in, changed, completed, and remembered for the next time.

mod draft;
mod reader;

pub use draft::{Draft, Wish};
pub use reader::{Reader, Typed, give_back};
