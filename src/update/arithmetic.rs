//! `$inc` and `$mul` (`src/mongo/db/update/arithmetic_node.cpp`, `src/mongo/util/safe_num.cpp`).

use std::borrow::Cow;

use super::apply::{Place, Scene};
use super::leaf::Effect;
use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{Bson, Decimal, View, is_number, shown, type_alias};

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Inc,
    Mul,
}

impl Arithmetic {
    fn name(self) -> &'static str {
        match self {
            Self::Inc => "$inc",
            Self::Mul => "$mul",
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Inc => "increment",
            Self::Mul => "multiply",
        }
    }
}

/// Checks the operand.
pub(super) fn operand(which: Arithmetic, name: &str, value: &Bson) -> Result<Bson> {
    if is_number(value.into()) {
        return Ok(value.clone());
    }
    let message = format!("Cannot {} with non-numeric argument: {{{name}: {}}}", which.verb(), shown(value));
    Err(CommandError::new(ErrorCode::TypeMismatch, message))
}

pub(super) fn on_value(
    which: Arithmetic,
    operand: &Bson,
    old: View<'_>,
    place: &Place<'_>,
    scene: &Scene<'_>,
) -> Result<Effect<'static>> {
    if !is_number(old) {
        let field = place.name;
        let message = format!(
            "Cannot apply {} to a value of non-numeric type. {{{}}} has the field '{field}' of non-numeric type {}",
            which.name(),
            scene.id(),
            type_alias(old)
        );
        return Err(CommandError::new(ErrorCode::TypeMismatch, message));
    }
    if let Some(value) = combine(which, &old.to_bson(), operand) {
        return Ok(Effect::put_if_new(Cow::Owned(value), old));
    }
    let kind = if matches!(old, View::Int32(_)) { "NumberInt" } else { "NumberLong" };
    let message = format!(
        "Failed to apply {} operations to current value (({kind}){}) for document {{{}}}",
        which.name(),
        shown(old),
        scene.id()
    );
    Err(CommandError::new(ErrorCode::BadValue, message))
}

/// A missing value counts as zero: `$inc` writes its operand, `$mul` a zero of the operand's type.
pub(super) fn on_missing(which: Arithmetic, operand: &Bson) -> Bson {
    match (which, operand) {
        (Arithmetic::Inc, _) => operand.clone(),
        (Arithmetic::Mul, Bson::Int64(_)) => Bson::Int64(0),
        (Arithmetic::Mul, Bson::Double(_)) => Bson::Double(0.0),
        (Arithmetic::Mul, Bson::Decimal128(_)) => Bson::Decimal128(Decimal::from_long(0).to_bson()),
        (Arithmetic::Mul, _) => Bson::Int32(0),
    }
}

/// The wider type wins; an int that overflows becomes a long, a long that overflows gives nothing.
fn combine(which: Arithmetic, left: &Bson, right: &Bson) -> Option<Bson> {
    if matches!(left, Bson::Decimal128(_)) || matches!(right, Bson::Decimal128(_)) {
        let (a, b) = (decimal(left), decimal(right));
        let result = if which == Arithmetic::Inc { a.add(b) } else { a.multiply(b) };
        return Some(Bson::Decimal128(result.to_bson()));
    }
    match (left, right) {
        (Bson::Double(_), _) | (_, Bson::Double(_)) => {
            let (a, b) = (double(left), double(right));
            Some(Bson::Double(if which == Arithmetic::Inc { a + b } else { a * b }))
        }
        _ => {
            let (a, b) = (long(left), long(right));
            let result = if which == Arithmetic::Inc { a.checked_add(b) } else { a.checked_mul(b) }?;
            let both_ints = matches!((left, right), (Bson::Int32(_), Bson::Int32(_)));
            Some(match i32::try_from(result) {
                Ok(small) if both_ints => Bson::Int32(small),
                _ => Bson::Int64(result),
            })
        }
    }
}

fn decimal(value: &Bson) -> Decimal {
    match value {
        Bson::Decimal128(number) => Decimal::from_bson(*number),
        Bson::Double(number) => Decimal::from_double(*number),
        _ => Decimal::from_long(long(value)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a long meets a double as a double, as on the server")]
fn double(value: &Bson) -> f64 {
    match value {
        Bson::Double(number) => *number,
        _ => long(value) as f64,
    }
}

fn long(value: &Bson) -> i64 {
    match value {
        Bson::Int32(number) => i64::from(*number),
        Bson::Int64(number) => *number,
        _ => 0,
    }
}
