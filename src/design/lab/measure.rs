//! One design built in the store at one size, indexed and measured.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::design::column::storage;
use crate::design::compare::measure;
use crate::design::form::{Design, Form, Layout};
use crate::design::rephrase::{Ground, Keys, index_counterparts, rephrase};
use crate::design::reshape::pour;
use crate::design::writing::measure_writing;
use crate::engine::{Command, CreateIndexes, Database, Host, IndexRequest, Insert};
use crate::value::{Document, Source, doc};

use super::sample::{entity, key, questions};
use super::{Contender, LabPlan, LabRow};

/// Entities written at once.
const BATCH: usize = 1000;

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
    let (keys, docs) = asked(plan, &design, &layout, &database)?;
    let writing = measure_writing(&database, &design, "things", &entity(plan, 0))?;
    let kept = storage(&database, "things");
    Some(LabRow {
        contender,
        entities: size,
        computed: false,
        data_bytes: float(kept.bytes),
        index_bytes: float(kept.index_bytes()),
        estimated_index_bytes: float(kept.estimated_index_bytes()),
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
    (0..plan.keys).map(key).collect()
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

/// Keys and documents read on average by the questions.
fn asked(plan: &LabPlan, design: &Design, layout: &Layout, database: &Database) -> Option<(f64, f64)> {
    let kv = Design::new(Form::Kv, layout);
    let find = || all_keys(plan);
    let keys = Keys::new(&find);
    let ground = Ground { from: &kv, to: design, collection: "things", keys: &keys };
    let mut database = database.clone();
    let (mut keys_read, mut docs_read) = (0, 0);
    let questions = questions(plan);
    for question in &questions {
        let run = database.run(&rephrase(&ground, question).ok()?.command).ok()?;
        let figures = measure(run.explain.as_deref()?);
        keys_read += figures.keys;
        docs_read += figures.docs;
    }
    let asked = float(u64::try_from(questions.len()).ok()?);
    Some((float(keys_read) / asked, float(docs_read) / asked))
}
