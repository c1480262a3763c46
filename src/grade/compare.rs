//! Whether two answers say the same: numbers by value, the order of fields free, the order of results as the task rules.

use std::cmp::Ordering;

use crate::course::{Compare, OrderRule};
use crate::value::{Bson, Document, View, compare};

/// A value to be compared, and how it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    canonical: Bson,
    written: Bson,
}

impl Item {
    /// The value with the order of fields free, and that of the arrays at these paths.
    pub(super) fn of(written: Bson, free: &[String]) -> Self {
        Self { canonical: canonical(&written, "", free), written }
    }
}

/// How an answer differs from the model's, each value as it was written.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Difference {
    /// What should not be there.
    pub(super) extra: Vec<Bson>,
    /// What is not there.
    pub(super) missing: Vec<Bson>,
    /// The same things in another order.
    pub(super) order: bool,
}

impl Difference {
    /// In which ways it differs.
    pub(super) fn signs(&self) -> Vec<&'static str> {
        let all = [("extra", !self.extra.is_empty()), ("missing", !self.missing.is_empty()), ("order", self.order)];
        all.into_iter().filter_map(|(sign, holds)| holds.then_some(sign)).collect()
    }

    pub(super) fn is_none(&self) -> bool {
        self.extra.is_empty() && self.missing.is_empty() && !self.order
    }
}

/// Compares the values of two answers.
pub(super) fn results(expected: &Bson, actual: &Bson, what: Compare, order: OrderRule) -> Difference {
    let expected = rows(expected, what);
    let actual = rows(actual, what);
    let mut difference = sets(&expected, &actual);
    difference.order = order == OrderRule::Given && difference.is_none() && !pairwise_equal(&expected, &actual);
    difference
}

/// Compares two lists without order, each value as often as it occurs.
pub(super) fn sets(expected: &[Item], actual: &[Item]) -> Difference {
    let (mut expected, mut actual) = (expected.to_vec(), actual.to_vec());
    expected.sort_by(order_of);
    actual.sort_by(order_of);
    let (mut left, mut right) = (expected.into_iter().peekable(), actual.into_iter().peekable());
    let mut found = Difference::default();
    while let (Some(want), Some(have)) = (left.peek(), right.peek()) {
        match order_of(want, have) {
            Ordering::Equal => {
                left.next();
                right.next();
            }
            Ordering::Less => found.missing.extend(left.next().map(written)),
            Ordering::Greater => found.extra.extend(right.next().map(written)),
        }
    }
    found.missing.extend(left.map(written));
    found.extra.extend(right.map(written));
    found
}

/// Whether two values are equal once their fields are put in order.
pub(super) fn equal(left: &Bson, right: &Bson) -> bool {
    by_value(&canonical(left, "", &[]), &canonical(right, "", &[])) == Ordering::Equal
}

fn pairwise_equal(left: &[Item], right: &[Item]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(a, b)| order_of(a, b) == Ordering::Equal)
}

fn order_of(left: &Item, right: &Item) -> Ordering {
    by_value(&left.canonical, &right.canonical)
}

fn by_value(left: &Bson, right: &Bson) -> Ordering {
    compare(View::from(left), View::from(right))
}

fn written(item: Item) -> Bson {
    item.written
}

fn rows(value: &Bson, what: Compare) -> Vec<Item> {
    let list = match value {
        Bson::Array(list) => list.as_slice(),
        other => std::slice::from_ref(other),
    };
    let part = |row: &Bson| match (what, row) {
        (Compare::Ids, Bson::Document(document)) if document.contains_key("_id") => {
            let id = document.get("_id").cloned().unwrap_or(Bson::Null);
            Item { canonical: id.clone(), written: id }
        }
        _ => Item::of(row.clone(), &[]),
    };
    list.iter().map(part).collect()
}

/// A value with fields by name, fractions rounded to twelve digits, and arrays at the free paths in order.
fn canonical(value: &Bson, path: &str, free: &[String]) -> Bson {
    match value {
        Bson::Document(document) => {
            let mut fields: Vec<(String, Bson)> = document
                .iter()
                .map(|(name, inner)| (name.clone(), canonical(inner, &join(path, name), free)))
                .collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Bson::Document(fields.into_iter().collect::<Document>())
        }
        Bson::Array(list) => {
            let mut list: Vec<Bson> = list.iter().map(|inner| canonical(inner, path, free)).collect();
            if free.iter().any(|known| known == path) {
                list.sort_by(by_value);
            }
            Bson::Array(list)
        }
        Bson::Double(number) => Bson::Double(rounded(*number)),
        Bson::Decimal128(number) => match number.to_string().parse::<f64>() {
            Ok(near) if near.is_finite() => Bson::Double(rounded(near)),
            _ => value.clone(),
        },
        other => other.clone(),
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Sums in another order differ in the last digits; twelve digits agree.
fn rounded(number: f64) -> f64 {
    if number.is_finite() { format!("{number:.11e}").parse().unwrap_or(number) } else { number }
}
