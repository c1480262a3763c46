//! Conversions between types: `$convert`, its short forms, `$type`, `$isNumber`.

use bson::error::{Decimal128ErrorKind, ErrorKind};
use bson::oid::ObjectId;

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{Decimal, View, truncated_long, type_alias, type_code, type_code_of_alias};

use super::env::Env;
use super::number::{Number, as_i32};
use super::table::{Call, Named, Operator, Refusal, Shape};
use super::value::Value;

const fn short(name: &'static str) -> Operator {
    Operator { name, shape: Shape::Single, run: to_type }
}

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$convert", shape: Shape::Named(&CONVERT), run: convert },
    short("$toBool"),
    short("$toDate"),
    short("$toDecimal"),
    short("$toDouble"),
    short("$toInt"),
    short("$toLong"),
    short("$toObjectId"),
    short("$toString"),
    Operator {
        name: "$type",
        shape: Shape::Exactly(1),
        run: |call, env| Ok(Value::text(call.value(0, env)?.type_name())),
    },
    Operator { name: "$isNumber", shape: Shape::Exactly(1), run: is_number },
];

const CONVERT: Named = Named {
    no_document: Refusal(9, "$convert expects an object of named arguments but found: {}"),
    unknown: Refusal(9, "$convert found an unknown argument: {}"),
    fields: &[
        ("input", Some(Refusal(9, "Missing 'input' parameter to $convert"))),
        ("to", Some(Refusal(9, "Missing 'to' parameter to $convert"))),
        ("onError", None),
        ("onNull", None),
    ],
};

fn is_number<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    Ok(call.value(0, env)?.view().and_then(Number::of).is_some().into())
}

fn to_type<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    if value.is_nullish() {
        return Ok(Value::NULL);
    }
    let target = match call.name() {
        "$toBool" => 8,
        "$toDate" => 9,
        "$toDecimal" => 19,
        "$toDouble" => 1,
        "$toInt" => 16,
        "$toLong" => 18,
        "$toObjectId" => 7,
        _ => 2,
    };
    converted(value, target)
}

fn convert<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (input, to) = (call.value(0, env)?, call.value(1, env)?);
    let target = target(&to)?;
    if input.is_nullish() {
        return if call.given(3) { call.value(3, env) } else { Ok(Value::NULL) };
    }
    let Some(target) = target else {
        return Ok(Value::NULL);
    };
    match converted(input, target) {
        Err(error) if error.code == ErrorCode::ConversionFailure && call.given(2) => call.value(2, env),
        other => other,
    }
}

/// The number of the target type; none for a nullish one.
fn target(to: &Value<'_>) -> Result<Option<i32>> {
    let failed = |message: String| Err(CommandError::new(ErrorCode::FailedToParse, message));
    match to.view() {
        None | Some(View::Null | View::Undefined) => Ok(None),
        Some(View::String(name)) => match type_code_of_alias(name) {
            Some(code) => Ok(Some(code)),
            None if name == "missing" => Ok(Some(0)),
            None => Err(CommandError::new(ErrorCode::BadValue, format!("Unknown type name: {name}"))),
        },
        Some(view) if Number::of(view).is_some() => match as_i32(view) {
            None => failed("In $convert, numeric 'to' argument is not an integer".into()),
            Some(code) if crate::value::is_type_code(code) => Ok(Some(code)),
            Some(code) => {
                failed(format!("In $convert, numeric value for 'to' does not correspond to a BSON type: {code}"))
            }
        },
        Some(other) => {
            failed(format!("$convert's 'to' argument must be a string or number, but is {}", type_alias(other)))
        }
    }
}

fn failure(message: String) -> CommandError {
    CommandError::new(ErrorCode::ConversionFailure, message)
}

fn unsupported(view: View<'_>, target: i32) -> CommandError {
    let to = match target {
        1 => "double",
        2 => "string",
        3 => "object",
        4 => "array",
        7 => "objectId",
        8 => "bool",
        9 => "date",
        16 => "int",
        18 => "long",
        19 => "decimal",
        _ => "that type",
    };
    failure(format!("Unsupported conversion from {} to {to} in $convert with no onError value", type_alias(view)))
}

/// Converts a value that is not nullish.
fn converted(value: Value<'_>, target: i32) -> Result<Value<'_>> {
    let view = value.or_null();
    if type_code(view) == target && matches!(target, 1 | 2 | 7 | 8 | 9 | 16 | 18 | 19) {
        return Ok(value);
    }
    match target {
        1 => to_double(view),
        2 => to_text(view).map(|text| Value::text(&text)),
        7 => to_object_id(view),
        8 => Ok(crate::value::is_true(view).into()),
        9 => to_date(view),
        16 => to_whole(view, target).and_then(|whole| narrow(view, whole)),
        18 => to_whole(view, target).map(Value::from),
        19 => to_decimal(view),
        _ => Err(unsupported(view, target)),
    }
}

const OVERFLOW: &str = "Conversion would overflow target type in $convert with no onError value: ";

fn overflow(view: View<'_>) -> CommandError {
    failure(format!("{OVERFLOW}{}", super::show::show(view)))
}

fn parse_failure(text: &str, why: &str) -> CommandError {
    failure(format!("Failed to parse number '{text}' in $convert with no onError value: {why}"))
}

/// Refuses hexadecimal digits, whatever is to become of them.
fn check_base(text: &str) -> Result<()> {
    let unsigned = text.trim_start_matches(['+', '-']);
    if unsigned.starts_with("0x") || unsigned.starts_with("0X") {
        return Err(failure(format!("Illegal hexadecimal input in $convert with no onError value: {text}")));
    }
    Ok(())
}

/// Reads a double as `NumberParser` does, which asks `strtod` (`src/mongo/base/parse_number.cpp`).
fn parsed_double(text: &str) -> Result<f64, &'static str> {
    if text.is_empty() {
        return Err("Empty string");
    }
    if text.starts_with(char::is_whitespace) {
        return Err("Leading whitespace");
    }
    match text.parse::<f64>() {
        Ok(number) if is_out_of_range(text, number) => Err("Out of range"),
        Ok(number) => Ok(number),
        Err(_) if begins_number(text) => Err("Did not consume whole string."),
        Err(_) => Err("Did not consume any digits"),
    }
}

/// Whether digits name a number that no normal double is near.
fn is_out_of_range(text: &str, number: f64) -> bool {
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    let names_some = digits.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    names_some && (number.is_infinite() || number.abs() < f64::MIN_POSITIVE)
}

fn begins_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = unsigned.strip_prefix('.').unwrap_or(unsigned);
    let word = unsigned.get(..3).unwrap_or_default();
    digits.starts_with(|c: char| c.is_ascii_digit())
        || ["inf", "nan"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

fn parsed_decimal(text: &str) -> Result<bson::Decimal128, &'static str> {
    if text.is_empty() {
        return Err("Empty string");
    }
    text.parse::<bson::Decimal128>().map_err(|error| match error.kind {
        ErrorKind::Decimal128 {
            kind: Decimal128ErrorKind::Overflow { .. } | Decimal128ErrorKind::Underflow { .. },
            ..
        } => {
            if text.contains("e-") || text.contains("E-") {
                "Conversion from string to decimal would underflow"
            } else {
                "Conversion from string to decimal would overflow"
            }
        }
        _ => "Failed to parse string to decimal",
    })
}

fn parsed_whole(text: &str) -> Result<i64, &'static str> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() {
        return Err("No digits");
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("Did not consume whole string.");
    }
    text.parse::<i64>().map_err(|_| "Overflow")
}

fn to_double(view: View<'_>) -> Result<Value<'static>> {
    match view {
        View::Boolean(truth) => Ok((if truth { 1.0 } else { 0.0 }).into()),
        #[expect(clippy::cast_precision_loss, reason = "milliseconds stay below 2^53 for any date of use")]
        View::DateTime(millis) => Ok((millis as f64).into()),
        View::String(text) => {
            check_base(text)?;
            parsed_double(text).map(Value::from).map_err(|why| parse_failure(text, why))
        }
        View::Decimal(decimal) => {
            let wide = Decimal::from_bson(decimal);
            let double = wide.to_double();
            if double.is_infinite() && matches!(wide, Decimal::Finite(_)) {
                Err(overflow(view))
            } else {
                Ok(double.into())
            }
        }
        other => match Number::of(other) {
            Some(number) => Ok(number.to_double().into()),
            None => Err(unsupported(view, 1)),
        },
    }
}

fn to_decimal(view: View<'_>) -> Result<Value<'static>> {
    let decimal = match view {
        View::Boolean(truth) => Decimal::from_long(i64::from(truth)),
        View::DateTime(millis) => Decimal::from_long(millis),
        View::String(text) => {
            check_base(text)?;
            let parsed = parsed_decimal(text).map_err(|why| parse_failure(text, why))?;
            return Ok(Value::View(View::Decimal(parsed)));
        }
        other => Number::of(other).ok_or_else(|| unsupported(view, 19))?.to_decimal(),
    };
    Ok(Value::View(View::Decimal(decimal.to_bson())))
}

/// A whole number for an int or a long; fractions are cut off.
fn to_whole(view: View<'_>, target: i32) -> Result<i64> {
    match view {
        View::Boolean(truth) => Ok(i64::from(truth)),
        View::DateTime(millis) if target == 18 => Ok(millis),
        View::String(text) => {
            check_base(text)?;
            let number = parsed_whole(text).map_err(|why| parse_failure(text, why))?;
            if target == 16 && i32::try_from(number).is_err() {
                return Err(parse_failure(text, "Overflow"));
            }
            Ok(number)
        }
        other => match Number::of(other) {
            None => Err(unsupported(view, target)),
            Some(number) if number.to_double().is_nan() => {
                Err(failure("Attempt to convert NaN value to integer type in $convert with no onError value".into()))
            }
            Some(number)
                if number.to_double().is_infinite() && !matches!(number, Number::Decimal(Decimal::Finite(_))) =>
            {
                Err(failure(
                    "Attempt to convert infinity value to integer type in $convert with no onError value".into(),
                ))
            }
            Some(_) => truncated_long(other).ok_or_else(|| overflow(view)),
        },
    }
}

fn narrow(view: View<'_>, whole: i64) -> Result<Value<'static>> {
    i32::try_from(whole).map(Value::from).map_err(|_| match view {
        // The server's message ends where the value of a long would stand.
        View::Int64(_) => failure(OVERFLOW.into()),
        _ => overflow(view),
    })
}

fn to_object_id(view: View<'_>) -> Result<Value<'static>> {
    let View::String(text) = view else {
        return Err(unsupported(view, 7));
    };
    ObjectId::parse_str(text).map(|id| Value::View(View::ObjectId(id))).map_err(|_| {
        let why = if text.len() == 24 {
            format!("Invalid character found in hex string: \"{text}\"")
        } else {
            format!("Invalid string length for parsing to OID, expected 24 but found {}", text.len())
        };
        failure(format!("Failed to parse objectId '{text}' in $convert with no onError value: {why}"))
    })
}

fn to_date(view: View<'_>) -> Result<Value<'static>> {
    let millis = match view {
        View::String(text) => super::date_text::read_free(text).map_err(failure)?,
        View::ObjectId(_) | View::Timestamp { .. } => {
            super::date_parts::instant(&Value::View(view)).unwrap_or_default()
        }
        View::Int64(millis) => millis,
        View::Double(_) | View::Decimal(_) => to_whole(view, 18)?,
        _ => return Err(unsupported(view, 9)),
    };
    Ok(Value::View(View::DateTime(millis)))
}

/// The text of a value as `$toString` gives it.
fn to_text(view: View<'_>) -> Result<String> {
    Ok(match view {
        View::Double(number) => super::show::show_double(number),
        View::Boolean(_)
        | View::Int32(_)
        | View::Int64(_)
        | View::Decimal(_)
        | View::ObjectId(_)
        | View::DateTime(_) => super::show::show(view),
        _ => return Err(unsupported(view, 2)),
    })
}
