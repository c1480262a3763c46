//! Why a document matched or not: the answer agrees with the matcher, and every value it names is there and judged right.

use pegboard::query::{Asked, Collation, Filter, Matcher, Origin, Predicate, Seen, Why, expr::Scope};
use pegboard::value::{Bson, Document, Path, Source, View, equal, member};

use super::document;
use super::random::Dice;

const FILTERS: u64 = 10_000;

fn matcher(filter: &Document) -> Matcher {
    let parsed = Filter::as_written(filter, &Scope::default()).expect("the generator writes filters");
    Matcher::new(&parsed, Collation::simple()).expect("the filter was parsed")
}

/// The value at a place whose array positions are all named.
fn at<'d>(of: &'d Document, place: &Path) -> Option<View<'d>> {
    place.parts().iter().try_fold(View::Document(of.into()), |value, part| member(value, part))
}

/// Whether a value, or none, passes a test, judged without the document around it.
fn passes(predicate: &Predicate, value: Option<&Bson>) -> bool {
    let path = if value.is_some() { Path::default() } else { Path::new("missing") };
    let test = Filter::Field(Predicate { path, test: predicate.test.clone() });
    let alone = Matcher::new(&test, Collation::simple()).expect("the test was parsed");
    match value {
        Some(value) => alone.matches_value(value.into()),
        None => alone.matches(&Document::new()),
    }
}

fn check_seen(predicate: &Predicate, seen: &Seen, of: &Document) {
    let Origin::Place(place) = &seen.origin else { panic!("a test looks at places") };
    match &seen.value {
        Some(value) => {
            let held = at(of, place).unwrap_or_else(|| panic!("{place} is not in {of}"));
            assert!(equal(held, value.into()), "{place} of {of} is not {value}");
        }
        None => assert!(at(of, place).is_none(), "{place} is in {of}"),
    }
    if let Some(element) = &seen.element {
        let array = element.array.join(&Path::new(&element.index.to_string()));
        assert!(!element.array.is_empty() || array.parts().len() == 1, "{place} has no element");
    }
    match seen.parts.as_slice() {
        [] if !matches!(
            predicate.test,
            pegboard::query::Test::ElemMatchObject(_) | pegboard::query::Test::ElemMatchValue(_)
        ) =>
        {
            assert_eq!(seen.holds, passes(predicate, seen.value.as_ref()), "{predicate:?} at {place} of {of}");
        }
        parts => assert_eq!(seen.holds, !parts.is_empty() && parts.iter().all(|part| part.holds), "{place} of {of}"),
    }
}

fn check_part(part: &Why, of: &Document) {
    let mut parts = part.parts.iter();
    let expected = match &part.asked {
        Asked::All => parts.all(|part| part.holds),
        Asked::Any => parts.any(|part| part.holds),
        Asked::Neither | Asked::Not => !parts.any(|part| part.holds),
        Asked::Test(predicate) => {
            part.seen.iter().for_each(|seen| check_seen(predicate, seen, of));
            assert!(!part.holds || part.seen.len() == 1, "one value settles a test that holds");
            part.seen.iter().any(|seen| seen.holds)
        }
        _ => part.holds,
    };
    assert_eq!(part.holds, expected, "{part:?}");
}

#[test]
fn the_answer_agrees_with_the_matcher_and_its_values_are_true() {
    let mut dice = Dice::new(Source::seeded(11));
    for _ in 0..FILTERS {
        let filter = dice.filter(2);
        let matcher = matcher(&filter);
        for _ in 0..2 {
            let document = dice.document(3);
            let why = matcher.why(&document).expect("no expression is in it");
            assert_eq!(why.holds, matcher.matches(&document), "{filter} on {document}");
            why.all().for_each(|part| check_part(part, &document));
        }
    }
}

#[test]
fn the_order_of_a_filter_stays_as_it_was_written() {
    let matcher = matcher(&document("{b: {$gt: 1}, a: 5, $or: [{c: 1}, {c: 2}]}"));
    let why = matcher.why(&document("{a: 5}")).expect("it is judged");
    let paths: Vec<String> = why
        .all()
        .filter_map(|part| if let Asked::Test(test) = &part.asked { Some(test.path.to_string()) } else { None })
        .collect();
    assert_eq!(paths, ["b", "a", "c", "c"]);
}

#[test]
fn an_expression_that_fails_is_an_error() {
    let matcher = matcher(&document("{$expr: {$gt: [{$size: '$a'}, 1]}}"));
    assert!(matcher.why(&document("{a: 5}")).is_err());
    assert!(matcher.why(&document("{a: [1, 2]}")).is_ok_and(|why| why.holds));
}
