//! The cost lab: builds each design in the store at growing sizes, measures what it costs, and extends the measured law.
//!
//! Every measured row comes from a store that was really built. Rows beyond the largest size are computed from the
//! straight line through the measured ones and say so.

mod json;
mod law;
mod limits;
mod measure;
mod sample;
mod text;

use std::sync::atomic::AtomicBool;

use crate::error::CommandError;

use super::form::Form;
use law::{changes, cheapest, extended};
use measure::build;

pub use json::to_json;
pub use law::Change;
pub use limits::{Growth, ceiling, growth};
pub use text::{FIGURES, Figure, LabLine, findings, lab_lines, quantity, to_text};

/// Sizes that are computed, not built.
const COMPUTED: [u64; 4] = [1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/// A design in the lab: a form, and for fields whether their indexes leave out documents without the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contender {
    /// The form.
    pub form: Form,
    /// Whether its indexes are sparse.
    pub sparse: bool,
}

impl Contender {
    /// A form with ordinary indexes.
    #[must_use]
    pub const fn of(form: Form) -> Self {
        Self { form, sparse: false }
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> String {
        if self.sparse { format!("{} sparse", self.form.name()) } else { self.form.name().to_owned() }
    }
}

/// What is to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct LabPlan {
    /// Numbers of entities to build, ascending.
    pub sizes: Vec<u64>,
    /// Attributes of each entity.
    pub attributes: usize,
    /// Different keys in all.
    pub keys: usize,
    /// Different values of each key.
    pub values: usize,
    /// How many of a hundred operations are questions; the others insert an entity.
    pub reads: u8,
    /// The designs to build.
    pub contenders: Vec<Contender>,
}

/// The largest numbers the lab takes: entities, attributes of each, different keys and values.
pub const LARGEST: (u64, usize, usize, usize) = (1_000_000, 100, 1_000, 1_000_000);

impl Default for LabPlan {
    fn default() -> Self {
        Self {
            sizes: vec![1_000, 10_000, 100_000],
            attributes: 5,
            keys: 20,
            values: 50,
            reads: 90,
            contenders: vec![
                Contender::of(Form::Flat),
                Contender { form: Form::Flat, sparse: true },
                Contender::of(Form::Kv),
                Contender::of(Form::Wildcard),
            ],
        }
    }
}

impl LabPlan {
    /// The plan with every number inside what the lab takes: at least one of everything, no more than [`LARGEST`], no more
    /// attributes than keys, sizes ascending and each once.
    #[must_use]
    pub fn within_limits(mut self) -> Self {
        let (entities, attributes, keys, values) = LARGEST;
        self.sizes = self.sizes.iter().map(|size| (*size).clamp(1, entities)).collect();
        self.sizes.sort_unstable();
        self.sizes.dedup();
        self.keys = self.keys.clamp(1, keys);
        self.attributes = self.attributes.clamp(1, attributes.min(self.keys));
        self.values = self.values.clamp(1, values);
        self.reads = self.reads.min(100);
        self
    }

    /// A hundredth, a tenth and the whole of so many entities.
    #[must_use]
    pub fn sizes_up_to(entities: u64) -> Vec<u64> {
        [100, 10, 1].map(|part| (entities / part).max(1)).to_vec()
    }
}

/// How far the lab is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The design at work.
    pub contender: Contender,
    /// The size it is built at.
    pub size: u64,
    /// Entities written so far in all.
    pub done: u64,
    /// Entities to be written in all.
    pub all: u64,
}

/// What one design costs at one size.
#[derive(Debug, Clone, PartialEq)]
pub struct LabRow {
    /// The design.
    pub contender: Contender,
    /// Entities.
    pub entities: u64,
    /// Whether the row was computed from the law and not built.
    pub computed: bool,
    /// Bytes of the documents.
    pub data_bytes: f64,
    /// Bytes of all indexes, as stored here.
    pub index_bytes: f64,
    /// An estimate of these with MongoDB's prefix compression.
    pub estimated_index_bytes: f64,
    /// Index entries.
    pub entries: f64,
    /// Indexes.
    pub indexes: usize,
    /// Keys that have no index because the ceiling was met.
    pub unserved: usize,
    /// Index entries touched by one more entity.
    pub insert_entries: f64,
    /// Keys read by one question on average.
    pub keys: f64,
    /// Documents read by one question on average.
    pub docs: f64,
}

impl LabRow {
    /// The number of entities, for arithmetic.
    #[must_use]
    pub fn entities_f64(&self) -> f64 {
        measure::float(self.entities)
    }

    /// Keys, documents and entries that one operation touches on average, with this share of questions.
    #[must_use]
    pub fn cost(&self, reads: u8) -> f64 {
        let share = f64::from(reads.min(100)) / 100.0;
        share * (self.keys + self.docs) + (1.0 - share) * self.insert_entries
    }
}

/// What the lab found.
#[derive(Debug, Clone, PartialEq)]
pub struct LabReport {
    /// What was asked for, within the lab's limits.
    pub plan: LabPlan,
    /// Measured and computed rows, by design and size.
    pub rows: Vec<LabRow>,
    /// The cheapest design at the largest built size for the plan's mix.
    pub cheapest: Option<Contender>,
    /// Where the cheapest changes as questions become more frequent, at the largest built size.
    pub changes: Vec<Change>,
    /// How many indexes of one's own a collection took, and the refusal of the next.
    pub ceiling: (usize, CommandError),
    /// How a document of dated values grows.
    pub growth: Vec<Growth>,
}

/// Runs the lab; none when it was cancelled.
pub fn run(plan: &LabPlan, progress: &mut dyn FnMut(Progress), cancel: &AtomicBool) -> Option<LabReport> {
    let plan = plan.clone().within_limits();
    let all: u64 = plan.sizes.iter().sum::<u64>() * u64::try_from(plan.contenders.len()).ok()?;
    let mut done = 0;
    let mut rows = Vec::new();
    for &contender in &plan.contenders {
        let mut built = Vec::new();
        for &size in &plan.sizes {
            let mut tell = |written| progress(Progress { contender, size, done: done + written, all });
            built.push(build(&plan, contender, size, &mut tell, cancel)?);
            done += size;
        }
        let computed: Vec<_> = COMPUTED.iter().filter_map(|&size| extended(&built, size)).collect();
        rows.extend(built);
        rows.extend(computed);
    }
    let largest = plan.sizes.iter().copied().max();
    let last: Vec<_> = rows.iter().filter(|row| !row.computed && Some(row.entities) == largest).collect();
    Some(LabReport {
        cheapest: cheapest(&last, plan.reads),
        changes: changes(&last),
        ceiling: ceiling()?,
        plan,
        growth: [Form::Map, Form::Array, Form::Rows].into_iter().map(growth).collect(),
        rows,
    })
}
