//! Pitfalls of writes.

mod all_positional_touches_every_attribute;
mod arrayfilters_identifier;
mod attribute_upsert_appends_duplicate;
mod change;
mod inc_on_string;
mod positional_updates_first_only;
mod set_through_array;
mod unset_leaves_null;
mod upsert_with_position;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    attribute_upsert_appends_duplicate::PITFALL,
    positional_updates_first_only::PITFALL,
    set_through_array::PITFALL,
    unset_leaves_null::PITFALL,
    upsert_with_position::PITFALL,
    all_positional_touches_every_attribute::PITFALL,
    arrayfilters_identifier::PITFALL,
    inc_on_string::PITFALL,
];
