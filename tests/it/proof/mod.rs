//! Proof by documents, through the public interface of `proof`.

mod said;

use pegboard::engine::{Command, Find, Insert};
use pegboard::proof::{Effort, Gave, Measure, search};
use pegboard::value::{Bson, Source, doc};

/// NaN is the same answer as itself, and rows in no order are the same in any, also where MongoDB holds them for equal.
#[test]
fn answers_are_compared_by_what_they_hold() {
    let gave = |rows: Vec<Bson>, stored: Vec<Bson>| Gave { rows: Some(rows), stored: Some(stored) };
    let (find, insert) = (Command::Find(Find::default()), Command::Insert(Insert::default()));
    let nan = || vec![Bson::Document(doc! {"_id": 1, "n": f64::NAN})];
    assert!(gave(vec![], nan()).same(&gave(vec![], nan()), Measure::of(&insert, &insert), true));
    let rows =
        || vec![Bson::Document(doc! {"n": 1}), Bson::Document(doc! {"n": 1.0}), Bson::Document(doc! {"n": f64::NAN})];
    let turned = || rows().into_iter().rev().collect();
    let measure = Measure::of(&find, &find);
    assert!(gave(rows(), vec![]).same(&gave(turned(), vec![]), measure, false));
    assert!(!gave(rows(), vec![]).same(&gave(rows()[1..].to_vec(), vec![]), measure, false));
    assert!(!gave(rows(), vec![]).same(&gave(turned(), vec![]), Measure { ordered: true, ..measure }, false));
}

/// A date near the end of what a date can be is changed like any other.
#[test]
fn the_last_dates_are_moved_too() {
    let last = || Bson::DateTime(bson::DateTime::MAX);
    let pool = [doc! {"_id": 1, "at": last(), "s": [{"k": last(), "v": last()}]}];
    let found = search(&pool, &[], Effort { runs: 0, sets: 500 }, &mut Source::seeded(1), &|_| false);
    assert_eq!(found, None);
}
