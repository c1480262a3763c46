//! Pitfalls of moving from one shape to another.

mod dead_index_after_migration;
mod key_as_field;
mod label_changed_in_migration;
mod literal_dollar_string;
mod migration_not_idempotent;
mod mixed_schema;
mod null_attributes_created;
mod rename_into_array;
mod root_converted_wholesale;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    literal_dollar_string::PITFALL,
    mixed_schema::PITFALL,
    migration_not_idempotent::PITFALL,
    root_converted_wholesale::PITFALL,
    null_attributes_created::PITFALL,
    dead_index_after_migration::PITFALL,
    label_changed_in_migration::PITFALL,
    rename_into_array::PITFALL,
];
