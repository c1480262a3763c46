//! `$add` to `$trunc`: the four rules of arithmetic with the server's promotion, overflow and date rules.

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{View, exact_long, truncated_long};

use super::env::Env;
use super::number::{Number, Pair, Sum, int_or_long};
use super::table::{Call, Operator, Shape};
use super::value::Value;

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$add", shape: Shape::Any, run: add },
    Operator { name: "$subtract", shape: Shape::Exactly(2), run: subtract },
    Operator { name: "$multiply", shape: Shape::Any, run: multiply },
    Operator { name: "$divide", shape: Shape::Exactly(2), run: divide },
    Operator { name: "$mod", shape: Shape::Exactly(2), run: modulo },
    Operator { name: "$round", shape: Shape::Between(1, 2), run: round },
    Operator { name: "$trunc", shape: Shape::Between(1, 2), run: round },
];

fn type_mismatch(message: String) -> CommandError {
    CommandError::new(ErrorCode::TypeMismatch, message)
}

fn bad_value(message: &str) -> CommandError {
    CommandError::new(ErrorCode::BadValue, message)
}

fn add<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (mut sum, mut date) = (Sum::default(), None);
    let mut nothing = false;
    for at in 0..call.operands.len() {
        let value = call.value(at, env)?;
        match value.view() {
            None | Some(View::Null | View::Undefined) => nothing = true,
            Some(View::DateTime(millis)) if date.is_none() => date = Some(millis),
            Some(View::DateTime(_)) => {
                return Err(CommandError::new(16612, "only one date allowed in an $add expression"));
            }
            Some(view) => {
                if let Some(number) = Number::of(view) {
                    sum.add(number);
                } else {
                    let found = value.type_name();
                    return Err(type_mismatch(format!("$add only supports numeric or date types, not {found}")));
                }
            }
        }
    }
    match date {
        _ if nothing => Ok(Value::NULL),
        Some(millis) => shift_date(millis, sum.total()),
        None => Ok(sum.total().into()),
    }
}

/// A date moved by milliseconds, rounded to whole ones.
fn shift_date(millis: i64, by: Number) -> Result<Value<'static>> {
    let rounded = match by {
        Number::Double(double) => View::Double(double.round()),
        other => other.view(),
    };
    let moved = truncated_long(rounded).and_then(|by| millis.checked_add(by));
    moved
        .map(|millis| Value::View(View::DateTime(millis)))
        .ok_or_else(|| CommandError::new(ErrorCode::Overflow, "date overflow"))
}

fn negated(number: Number) -> Number {
    match number {
        Number::Int(int) => int_or_long(-i64::from(int)),
        #[expect(clippy::cast_precision_loss, reason = "only the least long overflows, to a power of two")]
        Number::Long(long) => long.checked_neg().map_or(Number::Double(-(long as f64)), Number::Long),
        Number::Double(double) => Number::Double(-double),
        Number::Decimal(decimal) => Number::Decimal(decimal.negate()),
    }
}

fn subtract<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (left, right) = (call.value(0, env)?, call.value(1, env)?);
    if left.is_nullish() || right.is_nullish() {
        return Ok(Value::NULL);
    }
    let (l, r) = (left.or_null(), right.or_null());
    match (l, r) {
        (View::DateTime(a), View::DateTime(b)) => {
            let message = || format!("Overflow while subtracting {b}ms from {a}ms");
            let between = a.checked_sub(b).map(Value::from);
            return between.ok_or_else(|| CommandError::new(ErrorCode::DurationOverflow, message()));
        }
        (View::DateTime(millis), _) => {
            if let Some(number) = Number::of(r) {
                return shift_date(millis, negated(number));
            }
        }
        _ => {
            if let (Some(a), Some(b)) = (Number::of(l), Number::of(r)) {
                return Ok(difference(a, b).into());
            }
        }
    }
    Err(type_mismatch(format!("can't $subtract {} from {}", right.type_name(), left.type_name())))
}

#[expect(clippy::cast_precision_loss, reason = "a long overflow continues in double, as in the server")]
fn difference(left: Number, right: Number) -> Number {
    match left.pair(right) {
        Pair::Int(a, b) => int_or_long(i64::from(a) - i64::from(b)),
        Pair::Long(a, b) => a.checked_sub(b).map_or(Number::Double(a as f64 - b as f64), Number::Long),
        Pair::Double(a, b) => Number::Double(a - b),
        Pair::Decimal(a, b) => Number::Decimal(a.add(b.negate())),
    }
}

fn multiply<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (mut product, mut nothing) = (Number::Int(1), false);
    for at in 0..call.operands.len() {
        let value = call.value(at, env)?;
        if value.is_nullish() {
            nothing = true;
            continue;
        }
        let Some(number) = value.view().and_then(Number::of) else {
            let found = value.type_name();
            return Err(type_mismatch(format!("$multiply only supports numeric types, not {found}")));
        };
        product = times(product, number);
    }
    Ok(if nothing { Value::NULL } else { product.into() })
}

#[expect(clippy::cast_precision_loss, reason = "a long overflow continues in double, as in the server")]
fn times(left: Number, right: Number) -> Number {
    match left.pair(right) {
        Pair::Int(a, b) => int_or_long(i64::from(a) * i64::from(b)),
        Pair::Long(a, b) => a.checked_mul(b).map_or(Number::Double(a as f64 * b as f64), Number::Long),
        Pair::Double(a, b) => Number::Double(a * b),
        Pair::Decimal(a, b) => Number::Decimal(a.multiply(b)),
    }
}

/// Both operands as numbers; none where one of them is nullish.
fn two_numbers(call: &Call, left: &Value<'_>, right: &Value<'_>) -> Result<Option<(Number, Number)>> {
    if left.is_nullish() || right.is_nullish() {
        return Ok(None);
    }
    match (Number::of(left.or_null()), Number::of(right.or_null())) {
        (Some(a), Some(b)) => Ok(Some((a, b))),
        _ => Err(type_mismatch(format!(
            "{} only supports numeric types, not {} and {}",
            call.name(),
            left.type_name(),
            right.type_name()
        ))),
    }
}

fn is_zero(number: Number) -> bool {
    crate::value::equal(number.view(), View::Int32(0))
}

fn divide<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (left, right) = (call.value(0, env)?, call.value(1, env)?);
    let Some((a, b)) = two_numbers(call, &left, &right)? else {
        return Ok(Value::NULL);
    };
    if is_zero(b) {
        return Err(bad_value("can't $divide by zero"));
    }
    Ok(match (a, b) {
        (Number::Decimal(_), _) | (_, Number::Decimal(_)) => {
            Number::Decimal(a.to_decimal().divide(b.to_decimal())).into()
        }
        _ => (a.to_double() / b.to_double()).into(),
    })
}

fn modulo<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (left, right) = (call.value(0, env)?, call.value(1, env)?);
    let Some((a, b)) = two_numbers(call, &left, &right)? else {
        return Ok(Value::NULL);
    };
    if is_zero(b) {
        return Err(CommandError::new(16610, "can't $mod by zero"));
    }
    Ok(remainder(a, b).into())
}

/// Takes the sign of the dividend. Doubles that are whole numbers are reckoned in whole numbers.
fn remainder(left: Number, right: Number) -> Number {
    match left.pair(right) {
        Pair::Int(a, b) => Number::Int(a.wrapping_rem(b)),
        Pair::Long(a, b) => Number::Long(a.wrapping_rem(b)),
        Pair::Double(a, b) => match (left, exact_long(View::Double(b))) {
            // The server keeps a long dividend exact where the divisor is whole.
            (Number::Long(long), Some(whole)) if whole != 0 => Number::Long(long.wrapping_rem(whole)),
            _ => Number::Double(a % b),
        },
        Pair::Decimal(a, b) => Number::Decimal(a.remainder(b)),
    }
}

/// `$round` (half to even) and `$trunc` (towards zero) at a decimal place; a negative place counts left of the point.
fn round<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let name = call.name();
    let value = call.value(0, env)?;
    if value.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(number) = value.view().and_then(Number::of) else {
        return Err(CommandError::new(51081, format!("{name} only supports numeric types, not {}", value.type_name())));
    };
    let place = if call.given(1) {
        let place = call.value(1, env)?;
        if place.is_nullish() {
            return Ok(Value::NULL);
        }
        decimal_place(name, &place)?
    } else {
        0
    };
    let rounded = round_at(number, place, name == "$trunc");
    rounded.map(Value::from).ok_or_else(|| {
        let message = format!("invalid conversion from Decimal128 result in {name} resulting from arguments:");
        CommandError::new(51080, format!("{message} [{}, {place}]", value.shown()))
    })
}

fn decimal_place(name: &str, place: &Value<'_>) -> Result<i32> {
    let Some(whole) = place.view().and_then(exact_long) else {
        return Err(CommandError::new(51082, format!("precision argument to  {name} must be a integral value")));
    };
    i32::try_from(whole).ok().filter(|place| (-20..=100).contains(place)).ok_or_else(|| {
        CommandError::new(
            51083,
            format!("cannot apply {name} with precision value {whole} value must be in [-20, 100]"),
        )
    })
}

/// None where the result of a whole number is no long.
fn round_at(number: Number, place: i32, truncate: bool) -> Option<Number> {
    Some(match number {
        Number::Int(_) | Number::Long(_) if place >= 0 => number,
        Number::Int(int) => int_or_long(round_whole(i64::from(int), place, truncate)?),
        Number::Long(long) => Number::Long(round_whole(long, place, truncate)?),
        Number::Double(double) => Number::Double(round_double(double, place, truncate)),
        Number::Decimal(decimal) => Number::Decimal(decimal.round_at(place, truncate)),
    })
}

fn round_whole(number: i64, place: i32, truncate: bool) -> Option<i64> {
    let unit = 10_i128.pow(place.unsigned_abs());
    let wide = i128::from(number);
    let down = wide / unit * unit;
    let rest = (wide - down).abs();
    let up = !truncate && (rest * 2 > unit || (rest * 2 == unit && (down / unit) % 2 != 0));
    let rounded = if up { down + unit * wide.signum() } else { down };
    i64::try_from(rounded).ok()
}

/// Through the decimal text of the double, as the server goes through Decimal128.
fn round_double(number: f64, place: i32, truncate: bool) -> f64 {
    if !number.is_finite() {
        return number;
    }
    if place == 0 {
        return if truncate { number.trunc() } else { number.round_ties_even() };
    }
    crate::value::Decimal::from_double_exactly(number).round_at(place, truncate).to_double()
}
