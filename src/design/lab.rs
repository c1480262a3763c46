//! The cost lab: builds each design in the store at growing sizes, measures what it costs, and extends the measured law.
//!
//! Every measured row comes from a store that was really built. Rows beyond the largest size are computed from the
//! straight line through the measured ones and say so.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::{Command, CreateIndexes, Database, Find, Host, IndexRequest, Insert};
use crate::error::CommandError;
use crate::value::{Bson, Document, Source, doc};

use super::column::storage;
use super::compare::measure;
use super::facts::{Attribute, Entity};
use super::form::{Design, Form, Layout};
use super::rephrase::{Ground, Keys, index_counterparts, rephrase};
use super::reshape::pour;
use super::writing::measure_writing;

/// Entities written at once.
const BATCH: usize = 1000;
/// Sizes that are computed, not built.
const COMPUTED: [u64; 4] = [1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/// MongoDB's largest document.
const LARGEST_DOCUMENT: u64 = 16 * 1024 * 1024;

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
    pub forms: Vec<Form>,
}

impl Default for LabPlan {
    fn default() -> Self {
        Self {
            sizes: vec![1_000, 10_000, 100_000],
            attributes: 5,
            keys: 20,
            values: 50,
            reads: 90,
            forms: vec![Form::Flat, Form::Kv, Form::Wildcard],
        }
    }
}

/// How far the lab is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The design at work.
    pub form: Form,
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
    pub form: Form,
    /// Entities.
    pub entities: u64,
    /// Whether the row was computed from the law and not built.
    pub computed: bool,
    /// Bytes of the documents.
    pub data_bytes: f64,
    /// Bytes of all indexes.
    pub index_bytes: f64,
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
    /// Keys, documents and entries that one operation touches on average, with this share of questions.
    #[must_use]
    pub fn cost(&self, reads: u8) -> f64 {
        let share = f64::from(reads.min(100)) / 100.0;
        share * (self.keys + self.docs) + (1.0 - share) * self.insert_entries
    }
}

/// Where another design becomes the cheapest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// From this share of questions on, in percent.
    pub reads: u8,
    /// The cheapest below it.
    pub from: Form,
    /// The cheapest from there on.
    pub to: Form,
}

/// What the lab found.
#[derive(Debug, Clone, PartialEq)]
pub struct LabReport {
    /// Measured and computed rows, by design and size.
    pub rows: Vec<LabRow>,
    /// The cheapest design at the largest built size for the plan's mix.
    pub cheapest: Option<Form>,
    /// Where the cheapest changes as questions become more frequent, at the largest built size.
    pub changes: Vec<Change>,
    /// How many indexes of one's own a collection took, and the refusal of the next.
    pub ceiling: (usize, CommandError),
    /// How a document of dated values grows.
    pub growth: Vec<Growth>,
}

/// How a document of dated values grows, day by day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// The design.
    pub form: Form,
    /// Bytes of the document without a day.
    pub empty: u64,
    /// Bytes that the last possible day adds.
    pub bytes_per_day: u64,
    /// How many days fit into 16 MiB; none where each day is a document of its own.
    pub days: Option<u64>,
}

/// Runs the lab; none when it was cancelled.
pub fn run(plan: &LabPlan, progress: &mut dyn FnMut(Progress), cancel: &AtomicBool) -> Option<LabReport> {
    let all: u64 = plan.sizes.iter().sum::<u64>() * u64::try_from(plan.forms.len()).ok()?;
    let mut done = 0;
    let mut rows = Vec::new();
    for &form in &plan.forms {
        let mut built = Vec::new();
        for &size in &plan.sizes {
            let mut tell = |written| progress(Progress { form, size, done: done + written, all });
            built.push(build(plan, form, size, &mut tell, cancel)?);
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
        growth: [Form::Map, Form::Array, Form::Rows].into_iter().map(growth).collect(),
        rows,
    })
}

/// The facts of one entity, made from its number.
fn entity(plan: &LabPlan, number: u64) -> Entity {
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    let held = (0..plan.attributes.min(plan.keys)).map(|turn| {
        let key = at.wrapping_mul(7).wrapping_add(turn * plan.keys.div_ceil(plan.attributes.max(1))) % plan.keys;
        let value = at.wrapping_mul(31).wrapping_add(turn * 17) % plan.values.max(1);
        Attribute::new(&format!("key{key:03}"), i32::try_from(value).unwrap_or_default())
    });
    let mut attributes: Vec<Attribute> = held.collect();
    attributes.sort_by(|a, b| a.key.cmp(&b.key));
    attributes.dedup_by(|a, b| a.key == b.key);
    let id = Bson::Int64(i64::try_from(number).unwrap_or(i64::MAX));
    Entity { id, common: doc! {"name": format!("thing {number}")}, attributes }
}

/// Builds one design at one size and measures it.
fn build(plan: &LabPlan, form: Form, size: u64, tell: &mut dyn FnMut(u64), cancel: &AtomicBool) -> Option<LabRow> {
    let layout = Layout::attributes("specs", &["name"]);
    let design = Design::new(form, &layout);
    let mut database = Database::new(Source::seeded(0));
    let mut documents = Vec::with_capacity(BATCH);
    for number in 0..size {
        documents.append(&mut pour(&design, &entity(plan, number)).made);
        if documents.len() >= BATCH || number + 1 == size {
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            let insert =
                Insert { collection: "things".into(), documents: std::mem::take(&mut documents), ordered: true };
            database.run(&Command::Insert(insert)).ok()?;
            tell(number + 1);
        }
    }
    let indexed = index(plan, &design, &layout, &mut database, cancel)?;
    let (keys, docs) = questions(plan, &design, &layout, &database)?;
    let writing = measure_writing(&database, &design, "things", &entity(plan, 0))?;
    let kept = storage(&database, "things");
    Some(LabRow {
        form,
        entities: size,
        computed: false,
        data_bytes: float(kept.bytes),
        index_bytes: float(kept.index_bytes()),
        entries: float(kept.entries()),
        indexes: kept.indexes.len(),
        unserved: plan.keys.saturating_sub(indexed),
        insert_entries: float(writing.insert_entries),
        keys,
        docs,
    })
}

#[expect(clippy::cast_precision_loss, reason = "figures for a drawing; they stay far below 2^53")]
fn float(count: u64) -> f64 {
    count as f64
}

fn all_keys(plan: &LabPlan) -> Vec<String> {
    (0..plan.keys).map(|key| format!("key{key:03}")).collect()
}

/// Makes the indexes that serve every key; gives how many keys are served.
fn index(
    plan: &LabPlan,
    design: &Design,
    layout: &Layout,
    database: &mut Database,
    cancel: &AtomicBool,
) -> Option<usize> {
    let kv = Design::new(Form::Kv, layout);
    let find = || all_keys(plan);
    let keys = Keys::new(&find);
    let ground = Ground { from: &kv, to: design, collection: "things", keys: &keys };
    let pair = IndexRequest { keys: doc! {"specs.k": 1, "specs.v": 1}, options: Document::new() };
    let requests = index_counterparts(&ground, &pair).ok()?.0;
    let single = requests.len();
    for request in requests {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let create = CreateIndexes { collection: "things".into(), indexes: vec![request] };
        database.run(&Command::CreateIndexes(create)).ok()?;
    }
    Some(if single > 1 || plan.keys == 1 { single } else { plan.keys })
}

/// Keys and documents read on average: one value of a key, for keys from all over.
fn questions(plan: &LabPlan, design: &Design, layout: &Layout, database: &Database) -> Option<(f64, f64)> {
    const ASKED: usize = 8;
    let kv = Design::new(Form::Kv, layout);
    let find = || all_keys(plan);
    let keys = Keys::new(&find);
    let ground = Ground { from: &kv, to: design, collection: "things", keys: &keys };
    let mut database = database.clone();
    let (mut keys_read, mut docs_read) = (0, 0);
    for turn in 0..ASKED {
        let key = format!("key{:03}", turn * plan.keys / ASKED % plan.keys);
        let value = i32::try_from(turn * plan.values / ASKED).unwrap_or_default();
        let filter = doc! {"specs": {"$elemMatch": {"k": key, "v": value}}};
        let question = Command::Find(Find { collection: "things".into(), filter, ..Find::default() });
        let run = database.run(&rephrase(&ground, &question).ok()?.command).ok()?;
        let figures = measure(run.explain.as_deref()?);
        keys_read += figures.keys;
        docs_read += figures.docs;
    }
    let asked = float(u64::try_from(ASKED).ok()?);
    Some((float(keys_read) / asked, float(docs_read) / asked))
}

/// A row on the straight line through the last two built ones; where only one was built, through it and nothing.
fn extended(built: &[LabRow], size: u64) -> Option<LabRow> {
    let last = built.last()?;
    let before = built.len().checked_sub(2).map(|at| &built[at]);
    (size > last.entities).then_some(())?;
    let line = |figure: fn(&LabRow) -> f64| {
        let (x0, y0) = before.map_or((0.0, 0.0), |row| (float(row.entities), figure(row)));
        let (x1, y1) = (float(last.entities), figure(last));
        y1 + (y1 - y0) / (x1 - x0) * (float(size) - x1)
    };
    Some(LabRow {
        form: last.form,
        entities: size,
        computed: true,
        data_bytes: line(|row| row.data_bytes),
        index_bytes: line(|row| row.index_bytes),
        entries: line(|row| row.entries),
        indexes: last.indexes,
        unserved: last.unserved,
        insert_entries: last.insert_entries,
        keys: line(|row| row.keys),
        docs: line(|row| row.docs),
    })
}

fn cheapest(rows: &[&LabRow], reads: u8) -> Option<Form> {
    rows.iter().min_by(|a, b| a.cost(reads).total_cmp(&b.cost(reads))).map(|row| row.form)
}

fn changes(rows: &[&LabRow]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut present = cheapest(rows, 0);
    for reads in 1..=100 {
        let next = cheapest(rows, reads);
        if let (Some(from), Some(to)) = (present, next)
            && from != to
        {
            found.push(Change { reads, from, to });
        }
        present = next;
    }
    found
}

/// Makes indexes until the store refuses one; gives how many it took and the refusal.
#[must_use]
pub fn ceiling() -> Option<(usize, CommandError)> {
    const ENOUGH: usize = 1000;
    let mut database = Database::new(Source::seeded(0));
    (0..ENOUGH).find_map(|number| {
        let keys = Document::from_iter([(format!("field{number}"), Bson::Int32(1))]);
        let indexes = vec![IndexRequest { keys, options: Document::new() }];
        let create = CreateIndexes { collection: "things".into(), indexes };
        database.run(&Command::CreateIndexes(create)).err().map(|refusal| (number, refusal))
    })
}

/// How a document of steps grows in a design: measured on documents of nine and ten days, extended to the limit.
#[must_use]
pub fn growth(form: Form) -> Growth {
    let design = Design::new(form, &Layout::dated("steps_made", "date", "steps", "person"));
    let bytes = |days: usize| -> u64 {
        let attributes = super::data::days(2014, 0, days).iter().map(|day| Attribute::new(day, 10_800)).collect();
        let person = Entity { id: Bson::Int32(1), common: doc! {"person": "Ada"}, attributes };
        let poured = pour(&design, &person).made;
        let size = |document: &Document| document.to_vec().map_or(0, |bytes| bytes.len());
        u64::try_from(poured.first().map_or(0, size)).unwrap_or_default()
    };
    if form == Form::Rows {
        return Growth { form, empty: 0, bytes_per_day: bytes(1), days: None };
    }
    let empty = bytes(0);
    let first = bytes(1) - empty;
    // An array's positions are names: each further digit costs a byte.
    let digit = bytes(11) - bytes(10) - first;
    let (mut left, mut days, mut per_day) = (LARGEST_DOCUMENT - empty, 0, first);
    let mut in_group = 10;
    loop {
        let fit = (left / per_day).min(in_group);
        days += fit;
        left -= fit * per_day;
        if fit < in_group {
            return Growth { form, empty, bytes_per_day: per_day, days: Some(days) };
        }
        in_group = if digit == 0 { u64::MAX } else { days * 9 };
        per_day += digit;
    }
}
