//! `$bit` (`src/mongo/db/update/bit_node.cpp`).

use std::borrow::Cow;

use super::apply::{Place, Scene};
use super::leaf::Effect;
use crate::error::{ErrorCode, Result, refuse};
use crate::value::{Bson, View, shown, type_alias, whole};

/// One of `and`, `or`, `xor` with its mask.
#[derive(Debug, Clone)]
pub(super) struct BitStep {
    operation: fn(i64, i64) -> i64,
    mask: Bson,
}

/// Reads the operand: a document of bitwise operations.
pub(super) fn parse(name: &str, value: &Bson) -> Result<Vec<BitStep>> {
    let Bson::Document(steps) = value else {
        return refuse(
            ErrorCode::BadValue,
            format!(
                "The $bit modifier is not compatible with a {}. You must pass in an embedded document: \
             {{$bit: {{field: {{and/or/xor: #}}}}",
                type_alias(value.into())
            ),
        );
    };
    if steps.is_empty() {
        return refuse(
            ErrorCode::BadValue,
            format!(
                "You must pass in at least one bitwise operation. The format is: {{$bit: {{field: {{and/or/xor: #}}}}, not \
             {{{name}: {}}}",
                shown(value)
            ),
        );
    }
    steps.iter().map(|(name, mask)| step(name, mask)).collect()
}

fn step(name: &str, mask: &Bson) -> Result<BitStep> {
    let operation: fn(i64, i64) -> i64 = match name {
        "and" => |a, b| a & b,
        "or" => |a, b| a | b,
        "xor" => |a, b| a ^ b,
        _ => {
            return refuse(
                ErrorCode::BadValue,
                format!(
                    "The $bit modifier only supports 'and', 'or', and 'xor', not '{name}' which is an unknown operator: \
                 {{{name}: {}}}",
                    shown(mask)
                ),
            );
        }
    };
    match mask {
        Bson::Int32(_) | Bson::Int64(_) => Ok(BitStep { operation, mask: mask.clone() }),
        _ => refuse(
            ErrorCode::BadValue,
            format!(
                "The $bit modifier field must be an Integer(32/64 bit); a '{}' is not supported here: {{{name}: {}}}",
                type_alias(mask.into()),
                shown(mask)
            ),
        ),
    }
}

pub(super) fn on_value(
    steps: &[BitStep],
    old: View<'_>,
    place: &Place<'_>,
    scene: &Scene<'_>,
) -> Result<Effect<'static>> {
    if !matches!(old, View::Int32(_) | View::Int64(_)) {
        return refuse(
            ErrorCode::BadValue,
            format!(
                "Cannot apply $bit to a value of non-integral type.{{{}}} has the field {} of non-integer type {}",
                scene.id(),
                place.name,
                type_alias(old)
            ),
        );
    }
    Ok(Effect::put_if_new(Cow::Owned(run(steps, old.to_bson())), old))
}

/// A missing value counts as the int zero.
pub(super) fn on_missing(steps: &[BitStep]) -> Bson {
    run(steps, Bson::Int32(0))
}

fn run(steps: &[BitStep], start: Bson) -> Bson {
    steps.iter().fold(start, |value, step| match (&value, &step.mask) {
        (Bson::Int32(a), Bson::Int32(b)) => {
            let result = (step.operation)(i64::from(*a), i64::from(*b));
            whole(result)
        }
        (a, b) => Bson::Int64((step.operation)(long(a), long(b))),
    })
}

fn long(value: &Bson) -> i64 {
    match value {
        Bson::Int32(number) => i64::from(*number),
        Bson::Int64(number) => *number,
        _ => 0,
    }
}
