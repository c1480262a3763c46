//! Built-in data sets as facts, and the learner's own documents read from Extended JSON lines.

mod assets;
mod dated;
mod films;
mod lines;
mod products;

pub(super) use dated::days;
pub use lines::{BadLine, guess, read_lines};
pub use products::products;

use super::facts::DataSet;

/// The names of the built-in data sets.
pub const NAMES: [&str; 9] = ["products", "shop", "shirts", "memory", "films", "bottles", "steps", "rain", "assets"];

/// The built-in data set of a name.
#[must_use]
pub fn named(name: &str) -> Option<DataSet> {
    Some(match name {
        "products" => products(60),
        "shop" => products::shop(),
        "shirts" => products::shirts(),
        "memory" => products::memory(),
        "films" => films::films(),
        "bottles" => products::bottles(),
        "steps" => dated::steps(),
        "rain" => dated::rain(),
        "assets" => assets::assets(),
        _ => return None,
    })
}
