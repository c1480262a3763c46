//! Pitfalls of filters, sorts and projections.

mod asks;
mod conversion;
mod joined;
mod kinds;
mod once;
mod sorting;

mod all_inside_elemmatch;
mod any_key_instead_of_all_keys;
mod cross_element_match;
mod date_string_vs_date;
mod dotted_ne_hits_other_attribute;
mod duplicate_field_in_filter;
mod elemmatch_ne_matches_almost_all;
mod elemmatch_on_non_array;
mod exists_does_not_mean_non_empty;
mod expr_on_array_path;
mod filter_does_not_trim_array;
mod loose_bounds_without_elemmatch;
mod negation_includes_missing;
mod null_on_array_path;
mod number_stored_as_string;
mod numeric_strings_compared_as_text;
mod one_elemmatch_two_keys;
mod open_end_off_by_one_day;
mod or_of_same_attribute;
mod path_repeated_inside_elemmatch;
mod position_dependent_path;
mod positional_projection_ambiguous;
mod projection_first_match_only;
mod range_cross_element;
mod size_takes_one_number;
mod sort_by_any_element;
mod text_search_not_per_key;
mod type_bracketing_splits_range;
mod unanchored_regex;
mod unit_ignored;
mod unsortable_date_string;
mod value_without_key;
mod whole_element_equality;

use crate::pitfall::Pitfall;

/// The pitfall of a name that stands twice in one object.
pub(super) const REPEATED: &str = duplicate_field_in_filter::PITFALL.id;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[
    cross_element_match::PITFALL,
    loose_bounds_without_elemmatch::PITFALL,
    range_cross_element::PITFALL,
    duplicate_field_in_filter::PITFALL,
    number_stored_as_string::PITFALL,
    numeric_strings_compared_as_text::PITFALL,
    sort_by_any_element::PITFALL,
    one_elemmatch_two_keys::PITFALL,
    whole_element_equality::PITFALL,
    elemmatch_ne_matches_almost_all::PITFALL,
    path_repeated_inside_elemmatch::PITFALL,
    elemmatch_on_non_array::PITFALL,
    all_inside_elemmatch::PITFALL,
    unit_ignored::PITFALL,
    value_without_key::PITFALL,
    negation_includes_missing::PITFALL,
    dotted_ne_hits_other_attribute::PITFALL,
    null_on_array_path::PITFALL,
    filter_does_not_trim_array::PITFALL,
    exists_does_not_mean_non_empty::PITFALL,
    projection_first_match_only::PITFALL,
    unanchored_regex::PITFALL,
    positional_projection_ambiguous::PITFALL,
    or_of_same_attribute::PITFALL,
    any_key_instead_of_all_keys::PITFALL,
    size_takes_one_number::PITFALL,
    text_search_not_per_key::PITFALL,
    type_bracketing_splits_range::PITFALL,
    date_string_vs_date::PITFALL,
    unsortable_date_string::PITFALL,
    expr_on_array_path::PITFALL,
    position_dependent_path::PITFALL,
    open_end_off_by_one_day::PITFALL,
];
