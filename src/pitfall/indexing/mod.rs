//! Pitfalls of indexes and plans.

mod array_value_splits_bounds;
mod asked;
mod collation_mismatch;
mod conditions;
mod equality_after_range;
mod hint_forces_worse_plan;
mod index_ceiling;
mod index_on_whole_array;
mod index_on_wrong_path;
mod key_only_scan;
mod made;
mod multikey_cannot_cover;
mod multikey_write_cost;
mod no_index_for_attributes;
mod one_elemmatch_per_scan;
mod pairs;
mod parallel_arrays;
mod partial_filter_unsupported;
mod prefix_missing;
mod redundant_prefix_index;
mod refused;
mod sort_blocked_by_multikey;
mod sparse_does_not_thin_array;
mod two_single_indexes;
mod unique_across_documents;
mod unique_not_within_document;
mod value_before_key;
mod wildcard_on_kv_array;
mod wildcard_would_do;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    no_index_for_attributes::PITFALL,
    index_on_wrong_path::PITFALL,
    unique_not_within_document::PITFALL,
    index_ceiling::PITFALL,
    index_on_whole_array::PITFALL,
    two_single_indexes::PITFALL,
    one_elemmatch_per_scan::PITFALL,
    prefix_missing::PITFALL,
    value_before_key::PITFALL,
    equality_after_range::PITFALL,
    sort_blocked_by_multikey::PITFALL,
    parallel_arrays::PITFALL,
    multikey_write_cost::PITFALL,
    partial_filter_unsupported::PITFALL,
    array_value_splits_bounds::PITFALL,
    unique_across_documents::PITFALL,
    wildcard_on_kv_array::PITFALL,
    multikey_cannot_cover::PITFALL,
    redundant_prefix_index::PITFALL,
    collation_mismatch::PITFALL,
    key_only_scan::PITFALL,
    sparse_does_not_thin_array::PITFALL,
    wildcard_would_do::PITFALL,
    hint_forces_worse_plan::PITFALL,
];
