//! Pitfalls of pipelines.

mod arrays_to_objects;
mod arraytoobject_duplicate_key;
mod group_mixes_owners;
mod no_second_match_after_unwind;
mod pipe;
mod unwind_drops_documents;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    no_second_match_after_unwind::PITFALL,
    unwind_drops_documents::PITFALL,
    arraytoobject_duplicate_key::PITFALL,
    group_mixes_owners::PITFALL,
];
