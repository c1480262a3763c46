//! How much work a sandbox may still do, counted and not timed, so that the same text stops at the same place anywhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{CommandError, ErrorCode, Result};

/// Units of work that are left; copies share them. One unit is an index key or document examined, a document passed from
/// stage to stage, an array element looked at by an expression, or [`BYTES_PER_UNIT`] bytes computed or written; a command
/// costs a few by itself.
#[derive(Debug, Clone, Default)]
pub struct Allowance(Option<Arc<AtomicU64>>);

/// So many bytes of a new value cost one unit.
const BYTES_PER_UNIT: usize = 64;

impl Allowance {
    /// So many units; none for no limit.
    #[must_use]
    pub fn new(units: Option<u64>) -> Self {
        Self(units.map(|units| Arc::new(AtomicU64::new(units))))
    }

    /// Spends units.
    ///
    /// # Errors
    /// `MaxTimeMSExpired` where fewer are left; none are left then.
    pub fn spend(&self, units: u64) -> Result<()> {
        let Some(left) = &self.0 else { return Ok(()) };
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
        self.0.as_ref().is_some_and(|left| left.load(Ordering::Relaxed) == 0)
    }
}
