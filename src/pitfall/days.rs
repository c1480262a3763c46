//! Dates kept as text: their notations, and text that begins with the day or month.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::value::{Bson, View};

/// How a date is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// `20240131`
    Compact,
    /// `2024-01-31`, perhaps with a time behind it.
    Dashed,
    /// `31.1.2024`
    DayFirst,
    /// `1/31/2024`
    MonthFirst,
}

/// The day that a text names, and how.
pub fn day(text: &str) -> Option<(Date, Notation)> {
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let date = date(&text[..4], &text[4..6], &text[6..])?;
        return Some((date, Notation::Compact));
    }
    let dashed =
        text.get(..10).filter(|_| text.get(10..).is_none_or(|rest| rest.is_empty() || rest.starts_with(['T', ' '])));
    if let Some(date) = dashed.and_then(|text| three(text, '-')).and_then(|[year, month, day]| date(year, month, day)) {
        return Some((date, Notation::Dashed));
    }
    if let Some([day, month, year]) = three(text, '.') {
        return Some((date(year, month, day)?, Notation::DayFirst));
    }
    let [first, second, year] = three(text, '/')?;
    let month_first = date(year, first, second).map(|date| (date, Notation::MonthFirst));
    month_first.or_else(|| Some((date(year, second, first)?, Notation::DayFirst)))
}

impl Notation {
    /// Whether text order is time order.
    pub fn sorts(self) -> bool {
        matches!(self, Self::Compact | Self::Dashed)
    }

    /// The format of `$dateFromString` that reads a text of this notation.
    pub fn format(self, text: &str) -> String {
        let between = |parts: [&str; 3]| {
            let separator = text.chars().find(|letter| !letter.is_ascii_digit());
            parts.join(&separator.map(String::from).unwrap_or_default())
        };
        match self {
            Self::Compact | Self::Dashed => between(["%Y", "%m", "%d"]),
            Self::DayFirst => between(["%d", "%m", "%Y"]),
            Self::MonthFirst => between(["%m", "%d", "%Y"]),
        }
    }

    /// The day in this notation.
    pub fn write(self, day: Date) -> String {
        let (year, month, of_month) = (day.year(), day.month(), day.day());
        match self {
            Self::Compact => format!("{year:04}{month:02}{of_month:02}"),
            Self::Dashed => format!("{year:04}-{month:02}-{of_month:02}"),
            Self::DayFirst => format!("{of_month:02}.{month:02}.{year:04}"),
            Self::MonthFirst => format!("{month}/{of_month}/{year:04}"),
        }
    }
}

/// The day as a BSON date at midnight UTC.
pub fn midnight(day: Date) -> Option<Bson> {
    let instant = TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok()?;
    Some(View::DateTime(instant.as_millisecond()).to_bson())
}

/// The day that an instant in milliseconds lies on, in UTC.
pub fn day_of(millis: i64) -> Option<Date> {
    let instant = jiff::Timestamp::from_millisecond(millis).ok()?;
    Some(TimeZone::UTC.to_datetime(instant).date())
}

fn three(text: &str, at: char) -> Option<[&str; 3]> {
    let parts: Vec<&str> = text.split(at).collect();
    parts.try_into().ok()
}

fn date(year: &str, month: &str, day: &str) -> Option<Date> {
    let plain = |text: &str, most: usize| text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
    if year.len() != 4 || !plain(year, 4) || !plain(month, 2) || !plain(day, 2) {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

/// Whether a text begins with year, month and day, so that text order is time order.
#[must_use]
pub fn begins_with_day(text: &str) -> bool {
    day(text).is_some_and(|(_, notation)| notation.sorts())
}
