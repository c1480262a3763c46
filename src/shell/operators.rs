//! MongoDB's operators by the position they stand in, for hints and completion: what the engine answers, sorted.

use std::sync::LazyLock;

use crate::pipeline::{STAGES, accumulators, window_functions};
use crate::query::{ROOT_OPERATORS, expr, field_operators};
use crate::update::{OPERATORS, PUSH_MODIFIERS};

/// Names in their order.
pub(super) type Names = LazyLock<Vec<&'static str>>;

/// Operators at the root of a filter and inside `$and` and its like.
pub(super) static ROOT: Names = LazyLock::new(|| sorted(ROOT_OPERATORS));

/// Operators on a field of a filter.
pub(super) static ON_FIELD: Names = LazyLock::new(|| sorted(field_operators()));

/// Operators of a filter, at its root and on a field.
pub(super) static FILTER: Names = LazyLock::new(|| sorted(ROOT_OPERATORS.into_iter().chain(field_operators())));

/// Operators of an update, and the modifiers of `$push` and `$addToSet`.
pub(super) static UPDATE: Names = LazyLock::new(|| sorted(OPERATORS.into_iter().chain(PUSH_MODIFIERS)));

/// Operators of a projection of `find`, beside those of an expression.
pub(super) const PROJECTION: [&str; 3] = ["$elemMatch", "$meta", "$slice"];

/// Stages of a pipeline.
pub(super) static STAGE: Names = LazyLock::new(|| sorted(STAGES));

/// Accumulators of `$group`.
pub(super) static ACCUMULATOR: Names = LazyLock::new(|| sorted(accumulators()));

/// Functions of `$setWindowFields`, accumulators included.
pub(super) static WINDOW: Names = LazyLock::new(|| sorted(window_functions()));

/// Operators of an expression.
pub(super) static EXPRESSION: Names = LazyLock::new(|| sorted(expr::operators()));

fn sorted(names: impl IntoIterator<Item = &'static str>) -> Vec<&'static str> {
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Every operator there is, once and sorted.
pub fn operators() -> impl Iterator<Item = &'static str> {
    let lists = [&FILTER, &UPDATE, &STAGE, &EXPRESSION, &ACCUMULATOR, &WINDOW];
    sorted(lists.into_iter().flat_map(|names| names.iter().copied())).into_iter()
}
