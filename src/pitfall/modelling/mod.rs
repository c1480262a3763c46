//! Pitfalls of document shapes.

mod key_spelling_variants;
mod labels_as_keys;
mod unit_inside_value;
mod values_as_keys;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] =
    &[values_as_keys::PITFALL, key_spelling_variants::PITFALL, labels_as_keys::PITFALL, unit_inside_value::PITFALL];
