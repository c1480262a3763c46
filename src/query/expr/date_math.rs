//! Calendar arithmetic: `$dateAdd`, `$dateSubtract`, `$dateDiff`, `$dateTrunc`.

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{View, exact_long};

use super::date_parts::{instant, zone_at};
use super::env::Env;
use super::table::{Call, Named, Operator, Refusal, Shape};
use super::value::Value;
use super::zone::Zone;
use crate::value::calendar::{Civil, DAY, days_from, iso_weekday, month_length};

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$dateAdd", shape: Shape::Named(&ADD), run: add },
    Operator { name: "$dateSubtract", shape: Shape::Named(&SUBTRACT), run: add },
    Operator { name: "$dateDiff", shape: Shape::Named(&DIFF), run: diff },
    Operator { name: "$dateTrunc", shape: Shape::Named(&TRUNC), run: trunc },
];

macro_rules! shift_operands {
    ($name:literal) => {
        Named {
            no_document: Refusal(5_166_400, concat!($name, " expects an object as its argument.found: {}")),
            unknown: Refusal(
                5_166_401,
                concat!(
                    "Unrecognized argument to ",
                    $name,
                    ": {}. Expected arguments are startDate, unit, amount, and optionally timezone."
                ),
            ),
            fields: &[
                (
                    "startDate",
                    Some(Refusal(5_166_402, concat!($name, " requires startDate, unit, and amount to be present"))),
                ),
                (
                    "unit",
                    Some(Refusal(5_166_402, concat!($name, " requires startDate, unit, and amount to be present"))),
                ),
                (
                    "amount",
                    Some(Refusal(5_166_402, concat!($name, " requires startDate, unit, and amount to be present"))),
                ),
                ("timezone", None),
            ],
        }
    };
}

const ADD: Named = shift_operands!("$dateAdd");
const SUBTRACT: Named = shift_operands!("$dateSubtract");

const DIFF: Named = Named {
    no_document: Refusal(5_166_301, "$dateDiff only supports an object as its argument"),
    unknown: Refusal(5_166_302, "Unrecognized argument to $dateDiff: {}"),
    fields: &[
        ("startDate", Some(Refusal(5_166_303, "Missing 'startDate' parameter to $dateDiff"))),
        ("endDate", Some(Refusal(5_166_304, "Missing 'endDate' parameter to $dateDiff"))),
        ("unit", Some(Refusal(5_166_305, "Missing 'unit' parameter to $dateDiff"))),
        ("timezone", None),
        ("startOfWeek", None),
    ],
};

const TRUNC: Named = Named {
    no_document: Refusal(5_439_007, "$dateTrunc only supports an object as its argument"),
    unknown: Refusal(
        5_439_008,
        "Unrecognized argument to $dateTrunc: {}. Expected arguments are date, unit, and optionally, binSize, timezone, \
         startOfWeek",
    ),
    fields: &[
        ("date", Some(Refusal(5_439_009, "Missing 'date' parameter to $dateTrunc"))),
        ("unit", Some(Refusal(5_439_010, "Missing 'unit' parameter to $dateTrunc"))),
        ("binSize", None),
        ("timezone", None),
        ("startOfWeek", None),
    ],
};

/// A date holds fewer months than these, on either side of any year that it can name.
const MOST_MONTHS: u64 = 12 * 300_000_000;

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Months: one, a quarter's three, a year's twelve.
    Months(i64),
    /// Days: one, or a week's seven.
    Days(i64),
    /// Milliseconds of an hour, a minute, a second, or one.
    Millis(i64),
}

impl Unit {
    /// The unit of that name.
    ///
    /// # Errors
    /// `FailedToParse` for any other name.
    pub fn parse(name: &str) -> Result<Self> {
        Ok(match name {
            "year" => Self::Months(12),
            "quarter" => Self::Months(3),
            "month" => Self::Months(1),
            "week" => Self::Days(7),
            "day" => Self::Days(1),
            "hour" => Self::Millis(3_600_000),
            "minute" => Self::Millis(60_000),
            "second" => Self::Millis(1000),
            "millisecond" => Self::Millis(1),
            _ => {
                return Err(CommandError::new(ErrorCode::FailedToParse, format!("unknown time unit value: {name}")));
            }
        })
    }

    /// The instant so many units later; a day that the month lacks becomes its last.
    #[must_use]
    pub fn shift(self, millis: i64, amount: i64, zone: &Zone) -> Option<i64> {
        match self {
            Self::Millis(unit) => millis.checked_add(unit.checked_mul(amount)?),
            Self::Days(unit) => {
                let local = zone.local(millis).checked_add(unit.checked_mul(amount)?.checked_mul(DAY)?)?;
                Some(zone.instant(local))
            }
            Self::Months(unit) => {
                let civil = Civil::of(zone.local(millis));
                let months = civil.year.checked_mul(12)?.checked_add(civil.month - 1)?;
                let months = months.checked_add(unit.checked_mul(amount)?)?;
                if months.unsigned_abs() > MOST_MONTHS {
                    return None;
                }
                let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
                let day = civil.day.min(month_length(year, month));
                Some(zone.instant(Civil { year, month, day, ..civil }.local()?))
            }
        }
    }

    /// How many borders of the unit lie between two instants.
    /// None where their number is no long.
    fn borders(self, start: i64, end: i64, zone: &Zone, week_start: i64) -> Option<i64> {
        let (from, to) = (zone.local(start), zone.local(end));
        Some(match self {
            Self::Months(unit) => {
                let index = |local| {
                    let civil = Civil::of(local);
                    (civil.year * 12 + civil.month - 1).div_euclid(unit)
                };
                index(to) - index(from)
            }
            Self::Days(1) => to.div_euclid(DAY) - from.div_euclid(DAY),
            Self::Days(_) => {
                let index = |local: i64| (local.div_euclid(DAY) - week_shift(week_start)).div_euclid(7);
                index(to) - index(from)
            }
            // Local time may jump; what the clock was moved by is taken out again.
            Self::Millis(unit) if unit >= 60_000 => {
                let jump = (zone.offset_at(start) - zone.offset_at(end)) * 1000;
                to.div_euclid(unit) - from.div_euclid(unit) + jump / unit
            }
            Self::Millis(unit) => end.div_euclid(unit).checked_sub(start.div_euclid(unit))?,
        })
    }

    /// The beginning of the bin that the instant lies in; bins are counted from the beginning of 2000.
    fn truncate(self, millis: i64, bin: i64, zone: &Zone, week_start: i64) -> Option<i64> {
        let year_2000 = days_from(2000, 1, 1);
        match self {
            Self::Millis(unit) => {
                let origin = zone.instant(year_2000 * DAY);
                let width = unit.checked_mul(bin)?;
                millis.checked_sub(origin)?.div_euclid(width).checked_mul(width)?.checked_add(origin)
            }
            Self::Days(unit) => {
                let first =
                    if unit == 7 { year_2000 + (week_start - iso_weekday(year_2000)).rem_euclid(7) } else { year_2000 };
                let width = unit.checked_mul(bin)?;
                let days = zone.local(millis).div_euclid(DAY) - first;
                let start = days.div_euclid(width).checked_mul(width)?.checked_add(first)?;
                Some(zone.instant(start.checked_mul(DAY)?))
            }
            Self::Months(unit) => {
                let civil = Civil::of(zone.local(millis));
                let width = unit.checked_mul(bin)?;
                let months = (civil.year - 2000) * 12 + civil.month - 1;
                let start = months.div_euclid(width).checked_mul(width)?;
                if start.unsigned_abs() > MOST_MONTHS {
                    return None;
                }
                Some(zone.instant(days_from(2000, 1 + start, 1).checked_mul(DAY)?))
            }
        }
    }
}

/// The day number modulo seven on which weeks begin.
fn week_shift(week_start: i64) -> i64 {
    // 1970-01-05 was a Monday.
    4 + week_start - 1
}

/// The ISO number of a weekday's name, long or in three letters.
fn weekday(name: &str) -> Option<i64> {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let name = name.to_ascii_lowercase();
    let place = DAYS.iter().position(|day| *day == name || day[..3] == name)?;
    i64::try_from(place + 1).ok()
}

fn add<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let name = call.name();
    let (start, unit, amount) = (call.value(0, env)?, call.value(1, env)?, call.value(2, env)?);
    let zone = zone_at(call, 3, env)?;
    if [&start, &unit, &amount].iter().any(|value| value.is_nullish()) {
        return Ok(Value::NULL);
    }
    let Some(zone) = zone else {
        return Ok(Value::NULL);
    };
    let Some(millis) = instant(&start) else {
        let found = start.type_name();
        return Err(CommandError::new(
            5_166_403,
            format!("{name} requires startDate to be convertible to a date, but got {found}"),
        ));
    };
    let Some(unit) = unit.string() else {
        return Err(CommandError::new(
            5_166_404,
            format!("{name} expects string defining the time unit, but got {}", unit.type_name()),
        ));
    };
    let Some(amount) = amount.view().and_then(exact_long) else {
        let found = amount.type_name();
        return Err(CommandError::new(
            5_166_405,
            format!("{name} expects integer amount of time units, but got {found}"),
        ));
    };
    let signed = if name == "$dateSubtract" { amount.checked_neg() } else { Some(amount) };
    let unit = Unit::parse(unit)?;
    match signed.and_then(|amount| unit.shift(millis, amount, &zone)) {
        Some(millis) => Ok(Value::View(View::DateTime(millis))),
        None => Err(CommandError::new(5_166_406, format!("{name} overflowed"))),
    }
}

/// The first day of weeks: Sunday unless named; none where it is nullish.
fn week_start<'a>(call: &'a Call, at: usize, code: i32, env: &Env<'a>) -> Result<Option<i64>> {
    if !call.given(at) {
        return Ok(Some(7));
    }
    let name = call.name();
    let value = call.value(at, env)?;
    if value.is_nullish() {
        return Ok(None);
    }
    let Some(text) = value.string() else {
        let found = value.type_name();
        return Err(CommandError::new(code, format!("{name} requires 'startOfWeek' to be a string, but got {found}")));
    };
    weekday(text).map(Some).ok_or_else(|| {
        let message = format!("{name} parameter 'startOfWeek' value cannot be recognized as a day of a week: {text}");
        CommandError::new(code + 1, message)
    })
}

fn unit_of(call: &Call, value: &Value<'_>, code: i32) -> Result<(Unit, bool)> {
    let name = call.name();
    let Some(text) = value.string() else {
        let found = value.type_name();
        return Err(CommandError::new(code, format!("{name} requires 'unit' to be a string, but got {found}")));
    };
    let unit = Unit::parse(text).map_err(|_| {
        let message = format!("{name} parameter 'unit' value cannot be recognized as a time unit: {text}");
        CommandError::new(code + 1, message)
    })?;
    Ok((unit, text == "week"))
}

fn diff<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (start, end, unit) = (call.value(0, env)?, call.value(1, env)?, call.value(2, env)?);
    let zone = zone_at(call, 3, env)?;
    if [&start, &end, &unit].iter().any(|value| value.is_nullish()) {
        return Ok(Value::NULL);
    }
    let Some(zone) = zone else {
        return Ok(Value::NULL);
    };
    let (unit, is_week) = unit_of(call, &unit, 5_439_013)?;
    let first_day = if is_week { week_start(call, 4, 5_439_015, env)? } else { Some(7) };
    let Some(first_day) = first_day else {
        return Ok(Value::NULL);
    };
    let need = |value: &Value<'_>, which: &str| {
        let found = value.type_name();
        instant(value).ok_or_else(|| {
            CommandError::new(5_166_307, format!("$dateDiff requires '{which}' to be a date, but got {found}"))
        })
    };
    let (start, end) = (need(&start, "startDate")?, need(&end, "endDate")?);
    let borders = unit.borders(start, end, &zone, first_day);
    borders.map(Value::from).ok_or_else(|| CommandError::new(5_166_308, "dateDiff overflowed"))
}

fn trunc<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (date, unit) = (call.value(0, env)?, call.value(1, env)?);
    let bin = if call.given(2) { call.value(2, env)? } else { Value::from(1) };
    let zone = zone_at(call, 3, env)?;
    if [&date, &unit, &bin].iter().any(|value| value.is_nullish()) {
        return Ok(Value::NULL);
    }
    let Some(zone) = zone else {
        return Ok(Value::NULL);
    };
    let (unit, is_week) = unit_of(call, &unit, 5_439_013)?;
    let first_day = if is_week { week_start(call, 4, 5_439_015, env)? } else { Some(7) };
    let Some(first_day) = first_day else {
        return Ok(Value::NULL);
    };
    let Some(bin_size) = bin.view().and_then(exact_long) else {
        let (shown, found) = (bin.shown(), bin.type_name());
        let message =
            format!("$dateTrunc requires 'binSize' to be a 64-bit integer, but got value '{shown}' of type {found}");
        return Err(CommandError::new(5_439_017, message));
    };
    if bin_size <= 0 {
        return Err(CommandError::new(
            5_439_018,
            format!("$dateTrunc requires 'binSize' to be greater than 0, but got value {bin_size}"),
        ));
    }
    let Some(millis) = instant(&date) else {
        return Err(CommandError::new(
            5_439_012,
            format!("$dateTrunc requires 'date' to be a date, but got {}", date.type_name()),
        ));
    };
    match unit.truncate(millis, bin_size, &zone, first_day) {
        Some(millis) => Ok(Value::View(View::DateTime(millis))),
        None => Err(CommandError::new(ErrorCode::Overflow, "date overflow")),
    }
}
