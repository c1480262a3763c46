//! Pitfalls of document shapes.

mod compound_value;
mod dots_in_keys;
mod duplicate_key_in_array;
mod flat_sparse_fields;
mod key_spelling_variants;
mod labels_as_keys;
mod mixed_types_per_key;
mod pattern_over_applied;
mod range_returns_whole_document;
mod unbounded_array;
mod unit_inside_value;
mod values_as_keys;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    values_as_keys::PITFALL,
    mixed_types_per_key::PITFALL,
    unit_inside_value::PITFALL,
    key_spelling_variants::PITFALL,
    duplicate_key_in_array::PITFALL,
    unbounded_array::PITFALL,
    flat_sparse_fields::PITFALL,
    range_returns_whole_document::PITFALL,
    dots_in_keys::PITFALL,
    pattern_over_applied::PITFALL,
    labels_as_keys::PITFALL,
    compound_value::PITFALL,
];
