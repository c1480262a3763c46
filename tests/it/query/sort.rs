//! Sort keys and collations.

use pegboard::query::{Collation, SortPattern};
use pegboard::value::{Bson, Document};

use super::{document, json};

/// The documents' positions in sorted order.
fn sorted(pattern: &str, collation: &str, documents: &str) -> Vec<usize> {
    let collation = if collation.is_empty() { None } else { Some(document(collation)) };
    let collation = Collation::parse(collation.as_ref()).expect("the collation is right");
    let pattern = SortPattern::parse(&document(pattern), collation).expect("the pattern is right");
    let Bson::Array(documents) = json(documents) else {
        panic!("{documents} is no array");
    };
    let key = |item: &Bson| pattern.key(item.as_document().expect("documents")).expect("keys");
    let mut keyed: Vec<_> = documents.iter().map(key).enumerate().collect();
    keyed.sort_by(|(_, a), (_, b)| pattern.compare(a, b));
    keyed.into_iter().map(|(at, _)| at).collect()
}

/// Manual, *Comparison/Sort Order*; server test `sort_key_generator_test.cpp`.
#[test]
fn arrays_sort_by_their_least_or_greatest_element() {
    assert_eq!(sorted("{a: 1}", "", "[{a: [3, 1]}, {a: 2}, {a: []}, {}, {a: null}]"), [2, 3, 4, 0, 1]);
    assert_eq!(sorted("{a: -1}", "", "[{a: [3, 1]}, {a: 2}, {a: []}, {}]"), [0, 1, 3, 2]);
    assert_eq!(sorted("{'a.x': 1}", "", "[{a: [{x: 5}, {}]}, {a: [{x: 1}]}, {a: [{x: 0}]}]"), [0, 2, 1]);
    // Both parts are taken from one element.
    assert_eq!(sorted("{'a.x': 1, 'a.y': 1}", "", "[{a: [{x: 1, y: 9}, {x: 2, y: 0}]}, {a: {x: 1, y: 5}}]"), [1, 0]);
    assert_eq!(sorted("{'a.1': 1}", "", "[{a: [0, 9]}, {a: [9, 0]}]"), [1, 0]);
}

#[test]
fn two_arrays_cannot_be_sorted_by_together() {
    let pattern = SortPattern::parse(&document("{a: 1, b: 1}"), Collation::simple()).expect("the pattern is right");
    let error = pattern.key(&document("{a: [1], b: [2]}")).expect_err("parallel arrays");
    assert_eq!(error.code.number(), 2);
}

#[test]
fn wrong_patterns_are_refused() {
    let code = |pattern: &str| {
        SortPattern::parse(&document(pattern), Collation::simple()).map_or_else(|error| error.code.number(), |_| 0)
    };
    assert_eq!(code("{a: 2}"), 15975);
    assert_eq!(code("{a: 'x'}"), 15974);
    assert_eq!(code("{a: {$meta: 'textScore'}}"), 40218);
    assert_eq!(code("{'': 1}"), 40352);
    assert_eq!(code("{'a..b': 1}"), 15998);
    assert_eq!(code("{$natural: 5}"), 2);
    assert_eq!(code("{$natural: 1, a: 1}"), 2);
}

/// Manual, *Collation*.
#[test]
fn text_sorts_as_the_language_says() {
    let words = "[{s: 'b'}, {s: 'A'}, {s: 'a'}, {s: 'B'}]";
    assert_eq!(sorted("{s: 1}", "", words), [1, 3, 2, 0]);
    assert_eq!(sorted("{s: 1}", "{locale: 'en'}", words), [2, 1, 0, 3]);
    assert_eq!(sorted("{s: 1}", "{locale: 'en', caseFirst: 'upper'}", words), [1, 2, 3, 0]);
    assert_eq!(sorted("{s: 1}", "{locale: 'en', strength: 2}", words), [1, 2, 0, 3]);
    let numbers = "[{s: 'a10'}, {s: 'a9'}, {s: 'a100'}]";
    assert_eq!(sorted("{s: 1}", "{locale: 'en'}", numbers), [0, 2, 1]);
    assert_eq!(sorted("{s: 1}", "{locale: 'en', numericOrdering: true}", numbers), [1, 0, 2]);
    assert_eq!(sorted("{s: 1}", "{locale: 'sv'}", "[{s: 'ö'}, {s: 'z'}, {s: 'o'}]"), [2, 1, 0]);
    assert_eq!(sorted("{s: 1}", "{locale: 'de'}", "[{s: 'ö'}, {s: 'z'}, {s: 'o'}]"), [2, 0, 1]);
}

#[test]
fn strengths_tell_less_and_less_apart() {
    let equal = |options: &str, left: &str, right: &str| {
        let collation = Collation::parse(Some(&document(options))).expect("the collation is right");
        let same_keys = collation.sort_key(left) == collation.sort_key(right);
        let (left, right) = (Bson::String(left.into()), Bson::String(right.into()));
        let same = collation.compare((&left).into(), (&right).into()).is_eq();
        assert_eq!(same, same_keys, "sort keys of {left} and {right} under {options}");
        same
    };
    assert!(equal("{locale: 'en', strength: 1}", "Cafe", "café"));
    assert!(equal("{locale: 'en', strength: 2}", "CAFÉ", "café"));
    assert!(!equal("{locale: 'en', strength: 2}", "cafe", "café"));
    assert!(!equal("{locale: 'en', strength: 3}", "Café", "café"));
    assert!(!equal("{locale: 'en', strength: 1, caseLevel: true}", "Cafe", "café"));
    assert!(equal("{locale: 'en', alternate: 'shifted', strength: 1}", "data base", "database"));
}

#[test]
fn collations_are_completed_or_refused() {
    let parse = |text: &str| Collation::parse(Some(&document(text)));
    let full = parse("{locale: 'fr'}").expect("the collation is right").to_document().map(Document::to_string);
    let expected = document(
        "{locale: 'fr', caseLevel: false, caseFirst: 'off', strength: 3, numericOrdering: false, \
         alternate: 'non-ignorable', maxVariable: 'punct', normalization: false, backwards: false, version: '57.1'}",
    );
    assert_eq!(full, Some(expected.to_string()));
    assert!(parse("{locale: 'simple'}").expect("the simple one").is_simple());
    let code = |text: &str| parse(text).map_or_else(|error| error.code.number(), |_| 0);
    assert_eq!(code("{strength: 1}"), 40414);
    assert_eq!(code("{locale: 'xx'}"), 2);
    assert_eq!(code("{locale: 'en', strength: 9}"), 2);
    assert_eq!(code("{locale: 'en', foo: 1}"), 40415);
    assert_eq!(code("{locale: 'en', strength: 'x'}"), 14);
    assert_eq!(code("{locale: 'simple', strength: 1}"), 9);
}
