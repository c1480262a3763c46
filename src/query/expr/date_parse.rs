//! Reading dates from text, by a format or in the usual ways of writing them, with the refusals of timelib
//! (`timelib_strtotime`, `timelib_parse_from_format_with_map`).

use super::date_text::MONTHS;
use super::date_zone::{Written, abbreviated};
use super::zone::Zone;
use crate::value::calendar::{Civil, date_of, days_from, days_from_iso, month_length};

/// A local time, and the zone that was written with it.
pub(super) struct Parsed {
    pub local: i64,
    pub zone: Option<Written>,
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
    zone: Option<Written>,
}

const NO_DATE: &str = "The parsed date was invalid";

impl Parts {
    /// Puts the parts together; what is wrong with them as a whole is said of a place behind the text.
    fn finish(self, text: &str, end: usize) -> Result<Parsed, String> {
        let refuse = |what: &str| refusal(text, end, what);
        if self.hour > 23 || self.minute > 59 || self.second > 59 {
            return Err(refuse("The parsed time was invalid"));
        }
        let days = match self.days() {
            Ok(Some(days)) => days,
            Ok(None) => {
                let what = "an incomplete date/time string has been found, with elements missing";
                return Err(format!("{what}: \"{text}\""));
            }
            Err(what) => return Err(refuse(what)),
        };
        let (year, month, day) = date_of(days);
        let civil =
            Civil { year, month, day, hour: self.hour, minute: self.minute, second: self.second, millis: self.millis };
        let local = civil.local().ok_or_else(|| refuse(NO_DATE))?;
        Ok(Parsed { local, zone: self.zone })
    }

    /// The day number; none where a part of the date is missing.
    fn days(&self) -> Result<Option<i64>, &'static str> {
        let natural = self.year.or(self.month).or(self.day).or(self.day_of_year).is_some();
        match self.iso {
            (None, None, None) => {}
            _ if natural => return Err("Mixing of ISO dates with natural dates is not allowed"),
            (None, ..) => return Err(NO_DATE),
            (Some(year), week, day) => return Ok(Some(days_from_iso(year, week.unwrap_or(1), day.unwrap_or(1)))),
        }
        match (self.year, self.day_of_year, self.month, self.day) {
            (Some(year), Some(day), ..) => Ok(Some(days_from(year, 1, 1) + day - 1)),
            (year, None, Some(month), Some(day)) => {
                // Without a year it is the longest February that counts.
                let length = |month| month_length(year.unwrap_or(2000), month);
                if !(1..=12).contains(&month) || day < 1 || day > length(month) {
                    return Err(NO_DATE);
                }
                Ok(year.map(|year| days_from(year, month, day)))
            }
            _ => Ok(None),
        }
    }
}

/// What the server says of a text, a place in it and what is wrong there.
fn refusal(text: &str, place: usize, what: &str) -> String {
    let near = text.get(place..).and_then(|rest| rest.chars().next()).map(String::from).unwrap_or_default();
    format!("Error parsing date string '{text}'; {place}: {what} '{near}'")
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

/// Milliseconds of one digit to so many behind the point.
fn fraction(cursor: &mut Cursor<'_>, most: usize) -> Option<i64> {
    let count = cursor.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let text = cursor.take(count);
    (count > 0).then(|| format!("{text:0<3}")[..3].parse().ok()).flatten()
}

/// A text or a format up to its first NUL byte, where both end.
fn ended(text: &str) -> &str {
    text.split('\0').next().unwrap_or_default()
}

/// Reads a text by a format of `$dateFromString`.
///
/// # Errors
/// What does not fit, in the server's words.
pub(super) fn by_format(text: &str, format: &str) -> Result<Parsed, String> {
    let whole = ended(text);
    let (mut cursor, mut parts) = (Cursor { rest: whole }, Parts::default());
    let place = |cursor: &Cursor<'_>| whole.len() - cursor.rest.len();
    let mut letters = ended(format).chars();
    while !cursor.rest.is_empty()
        && let Some(next) = letters.next()
    {
        let here = place(&cursor);
        let fits = match next {
            '%' => formatted_part(letters.next().unwrap_or('%'), &mut cursor, &mut parts),
            literal => literally(literal, &mut cursor),
        };
        fits.map_err(|what| refusal(text, here, what))?;
    }
    if !cursor.rest.is_empty() {
        return Err(refusal(text, place(&cursor), "Trailing data"));
    }
    if letters.next().is_some() {
        return Err(refusal(text, place(&cursor), "Data missing"));
    }
    parts.finish(text, whole.len())
}

fn literally(literal: char, cursor: &mut Cursor<'_>) -> Result<(), &'static str> {
    if cursor.eat(literal) { Ok(()) } else { Err("Format literal not found") }
}

/// Reads what a letter of a format stands for, or says what could not be found.
fn formatted_part(letter: char, cursor: &mut Cursor<'_>, parts: &mut Parts) -> Result<(), &'static str> {
    let number = |cursor: &mut Cursor<'_>, most, what| cursor.digits(most).map(|(number, _)| Some(number)).ok_or(what);
    match letter {
        'Y' => parts.year = Some(cursor.exactly(4).ok_or("A four digit year could not be found")?),
        'm' => parts.month = number(cursor, 2, "A two digit month could not be found")?,
        'd' => parts.day = number(cursor, 2, "A two digit day could not be found")?,
        'H' => parts.hour = cursor.digits(2).ok_or("A two digit hour could not be found")?.0,
        'M' => parts.minute = cursor.exactly(2).ok_or("A two digit minute could not be found")?,
        'S' => parts.second = cursor.exactly(2).ok_or("A two digit second could not be found")?,
        'L' => parts.millis = fraction(cursor, 3).ok_or("A three digit millisecond could not be found")?,
        'j' => parts.day_of_year = number(cursor, 3, "A three digit day-of-year could not be found")?,
        'G' => parts.iso.0 = number(cursor, 4, "A four digit ISO year could not be found")?,
        'V' => parts.iso.1 = number(cursor, 2, "A two digit ISO week could not be found")?,
        'u' => parts.iso.2 = number(cursor, 1, "A single digit ISO day could not be found")?,
        'b' | 'B' => parts.month = Some(month_named(cursor.word()).ok_or("A textual month could not be found")?),
        'z' => {
            cursor.spaces();
            parts.zone = Some(zone(cursor).ok_or(NO_IDENTIFIER)?);
        }
        'Z' => {
            let sign = if cursor.eat('-') { -1 } else { i64::from(cursor.eat('+')).max(1) };
            let (minutes, _) = cursor.digits(4).ok_or("Invalid timezone offset in minutes")?;
            parts.zone = Some(Written { zone: Zone::Fixed(sign * minutes * 60), abbreviation: None });
        }
        literal => return literally(literal, cursor),
    }
    Ok(())
}

const NO_IDENTIFIER: &str = "passing a time zone identifier as part of the string is not allowed";

/// `Z`, another abbreviation, or an offset, perhaps behind `GMT`.
fn zone(cursor: &mut Cursor<'_>) -> Option<Written> {
    let bare = cursor.rest.strip_prefix("GMT").unwrap_or(cursor.rest);
    if bare.starts_with(['+', '-']) {
        cursor.rest = bare;
        return offset(cursor);
    }
    let before = cursor.rest;
    let end = before.find(|c: char| !(c.is_ascii_alphanumeric() || "/_".contains(c))).unwrap_or(before.len());
    let found = abbreviated(cursor.take(end));
    if found.is_none() {
        cursor.rest = before;
    }
    found
}

/// `+H`, `+HH`, `+HHMM`, `+HH:MM`.
fn offset(cursor: &mut Cursor<'_>) -> Option<Written> {
    let sign = if cursor.eat('-') { -1 } else { i64::from(cursor.eat('+')) };
    let before = cursor.rest;
    let (number, length) = cursor.digits(4)?;
    let (hours, minutes) = match length {
        3 | 4 => (number / 100, number % 100),
        _ if cursor.eat(':') => (number, cursor.exactly(2)?),
        _ => (number, 0),
    };
    if hours > 24 || minutes > 59 {
        cursor.rest = before.find(':').map_or(before, |colon| &before[colon..]);
        return None;
    }
    Some(Written { zone: Zone::Fixed(sign * (hours * 60 + minutes) * 60), abbreviation: None })
}

/// Reads the usual ways of writing a date: ISO 8601, slashes, month names; with or without time and zone.
///
/// # Errors
/// What is no date, or lacks a part, in the server's words.
pub(super) fn free(text: &str) -> Result<Parsed, String> {
    let whole = ended(text).trim();
    let (mut cursor, mut parts) = (Cursor { rest: whole }, Parts::default());
    let (mut dated, mut timed) = (false, false);
    loop {
        cursor.spaces();
        if cursor.rest.is_empty() {
            return parts.finish(whole, whole.len() + 1);
        }
        let fits = if !timed && begins_time(cursor.rest, dated) {
            timed = true;
            free_time(&mut cursor, &mut parts).ok_or(UNEXPECTED)
        } else if !dated && begins_date(cursor.rest) {
            dated = true;
            free_date(&mut cursor, &mut parts).ok_or(UNEXPECTED)
        } else if parts.zone.is_none() {
            let identifies = cursor.rest.starts_with(|c: char| c.is_ascii_alphabetic());
            parts.zone = zone(&mut cursor);
            parts.zone.as_ref().map(|_| ()).ok_or(if identifies { NO_IDENTIFIER } else { UNEXPECTED })
        } else {
            Err(UNEXPECTED)
        };
        fits.map_err(|what| refusal(whole, whole.len() - cursor.rest.len(), what))?;
    }
}

const UNEXPECTED: &str = "Unexpected character";

/// Words that mean a time of day.
const HOURS: [(&str, i64); 2] = [("noon", 12), ("midnight", 0)];

fn hour_named(text: &str) -> Option<(&'static str, i64)> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    HOURS.into_iter().find(|(name, _)| text[..end].eq_ignore_ascii_case(name))
}

/// Whether a time of day is written here: behind a date any number is one, else it takes a colon or a half of the day.
fn begins_time(text: &str, dated: bool) -> bool {
    if hour_named(text).is_some() {
        return true;
    }
    let digits = text.strip_prefix(['T', 't']).unwrap_or(text);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let rest = digits[count..].trim_start().to_ascii_lowercase();
    let marked = digits[count..].starts_with(':') || rest.starts_with("am") || rest.starts_with("pm");
    count > 0 && (dated || (count <= 2 && marked))
}

fn begins_date(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    end == 0 || month_named(&text[..end]).is_some() || is_weekday(&text[..end])
}

fn is_weekday(word: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let word = word.to_ascii_lowercase();
    word.len() >= 3 && DAYS.iter().any(|day| day.starts_with(&word))
}

/// A year of up to four digits; one of the last or this century may be written with two.
fn year(cursor: &mut Cursor<'_>) -> Option<i64> {
    let (number, length) = cursor.digits(4)?;
    Some(full_year(number, length))
}

fn full_year(number: i64, length: usize) -> i64 {
    match number {
        0..70 if length < 4 => number + 2000,
        70..100 if length < 4 => number + 1900,
        _ => number,
    }
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
            // A month and a day alone lack the year.
            if cursor.eat('/') {
                parts.year = Some(year(cursor)?);
            }
        }
        (1 | 2, Some(mark @ ('-' | '.'))) if cursor.rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            cursor.eat(mark);
            parts.month = Some(cursor.digits(2)?.0);
            cursor.eat(mark).then_some(())?;
            let (last, digits) = cursor.digits(4)?;
            // Between hyphens a year of two digits stands in front.
            let (year, day) = if mark == '-' && digits < 3 {
                (full_year(first, length), last)
            } else {
                (full_year(last, digits), first)
            };
            (parts.year, parts.day) = (Some(year), Some(day));
        }
        (1 | 2, _) => {
            ordinal(cursor);
            cursor.spaces();
            cursor.eat('-');
            parts.day = Some(first);
            parts.month = Some(month_named(cursor.word())?);
            cursor.spaces();
            cursor.eat('-');
            if cursor.rest.starts_with(|c: char| c.is_ascii_digit()) {
                parts.year = Some(year(cursor)?);
            }
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
    let before = cursor.rest;
    if let Some(year) = cursor.exactly(4) {
        // A month and a year mean the first day.
        (parts.year, parts.day) = (Some(year), Some(1));
        return Some(());
    }
    cursor.rest = before;
    parts.day = Some(cursor.digits(2)?.0);
    ordinal(cursor);
    let before = cursor.rest;
    cursor.spaces();
    match cursor.exactly(4) {
        Some(year) => parts.year = Some(year),
        None => cursor.rest = before,
    }
    Some(())
}

/// Passes over `st`, `nd`, `rd`, `th`.
fn ordinal(cursor: &mut Cursor<'_>) {
    if ["st", "nd", "rd", "th"].iter().any(|ending| cursor.rest.starts_with(ending)) {
        cursor.take(2);
    }
}

fn free_time(cursor: &mut Cursor<'_>, parts: &mut Parts) -> Option<()> {
    if let Some((name, hour)) = hour_named(cursor.rest) {
        cursor.take(name.len());
        parts.hour = hour;
        return Some(());
    }
    let _ = cursor.eat('T') || cursor.eat('t');
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
        parts.millis = fraction(cursor, 9)?;
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
