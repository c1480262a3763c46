//! The places of a document that settled a filter, each with the condition that it met or failed.

use super::condition::condition;
use crate::query::{Asked, Origin, Seen, Why};
use crate::value::Path;

/// A place that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// The place, with positions of array elements put in.
    pub place: Path,
    /// Whether it does what the filter asks; what a negation excludes does not.
    pub good: bool,
    /// The condition, as typed.
    pub condition: String,
}

/// The places that hold a value, in the order they were looked at; elements of `$elemMatch` by the places inside them.
#[must_use]
pub fn marked(why: &Why) -> Vec<Marked> {
    let mut found = Vec::new();
    collect(why, false, &mut found);
    found
}

fn collect(why: &Why, negated: bool, found: &mut Vec<Marked>) {
    let inside = negated != matches!(why.asked, Asked::Not | Asked::Neither);
    why.parts.iter().for_each(|part| collect(part, inside, found));
    let single = matches!(why.asked, Asked::Test(_));
    for seen in why.seen.iter().filter(|_| single) {
        element(seen, &condition(&why.asked, negated), negated, found);
    }
}

fn element(seen: &Seen, condition: &str, negated: bool, found: &mut Vec<Marked>) {
    seen.parts.iter().for_each(|part| collect(part, negated, found));
    if let (Origin::Place(place), Some(_), []) = (&seen.origin, &seen.value, seen.parts.as_slice()) {
        found.push(Marked { place: place.clone(), good: seen.holds != negated, condition: condition.to_owned() });
    }
}
