//! The developers' own regressions: the peer benchmark's workloads at 10,000 products, over the same engine and trait.
//!
//! Data comes from the files named by `PEGBOARD_BENCH_DATA` (a prefix, as the peer benchmark names them) where it is set,
//! else from a generator of the same shape with a fixed seed.

use std::hint::black_box;
use std::time::Duration;

use bson::{Bson, Document, doc};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use harness::Engine;
use ours::Ours;
use pegboard::value::Source;

#[path = "../examples/peer_bench/harness.rs"]
#[expect(
    dead_code,
    clippy::pedantic,
    clippy::style,
    reason = "the harness is the one all engines are measured with, kept as it is but for the type of an answer"
)]
mod harness;
#[path = "../examples/peer_bench/ours.rs"]
mod ours;

const PRODUCTS: usize = 10_000;
const BATCH: usize = 1000;
const NAMES: usize = 400;
const PEOPLE: usize = 50;
const DAYS: usize = 365;

/// Everything the workloads read.
struct Data {
    products: Vec<Document>,
    flat: Vec<Document>,
    fields: Vec<String>,
    day: Vec<Document>,
    array: Vec<Document>,
    map: Vec<Document>,
}

struct Chance(Source);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.0.next_u64() % limit as u64).unwrap_or_default()
    }

    /// Small numbers often, large ones seldom.
    fn skewed(&mut self, limit: usize) -> usize {
        self.below(limit).min(self.below(limit)).min(self.below(limit))
    }
}

impl Data {
    fn load() -> Self {
        std::env::var("PEGBOARD_BENCH_DATA").map_or_else(|_| Self::made(), |prefix| Self::read(&prefix))
    }

    fn read(prefix: &str) -> Self {
        let documents = |ending: &str| -> Vec<Document> {
            harness::batches(&format!("{prefix}{ending}")).flatten().map(|line| harness::to_doc(&line)).collect()
        };
        let mut products = documents(".jsonl");
        products.truncate(PRODUCTS);
        let mut flat = documents(".flat.jsonl");
        flat.truncate(PRODUCTS);
        let fields = names();
        let (day, array, map) =
            (documents(".steps_day.jsonl"), documents(".steps_array.jsonl"), documents(".steps_map.jsonl"));
        Self { products, flat, fields, day, array, map }
    }

    fn made() -> Self {
        let mut chance = Chance(Source::seeded(7));
        let names = names();
        let facts: Vec<Vec<(usize, Bson)>> = (0..PRODUCTS).map(|_| attributes(&mut chance)).collect();
        let common = |id: usize| doc! {"_id": number(id), "name": format!("product {id}"), "sku": format!("S{id:07}")};
        let products = facts.iter().enumerate().map(|(id, facts)| {
            let specs: Vec<Document> =
                facts.iter().map(|(name, value)| doc! {"k": &names[*name], "v": value}).collect();
            let mut product = common(id);
            product.insert("specs", specs);
            product
        });
        let flat = facts.iter().enumerate().map(|(id, facts)| {
            let mut product = common(id);
            product.extend(facts.iter().map(|(name, value)| (names[*name].clone(), value.clone())));
            product
        });
        let (products, flat) = (products.collect(), flat.collect());
        let (day, array, map) = steps(&mut chance);
        Self { products, flat, fields: names, day, array, map }
    }
}

fn number(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

fn names() -> Vec<String> {
    (0..NAMES).map(|name| format!("attribute_{name}")).collect()
}

/// Six to fourteen attributes, each name once; text for some names, whole or broken numbers for others.
fn attributes(chance: &mut Chance) -> Vec<(usize, Bson)> {
    let wanted = 6 + chance.below(9);
    let mut found: Vec<(usize, Bson)> = Vec::new();
    while found.len() < wanted {
        let name = chance.skewed(NAMES);
        if found.iter().any(|(other, _)| *other == name) {
            continue;
        }
        let value = chance.skewed(50);
        let value = match name % 3 {
            0 => Bson::String(format!("value-{value:x}")),
            1 => Bson::Int32(number(value)),
            _ => Bson::Double(f64::from(number(value)) + 0.5),
        };
        found.push((name, value));
    }
    found
}

fn date(day: usize) -> String {
    let (month, day) = (day / 31 + 1, day % 31 + 1);
    format!("2025-{month:02}-{day:02}")
}

fn steps(chance: &mut Chance) -> (Vec<Document>, Vec<Document>, Vec<Document>) {
    let (mut all_days, mut arrays, mut maps) = (Vec::new(), Vec::new(), Vec::new());
    for person in 0..PEOPLE {
        let counts: Vec<(String, i32)> =
            (0..DAYS).map(|day| (date(day), number(2000 + chance.below(12_000)))).collect();
        let who = format!("p{person}");
        all_days.extend(counts.iter().enumerate().map(|(at, (date, steps))| {
            doc! {"_id": number(person * DAYS + at), "person": &who, "date": date, "steps": steps}
        }));
        let days: Vec<Document> = counts.iter().map(|(date, steps)| doc! {"date": date, "steps": steps}).collect();
        arrays.push(doc! {"_id": number(person), "person": &who, "days": days});
        let map: Document = counts.into_iter().map(|(date, steps)| (date, steps.into())).collect();
        maps.push(doc! {"_id": number(person), "person": &who, "steps": map});
    }
    (all_days, arrays, maps)
}

fn insert(engine: &mut Ours, collection: &str, documents: &[Document]) {
    for batch in documents.chunks(BATCH) {
        engine.insert_many(collection, batch.to_vec()).expect("the data is sound");
    }
}

fn loaded(data: &Data, indexed: bool) -> Ours {
    let mut engine = Ours::default();
    insert(&mut engine, "products", &data.products);
    if indexed {
        engine.create_index("products", doc! {"specs.k": 1, "specs.v": 1}).expect("the index is new");
    }
    engine
}

/// One attribute of a product, as key and value.
fn attribute(data: &Data, product: usize, place: usize) -> (Bson, Bson) {
    let specs = data.products[product % data.products.len()].get_array("specs").expect("products have specs");
    let spec = specs[place % specs.len()].as_document().expect("specs are documents");
    (spec.get("k").cloned().unwrap_or(Bson::Null), spec.get("v").cloned().unwrap_or(Bson::Null))
}

fn element(key: &Bson, value: impl Into<Bson>) -> Document {
    doc! {"$elemMatch": {"k": key, "v": value.into()}}
}

fn writing(criterion: &mut Criterion) {
    let data = Data::load();
    criterion.bench_function("insert", |bench| {
        bench.iter_batched(
            Ours::default,
            |mut engine| insert(&mut engine, "products", &data.products),
            BatchSize::PerIteration,
        );
    });
    criterion.bench_function("index_build", |bench| {
        let build = |mut engine: Ours| engine.create_index("products", doc! {"specs.k": 1, "specs.v": 1});
        bench.iter_batched(|| loaded(&data, false), build, BatchSize::PerIteration);
    });
    for indexes in [0, 1, 20, 60] {
        let made = || {
            let mut engine = Ours::default();
            for field in data.fields.iter().take(indexes) {
                engine.create_index("flat", doc! {field: 1}).expect("the index is new");
            }
            engine
        };
        criterion.bench_function(&format!("flat_insert/{indexes}"), |bench| {
            let fill = |mut engine: Ours| insert(&mut engine, "flat", &data.flat[..BATCH]);
            bench.iter_batched(made, fill, BatchSize::PerIteration);
        });
    }
}

fn reading(criterion: &mut Criterion) {
    let data = Data::load();
    let mut engine = loaded(&data, true);
    let mut at = 0;
    let mut next = || {
        at += 7;
        attribute(&data, at, at / 3)
    };
    let find = |engine: &mut Ours, filter: Document, limit: usize| {
        black_box(engine.find("products", filter, None, limit).expect("the query is sound")).len()
    };
    criterion.bench_function("point", |bench| {
        bench.iter(|| {
            let (key, value) = next();
            find(&mut engine, doc! {"specs": element(&key, value)}, 0)
        });
    });
    criterion.bench_function("page", |bench| {
        bench.iter(|| {
            let (key, value) = next();
            find(&mut engine, doc! {"specs": element(&key, value)}, 20)
        });
    });
    criterion.bench_function("range", |bench| {
        bench.iter(|| {
            let (key, value) = next();
            find(&mut engine, doc! {"specs": element(&key, doc! {"$gte": value.clone(), "$lte": value})}, 0)
        });
    });
    criterion.bench_function("all", |bench| {
        bench.iter(|| {
            let ((key, value), (other_key, other)) = (next(), next());
            find(&mut engine, doc! {"specs": {"$all": [element(&key, value), element(&other_key, other)]}}, 0)
        });
    });
    let mut plain = loaded(&data, false);
    criterion.bench_function("scan", |bench| {
        bench.iter(|| {
            let (key, value) = next();
            find(&mut plain, doc! {"specs": element(&key, value)}, 0)
        });
    });
}

fn updating(criterion: &mut Criterion) {
    let data = Data::load();
    let mut engine = loaded(&data, true);
    insert(&mut engine, "day", &data.day);
    insert(&mut engine, "map", &data.map);
    engine.create_index("day", doc! {"person": 1, "date": 1}).expect("the index is new");
    let mut at = 0_usize;
    criterion.bench_function("update_af", |bench| {
        bench.iter(|| {
            at += 11;
            let product = &data.products[at % data.products.len()];
            let (key, _) = attribute(&data, at, at / 5);
            let filter = doc! {"_id": product.get("_id").cloned().unwrap_or(Bson::Null)};
            let filters = Some(vec![doc! {"x.k": key}]);
            engine.update_one("products", filter, doc! {"$set": {"specs.$[x].v": number(at)}}, filters, false)
        });
    });
    criterion.bench_function("inc_day", |bench| {
        bench.iter(|| {
            at += 11;
            let filter = doc! {"person": format!("p{}", at % PEOPLE), "date": date(at % DAYS)};
            engine.update_one("day", filter, doc! {"$inc": {"steps": 1}}, None, true)
        });
    });
    criterion.bench_function("inc_map", |bench| {
        bench.iter(|| {
            at += 11;
            let update = doc! {"$inc": {format!("steps.{}", date(at % DAYS)): 1}};
            engine.update_one("map", doc! {"_id": number(at % PEOPLE)}, update, None, true)
        });
    });
}

fn aggregating(criterion: &mut Criterion) {
    let data = Data::load();
    let mut engine = loaded(&data, false);
    for (name, documents) in [("day", &data.day), ("array", &data.array), ("map", &data.map)] {
        insert(&mut engine, name, documents);
    }
    let month = |date: &str, steps: &str| doc! {"$group": {"_id": {"$substr": [date, 0, 7]}, "avg": {"$avg": steps}}};
    let cases = [
        (
            "unwind_group",
            "products",
            vec![doc! {"$unwind": "$specs"}, doc! {"$group": {"_id": "$specs.k", "n": {"$sum": 1}}}],
        ),
        ("month_avg/day", "day", vec![month("$date", "$steps")]),
        ("month_avg/array", "array", vec![doc! {"$unwind": "$days"}, month("$days.date", "$days.steps")]),
        (
            "month_avg/map",
            "map",
            vec![doc! {"$project": {"d": {"$objectToArray": "$steps"}}}, doc! {"$unwind": "$d"}, month("$d.k", "$d.v")],
        ),
    ];
    for (name, collection, pipeline) in cases {
        criterion.bench_function(name, |bench| {
            bench.iter(|| black_box(engine.aggregate(collection, pipeline.clone()).expect("the pipeline is sound")));
        });
    }
}

fn brief() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
}

criterion_group! {
    name = kv;
    config = brief();
    targets = writing, reading, updating, aggregating
}
criterion_main!(kv);
