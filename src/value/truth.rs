//! What counts as true, as a number, and as none.

use super::decimal::Decimal;
use super::order::equal;
use super::view::View;

/// Whether a value counts as true: everything but false, null, undefined and zero (`Value::coerceToBool`,
/// `BSONElement::trueValue`).
#[must_use]
pub fn is_true(value: View<'_>) -> bool {
    match value {
        View::Boolean(truth) => truth,
        View::Null | View::Undefined => false,
        number => !is_number(number) || !equal(number, View::Int32(0)),
    }
}

/// Whether a value is of one of the four numeric types.
#[must_use]
pub fn is_number(value: View<'_>) -> bool {
    matches!(value, View::Int32(_) | View::Int64(_) | View::Double(_) | View::Decimal(_))
}

/// Whether a value is "not a number" of either type that has one.
#[must_use]
pub fn is_nan(value: View<'_>) -> bool {
    match value {
        View::Double(number) => number.is_nan(),
        View::Decimal(number) => Decimal::from_bson(number).is_nan(),
        _ => false,
    }
}
