//! Why a document matched.

use pegboard::query::{Collation, Filter, Matcher, Witness};

use super::document;

fn witness(filter: &str, of: &str) -> Witness {
    let parsed = Filter::parse(&document(filter)).expect("the filter parses");
    let matcher = Matcher::new(&parsed, Collation::simple()).expect("the filter was parsed");
    let mut witness = Witness::default();
    assert!(matcher.judge(&document(of), &mut witness), "{filter} matches {of}");
    witness
}

#[test]
fn a_pair_of_dotted_conditions_names_both_elements() {
    let found = witness("{'s.k': 'ram', 's.v': 16}", "{s: [{k: 'ram', v: 8}, {k: 'hdd', v: 16}]}");
    let places: Vec<_> = found.reasons.iter().map(|reason| reason.place().to_string()).collect();
    assert_eq!(places, ["s.0.k", "s.1.v"]);
}

#[test]
fn an_elem_match_names_what_decided_inside_its_element() {
    let places = |filter: &str, of: &str| -> Vec<String> {
        witness(filter, of).reasons.iter().map(|reason| reason.place().to_string()).collect()
    };
    let of = "{s: [{k: 'a'}, {k: 'b', v: [1, {n: 7}]}]}";
    assert_eq!(places("{s: {$elemMatch: {k: 'b', 'v.n': 7}}}", of), ["s.1", "s.1.k", "s.1.v.1.n"]);
    assert_eq!(places("{s: {$elemMatch: {v: {$elemMatch: {n: 7}}}}}", of), ["s.1", "s.1.v.1", "s.1.v.1.n"]);
    assert_eq!(places("{s: {$elemMatch: {$gt: 1, $lt: 5}}}", "{s: [0, 3]}"), ["s.1", "s.1", "s.1"]);
}

/// The position of `$`: the outermost element of the last condition that has one (`match_details.h`).
#[test]
fn the_position_is_the_servers() {
    assert_eq!(witness("{s: {$elemMatch: {k: 'b'}}}", "{s: [{k: 'a'}, {k: 'b'}]}").position(), Some(1));
    assert_eq!(witness("{s: {$gte: 30}}", "{s: [12, 40, 33]}").position(), Some(1));
    assert_eq!(witness("{'a.b': 2}", "{a: [{b: [1]}, {b: [1, 2]}]}").position(), Some(1));
    assert_eq!(witness("{'a.b': {$elemMatch: {$gt: 1}}}", "{a: [{b: [1]}, {b: [1, 2]}]}").position(), Some(1));
    assert_eq!(witness("{a: 1}", "{a: 1}").position(), None);
    assert_eq!(witness("{$or: [{a: 1}, {b: 2}]}", "{a: [1]}").position(), None);
    assert_eq!(witness("{s: {$ne: 1}}", "{s: [2]}").position(), None);
}
