//! Reading dates from text, by a format or in the usual ways of writing them.

use super::date_text::MONTHS;
use super::zone::Zone;
use crate::value::calendar::{Civil, days_from, days_from_iso, month_length};

/// A local time, and the zone that was written with it.
pub(super) struct Parsed {
    pub local: i64,
    pub zone: Option<Zone>,
}

/// What has been read so far.
#[derive(Default)]
struct Parts {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    day_of_year: Option<i64>,
    iso: (Option<i64>, Option<i64>, Option<i64>),
    hour: i64,
    minute: i64,
    second: i64,
    millis: i64,
    zone: Option<Zone>,
}

impl Parts {
    fn finish(self) -> Result<Parsed, String> {
        let days = match (self.year, self.iso) {
            (_, (Some(year), week, day)) => days_from_iso(year, week.unwrap_or(1), day.unwrap_or(1)),
            (Some(year), _) => match self.day_of_year {
                Some(day) => days_from(year, 1, 1) + day - 1,
                None => calendar_day(year, self.month.unwrap_or(1), self.day.unwrap_or(1))?,
            },
            _ => return Err("an incomplete date/time string has been found, with elements missing".into()),
        };
        if self.hour > 24 || self.minute > 59 || self.second > 60 {
            return Err("unexpected character".into());
        }
        let (year, month, day) = crate::value::calendar::date_of(days);
        let civil =
            Civil { year, month, day, hour: self.hour, minute: self.minute, second: self.second, millis: self.millis };
        let local = civil.local().ok_or("date out of range")?;
        Ok(Parsed { local, zone: self.zone })
    }
}

fn calendar_day(year: i64, month: i64, day: i64) -> Result<i64, String> {
    if !(1..=12).contains(&month) || day < 1 || day > month_length(year, month) {
        return Err("the parsed date was invalid".into());
    }
    Ok(days_from(year, month, day))
}

/// A text being read from the left.
struct Cursor<'t> {
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    fn take(&mut self, count: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    /// Between one and so many digits.
    fn digits(&mut self, most: usize) -> Option<(i64, usize)> {
        let count = self.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let text = self.take(count);
        Some((text.parse().ok()?, count))
    }

    fn exactly(&mut self, count: usize) -> Option<i64> {
        self.digits(count).filter(|(_, read)| *read == count).map(|(number, _)| number)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.rest.starts_with(wanted);
        if found {
            self.take(wanted.len_utf8());
        }
        found
    }

    fn word(&mut self) -> &'t str {
        let count = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        self.take(count)
    }

    fn spaces(&mut self) {
        let trimmed = self.rest.trim_start_matches([' ', ',', '\t']);
        self.rest = trimmed;
    }
}

fn month_named(word: &str) -> Option<i64> {
    let word = word.to_ascii_lowercase();
    let place = MONTHS.iter().position(|month| {
        let month = month.to_ascii_lowercase();
        month == word || (word.len() >= 3 && month[..3] == word) || (word == "sept" && month == "september")
    })?;
    i64::try_from(place + 1).ok()
}

/// Milliseconds of one to nine digits behind the point.
fn fraction(cursor: &mut Cursor<'_>) -> Option<i64> {
    let count = cursor.rest.bytes().take(9).take_while(u8::is_ascii_digit).count();
    let text = cursor.take(count);
    (count > 0).then(|| format!("{text:0<3}")[..3].parse().ok()).flatten()
}

/// Reads a text by a format of `$dateFromString`.
///
/// # Errors
/// What does not fit.
pub(super) fn by_format(text: &str, format: &str) -> Result<Parsed, String> {
    let (mut cursor, mut parts) = (Cursor { rest: text }, Parts::default());
    let mut letters = format.chars();
    while let Some(next) = letters.next() {
        let place = text.len() - cursor.rest.len();
        let fits = match next {
            '%' => formatted_part(letters.next().unwrap_or('%'), &mut cursor, &mut parts),
            literal => cursor.eat(literal).then_some(()),
        };
        let near = text.get(place..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        fits.ok_or_else(|| format!("{place}: Format literal not found '{near}'"))?;
    }
    if !cursor.rest.is_empty() {
        let place = text.len() - cursor.rest.len();
        return Err(format!("{place}: Trailing data '{}'", cursor.rest.chars().next().unwrap_or(' ')));
    }
    parts.finish()
}

fn formatted_part(letter: char, cursor: &mut Cursor<'_>, parts: &mut Parts) -> Option<()> {
    match letter {
        'Y' => parts.year = Some(cursor.exactly(4)?),
        'm' => parts.month = Some(cursor.digits(2)?.0),
        'd' => parts.day = Some(cursor.digits(2)?.0),
        'H' => parts.hour = cursor.digits(2)?.0,
        'M' => parts.minute = cursor.digits(2)?.0,
        'S' => parts.second = cursor.digits(2)?.0,
        'L' => parts.millis = fraction(cursor)?,
        'j' => parts.day_of_year = Some(cursor.digits(3)?.0),
        'G' => parts.iso.0 = Some(cursor.exactly(4)?),
        'V' => parts.iso.1 = Some(cursor.digits(2)?.0),
        'u' => parts.iso.2 = Some(cursor.digits(1)?.0),
        'b' | 'B' => parts.month = Some(month_named(cursor.word())?),
        'z' => parts.zone = Some(zone(cursor)?),
        'Z' => {
            let sign = if cursor.eat('-') { -1 } else { i64::from(cursor.eat('+')).max(1) };
            parts.zone = Some(Zone::Fixed(sign * cursor.digits(4)?.0 * 60));
        }
        literal => return cursor.eat(literal).then_some(()),
    }
    Some(())
}

/// `Z`, an offset, or the name of a zone.
fn zone(cursor: &mut Cursor<'_>) -> Option<Zone> {
    let end =
        cursor.rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-:/_".contains(c))).unwrap_or(cursor.rest.len());
    let text = cursor.take(end);
    let text = text.strip_prefix("GMT").filter(|rest| rest.starts_with(['+', '-'])).unwrap_or(text);
    if text.len() == 5 && text.as_bytes()[2] == b':' && text.starts_with(['+', '-']) {
        return None;
    }
    if text.eq_ignore_ascii_case("z") { Some(Zone::UTC) } else { Zone::parse(text).ok() }
}

/// Reads the usual ways of writing a date: ISO 8601, slashes, month names; with or without time and zone.
///
/// # Errors
/// What is no date, or lacks a part.
pub(super) fn free(text: &str) -> Result<Parsed, String> {
    let (mut cursor, mut parts) = (Cursor { rest: text.trim() }, Parts::default());
    let unreadable = |cursor: &Cursor<'_>| {
        let place = text.len() - cursor.rest.len().min(text.len());
        let near = cursor.rest.chars().next().unwrap_or(' ');
        format!("{place}: Unexpected character '{near}'")
    };
    let missing = "an incomplete date/time string has been found, with elements missing: \"".to_owned() + text + "\"";
    free_date(&mut cursor, &mut parts).ok_or_else(|| unreadable(&cursor))?;
    if parts.iso.0.is_none() && parts.day_of_year.is_none() && (parts.month.is_none() || parts.day.is_none()) {
        return Err(missing);
    }
    if cursor.eat('T') || cursor.eat('t') || cursor.rest.starts_with([' ', ',']) {
        cursor.spaces();
        if cursor.rest.starts_with(|c: char| c.is_ascii_digit()) {
            free_time(&mut cursor, &mut parts).ok_or_else(|| unreadable(&cursor))?;
        }
    }
    cursor.spaces();
    if !cursor.rest.is_empty() {
        parts.zone = Some(zone(&mut cursor).ok_or_else(|| unreadable(&cursor))?);
    }
    if !cursor.rest.is_empty() {
        return Err(unreadable(&cursor));
    }
    parts.finish()
}

fn free_date(cursor: &mut Cursor<'_>, parts: &mut Parts) -> Option<()> {
    if cursor.rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return named_date(cursor, parts);
    }
    let (first, length) = cursor.digits(8)?;
    match (length, cursor.rest.chars().next()) {
        (8, _) => {
            parts.year = Some(first / 10_000);
            parts.month = Some(first / 100 % 100);
            parts.day = Some(first % 100);
        }
        (4, Some('-')) if cursor.rest[1..].starts_with(['W', 'w']) => {
            cursor.take(2);
            parts.iso = (Some(first), Some(cursor.exactly(2)?), None);
            if cursor.eat('-') {
                parts.iso.2 = Some(cursor.digits(1)?.0);
            }
        }
        (4, Some(mark @ ('-' | '/' | '.'))) => {
            cursor.eat(mark);
            parts.year = Some(first);
            if cursor.rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
                parts.month = Some(month_named(cursor.word())?);
            } else {
                let (second, length) = cursor.digits(3)?;
                if length == 3 {
                    parts.day_of_year = Some(second);
                    return Some(());
                }
                parts.month = Some(second);
            }
            // A year and a month mean the first day.
            parts.day = Some(if cursor.eat(mark) { cursor.digits(2)?.0 } else { 1 });
        }
        (1 | 2, Some('/')) => {
            cursor.eat('/');
            parts.month = Some(first);
            parts.day = Some(cursor.digits(2)?.0);
            cursor.eat('/').then_some(())?;
            parts.year = Some(cursor.exactly(4)?);
        }
        (1 | 2, Some(mark @ ('-' | '.'))) if cursor.rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            cursor.eat(mark);
            parts.day = Some(first);
            parts.month = Some(cursor.digits(2)?.0);
            cursor.eat(mark).then_some(())?;
            parts.year = Some(cursor.exactly(4)?);
        }
        (1 | 2, _) => {
            ordinal(cursor);
            cursor.spaces();
            cursor.eat('-');
            parts.day = Some(first);
            parts.month = Some(month_named(cursor.word())?);
            cursor.spaces();
            cursor.eat('-');
            parts.year = Some(cursor.exactly(4)?);
        }
        _ => return None,
    }
    Some(())
}

/// `July 4, 2017`, perhaps with the weekday in front.
fn named_date(cursor: &mut Cursor<'_>, parts: &mut Parts) -> Option<()> {
    let mut word = cursor.word();
    if month_named(word).is_none() {
        cursor.eat('.');
        cursor.spaces();
        if cursor.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return free_date(cursor, parts);
        }
        word = cursor.word();
    }
    parts.month = Some(month_named(word)?);
    cursor.eat('.');
    cursor.spaces();
    parts.day = Some(cursor.digits(2)?.0);
    ordinal(cursor);
    cursor.spaces();
    if cursor.rest.is_empty() {
        parts.day = None;
        return Some(());
    }
    parts.year = Some(cursor.exactly(4)?);
    Some(())
}

/// Passes over `st`, `nd`, `rd`, `th`.
fn ordinal(cursor: &mut Cursor<'_>) {
    if ["st", "nd", "rd", "th"].iter().any(|ending| cursor.rest.starts_with(ending)) {
        cursor.take(2);
    }
}

fn free_time(cursor: &mut Cursor<'_>, parts: &mut Parts) -> Option<()> {
    let (hour, length) = cursor.digits(6)?;
    parts.hour = hour;
    if length >= 4 {
        let (high, low) = if length == 6 { (hour / 10_000, hour / 100 % 100) } else { (hour / 100, hour % 100) };
        (parts.hour, parts.minute) = (high, low);
        parts.second = if length == 6 { hour % 100 } else { 0 };
    } else if cursor.eat(':') {
        parts.minute = cursor.exactly(2)?;
        if cursor.eat(':') || cursor.rest.starts_with('.') && cursor.eat('.') {
            parts.second = cursor.exactly(2)?;
        }
    }
    if cursor.eat('.') {
        parts.millis = fraction(cursor)?;
    }
    let before = cursor.rest;
    cursor.spaces();
    match cursor.word().to_ascii_lowercase().as_str() {
        "am" if parts.hour <= 12 => parts.hour %= 12,
        "pm" if parts.hour <= 12 => parts.hour = parts.hour % 12 + 12,
        _ => cursor.rest = before,
    }
    Some(())
}
