//! The duel's report: one question on every design, as values that the screen, plain text, Markdown, JSON and SVG render.

use crate::engine::Command;
use crate::plan::Explain;

use super::compare::{Ratio, Role};
use super::form::Form;

/// One question answered by every design, in one language.
#[derive(Debug, Clone, PartialEq)]
pub struct Duel {
    /// What was asked, as mongosh text.
    pub statement: String,
    /// What kind of statement it was.
    pub kind: Kind,
    /// A column per design, home first.
    pub columns: Vec<Column>,
    /// Whether the designs speak of the same entities; judged before any cost.
    pub same: Sameness,
    /// The differences in plain words, sameness first.
    pub lines: Vec<String>,
}

/// What kind of statement was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It looks.
    Read,
    /// It changes documents.
    Write,
    /// It changes indexes or the collection.
    Admin,
}

/// Whether all designs that could be asked gave the same entities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sameness {
    /// They did: how many.
    Same(usize),
    /// They did not: for each design that differs from home, its name and examples of `_id`s that only one side has.
    Different(Vec<Difference>),
    /// Nothing could be compared: no twin has a counterpart.
    Alone,
}

/// How one design's answer differs from home's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The design or statement, by the name of its column.
    pub name: String,
    /// Entities that only home gave, as Extended JSON, at most five.
    pub only_home: Vec<String>,
    /// Entities that only the twin gave, at most five.
    pub only_twin: Vec<String>,
    /// How many only home gave.
    pub missing: usize,
    /// How many only the twin gave.
    pub extra: usize,
}

/// One design's side of the duel.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// What heads it: the design's name; of a statement beside another one, its letter.
    pub name: String,
    /// The design.
    pub form: Form,
    /// Its collection.
    pub collection: String,
    /// Whether the learner works on it.
    pub home: bool,
    /// The statement for this design, as mongosh text that can be run; none where there is no counterpart.
    pub statement: Option<String>,
    /// The same as a command.
    pub command: Option<Command>,
    /// Why there is no counterpart: stable id and sentence.
    pub reason: Option<(&'static str, String)>,
    /// What the counterpart does not share with the original: stable id and sentence.
    pub notes: Vec<(&'static str, String)>,
    /// The plan from the root down.
    pub stages: Vec<StageLine>,
    /// The bounds of each index scan.
    pub bounds: Vec<BoundsLine>,
    /// What it read and gave.
    pub cost: Cost,
    /// How the collection is kept.
    pub storage: Storage,
    /// What a write costs here; none where no document can be read as an entity.
    pub writing: Option<Writing>,
    /// The candidates that lost, and why.
    pub losers: Vec<Loser>,
    /// What this design does not hold of the facts.
    pub losses: Vec<String>,
    /// The plan with its counts.
    pub explain: Option<Box<Explain>>,
}

/// One stage of a plan in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct StageLine {
    /// How deep in the tree.
    pub depth: usize,
    /// The stage in MongoDB's name.
    pub stage: String,
    /// What it is for.
    pub role: Role,
    /// Index, filter or pattern.
    pub detail: String,
    /// What it does, in words.
    pub words: String,
    /// Keys it read.
    pub keys: u64,
    /// Documents it read.
    pub docs: u64,
    /// Results it passed on.
    pub advanced: u64,
}

/// The bounds of one scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundsLine {
    /// The index.
    pub index: String,
    /// In words: "k = ram, v from 8 to 32".
    pub words: String,
    /// In MongoDB's notation, part by part: field and intervals.
    pub notation: Vec<(String, Vec<String>)>,
}

/// What a statement read and gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// Index keys read.
    pub keys: u64,
    /// Documents read.
    pub docs: u64,
    /// Documents, values or counts given.
    pub returned: u64,
    /// Entities among them.
    pub entities: u64,
    /// Bytes of the answer, or of the documents written.
    pub bytes: u64,
    /// Documents written.
    pub written: u64,
    /// Index entries added and removed.
    pub entries: u64,
    /// Returned per document or key read, whichever is more.
    pub efficiency: Option<Ratio>,
    /// Keys read per different document.
    pub expansion: Option<Ratio>,
}

/// How a collection is kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Storage {
    /// Documents.
    pub documents: u64,
    /// Bytes of the documents.
    pub bytes: u64,
    /// Indexes, `_id_` included; at most 64.
    pub indexes: Vec<IndexLine>,
}

/// One index in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexLine {
    /// The name.
    pub name: String,
    /// Entries.
    pub entries: u64,
    /// Different keys.
    pub distinct: u64,
    /// Entries whose whole key is null: what documents without the fields cost.
    pub nulls: u64,
    /// Bytes, as stored here.
    pub bytes: u64,
    /// An estimate of the bytes with MongoDB's prefix compression.
    pub estimated_bytes: u64,
    /// Whether some document has more than one entry.
    pub multikey: bool,
    /// The arrays behind that, for each part of the key, as `multiKeyPaths` lists them.
    pub multikey_paths: Vec<(String, Vec<String>)>,
}

/// What a write costs in a design, measured on a copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Writing {
    /// Index entries touched by inserting one more entity like the first.
    pub insert_entries: u64,
    /// Documents written by that insert.
    pub insert_documents: u64,
    /// Documents rewritten by changing one value.
    pub change_documents: u64,
    /// Bytes of those documents.
    pub change_bytes: u64,
    /// Index entries touched by that change.
    pub change_entries: u64,
}

/// A candidate plan that lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loser {
    /// The plan in one line.
    pub plan: String,
    /// Why it lost.
    pub why: String,
}

impl Storage {
    /// Entries of all indexes.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.indexes.iter().map(|index| index.entries).sum()
    }

    /// Entries of all indexes whose whole key is null.
    #[must_use]
    pub fn nulls(&self) -> u64 {
        self.indexes.iter().map(|index| index.nulls).sum()
    }

    /// Different keys of all indexes.
    #[must_use]
    pub fn distinct(&self) -> u64 {
        self.indexes.iter().map(|index| index.distinct).sum()
    }

    /// Bytes of all indexes, as stored here.
    #[must_use]
    pub fn index_bytes(&self) -> u64 {
        self.indexes.iter().map(|index| index.bytes).sum()
    }

    /// An estimate of the bytes of all indexes with MongoDB's prefix compression.
    #[must_use]
    pub fn estimated_index_bytes(&self) -> u64 {
        self.indexes.iter().map(|index| index.estimated_bytes).sum()
    }
}
