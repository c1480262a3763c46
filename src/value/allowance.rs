//! How much work a sandbox may still do, counted and not timed, so that the same text stops at the same place anywhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::{CommandError, ErrorCode, Result};

/// Units of work that are left; copies share them. One unit is an index key or document examined, a document passed from
/// stage to stage, an array element looked at by an expression, or [`BYTES_PER_UNIT`] bytes computed or written; a command
/// costs a few by itself.
///
/// Whoever waits for the work may also lose patience: that is asked once in a while.
#[derive(Debug, Clone, Default)]
pub struct Allowance {
    left: Option<Arc<AtomicU64>>,
    patience: Option<Arc<Patience>>,
}

/// Somebody who waits.
struct Patience {
    spent: AtomicU64,
    over: AtomicBool,
    lasts: Box<dyn Fn() -> bool + Send + Sync>,
}

/// Units between two questions.
const UNITS_PER_QUESTION: u64 = 256;

/// So many bytes of a new value cost one unit.
const BYTES_PER_UNIT: usize = 64;

impl Allowance {
    /// So many units; none for no limit.
    #[must_use]
    pub fn new(units: Option<u64>) -> Self {
        Self { left: units.map(|units| Arc::new(AtomicU64::new(units))), patience: None }
    }

    /// The same units for somebody whose patience lasts as long as the question is answered with true.
    #[must_use]
    pub fn while_patient(mut self, lasts: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let patience = Patience { spent: AtomicU64::new(0), over: AtomicBool::new(false), lasts: Box::new(lasts) };
        self.patience = Some(Arc::new(patience));
        self
    }

    /// Spends units.
    ///
    /// # Errors
    /// `MaxTimeMSExpired` where fewer are left, and none are left then; `Interrupted` where nobody waits any more.
    pub fn spend(&self, units: u64) -> Result<()> {
        if self.patience.as_ref().is_some_and(|patience| patience.is_over(units)) {
            return Err(CommandError::new(ErrorCode::Interrupted, "operation was interrupted"));
        }
        let Some(left) = &self.left else { return Ok(()) };
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(units));
        taken.map(|_| ()).map_err(|_| {
            left.store(0, Ordering::Relaxed);
            CommandError::new(ErrorCode::MaxTimeMSExpired, "operation exceeded time limit")
        })
    }

    /// Spends what a new value of so many bytes costs; small ones are free.
    ///
    /// # Errors
    /// As [`Allowance::spend`].
    pub fn spend_bytes(&self, bytes: usize) -> Result<()> {
        match bytes / BYTES_PER_UNIT {
            0 => Ok(()),
            units => self.spend(units as u64),
        }
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.left.as_ref().is_some_and(|left| left.load(Ordering::Relaxed) == 0)
    }
}

impl Patience {
    fn is_over(&self, units: u64) -> bool {
        let before = self.spent.fetch_add(units, Ordering::Relaxed);
        let asks = before / UNITS_PER_QUESTION != before.saturating_add(units) / UNITS_PER_QUESTION;
        if asks && !(self.lasts)() {
            self.over.store(true, Ordering::Relaxed);
        }
        self.over.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for Patience {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Patience").field("spent", &self.spent).field("over", &self.over).finish_non_exhaustive()
    }
}
