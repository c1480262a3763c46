//! Pitfalls of pipelines.

mod arrays_to_objects;
mod arraytoobject_duplicate_key;
mod arraytoobject_extra_field;
mod avg_ignores_strings;
mod counts_elements_not_documents;
mod facet_without_match;
mod group_by_array_path;
mod group_mixes_owners;
mod names_not_queryable_without_objecttoarray;
mod no_second_match_after_unwind;
mod pipe;
mod position_in_stages;
mod unwind_before_match;
mod unwind_drops_documents;

use crate::pitfall::Pitfall;

pub(super) use position_in_stages::positions_in_stages;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    no_second_match_after_unwind::PITFALL,
    unwind_drops_documents::PITFALL,
    unwind_before_match::PITFALL,
    counts_elements_not_documents::PITFALL,
    group_by_array_path::PITFALL,
    arraytoobject_duplicate_key::PITFALL,
    avg_ignores_strings::PITFALL,
    arraytoobject_extra_field::PITFALL,
    names_not_queryable_without_objecttoarray::PITFALL,
    group_mixes_owners::PITFALL,
    facet_without_match::PITFALL,
];
