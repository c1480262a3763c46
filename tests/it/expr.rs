//! Aggregation expressions: every operator once, and what is refused with which code.

use crate::pipeline::check;

#[test]
fn operators() {
    check("tests/cases/expressions.json");
}

#[test]
fn refusals() {
    check("tests/cases/aggregate-errors.json");
}
