//! Parts of a date: `$year` to `$isoDayOfWeek`, `$dateToParts`, `$dateFromParts`.

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{DocumentBuilder, View, exact_long, type_alias};

use super::env::Env;
use super::table::{Call, Named, Operator, Refusal, Shape};
use super::value::Value;
use super::zone::Zone;
use crate::value::calendar::{Civil, days_from_iso, iso_week, iso_weekday};

macro_rules! date_part {
    ($name:literal) => {
        Operator {
            name: $name,
            shape: Shape::OneOrNamed(&Named {
                no_document: Refusal(40536, ""),
                unknown: Refusal(40535, concat!("unrecognized option to ", $name, ": \"{}\"")),
                fields: &[
                    ("date", Some(Refusal(40539, concat!("missing 'date' argument to ", $name, ", provided: {}")))),
                    ("timezone", None),
                ],
            }),
            run: part,
        }
    };
}

pub(super) const OPERATORS: &[Operator] = &[
    date_part!("$year"),
    date_part!("$month"),
    date_part!("$dayOfMonth"),
    date_part!("$hour"),
    date_part!("$minute"),
    date_part!("$second"),
    date_part!("$millisecond"),
    date_part!("$dayOfYear"),
    date_part!("$dayOfWeek"),
    date_part!("$week"),
    date_part!("$isoWeek"),
    date_part!("$isoWeekYear"),
    date_part!("$isoDayOfWeek"),
    Operator { name: "$dateToParts", shape: Shape::Named(&TO_PARTS), run: to_parts },
    Operator { name: "$dateFromParts", shape: Shape::Named(&FROM_PARTS), run: from_parts },
];

const TO_PARTS: Named = Named {
    no_document: Refusal(40524, "$dateToParts only supports an object as its argument"),
    unknown: Refusal(40520, "Unrecognized argument to $dateToParts: {}"),
    fields: &[
        ("date", Some(Refusal(40522, "Missing 'date' parameter to $dateToParts"))),
        ("timezone", None),
        ("iso8601", None),
    ],
};

const FROM_PARTS: Named = Named {
    no_document: Refusal(40519, "$dateFromParts only supports an object as its argument"),
    unknown: Refusal(40518, "Unrecognized argument to $dateFromParts: {}"),
    fields: &[
        ("year", None),
        ("month", None),
        ("day", None),
        ("hour", None),
        ("minute", None),
        ("second", None),
        ("millisecond", None),
        ("isoWeekYear", None),
        ("isoWeek", None),
        ("isoDayOfWeek", None),
        ("timezone", None),
    ],
};

/// The instant of what counts as a date: a date, a timestamp, an object id.
pub(super) fn instant(value: &Value<'_>) -> Option<i64> {
    match value.view()? {
        View::DateTime(millis) => Some(millis),
        View::Timestamp { time, .. } => Some(i64::from(time) * 1000),
        View::ObjectId(id) => Some(id.timestamp().timestamp_millis()),
        _ => None,
    }
}

/// The instant, or the server's refusal of another type.
pub(super) fn need_instant(value: &Value<'_>) -> Result<i64> {
    instant(value)
        .ok_or_else(|| CommandError::new(16006, format!("can't convert from BSON type {} to Date", value.type_name())))
}

/// The zone given at a position: UTC where none is written, none where it is nullish.
pub(super) fn zone_at<'a>(call: &'a Call, at: usize, env: &Env<'a>) -> Result<Option<Zone>> {
    if call.given(at) { Zone::of(&call.value(at, env)?) } else { Ok(Some(Zone::UTC)) }
}

fn part<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let date = call.value(0, env)?;
    let Some(zone) = zone_at(call, 1, env)? else {
        return Ok(Value::NULL);
    };
    if date.is_nullish() {
        return Ok(Value::NULL);
    }
    let civil = Civil::of(zone.local(need_instant(&date)?));
    let number = match call.name() {
        "$year" => civil.year,
        "$month" => civil.month,
        "$dayOfMonth" => civil.day,
        "$hour" => civil.hour,
        "$minute" => civil.minute,
        "$second" => civil.second,
        "$millisecond" => civil.millis,
        "$dayOfYear" => civil.day_of_year(),
        "$dayOfWeek" => day_of_week(civil),
        "$week" => week(civil),
        "$isoWeek" => iso_week(civil.days()).1,
        "$isoWeekYear" => return Ok(iso_week(civil.days()).0.into()),
        _ => iso_weekday(civil.days()),
    };
    Ok(int(number).into())
}

fn int(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// 1 is Sunday, 7 Saturday.
pub(super) fn day_of_week(civil: Civil) -> i64 {
    iso_weekday(civil.days()) % 7 + 1
}

/// Weeks begin on Sunday; the days before the first one are week 0.
pub(super) fn week(civil: Civil) -> i64 {
    (civil.day_of_year() + 7 - day_of_week(civil)) / 7
}

fn to_parts<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let date = call.value(0, env)?;
    let Some(zone) = zone_at(call, 1, env)? else {
        return Ok(Value::NULL);
    };
    let iso = call.value(2, env)?;
    let iso = match iso.view() {
        None if !call.given(2) => false,
        None | Some(View::Null | View::Undefined) => return Ok(Value::NULL),
        Some(View::Boolean(iso)) => iso,
        Some(other) => {
            let found = type_alias(other);
            return Err(CommandError::new(40521, format!("iso8601 must evaluate to a bool, found {found}")));
        }
    };
    if date.is_nullish() {
        return Ok(Value::NULL);
    }
    let civil = Civil::of(zone.local(need_instant(&date)?));
    let mut parts = DocumentBuilder::packed();
    let mut put = |name: &str, number: i64| parts.append(name, View::Int32(int(number)));
    if iso {
        let (year, week) = iso_week(civil.days());
        put("isoWeekYear", year);
        put("isoWeek", week);
        put("isoDayOfWeek", iso_weekday(civil.days()));
    } else {
        put("year", civil.year);
        put("month", civil.month);
        put("day", civil.day);
    }
    put("hour", civil.hour);
    put("minute", civil.minute);
    put("second", civil.second);
    put("millisecond", civil.millis);
    Ok(parts.finish_packed().into())
}

/// One number of `$dateFromParts`; none where it is nullish.
fn given_part<'a>(call: &'a Call, at: usize, absent: i64, range: (i64, i64), env: &Env<'a>) -> Result<Option<i64>> {
    if !call.given(at) {
        return Ok(Some(absent));
    }
    let name = FROM_PARTS.fields[at].0;
    let value = call.value(at, env)?;
    if value.is_nullish() {
        return Ok(None);
    }
    let Some(number) = value.view().and_then(exact_long) else {
        let (shown, found) = (value.shown(), value.type_name());
        return Err(CommandError::new(
            40515,
            format!("'{name}' must evaluate to an integer, found {found} with value {shown}"),
        ));
    };
    if !(range.0..=range.1).contains(&number) {
        let (low, high) = range;
        let code = if name.ends_with("ear") { 40523 } else { 31034 };
        let message = format!("'{name}' must evaluate to an integer in the range {low} to {high}, found {number}");
        return Err(CommandError::new(code, message));
    }
    Ok(Some(number))
}

/// How far a part other than the year may lie outside of its natural range.
const WIDE: (i64, i64) = (-32_768, 32_767);
const ANY: (i64, i64) = (i64::MIN, i64::MAX);

fn from_parts<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let iso = check_parts(call)?;
    let Some(zone) = zone_at(call, 10, env)? else {
        return Ok(Value::NULL);
    };
    let mut numbers = Vec::with_capacity(7);
    let dates: [(usize, i64, (i64, i64)); 3] = if iso {
        [(7, 1970, (1, 9999)), (8, 1, WIDE), (9, 1, WIDE)]
    } else {
        [(0, 1970, (1, 9999)), (1, 1, WIDE), (2, 1, WIDE)]
    };
    let times = [(3, 0, WIDE), (4, 0, WIDE), (5, 0, ANY), (6, 0, ANY)];
    for (at, absent, range) in dates.into_iter().chain(times) {
        match given_part(call, at, absent, range, env)? {
            Some(number) => numbers.push(number),
            None => return Ok(Value::NULL),
        }
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2]);
    let (year, month, day) =
        if iso { crate::value::calendar::date_of(days_from_iso(year, month, day)) } else { (year, month, day) };
    let civil =
        Civil { year, month, day, hour: numbers[3], minute: numbers[4], second: numbers[5], millis: numbers[6] };
    match civil.local() {
        Some(local) => Ok(Value::View(View::DateTime(zone.instant(local)))),
        None => Err(CommandError::new(ErrorCode::Overflow, "date overflow")),
    }
}

/// Whether the parts are those of an ISO week date.
fn check_parts(call: &Call) -> Result<bool> {
    let (year, iso_year) = (call.given(0), call.given(7));
    if !year && !iso_year {
        return Err(CommandError::new(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present"));
    }
    if year && (7..=9).any(|at| call.given(at)) {
        return Err(CommandError::new(40489, "$dateFromParts does not allow mixing natural dates with ISO dates"));
    }
    if iso_year && (0..=2).any(|at| call.given(at)) {
        return Err(CommandError::new(40525, "$dateFromParts does not allow mixing ISO dates with natural dates"));
    }
    Ok(iso_year)
}
