//! Numbers of the four numeric types against each other, by exact value.

use std::cmp::Ordering;

use bson::Bson;

use super::decimal::{Decimal, Finite};
use super::view::View;

const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// A number that is no decimal.
#[derive(Debug, Clone, Copy)]
pub enum PlainNumber {
    /// An integer of either size.
    Whole(i64),
    /// A binary floating-point number.
    Double(f64),
}

impl PlainNumber {
    /// The number that a value is; none of decimals and of what is no number.
    #[must_use]
    #[inline]
    pub fn of(value: View<'_>) -> Option<Self> {
        match value {
            View::Int32(number) => Some(Self::Whole(i64::from(number))),
            View::Int64(number) => Some(Self::Whole(number)),
            View::Double(number) => Some(Self::Double(number)),
            _ => None,
        }
    }

    /// Compares by exact value; nothing where either is NaN.
    #[must_use]
    #[inline]
    pub fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => Some(a.cmp(&b)),
            (Self::Double(a), Self::Double(b)) => a.partial_cmp(&b),
            (Self::Whole(a), Self::Double(b)) => (!b.is_nan()).then(|| compare_long_double(a, b)),
            (Self::Double(a), Self::Whole(b)) => (!a.is_nan()).then(|| compare_long_double(b, a).reverse()),
        }
    }
}

/// Compares two numbers by value whatever their types; NaN is equal to itself and below every number.
///
/// Values that are no numbers compare equal; callers have compared type ranks before.
pub(super) fn compare_numbers(left: View<'_>, right: View<'_>) -> Ordering {
    match (left, right) {
        (View::Int32(a), View::Int32(b)) => a.cmp(&b),
        (View::Int32(a), View::Int64(b)) => i64::from(a).cmp(&b),
        (View::Int64(a), View::Int32(b)) => a.cmp(&i64::from(b)),
        (View::Int64(a), View::Int64(b)) => a.cmp(&b),
        (View::Double(a), View::Double(b)) => compare_doubles(a, b),
        (View::Int32(a), View::Double(b)) => compare_doubles(f64::from(a), b),
        (View::Double(a), View::Int32(b)) => compare_doubles(a, f64::from(b)),
        (View::Int64(a), View::Double(b)) => compare_long_double(a, b),
        (View::Double(a), View::Int64(b)) => compare_long_double(b, a).reverse(),
        (View::Decimal(a), View::Decimal(b)) => Decimal::from_bson(a).compare(Decimal::from_bson(b)),
        (View::Decimal(a), other) => compare_decimal(Decimal::from_bson(a), other),
        (other, View::Decimal(b)) => compare_decimal(Decimal::from_bson(b), other).reverse(),
        _ => Ordering::Equal,
    }
}

fn compare_doubles(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or_else(|| right.is_nan().cmp(&left.is_nan()))
}

/// Compares exactly: a double cannot hold every long, so the long is never rounded.
fn compare_long_double(left: i64, right: f64) -> Ordering {
    if right.is_nan() {
        return Ordering::Greater;
    }
    if right >= TWO_63 {
        return Ordering::Less;
    }
    if right < -TWO_63 {
        return Ordering::Greater;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked above")]
    let whole = right.trunc() as i64;
    left.cmp(&whole).then_with(|| 0.0_f64.partial_cmp(&right.fract()).unwrap_or(Ordering::Equal))
}

fn compare_decimal(left: Decimal, right: View<'_>) -> Ordering {
    match right {
        View::Int32(b) => left.compare(Decimal::from_long(i64::from(b))),
        View::Int64(b) => left.compare(Decimal::from_long(b)),
        View::Double(b) => compare_decimal_double(left, b),
        _ => Ordering::Equal,
    }
}

/// Compares exactly: the double is taken as the binary fraction it is and never rounded to 34 digits.
fn compare_decimal_double(left: Decimal, right: f64) -> Ordering {
    let as_decimal = if right.is_nan() {
        Decimal::NaN
    } else if right.is_infinite() {
        Decimal::Infinity(right < 0.0)
    } else {
        // The shortest exact text of a double has up to 767 digits; the first 34 decide unless they are all equal.
        return compare_with_exact_text(left, right);
    };
    left.compare(as_decimal)
}

fn compare_with_exact_text(left: Decimal, right: f64) -> Ordering {
    let text = format!("{:.1074e}", right.abs());
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let head: u128 = digits[..34].parse().unwrap_or_default();
    let rest_is_zero = digits[34..].bytes().all(|digit| digit == b'0');
    let exponent = power.parse::<i32>().unwrap_or_default() - 33;
    let rounded = Decimal::Finite(Finite { negative: right < 0.0, coefficient: head, exponent });
    left.compare(rounded).then_with(|| match (rest_is_zero, right < 0.0) {
        (true, _) => Ordering::Equal,
        (false, true) => Ordering::Greater,
        (false, false) => Ordering::Less,
    })
}

/// A whole number as the shell types it and the server counts: an int where it fits, else a long.
#[must_use]
pub fn whole(number: i64) -> Bson {
    i32::try_from(number).map_or(Bson::Int64(number), Bson::Int32)
}

/// The value as a long, where it is a whole number in range.
#[must_use]
pub fn exact_long(value: View<'_>) -> Option<i64> {
    let whole = truncated_long(value)?;
    compare_numbers(View::Int64(whole), value).is_eq().then_some(whole)
}

/// The value as a long without its fraction; none for NaN, infinities, numbers out of range and other types.
#[must_use]
pub fn truncated_long(value: View<'_>) -> Option<i64> {
    match value {
        View::Int32(number) => Some(i64::from(number)),
        View::Int64(number) => Some(number),
        #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
        View::Double(number) => (-TWO_63..TWO_63).contains(&number).then_some(number as i64),
        View::Decimal(number) => match Decimal::from_bson(number) {
            Decimal::Finite(finite) => finite.truncated_long(),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a number is below zero; none for NaN and other types.
#[must_use]
pub fn is_below_zero(value: View<'_>) -> Option<bool> {
    match value {
        View::Int32(number) => Some(number < 0),
        View::Int64(number) => Some(number < 0),
        View::Double(number) => (!number.is_nan()).then_some(number < 0.0),
        View::Decimal(number) => {
            let number = Decimal::from_bson(number);
            (!number.is_nan()).then_some(number.is_negative())
        }
        _ => None,
    }
}

impl Finite {
    fn truncated_long(self) -> Option<i64> {
        let power = 10_i128.checked_pow(self.exponent.unsigned_abs());
        let coefficient = i128::try_from(self.coefficient).ok()?;
        let magnitude = match power {
            _ if coefficient == 0 => 0,
            Some(power) if self.exponent < 0 => coefficient / power,
            Some(power) => coefficient.checked_mul(power)?,
            None if self.exponent < 0 => 0,
            None => return None,
        };
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }
}
