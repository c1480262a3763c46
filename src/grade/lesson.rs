//! The store a lesson begins with.

use crate::design::{Bench, data};
use crate::engine::Database;
use crate::value::Source;

/// A store with a lesson's data set in its home design; an empty one where the lesson names none.
///
/// None where there is no data set of this name.
#[must_use]
pub fn lesson_store(name: &str, source: Source) -> Option<Database> {
    if name.is_empty() {
        return Some(Database::new(source));
    }
    data::named(name).map(|data| Bench::of(&data, source).database().clone())
}
