//! One design built in the store at one size, indexed and measured.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::design::column::storage;
use crate::design::compare::measure;
use crate::design::facts::{Attribute, Entity};
use crate::design::form::{Design, Form, Layout};
use crate::design::rephrase::{Ground, Keys, index_counterparts, rephrase};
use crate::design::reshape::pour;
use crate::design::writing::measure_writing;
use crate::engine::{Command, CreateIndexes, Database, Find, Host, IndexRequest, Insert};
use crate::value::{Bson, Document, Source, doc};

use super::{Contender, LabPlan, LabRow};

/// Entities written at once.
const BATCH: usize = 1000;

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
pub(super) fn build(
    plan: &LabPlan,
    contender: Contender,
    size: u64,
    tell: &mut dyn FnMut(u64),
    cancel: &AtomicBool,
) -> Option<LabRow> {
    let layout = Layout::attributes("specs", &["name"]);
    let design = Design::new(contender.form, &layout);
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
    let indexed = index(plan, contender.sparse, &design, &layout, &mut database, cancel)?;
    let (keys, docs) = questions(plan, &design, &layout, &database)?;
    let writing = measure_writing(&database, &design, "things", &entity(plan, 0))?;
    let kept = storage(&database, "things");
    Some(LabRow {
        contender,
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
pub(super) fn float(count: u64) -> f64 {
    count as f64
}

fn all_keys(plan: &LabPlan) -> Vec<String> {
    (0..plan.keys).map(|key| format!("key{key:03}")).collect()
}

/// Makes the indexes that serve every key; gives how many keys are served.
fn index(
    plan: &LabPlan,
    sparse: bool,
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
    for mut request in requests {
        if sparse {
            request.options.insert("sparse", true);
        }
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
