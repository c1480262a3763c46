//! What is counted of a stage while it runs, and how explain tells it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use crate::plan::Explain;
use crate::value::{Bson, Document, doc};

use super::stage::Stage;
use super::whole::Placed;

/// What reading other collections cost a stage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    /// Documents looked at.
    pub documents: u64,
    /// Index keys looked at.
    pub keys: u64,
    /// Collection scans.
    pub scans: u64,
    /// The names of the indexes used.
    pub indexes: BTreeSet<String>,
}

impl Cost {
    /// Adds another cost.
    pub fn add(&mut self, other: Self) {
        self.documents += other.documents;
        self.keys += other.keys;
        self.scans += other.scans;
        self.indexes.extend(other.indexes);
    }
}

/// What is counted of a stage while it runs, the pipelines inside it included.
#[derive(Debug, Default)]
pub struct Meter {
    /// Documents passed on.
    pub returned: Cell<u64>,
    /// What was read of other collections.
    pub cost: RefCell<Cost>,
    /// Bytes of the documents that were sorted, or that a group made; of windows the most that was held at once.
    pub bytes: Cell<u64>,
    /// Bytes held by each accumulator of a group or by each window function, in their order.
    pub held: RefCell<Vec<u64>>,
    /// Of `$facet` one meter for each of its pipelines; of one of those, and of `$unionWith`, one for each stage.
    pub inner: Vec<Meter>,
    /// Of `$unionWith`: how the other collection was read, once that has begun.
    pub other: Option<RefCell<Option<Box<Explain>>>>,
}

impl Meter {
    /// One for each stage, with those for the pipelines inside.
    #[must_use]
    pub fn of(stages: &[Placed]) -> Vec<Self> {
        stages.iter().map(|placed| Self::of_stage(&placed.stage)).collect()
    }

    fn of_stage(stage: &Stage) -> Self {
        match stage {
            Stage::Facet(facet) => {
                let part = |(_, stages): (_, &[Placed])| Self { inner: Self::of(stages), ..Self::default() };
                Self { inner: facet.parts().map(part).collect(), ..Self::default() }
            }
            Stage::UnionWith(union) => {
                Self { inner: Self::of(union.stages()), other: Some(RefCell::default()), ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    /// What was read of other collections, by the stage and by those inside it.
    #[must_use]
    pub fn whole_cost(&self) -> Cost {
        let mut cost = self.cost.borrow().clone();
        self.inner.iter().for_each(|inner| cost.add(inner.whole_cost()));
        cost
    }

    /// Takes what the functions and the documents of one partition hold, where that is more than those before did.
    pub fn hold_most(&self, functions: Vec<usize>, documents: usize) {
        let whole = (documents + functions.iter().sum::<usize>()) as u64;
        self.bytes.set(self.bytes.get().max(whole));
        let mut held = self.held.borrow_mut();
        held.resize(functions.len(), 0);
        held.iter_mut().zip(functions).for_each(|(most, now)| *most = (*most).max(now as u64));
    }

    /// Counts bytes.
    pub fn add_bytes(&self, bytes: usize) {
        self.bytes.set(self.bytes.get() + bytes as u64);
    }
}

fn long(number: u64) -> Bson {
    Bson::Int64(i64::try_from(number).unwrap_or(i64::MAX))
}

impl Stage {
    /// What explain tells of the stage's run beside its definition and how many documents it passed on (server: what
    /// `serializeToArray` of each stage adds from `executionStats` on). Sizes are those of this engine, which never writes to
    /// disk.
    #[must_use]
    pub fn figures(&self, meter: &Meter) -> Document {
        match self {
            Self::Lookup(_) => {
                let Cost { documents, keys, scans, indexes } = meter.cost.borrow().clone();
                doc! {
                    "totalDocsExamined": long(documents),
                    "totalKeysExamined": long(keys),
                    "collectionScans": long(scans),
                    "indexesUsed": indexes.into_iter().collect::<Vec<_>>(),
                }
            }
            Self::Sort(_) => doc! {
                "totalDataSizeSortedBytesEstimate": long(meter.bytes.get()),
                "usedDisk": false,
                "spills": 0_i64,
                "spilledDataStorageSize": 0_i64,
            },
            Self::Group(group) => {
                let names = group.fields.iter().map(|(name, _)| name.clone());
                let held: Document = names.zip(meter.held.borrow().iter().copied().map(long)).collect();
                doc! {
                    "maxAccumulatorMemoryUsageBytes": held,
                    "totalOutputDataSizeBytes": long(meter.bytes.get()),
                    "usedDisk": false,
                    "spills": 0_i64,
                    "spilledDataStorageSize": 0_i64,
                    "numBytesSpilledEstimate": 0_i64,
                    "spilledRecords": 0_i64,
                }
            }
            Self::SetWindowFields(windows) => {
                let held: Document = windows.names().zip(meter.held.borrow().iter().copied().map(long)).collect();
                doc! {
                    "maxFunctionMemoryUsageBytes": held,
                    "maxTotalMemoryUsageBytes": long(meter.bytes.get()),
                    "usedDisk": false,
                }
            }
            _ => Document::new(),
        }
    }
}
