//! Bounds as MongoDB writes them.

use pegboard::plan::{Interval, OrderedIntervals};
use pegboard::value::{Bson, doc};

#[track_caller]
fn check(interval: &Interval, expected: &str) {
    assert_eq!(interval.notation(), expected);
}

#[test]
fn values_are_written_as_the_server_writes_them() {
    check(&Interval::point("ram".into()), r#"["ram", "ram"]"#);
    check(&Interval::all(), "[MinKey, MaxKey]");
    check(&Interval::range(Bson::Double(4.0), false, Bson::Double(f64::INFINITY), true), "(4.0, inf.0]");
    check(&Interval::range(Bson::Double(f64::NAN), true, Bson::Double(0.1), true), "[nan.0, 0.1]");
    check(&Interval::range(Bson::Double(1e21), true, Bson::Int64(5), true), "[1e+21.0, 5]");
    check(&Interval::range("".into(), true, doc! {}.into(), false), r#"["", {})"#);
    check(&Interval::point(doc! { "a": [1, "x"] }.into()), r#"[{ a: [ 1, "x" ] }, { a: [ 1, "x" ] }]"#);
    check(&Interval::point(bson::DateTime::from_millis(0).into()), "[new Date(0), new Date(0)]");
    check(&Interval::range(Bson::Undefined, true, Bson::Null, false), "[undefined, null)");
}

#[test]
fn lists_unite_intersect_and_turn_inside_out() {
    let between = |low: i32, high: i32| Interval::range(low.into(), true, high.into(), false);
    let mut united = OrderedIntervals(vec![between(5, 7), between(1, 3), between(3, 4)]);
    united.unite();
    assert_eq!(united.notation(), ["[1, 4)", "[5, 7)"]);
    let other = OrderedIntervals(vec![between(2, 6)]);
    assert_eq!(united.intersect(&other).notation(), ["[2, 4)", "[5, 6)"]);
    assert_eq!(united.complement().notation(), ["[MinKey, 1)", "[4, 5)", "[7, MaxKey]"]);
    united.reverse();
    assert_eq!(united.notation(), ["(7, 5]", "(4, 1]"]);
}
