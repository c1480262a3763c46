//! What one more statement costs the learner with 10,000 products kept in three designs, and what the cost lab costs.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use pegboard::design::data::products;
use pegboard::design::lab::{LabPlan, run};
use pegboard::design::{Bench, to_json};
use pegboard::shell::{Limits, Shell};
use pegboard::value::Source;

const PRODUCTS: usize = 10_000;

const STATEMENTS: [(&str, &str); 5] = [
    ("find", "db.products.find({specs: {$elemMatch: {k: \"isbn\", v: 203}}, price: {$lt: 40}})"),
    ("absence", "db.products.countDocuments({\"specs.k\": {$ne: \"color\"}})"),
    ("facets", "db.products.aggregate([{$match: {category: \"lamps\"}}, {$sortByCount: \"$category\"}])"),
    ("insert", "db.products.insertOne({name: \"Lamp\", category: \"lamps\", price: 9, specs: [{k: \"watt\", v: 4}]})"),
    ("update", "db.products.updateOne({_id: 77}, {$set: {\"specs.0.v\": 1}})"),
];

/// A statement run and compared on every design, from the text to the report.
fn statements(criterion: &mut Criterion) {
    let mut shell = Shell::new(Bench::of(&products(PRODUCTS), Source::seeded(0)), Limits::default());
    shell.run("db.products.createIndex({\"specs.k\": 1, \"specs.v\": 1})");
    let indexed = shell.host().clone();
    let mut group = criterion.benchmark_group("duel");
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    for (name, text) in STATEMENTS {
        group.bench_function(name, |bencher| {
            let fresh = || Shell::new(indexed.clone(), Limits::default());
            let compared = |mut shell: Shell<Bench>| {
                let outcome = shell.run(text);
                assert!(outcome.value.is_ok());
                black_box(to_json(shell.host().duel().expect("it is about the products")))
            };
            bencher.iter_batched(fresh, compared, BatchSize::PerIteration);
        });
    }
    group.finish();
}

/// The lab as it stands in its form, at 10,000 entities.
fn lab(criterion: &mut Criterion) {
    let plan = LabPlan { sizes: LabPlan::sizes_up_to(10_000), ..LabPlan::default() };
    let mut group = criterion.benchmark_group("lab");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    group.bench_function("10000", |bencher| bencher.iter(|| run(&plan, &mut |_| {}, &AtomicBool::new(false))));
    group.finish();
}

criterion_group!(benches, statements, lab);
criterion_main!(benches);
