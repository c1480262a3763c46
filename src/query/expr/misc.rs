//! Bits, sizes, chance, timestamps, and what needs a server to run.

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{Bson, DocView, Packed, View, type_alias};

use super::env::Env;
use super::node::Node;
use super::number::Number;
use super::table::{Call, Operator, Shape};
use super::value::{Value, count};

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$bitAnd", shape: Shape::Any, run: bits },
    Operator { name: "$bitOr", shape: Shape::Any, run: bits },
    Operator { name: "$bitXor", shape: Shape::Any, run: bits },
    Operator { name: "$bitNot", shape: Shape::Exactly(1), run: bit_not },
    Operator { name: "$bsonSize", shape: Shape::Exactly(1), run: bson_size },
    Operator { name: "$binarySize", shape: Shape::Exactly(1), run: binary_size },
    Operator { name: "$tsSecond", shape: Shape::Exactly(1), run: timestamp_part },
    Operator { name: "$tsIncrement", shape: Shape::Exactly(1), run: timestamp_part },
];

/// The most bytes one expression may build (server: `internalQueryMaxRangeBytes`, 100 MiB).
const MAX_BYTES: usize = 100 * 1024 * 1024;

/// Refuses a result that would not fit into memory reasonably.
pub(super) fn check_size(bytes: usize, what: &str) -> Result<()> {
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    let message = format!(
        "{what} would use too much memory ({bytes} bytes) and cannot spill to disk. Memory limit: {MAX_BYTES} bytes"
    );
    Err(CommandError::new(ErrorCode::ExceededMemoryLimit, message))
}

fn bits<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let name = call.name();
    let join = |a: i64, b: i64| match name {
        "$bitAnd" => a & b,
        "$bitOr" => a | b,
        _ => a ^ b,
    };
    let mut total = if name == "$bitAnd" { -1 } else { 0 };
    let (mut long, mut nothing) = (false, false);
    for at in 0..call.operands.len() {
        let value = call.value(at, env)?;
        match value.view() {
            None | Some(View::Null | View::Undefined) => nothing = true,
            Some(View::Int32(number)) => total = join(total, i64::from(number)),
            Some(View::Int64(number)) => {
                long = true;
                total = join(total, number);
            }
            _ => {
                let message = format!("{name} only supports int and long operands.");
                return Err(CommandError::new(ErrorCode::TypeMismatch, message));
            }
        }
    }
    Ok(match i32::try_from(total) {
        _ if nothing => Value::NULL,
        Ok(int) if !long => int.into(),
        _ => total.into(),
    })
}

fn bit_not<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    match value.view() {
        None | Some(View::Null | View::Undefined) => Ok(Value::NULL),
        Some(View::Int32(number)) => Ok((!number).into()),
        Some(View::Int64(number)) => Ok((!number).into()),
        Some(other) if Number::of(other).is_some() => {
            let message = format!("$bitNot only supports int and long, not: {}.", type_alias(other));
            Err(CommandError::new(ErrorCode::TypeMismatch, message))
        }
        Some(other) => {
            Err(CommandError::new(28765, format!("$bitNot only supports numeric types, not {}", type_alias(other))))
        }
    }
}

fn bson_size<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    if value.is_nullish() {
        return Ok(Value::NULL);
    }
    match value.as_document() {
        Some(DocView::Raw(raw)) => Ok(count(raw.as_bytes().len())),
        // A packed value is the document, its own length, type, empty name and closing byte around it.
        Some(owned) => Ok(count(Packed::new(View::Document(owned)).size() - 7)),
        None => {
            let found = value.type_name();
            Err(CommandError::new(31393, format!("$bsonSize requires a document input, found: {found}")))
        }
    }
}

fn binary_size<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    match value.view() {
        None | Some(View::Null | View::Undefined) => Ok(Value::NULL),
        Some(View::String(text)) => Ok(count(text.len())),
        Some(View::Binary { bytes, .. }) => Ok(count(bytes.len())),
        Some(other) => {
            let found = type_alias(other);
            Err(CommandError::new(51276, format!("$binarySize requires a string or BinData argument, found: {found}")))
        }
    }
}

fn timestamp_part<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    let second = call.name() == "$tsSecond";
    match value.view() {
        None | Some(View::Null | View::Undefined) => Ok(Value::NULL),
        Some(View::Timestamp { time, increment }) => Ok(i64::from(if second { time } else { increment }).into()),
        Some(other) => {
            let (name, found) = (call.name(), type_alias(other));
            let code = if second { 5_687_301 } else { 5_687_302 };
            Err(CommandError::new(code, format!(" Argument to {name} must be a timestamp, but is {found}")))
        }
    }
}

/// `$sampleRate` is a comparison with chance.
pub(super) fn parse_sample_rate(value: &Bson) -> Result<Node> {
    let Some(rate) = Number::of(View::from(value)).map(Number::to_double) else {
        return Err(CommandError::new(ErrorCode::BadValue, "argument to $sampleRate must be a numeric type"));
    };
    if !(0.0..=1.0).contains(&rate) {
        let message = format!("numeric argument to $sampleRate must be in [0, 1], but got {rate}");
        return Err(CommandError::new(ErrorCode::BadValue, message));
    }
    let written = Bson::Document(crate::value::doc! {"$lt": [{"$rand": {}}, rate]});
    super::parse::operand(&written, &super::env::Scope::default())
}

/// JavaScript inside the engine is refused, as by a server that runs with `--noscripting`.
pub(super) fn no_javascript(name: &str) -> CommandError {
    CommandError::new(31264, format!("{name} is not allowed: JavaScript execution is disabled on this server"))
}
