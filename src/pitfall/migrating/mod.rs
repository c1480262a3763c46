//! Pitfalls of moving from one shape to another.

mod label_changed_in_migration;
mod literal_dollar_string;
mod mixed_schema;
mod root_converted_wholesale;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    literal_dollar_string::PITFALL,
    mixed_schema::PITFALL,
    root_converted_wholesale::PITFALL,
    label_changed_in_migration::PITFALL,
];
