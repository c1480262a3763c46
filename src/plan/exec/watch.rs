//! The steps of a run, for whoever wants to follow it.

use crate::store::RecordId;
use crate::value::Bson;

/// One step of a run. `stage` is the stage's number, counting the plan's stages depth first from the root, 0.
#[derive(Debug, Clone, PartialEq)]
pub enum WalkStep {
    /// An index scan was placed: at the first key at or beyond these values.
    Seek {
        /// The stage.
        stage: usize,
        /// The leading values looked for.
        key: Vec<Bson>,
        /// Whether keys with these values belong to it.
        inclusive: bool,
    },
    /// An index key was looked at.
    KeyExamined {
        /// The stage.
        stage: usize,
        /// The key's values.
        key: Vec<Bson>,
        /// The record it leads to.
        record: RecordId,
        /// Whether it lies inside the bounds.
        inside: bool,
    },
    /// A record came again and was left out.
    DuplicateDropped {
        /// The stage.
        stage: usize,
        /// The record.
        record: RecordId,
    },
    /// A document was read.
    Fetch {
        /// The stage.
        stage: usize,
        /// The record.
        record: RecordId,
    },
    /// A filter said no.
    Rejected {
        /// The stage.
        stage: usize,
        /// The record.
        record: RecordId,
    },
    /// Everything was there and brought into order.
    Sorted {
        /// The stage.
        stage: usize,
        /// How many rows.
        rows: u64,
    },
    /// A result left the plan.
    Returned {
        /// The record.
        record: RecordId,
    },
}

/// Who follows a run.
pub trait Watcher {
    /// Whether steps are wanted at all; where not, none are put together.
    const WANTED: bool = true;

    /// A step was done.
    fn step(&mut self, step: WalkStep);
}

/// Nobody.
impl Watcher for () {
    const WANTED: bool = false;

    fn step(&mut self, _: WalkStep) {}
}

/// All steps, kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Steps(pub Vec<WalkStep>);

impl Watcher for Steps {
    fn step(&mut self, step: WalkStep) {
        self.0.push(step);
    }
}
