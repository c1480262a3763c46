//! Views as pages: every value a learner looks at, written once for the drawn screen and for the plain mode.

mod breaking;
mod data;
mod documents;
mod duel;
mod entries;
mod exercise;
mod findings;
mod index;
mod json;
mod lab;
mod lesson;
pub mod markdown;
mod proof;
mod result;
mod review;
mod summary;
mod table;
mod verdict;
mod why;

pub use breaking::page as breaking;
pub use data::page as data;
pub use documents::{Mark, Reading, long, one_line, page as documents, value};
pub use duel::{page as duel, plan};
pub use entries::{has_written, page as entries};
pub use exercise::{MODEL, page as exercise};
pub use findings::{Noticed, OWN, Trial, page as findings};
pub use index::{listing, page as index};
pub use lab::page as lab;
pub use lesson::{Choices, Foretold, ask as question, confidence, page as lesson};
pub use proof::page as evidence;
pub use result::{Shape, listed, page as result};
pub use review::page as review;
pub use summary::{RULE, page as summary, slip_line};
pub use verdict::page as verdict;
pub use why::page as why;
