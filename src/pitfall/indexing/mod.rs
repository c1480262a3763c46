//! Pitfalls of indexes and plans.

mod array_value_splits_bounds;
mod asked;
mod conditions;
mod equality_after_range;
mod hint_forces_worse_plan;
mod index_on_whole_array;
mod made;
mod no_index_for_attributes;
mod pairs;
mod parallel_arrays;
mod partial_filter_unsupported;
mod sort_blocked_by_multikey;
mod unique_not_within_document;
mod value_before_key;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    no_index_for_attributes::PITFALL,
    unique_not_within_document::PITFALL,
    index_on_whole_array::PITFALL,
    value_before_key::PITFALL,
    equality_after_range::PITFALL,
    sort_blocked_by_multikey::PITFALL,
    parallel_arrays::PITFALL,
    partial_filter_unsupported::PITFALL,
    array_value_splits_bounds::PITFALL,
    hint_forces_worse_plan::PITFALL,
];
