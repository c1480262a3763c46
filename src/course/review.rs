//! The review deck: slips come back after growing intervals until they no longer happen.

use serde::{Deserialize, Serialize};

/// One kind of slip a learner made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slip {
    /// How often it happened.
    pub count: u32,
    /// The exercise or lesson it happened in last.
    pub place: String,
    /// The day it comes back, in days since 1970.
    pub due: i64,
    /// Days until it comes back after the next success.
    pub interval: i64,
}

/// The first interval in days; each success doubles it.
const FIRST: i64 = 1;

impl Slip {
    /// A slip made today: it comes back tomorrow.
    #[must_use]
    pub fn new(place: &str, today: i64) -> Self {
        Self { count: 1, place: place.into(), due: today + FIRST, interval: FIRST }
    }

    /// The same slip again: back to the first interval.
    pub fn again(&mut self, place: &str, today: i64) {
        self.count += 1;
        self.place = place.into();
        self.interval = FIRST;
        self.due = today + FIRST;
    }

    /// Reviewed without a slip: it comes back later each time.
    pub fn passed(&mut self, today: i64) {
        self.interval = (self.interval * 2).min(180);
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
