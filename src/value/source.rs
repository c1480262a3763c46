//! What a sandbox draws on: clock readings, object ids and chance from a seed, and work as far as it is allowed.

use std::time::Instant;

use bson::oid::ObjectId;

use super::allowance::Allowance;

/// Clock, chance and allowance of one sandbox. Cloning it clones its future; the allowance is shared.
#[derive(Debug, Clone)]
pub struct Source {
    state: u64,
    clock: Clock,
    counter: u32,
    ticks: u32,
    allowance: Allowance,
}

/// How long something takes; no time passes by a clock that stands still.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Option<Instant>);

impl Stopwatch {
    /// Microseconds since it was begun.
    #[must_use]
    pub fn micros(self) -> u64 {
        self.0.map_or(0, |began| u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX))
    }
}

#[derive(Debug, Clone, Copy)]
enum Clock {
    System,
    Fixed(i64),
}

impl Source {
    /// A source whose chance comes from the seed and whose clock is the machine's.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { state: seed, clock: Clock::System, counter: 0, ticks: 0, allowance: Allowance::default() }
    }

    /// The same source with a clock that stands still at so many milliseconds since 1970.
    #[must_use]
    pub fn with_clock(mut self, millis: i64) -> Self {
        self.clock = Clock::Fixed(millis);
        self
    }

    /// Sets what this source and all copies made of it from now on may spend together.
    pub fn allow(&mut self, allowance: Allowance) {
        self.allowance = allowance;
    }

    /// What may still be spent.
    #[must_use]
    pub fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn now(&self) -> i64 {
        match self.clock {
            Clock::Fixed(millis) => millis,
            Clock::System => bson::DateTime::now().timestamp_millis(),
        }
    }

    /// The next of the numbers that tell timestamps of one second apart, from 1.
    pub fn tick(&mut self) -> u32 {
        self.ticks = self.ticks.wrapping_add(1);
        self.ticks
    }

    /// Begins to measure time.
    #[must_use]
    pub fn stopwatch(&self) -> Stopwatch {
        match self.clock {
            Clock::Fixed(_) => Stopwatch(None),
            Clock::System => Stopwatch(Some(Instant::now())),
        }
    }

    /// The next 64 random bits (`SplitMix64`).
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A random number in `[0, 1)`.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double exactly")]
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A fresh object id: seconds, five bytes of chance, a counter, as drivers make them.
    pub fn object_id(&mut self) -> ObjectId {
        let seconds = u32::try_from(self.now() / 1000).unwrap_or_default();
        let chance = Self { state: self.state, ..self.clone() }.next_u64().to_be_bytes();
        self.counter = self.counter.wrapping_add(1);
        let count = self.counter.to_be_bytes();
        let mut bytes = [0; 12];
        bytes[..4].copy_from_slice(&seconds.to_be_bytes());
        bytes[4..9].copy_from_slice(&chance[..5]);
        bytes[9..].copy_from_slice(&count[1..]);
        ObjectId::from_bytes(bytes)
    }
}

impl Default for Source {
    fn default() -> Self {
        Self::seeded(0)
    }
}
