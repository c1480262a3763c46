//! Dates as text and back: `$dateToString`, `$dateFromString`.

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::View;

use super::date_parse;
use super::date_parts::{day_of_week, need_instant, week, zone_at};
use super::env::Env;
use super::table::{Call, Named, Operator, Refusal, Shape};
use super::value::Value;
use super::zone::Zone;
use crate::value::calendar::{Civil, iso_week, iso_weekday};

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$dateToString", shape: Shape::Named(&TO_STRING), run: to_string },
    Operator { name: "$dateFromString", shape: Shape::Named(&FROM_STRING), run: from_string },
];

const TO_STRING: Named = Named {
    no_document: Refusal(18629, "$dateToString only supports an object as its argument"),
    unknown: Refusal(18534, "Unrecognized argument to $dateToString: {}"),
    fields: &[
        ("date", Some(Refusal(18628, "Missing 'date' parameter to $dateToString"))),
        ("format", None),
        ("timezone", None),
        ("onNull", None),
    ],
};

const FROM_STRING: Named = Named {
    no_document: Refusal(40540, "$dateFromString only supports an object as an argument, found: {}"),
    unknown: Refusal(40541, "Unrecognized argument to $dateFromString: {}"),
    fields: &[
        ("dateString", Some(Refusal(40542, "Missing 'dateString' parameter to $dateFromString"))),
        ("format", None),
        ("timezone", None),
        ("onNull", None),
        ("onError", None),
    ],
};

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn to_string<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let format = if call.given(1) { Some(call.value(1, env)?) } else { None };
    let date = call.value(0, env)?;
    if date.is_nullish() {
        return if call.given(3) { call.value(3, env) } else { Ok(Value::NULL) };
    }
    let Some(zone) = zone_at(call, 2, env)? else {
        return Ok(Value::NULL);
    };
    let default = if matches!(zone, Zone::Fixed(0)) { "%Y-%m-%dT%H:%M:%S.%LZ" } else { "%Y-%m-%dT%H:%M:%S.%L" };
    let format = match &format {
        None => default,
        Some(value) if value.is_nullish() => return Ok(Value::NULL),
        Some(value) => value.string().ok_or_else(|| {
            CommandError::new(
                18533,
                format!(
                    "$dateToString requires that 'format' be a string, found: {} with value {}",
                    value.type_name(),
                    value.shown()
                ),
            )
        })?,
    };
    check_format(format, "dGHjLmMSuUVwYzZbB")?;
    Ok(Value::text(&formatted(format, need_instant(&date)?, &zone)?))
}

/// Checks the letters behind each percent sign.
fn check_format(format: &str, known: &str) -> Result<()> {
    let mut chars = format.chars();
    while let Some(next) = chars.next() {
        if next != '%' {
            continue;
        }
        match chars.next() {
            None => return Err(CommandError::new(18535, "Unmatched '%' at end of format string")),
            Some('%') => {}
            Some(letter) if known.contains(letter) => {}
            Some(letter) => {
                return Err(CommandError::new(18536, format!("Invalid format character '%{letter}' in format string")));
            }
        }
    }
    Ok(())
}

fn formatted(format: &str, millis: i64, zone: &Zone) -> Result<String> {
    let civil = Civil::of(zone.local(millis));
    if !(0..=9999).contains(&civil.year) {
        return Err(CommandError::new(
            18537,
            format!(
                "Could not convert date to string: date component was outside the supported range of 0-9999: {}",
                civil.year
            ),
        ));
    }
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(next) = chars.next() {
        match next {
            '%' => out.push_str(&component(chars.next().unwrap_or('%'), civil, zone.offset_at(millis))),
            other => out.push(other),
        }
    }
    Ok(out)
}

fn component(letter: char, civil: Civil, offset: i64) -> String {
    let month = || MONTHS[usize::try_from(civil.month - 1).unwrap_or(0)];
    match letter {
        'd' => format!("{:02}", civil.day),
        'G' => format!("{:04}", iso_week(civil.days()).0),
        'H' => format!("{:02}", civil.hour),
        'j' => format!("{:03}", civil.day_of_year()),
        'L' => format!("{:03}", civil.millis),
        'm' => format!("{:02}", civil.month),
        'M' => format!("{:02}", civil.minute),
        'S' => format!("{:02}", civil.second),
        'u' => iso_weekday(civil.days()).to_string(),
        'U' => format!("{:02}", week(civil)),
        'V' => format!("{:02}", iso_week(civil.days()).1),
        'w' => day_of_week(civil).to_string(),
        'Y' => format!("{:04}", civil.year),
        'z' => {
            let (sign, size) = (if offset < 0 { '-' } else { '+' }, offset.abs());
            format!("{sign}{:02}{:02}", size / 3600, size / 60 % 60)
        }
        'Z' => format!("{:+04}", offset / 60),
        'b' => month()[..3].to_owned(),
        'B' => month().to_owned(),
        other => other.to_string(),
    }
}

fn from_string<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let text = call.value(0, env)?;
    let format = if call.given(1) { Some(call.value(1, env)?) } else { None };
    let zone = zone_at(call, 2, env)?;
    if text.is_nullish() {
        return if call.given(3) { call.value(3, env) } else { Ok(Value::NULL) };
    }
    match read(&text, format.as_ref(), zone) {
        Err(error) if error.code == ErrorCode::ConversionFailure && call.given(4) => call.value(4, env),
        other => other,
    }
}

fn read<'a>(text: &Value<'_>, format: Option<&Value<'_>>, zone: Option<Zone>) -> Result<Value<'a>> {
    let Some(zone) = zone else {
        return Ok(Value::NULL);
    };
    let Some(written) = text.string() else {
        let (found, shown) = (text.type_name(), text.shown());
        let message =
            format!("$dateFromString requires that 'dateString' be a string, found: {found} with value {shown}");
        return Err(CommandError::new(ErrorCode::ConversionFailure, message));
    };
    let parsed = match format {
        None => date_parse::free(written),
        Some(format) if format.is_nullish() => return Ok(Value::NULL),
        Some(format) => {
            let Some(format) = format.string() else {
                let (found, shown) = (format.type_name(), format.shown());
                return Err(CommandError::new(
                    40684,
                    format!("$dateFromString requires that 'format' be a string, found: {found} with value {shown}"),
                ));
            };
            check_format(format, "dGHjLmMSuVYzZbB")?;
            date_parse::by_format(written, format)
        }
    };
    let parsed = parsed.map_err(|why| CommandError::new(ErrorCode::ConversionFailure, why))?;
    let zone = match parsed.zone {
        None => zone,
        Some(own) if matches!(zone, Zone::Fixed(0)) => own.zone,
        Some(own) => {
            let what = match own.abbreviation {
                Some(name) => format!("time zone information ('{name}')"),
                None => "GMT offset".to_owned(),
            };
            let message =
                format!("you cannot pass in a date/time string with {what} together with a timezone argument");
            return Err(CommandError::new(ErrorCode::ConversionFailure, message));
        }
    };
    Ok(Value::View(View::DateTime(zone.instant(parsed.local))))
}

/// The instant of a date text without a format, in UTC unless it names a zone.
pub(super) fn read_free(text: &str) -> Result<i64, String> {
    let parsed = date_parse::free(text)?;
    Ok(parsed.zone.map_or(Zone::UTC, |own| own.zone).instant(parsed.local))
}
