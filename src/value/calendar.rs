//! The proleptic Gregorian calendar on plain numbers, for every date that BSON can hold.

/// Milliseconds of a day.
pub const DAY: i64 = 86_400_000;

/// A date and time of day without a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Civil {
    /// The year; 0 is the one before 1.
    pub year: i64,
    /// From 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
    /// From 0.
    pub hour: i64,
    /// From 0.
    pub minute: i64,
    /// From 0.
    pub second: i64,
    /// Milliseconds of the second.
    pub millis: i64,
}

/// Days from 1970-01-01 to a date; months and days beyond their range carry over.
#[must_use]
pub fn days_from(year: i64, month: i64, day: i64) -> i64 {
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12) + 1;
    // Years begin in March here, so that the leap day comes last.
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year + day - 1 - 719_468
}

/// Year, month and day of a day number.
#[must_use]
pub fn date_of(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let part = (5 * of_year + 2) / 153;
    let month = if part < 10 { part + 3 } else { part - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * part + 2) / 5 + 1)
}

/// Days of a month.
#[must_use]
pub fn month_length(year: i64, month: i64) -> i64 {
    days_from(year, month + 1, 1) - days_from(year, month, 1)
}

/// The weekday of a day number: 1 is Monday, 7 Sunday.
#[must_use]
pub fn iso_weekday(days: i64) -> i64 {
    (days + 3).rem_euclid(7) + 1
}

/// The ISO year and week of a day number.
#[must_use]
pub fn iso_week(days: i64) -> (i64, i64) {
    // A week belongs to the year of its Thursday.
    let thursday = days - iso_weekday(days) + 4;
    let (year, ..) = date_of(thursday);
    (year, (thursday - days_from(year, 1, 1)) / 7 + 1)
}

/// The day number of an ISO week date; weeks and days beyond their range carry over.
#[must_use]
pub fn days_from_iso(year: i64, week: i64, day: i64) -> i64 {
    let january_4 = days_from(year, 1, 4);
    january_4 - iso_weekday(january_4) + 1 + (week - 1) * 7 + day - 1
}

impl Civil {
    /// Reads local milliseconds since 1970.
    #[must_use]
    pub fn of(local: i64) -> Self {
        let (year, month, day) = date_of(local.div_euclid(DAY));
        let rest = local.rem_euclid(DAY);
        Self {
            year,
            month,
            day,
            hour: rest / 3_600_000,
            minute: rest / 60_000 % 60,
            second: rest / 1000 % 60,
            millis: rest % 1000,
        }
    }

    /// Local milliseconds since 1970; parts beyond their range carry over. None where a date cannot hold it.
    #[must_use]
    pub fn local(self) -> Option<i64> {
        let days = days_from(self.year, self.month, 1).checked_add(self.day)?.checked_sub(1)?;
        let parts = [
            days.checked_mul(DAY)?,
            self.hour.checked_mul(3_600_000)?,
            self.minute.checked_mul(60_000)?,
            self.second.checked_mul(1000)?,
            self.millis,
        ];
        parts.into_iter().try_fold(0_i64, i64::checked_add)
    }

    /// The day number.
    #[must_use]
    pub fn days(self) -> i64 {
        days_from(self.year, self.month, self.day)
    }

    /// The day of the year, from 1.
    #[must_use]
    pub fn day_of_year(self) -> i64 {
        self.days() - days_from(self.year, 1, 1) + 1
    }
}

/// The ISO text of a date, with milliseconds and `Z`; years beyond four digits as `toISOString` writes them, six and a sign
/// (ECMA-262, Expanded Years).
#[must_use]
pub fn iso_text(date: i64) -> String {
    let Civil { year, month, day, hour, minute, second, millis } = Civil::of(date);
    let year = if (0..=9999).contains(&year) { format!("{year:04}") } else { format!("{year:+07}") };
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The ISO text of a date, without milliseconds where they are zero.
#[must_use]
pub fn short_iso_text(date: i64) -> String {
    let text = iso_text(date);
    text.strip_suffix(".000Z").map(|whole| format!("{whole}Z")).unwrap_or(text)
}
