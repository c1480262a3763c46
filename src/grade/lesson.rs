//! The store a lesson begins with.

use crate::engine::Database;
use crate::value::Source;

/// A store with a lesson's data set in its home design; an empty one where the lesson names none.
///
/// None where there is no data set of this name.
#[must_use]
pub fn lesson_store(data: &str, source: Source) -> Option<Database> {
    data.is_empty().then(|| Database::new(source))
}
