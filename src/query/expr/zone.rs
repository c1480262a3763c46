//! Time zones by name or offset, and dates as text.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::value::Value;
use crate::error::{CommandError, Result};
use crate::value::calendar::Civil;

/// A time zone.
#[derive(Debug, Clone)]
pub enum Zone {
    /// Seconds east of Greenwich.
    Fixed(i64),
    /// A zone of the Olson database.
    Named(TimeZone),
}

impl Zone {
    /// UTC.
    pub const UTC: Self = Self::Fixed(0);

    /// Finds a zone by its Olson name, or reads `±HH`, `±HHMM`, `±HH:MM`.
    ///
    /// # Errors
    /// 40485 for anything else.
    pub fn parse(text: &str) -> Result<Self> {
        if matches!(text, "UTC" | "GMT" | "Z") {
            return Ok(Self::UTC);
        }
        if let Some(seconds) = offset(text) {
            return Ok(Self::Fixed(seconds));
        }
        let named = TimeZone::get(text).ok().map(Self::Named);
        named.ok_or_else(|| CommandError::new(40485, format!("unrecognized time zone identifier: \"{text}\"")))
    }

    /// The zone an operand names; none for a nullish one.
    pub(super) fn of(value: &Value<'_>) -> Result<Option<Self>> {
        if value.is_nullish() {
            return Ok(None);
        }
        match value.string() {
            Some(text) => Self::parse(text).map(Some),
            None => Err(CommandError::new(
                40517,
                format!("timezone must evaluate to a string, found {}", value.type_name()),
            )),
        }
    }

    /// Seconds east of Greenwich at an instant.
    #[must_use]
    pub fn offset_at(&self, millis: i64) -> i64 {
        match self {
            Self::Fixed(seconds) => *seconds,
            Self::Named(zone) => {
                // Beyond the library's last instant a zone keeps the offset it has there.
                let end = if millis < 0 { Timestamp::MIN } else { Timestamp::MAX };
                let instant = Timestamp::from_millisecond(millis).unwrap_or(end);
                i64::from(zone.to_offset(instant).seconds())
            }
        }
    }

    /// Local milliseconds of an instant.
    #[must_use]
    pub fn local(&self, millis: i64) -> i64 {
        millis.saturating_add(self.offset_at(millis) * 1000)
    }

    /// The instant of local milliseconds; in a gap the later, in an overlap the earlier one.
    #[must_use]
    pub fn instant(&self, local: i64) -> i64 {
        match self {
            Self::Fixed(seconds) => local.saturating_sub(seconds * 1000),
            Self::Named(zone) => match datetime(local).and_then(|local| zone.to_timestamp(local).ok()) {
                Some(instant) => instant.as_millisecond(),
                None => local.saturating_sub(self.offset_at(local) * 1000),
            },
        }
    }
}

fn datetime(local: i64) -> Option<DateTime> {
    let civil = Civil::of(local);
    let small = |number: i64| i8::try_from(number).ok();
    DateTime::new(
        i16::try_from(civil.year).ok()?,
        small(civil.month)?,
        small(civil.day)?,
        small(civil.hour)?,
        small(civil.minute)?,
        small(civil.second)?,
        i32::try_from(civil.millis * 1_000_000).ok()?,
    )
    .ok()
}

fn offset(text: &str) -> Option<i64> {
    let sign = match text.bytes().next()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: String = match text.len() {
        3 | 5 => text[1..].to_owned(),
        6 if text.as_bytes()[3] == b':' => text[1..].replacen(':', "", 1),
        _ => return None,
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let hours: i64 = digits.get(..2)?.parse().ok()?;
    let minutes: i64 = digits.get(2..).filter(|rest| !rest.is_empty()).map_or(Ok(0), str::parse).ok()?;
    Some(sign * (hours * 3600 + minutes * 60))
}
