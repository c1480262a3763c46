//! What the detector adds to a statement: all pitfalls asked about a find, an aggregate and an update on 10,000 products.

use std::hint::black_box;
use std::time::Duration;

use bson::{Document, doc};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use pegboard::engine::{Command, Database, Host, Insert};
use pegboard::pitfall::Detector;
use pegboard::shell::{Limits, Shell};
use pegboard::value::Source;
use pegboard::words::Lang;

const PRODUCTS: usize = 10_000;
const ATTRIBUTES: usize = 6;
const KEYS: usize = 40;

/// Statements of each kind, right ones and wrong ones.
const STATEMENTS: [(&str, &str); 16] = [
    ("find right", r#"db.c.find({specs: {$elemMatch: {k: "key7", v: 3}}})"#),
    ("find dotted", r#"db.c.find({"specs.k": "key7", "specs.v": 3})"#),
    ("find all", "db.c.find({})"),
    ("find negated", r#"db.c.find({"specs.k": {$ne: "key7"}})"#),
    ("find sorted", r#"db.c.find({"specs.k": "key7"}).sort({"specs.v": 1}).limit(10)"#),
    (
        "aggregate",
        r#"db.c.aggregate([{$match: {"specs.k": "key7"}}, {$unwind: "$specs"}, {$match: {"specs.k": "key7"}}, {$group: {_id: "$specs.v", n: {$sum: 1}}}])"#,
    ),
    (
        "aggregate unmatched",
        r#"db.c.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "key7", "specs.v": 3}}, {$group: {_id: "$category", n: {$sum: 1}}}])"#,
    ),
    // Right by chance: a document has to be made for each, or searched in vain.
    ("find pair of no document", r#"db.c.find({"specs.k": "key7", "specs.v": 1000})"#),
    ("find two values of one", r#"db.c.find({specs: {$elemMatch: {k: "key7", v: {$all: [100, 200]}}}})"#),
    ("find two keys of one", r#"db.c.find({specs: {$elemMatch: {$and: [{k: "key7", v: 100}, {k: "key8", v: 200}]}}})"#),
    ("find position", r#"db.c.find({"specs.0.v": 1000})"#),
    ("find expression", "db.c.find({$expr: {$lt: [\"$specs.v\", -5]}})"),
    (
        "aggregate nothing",
        r#"db.c.aggregate([{$match: {"specs.k": "none"}}, {$unwind: "$specs"}, {$group: {_id: "$specs.v", n: {$sum: 1}}}])"#,
    ),
    ("update all elements of none", r#"db.c.updateMany({"specs.k": "none"}, {$set: {"specs.$[].v": 4}})"#),
    ("update one", r#"db.c.updateOne({_id: 77, "specs.k": "key7"}, {$set: {"specs.$.v": 4}})"#),
    ("update many", r#"db.c.updateMany({specs: {$elemMatch: {k: "key7", v: 3}}}, {$set: {"specs.$.v": 4}})"#),
];

/// A small count as the whole number it is stored as.
fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn products() -> Vec<Document> {
    let mut source = Source::seeded(7);
    let mut below = |limit: usize| usize::try_from(source.next_u64() % limit as u64).unwrap_or_default();
    let mut made = Vec::with_capacity(PRODUCTS);
    for id in 0..PRODUCTS {
        let first = below(KEYS);
        let spec = |at: usize, value: usize| doc! {"k": format!("key{}", (first + at * 5) % KEYS), "v": number(value)};
        let specs: Vec<Document> = (0..ATTRIBUTES).map(|at| spec(at, below(20))).collect();
        made.push(doc! {"_id": number(id), "category": format!("c{}", below(12)), "specs": specs});
    }
    made
}

fn database() -> Database {
    let mut database = Database::new(Source::seeded(1));
    let insert = Insert { collection: "c".into(), documents: products(), ..Insert::default() };
    database.run(&Command::Insert(insert)).expect("the products go in");
    let mut shell = Shell::new(database, Limits::default());
    shell.run(r#"db.c.createIndex({"specs.k": 1, "specs.v": 1})"#);
    shell.host().clone()
}

/// Texts that are too long to be looked at whole.
fn long_texts() -> [(&'static str, String); 2] {
    [
        ("find in a million", r#"db.c.find({"specs.k": "key7", "specs.v": {$in: [...Array(1000000).keys()]}})"#.into()),
        (
            "a thousand finds",
            r#"for (let i = 0; i < 1000; i++) db.c.find({"specs.k": "key7", "specs.v": i}).toArray()"#.into(),
        ),
    ]
}

fn detection(criterion: &mut Criterion) {
    let before = database();
    let mut shell = Shell::new(before.clone(), Limits::default());
    let mut known = Detector::new(Lang::En);
    let _ = known.detect(&shell.run("1"), &before, &before);
    let texts = STATEMENTS.map(|(name, text)| (name, text.to_owned())).into_iter().chain(long_texts());
    for (name, text) in texts {
        let mut shell = Shell::new(before.clone(), Limits::default());
        let outcome = shell.run(&text);
        let after = shell.host().clone();
        criterion.bench_function(name, |bencher| {
            bencher.iter_batched_ref(
                || known.clone(),
                |detector| black_box(detector.detect(&outcome, &before, &after)),
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(200));
    targets = detection
}
criterion_main!(benches);
