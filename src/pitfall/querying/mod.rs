//! Pitfalls of filters, sorts and projections.

mod cross_element_match;

use crate::pitfall::Pitfall;

/// The group's pitfalls.
pub(super) const TABLE: &[Pitfall] = &[cross_element_match::PITFALL];
