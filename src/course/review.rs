//! The review deck: slips come back after growing intervals until they no longer happen.

use serde::{Deserialize, Serialize};

/// One kind of slip a learner made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slip {
    /// How often it happened.
    pub count: u32,
    /// The exercise or lesson it happened in last.
    pub place: String,
    /// What was typed then.
    pub text: String,
    /// The day it comes back, in days since 1970.
    pub due: i64,
    /// Days it stays away after the next success, before they are doubled.
    pub interval: i64,
}

/// The first interval in days; each success doubles it.
const FIRST: i64 = 1;
/// The longest interval in days.
const LONGEST: i64 = 180;

impl Slip {
    /// The slip was made, for the first time or again: it comes back tomorrow.
    pub fn made(&mut self, place: &str, text: &str, today: i64) {
        *self =
            Self { count: self.count + 1, place: place.into(), text: text.into(), due: today + FIRST, interval: FIRST };
    }

    /// Reviewed without a slip: it comes back later each time. Once that was so, the next time counts on the day it is due,
    /// and before that changes nothing.
    pub fn passed(&mut self, today: i64) {
        if self.interval > FIRST && today < self.due {
            return;
        }
        self.interval = (self.interval * 2).min(LONGEST);
        self.due = today + self.interval;
    }
}

/// The ids of slips that are due today, the longest overdue first.
#[must_use]
pub fn due<'a>(slips: impl IntoIterator<Item = (&'a String, &'a Slip)>, today: i64) -> Vec<&'a str> {
    let mut found: Vec<_> = slips.into_iter().filter(|(_, slip)| slip.due <= today).collect();
    found.sort_by_key(|(id, slip)| (slip.due, id.as_str()));
    found.into_iter().map(|(id, _)| id.as_str()).collect()
}
