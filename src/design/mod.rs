//! One set of facts in several designs, and one question asked of all of them.
//!
//! Facts are poured into designs ([`reshape`]), and a [`Duel`] shows what the same question costs in each of them: first
//! whether they speak of the same entities, then which reads less.

mod answer;
mod bench;
mod column;
mod compare;
pub mod data;
mod duel;
mod facts;
mod form;
mod holding;
mod json;
mod judge;
pub mod lab;
mod lines;
mod loss;
mod reason;
mod render;
mod rephrase;
mod reshape;
mod svg;
pub mod walker;
mod words;
mod writing;

pub use bench::{Bench, twin_collection};
pub use column::plan_lines;
pub use compare::{
    Access, Band, Cheaper, Comparison, Measure, Pair, Ratio, Reason, Role, StageFigures, compare, measure,
};
pub use duel::{
    BoundsLine, Column, Cost, Difference, Duel, IndexLine, Kind, Loser, Sameness, StageLine, Storage, Writing,
};
pub use facts::{Attribute, DataSet, Entity};
pub use form::{Design, Form, Layout, Place};
pub use holding::{HeldEntry, Holding, holdings};
pub use json::to_json;
pub use judge::versus;
pub use loss::{Loss, LossKind, loss_lines};
pub use reason::{NoCounterpart, Note};
pub use render::{to_markdown, to_text};
pub use rephrase::{Ground, Keys, Rephrased, index_counterparts, rephrase, rephrase_filter};
pub use reshape::{Reshaped, pour, read, reshape};
pub use svg::to_svg;
pub use words::{bounds_words, difference_line, reason_words, stage_words};
