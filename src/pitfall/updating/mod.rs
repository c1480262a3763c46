//! Pitfalls of writes.

mod all_positional_touches_every_attribute;
mod arrayfilters_identifier;
mod attribute_upsert_appends_duplicate;
pub(super) mod change;
mod day_upsert_without_unique_index;
mod dotted_update_creates_nesting;
mod guarded_push_with_upsert;
mod in_place;
mod inc_on_string;
mod positional_updates_first_only;
mod positional_without_array_condition;
mod positional_wrong_element;
mod pull_wrong_shape;
mod set_replaces_whole_array;
mod set_through_array;
mod unset_leaves_null;
mod upsert_with_position;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    attribute_upsert_appends_duplicate::PITFALL,
    positional_updates_first_only::PITFALL,
    positional_wrong_element::PITFALL,
    set_through_array::PITFALL,
    positional_without_array_condition::PITFALL,
    guarded_push_with_upsert::PITFALL,
    unset_leaves_null::PITFALL,
    set_replaces_whole_array::PITFALL,
    dotted_update_creates_nesting::PITFALL,
    upsert_with_position::PITFALL,
    pull_wrong_shape::PITFALL,
    all_positional_touches_every_attribute::PITFALL,
    day_upsert_without_unique_index::PITFALL,
    arrayfilters_identifier::PITFALL,
    inc_on_string::PITFALL,
];
