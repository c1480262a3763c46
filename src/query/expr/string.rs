//! Text: parts by bytes or code points, search, replacement, trimming, case.

use crate::error::{CommandError, Result};
use crate::value::{ArrayBuilder, View, type_alias};

use super::env::Env;
use super::number::{Number, as_i32};
use super::table::{Call, Named, Operator, Refusal, Shape};
use super::value::{Value, count};

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$concat", shape: Shape::Any, run: concat },
    Operator { name: "$split", shape: Shape::Exactly(2), run: split },
    Operator { name: "$strLenBytes", shape: Shape::Exactly(1), run: length },
    Operator { name: "$strLenCP", shape: Shape::Exactly(1), run: length },
    Operator { name: "$strcasecmp", shape: Shape::Exactly(2), run: compare_caseless },
    Operator { name: "$substr", shape: Shape::Exactly(3), run: substr_bytes },
    Operator { name: "$substrBytes", shape: Shape::Exactly(3), run: substr_bytes },
    Operator { name: "$substrCP", shape: Shape::Exactly(3), run: substr_points },
    Operator { name: "$toLower", shape: Shape::Exactly(1), run: change_case },
    Operator { name: "$toUpper", shape: Shape::Exactly(1), run: change_case },
    Operator { name: "$indexOfBytes", shape: Shape::Between(2, 4), run: index_of },
    Operator { name: "$indexOfCP", shape: Shape::Between(2, 4), run: index_of },
    Operator { name: "$trim", shape: Shape::Named(&TRIM), run: trim },
    Operator { name: "$ltrim", shape: Shape::Named(&LTRIM), run: trim },
    Operator { name: "$rtrim", shape: Shape::Named(&RTRIM), run: trim },
    Operator { name: "$replaceOne", shape: Shape::Named(&REPLACE_ONE), run: replace },
    Operator { name: "$replaceAll", shape: Shape::Named(&REPLACE_ALL), run: replace },
];

const TRIM: Named = Named {
    no_document: Refusal(50696, "$trim only supports an object as an argument, found {}"),
    unknown: Refusal(50694, "$trim found an unknown argument: {}"),
    fields: &[("input", Some(Refusal(50695, "$trim requires an 'input' field"))), ("chars", None)],
};
const LTRIM: Named = Named {
    no_document: Refusal(50696, "$ltrim only supports an object as an argument, found {}"),
    unknown: Refusal(50694, "$ltrim found an unknown argument: {}"),
    fields: &[("input", Some(Refusal(50695, "$ltrim requires an 'input' field"))), ("chars", None)],
};
const RTRIM: Named = Named {
    no_document: Refusal(50696, "$rtrim only supports an object as an argument, found {}"),
    unknown: Refusal(50694, "$rtrim found an unknown argument: {}"),
    fields: &[("input", Some(Refusal(50695, "$rtrim requires an 'input' field"))), ("chars", None)],
};
const REPLACE_ONE: Named = Named {
    no_document: Refusal(51751, "$replaceOne requires an object as an argument, found: {}"),
    unknown: Refusal(51750, "$replaceOne found an unknown argument: {}"),
    fields: &[
        ("input", Some(Refusal(51749, "$replaceOne requires 'input' to be specified"))),
        ("find", Some(Refusal(51748, "$replaceOne requires 'find' to be specified"))),
        ("replacement", Some(Refusal(51747, "$replaceOne requires 'replacement' to be specified"))),
    ],
};
const REPLACE_ALL: Named = Named {
    no_document: Refusal(51751, "$replaceAll requires an object as an argument, found: {}"),
    unknown: Refusal(51750, "$replaceAll found an unknown argument: {}"),
    fields: &[
        ("input", Some(Refusal(51749, "$replaceAll requires 'input' to be specified"))),
        ("find", Some(Refusal(51748, "$replaceAll requires 'find' to be specified"))),
        ("replacement", Some(Refusal(51747, "$replaceAll requires 'replacement' to be specified"))),
    ],
};

/// Text of what the server turns into text by itself: numbers, dates, strings and symbols, and nothing for null.
fn coerced(value: &Value<'_>) -> Result<String> {
    match value.view() {
        None | Some(View::Null | View::Undefined) => Ok(String::new()),
        Some(View::String(text) | View::Symbol(text) | View::Code(text)) => Ok(text.to_owned()),
        Some(View::DateTime(millis)) => Ok(crate::value::calendar::iso_text(millis)),
        Some(View::Timestamp { time, increment }) => Ok(format!("Timestamp({time}, {increment})")),
        Some(view) => match Number::of(view) {
            Some(Number::Double(double)) => Ok(super::show::show_double(double)),
            Some(_) => Ok(super::show::show(view)),
            None => {
                Err(CommandError::new(16007, format!("can't convert from BSON type {} to String", type_alias(view))))
            }
        },
    }
}

fn concat<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let mut joined = String::new();
    for at in 0..call.operands.len() {
        let value = call.value(at, env)?;
        if value.is_nullish() {
            return Ok(Value::NULL);
        }
        let Some(text) = value.string() else {
            return Err(CommandError::new(16702, format!("$concat only supports strings, not {}", value.type_name())));
        };
        joined.push_str(text);
    }
    Ok(Value::text(&joined))
}

fn split<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (input, separator) = (call.value(0, env)?, call.value(1, env)?);
    if input.is_nullish() || separator.is_nullish() {
        return Ok(Value::NULL);
    }
    let need = |value: &Value<'_>, code, which| {
        let found = value.type_name();
        CommandError::new(
            code,
            format!("$split requires an expression that evaluates to a string as a {which} argument, found: {found}"),
        )
    };
    let text = input.string().ok_or_else(|| need(&input, 40085, "first"))?;
    let mark = separator.string().ok_or_else(|| need(&separator, 40086, "second"))?;
    if mark.is_empty() {
        return Err(CommandError::new(40087, "$split requires a non-empty separator"));
    }
    Ok(text.split(mark).map(View::String).collect::<ArrayBuilder>().finish().into())
}

fn length<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    let bytes = call.name() == "$strLenBytes";
    let Some(text) = value.string() else {
        let (name, found) = (call.name(), value.type_name());
        let code = if bytes { 34473 } else { 34471 };
        return Err(CommandError::new(code, format!("{name} requires a string argument, found: {found}")));
    };
    Ok(count(if bytes { text.len() } else { text.chars().count() }))
}

fn compare_caseless<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (left, right) = (coerced(&call.value(0, env)?)?, coerced(&call.value(1, env)?)?);
    let order = left.to_ascii_uppercase().cmp(&right.to_ascii_uppercase());
    Ok((order as i32).into())
}

fn change_case<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let text = coerced(&call.value(0, env)?)?;
    // Only ASCII letters have a case here, as the manual says.
    let changed = if call.name() == "$toLower" { text.to_ascii_lowercase() } else { text.to_ascii_uppercase() };
    Ok(Value::text(&changed))
}

/// A number for a byte position; fractions are cut off.
fn byte_number(value: &Value<'_>, code: i32, which: &str) -> Result<i64> {
    let whole = value.view().and_then(crate::value::truncated_long);
    whole.ok_or_else(|| {
        let found = value.type_name();
        CommandError::new(code, format!("$substrBytes:  {which} must be a numeric type (is BSON type {found})"))
    })
}

fn substr_bytes<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let input = call.value(0, env)?;
    let start = byte_number(&call.value(1, env)?, 16034, "starting index")?;
    let wanted = byte_number(&call.value(2, env)?, 16035, "length")?;
    let Ok(start) = usize::try_from(start) else {
        return Err(CommandError::new(
            50752,
            format!("$substrBytes:  starting index must be non-negative (got: {start})"),
        ));
    };
    if let Value::View(View::String(text)) = input {
        return Ok(Value::View(View::String(byte_part(text, start, wanted)?)));
    }
    Ok(Value::text(byte_part(&coerced(&input)?, start, wanted)?))
}

/// A negative length takes the rest.
fn byte_part(text: &str, start: usize, wanted: i64) -> Result<&str> {
    if start >= text.len() {
        return Ok("");
    }
    let end = usize::try_from(wanted).map_or(text.len(), |wanted| start.saturating_add(wanted).min(text.len()));
    let middle = |code, which: &str| {
        CommandError::new(
            code,
            format!("$substrBytes:  Invalid range, {which} index is in the middle of a UTF-8 character."),
        )
    };
    if !text.is_char_boundary(start) {
        return Err(middle(28656, "starting"));
    }
    text.get(start..end).ok_or_else(|| middle(28657, "ending"))
}

fn point_number(value: &Value<'_>, code: i32, which: &str) -> Result<i32> {
    if value.view().and_then(Number::of).is_none() {
        let found = value.type_name();
        return Err(CommandError::new(
            code,
            format!("$substrCP: {which} must be a numeric type (is BSON type {found})"),
        ));
    }
    value.view().and_then(as_i32).ok_or_else(|| {
        let shown = value.shown();
        CommandError::new(
            code + 1,
            format!("$substrCP: {which} cannot be represented as a 32-bit integral value: {shown}"),
        )
    })
}

fn substr_points<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let input = call.value(0, env)?;
    let text = coerced(&input)?;
    let start = point_number(&call.value(1, env)?, 34450, "starting index")?;
    let wanted = point_number(&call.value(2, env)?, 34452, "length")?;
    let Ok(wanted) = usize::try_from(wanted) else {
        return Err(CommandError::new(34454, "$substrCP: length must be a nonnegative integer."));
    };
    let Ok(start) = usize::try_from(start) else {
        return Err(CommandError::new(34455, "$substrCP: the starting index must be nonnegative integer."));
    };
    Ok(Value::text(&text.chars().skip(start).take(wanted).collect::<String>()))
}

fn index_of<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let bytes = call.name() == "$indexOfBytes";
    let codes = if bytes { (40091, 40092) } else { (40093, 40094) };
    let (name, input) = (call.name(), call.value(0, env)?);
    if input.is_nullish() {
        return Ok(Value::NULL);
    }
    let need = |value: &Value<'_>, code, which| {
        CommandError::new(
            code,
            format!("{name} requires a string as the {which} argument, found: {}", value.type_name()),
        )
    };
    let text = input.string().ok_or_else(|| need(&input, codes.0, "first"))?;
    let wanted = call.value(1, env)?;
    let wanted = wanted.string().ok_or_else(|| need(&wanted, codes.1, "second"))?;
    let bound = |at: usize, which: &str, absent: usize| {
        if call.given(at) { super::array::search_bound(call, &call.value(at, env)?, which) } else { Ok(absent) }
    };
    let (from, to) = (bound(2, "starting", 0)?, bound(3, "ending", usize::MAX)?);
    let place = if bytes { find_bytes(text, wanted, from, to) } else { find_points(text, wanted, from, to) };
    Ok(place.map_or(Value::from(-1), count))
}

fn find_bytes(text: &str, wanted: &str, from: usize, to: usize) -> Option<usize> {
    let part = text.as_bytes().get(from..to.min(text.len()))?;
    if wanted.is_empty() {
        return Some(from);
    }
    part.windows(wanted.len()).position(|window| window == wanted.as_bytes()).map(|at| at + from)
}

fn find_points(text: &str, wanted: &str, from: usize, to: usize) -> Option<usize> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let (start, end) = (*starts.get(from)?, starts[to.min(starts.len() - 1)]);
    let at = text.get(start..end)?.find(wanted)? + start;
    starts.binary_search(&at).ok()
}

/// What is trimmed when nothing is named: whitespace and the NUL (manual: *$trim*).
const WHITE: &[char] = &[
    '\0', '\t', '\n', '\u{b}', '\u{c}', '\r', ' ', '\u{a0}', '\u{1680}', '\u{2000}', '\u{2001}', '\u{2002}',
    '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}', '\u{2008}', '\u{2009}', '\u{200a}',
];

fn trim<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (name, input) = (call.name(), call.value(0, env)?);
    if input.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(text) = input.string() else {
        let (shown, found) = (input.shown(), input.type_name());
        return Err(CommandError::new(
            50699,
            format!("{name} requires its input to be a string, got {shown} (of type {found}) instead."),
        ));
    };
    let given = call.value(1, env)?;
    let chars: Vec<char> = if call.given(1) {
        if given.is_nullish() {
            return Ok(Value::NULL);
        }
        let Some(chars) = given.string() else {
            let (shown, found) = (given.shown(), given.type_name());
            return Err(CommandError::new(
                50700,
                format!("{name} requires 'chars' to be a string, got {shown} (of type {found}) instead."),
            ));
        };
        chars.chars().collect()
    } else {
        WHITE.to_vec()
    };
    let left = if name == "$rtrim" { text } else { text.trim_start_matches(chars.as_slice()) };
    Ok(Value::text(if name == "$ltrim" { left } else { left.trim_end_matches(chars.as_slice()) }))
}

fn replace<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let values = call.values(env)?;
    let name = call.name();
    for (value, (what, code)) in values.iter().zip([("input", 51746), ("find", 51745), ("replacement", 51744)]) {
        if !value.is_nullish() && value.string().is_none() {
            let found = value.type_name();
            return Err(CommandError::new(code, format!("{name} requires that '{what}' be a string, found: {found}")));
        }
    }
    let [Some(text), Some(find), Some(replacement)] = [0, 1, 2].map(|at| values[at].string()) else {
        return Ok(Value::NULL);
    };
    Ok(Value::text(&if name == "$replaceOne" {
        text.replacen(find, replacement, 1)
    } else {
        text.replace(find, replacement)
    }))
}
