//! The walker and the cost lab.

use std::sync::atomic::AtomicBool;

use pegboard::design::data::named;
use pegboard::design::lab::{Contender, LabPlan, ceiling, growth, quantity, run};
use pegboard::design::walker::Walk;
use pegboard::design::{Bench, Form, measure};
use pegboard::engine::{Command, CreateIndexes, Find, Host, IndexRequest};
use pegboard::value::{Source, doc};
use pegboard::words::Lang;

fn indexed(data: &str, keys: pegboard::value::Document) -> Bench {
    let data = named(data).expect("built in");
    let mut bench = Bench::of(&data, Source::seeded(0));
    let indexes = vec![IndexRequest { keys, ..IndexRequest::default() }];
    bench.run(&Command::CreateIndexes(CreateIndexes { collection: data.name, indexes })).expect("the index is made");
    bench
}

#[test]
fn the_last_step_has_the_plans_numbers() {
    let bench = indexed("products", doc! {"specs.k": 1, "specs.v": 1});
    let questions = [
        doc! {"specs": {"$elemMatch": {"k": "ram", "v": {"$gte": 8, "$lte": 32}}}},
        doc! {"specs.k": "ram", "specs.v": 16},
        doc! {"specs.k": {"$in": ["ram", "color"]}},
        doc! {"specs.k": {"$ne": "color"}},
        doc! {"category": "books"},
    ];
    for filter in questions {
        let find = Find { collection: "products".into(), filter: filter.clone(), ..Find::default() };
        let mut walk = Walk::of(bench.database(), &find).expect("the question is understood");
        let figures = measure(walk.explain());
        walk.go(isize::MAX);
        let totals = walk.totals();
        assert_eq!(
            (totals.keys, totals.docs, totals.returned),
            (figures.keys, figures.docs, figures.returned),
            "{filter}"
        );
        let scanned = walk.entries().iter().filter(|entry| entry.scanned).count();
        assert!(u64::try_from(scanned).expect("few entries") <= totals.keys, "{filter}");
        walk.rewind();
        assert_eq!(walk.totals().keys, 0);
        assert_eq!(walk.listing(Lang::En).len(), walk.steps().len() + 1);
    }
}

#[test]
fn the_window_follows_the_entry_looked_at() {
    let bench = indexed("shop", doc! {"specs.k": 1, "specs.v": 1});
    let filter = doc! {"specs": {"$elemMatch": {"k": "ram", "v": 16}}};
    let find = Find { collection: "shop".into(), filter, ..Find::default() };
    let mut walk = Walk::of(bench.database(), &find).expect("the question is understood");
    assert_eq!(walk.entries().len(), 5);
    walk.go(isize::MAX);
    let window = walk.window(1, 2);
    let present = window.present.expect("an entry was looked at");
    assert_eq!(walk.entries()[present].key, ["ram".into(), pegboard::value::Bson::Int32(16)]);
    assert_eq!(window.entries.len(), 3);
}

#[test]
fn the_sixty_fifth_index_is_refused_by_the_store() {
    let (made, refusal) = ceiling().expect("there is a ceiling");
    assert_eq!(made, 63);
    assert_eq!(refusal.code.number(), 67);
}

#[test]
fn a_document_of_days_has_room_for_a_thousand_years() {
    let array = growth(Form::Array);
    assert_eq!((array.bytes_per_day, array.days), (43, Some(392_750)));
    let map = growth(Form::Map);
    assert_eq!(map.bytes_per_day, 14);
    assert_eq!(growth(Form::Rows).days, None);
}

#[test]
fn the_lab_measures_what_it_builds_and_extends_the_law() {
    let plan = LabPlan { sizes: vec![200, 400], keys: 70, ..LabPlan::default() };
    let mut last = None;
    let report =
        run(&plan, &mut |progress| last = Some(progress), &AtomicBool::new(false)).expect("it was not cancelled");
    let last = last.expect("progress was told");
    assert_eq!((last.done, last.all), (2400, 2400));
    let row = |form, entities| {
        report
            .rows
            .iter()
            .find(|row| row.contender == Contender::of(form) && row.entities == entities)
            .expect("the row is there")
    };
    let (flat, kv) = (row(Form::Flat, 400), row(Form::Kv, 400));
    // 64 indexes of 400 entries each, and seven keys without one; 400 + 5 × 400 entries in two.
    assert_eq!((flat.indexes, flat.unserved, flat.entries), (64, 7, 25_600.0));
    assert_eq!((kv.indexes, kv.unserved, kv.entries), (2, 0, 2_400.0));
    assert_eq!((flat.insert_entries, kv.insert_entries), (64.0, 6.0));
    let billion = row(Form::Kv, 1_000_000_000);
    assert!(billion.computed && billion.entries > 5.9e9 && billion.entries < 6.1e9, "{}", billion.entries);
    assert!(!kv.computed);
}

/// Every entity has 5 of the keys with one of 50 values each; a key without an index costs a look at all documents.
#[test]
fn questions_cost_what_the_spread_of_keys_and_values_says() {
    for keys in [5_u32, 19, 20, 21, 50, 63, 64, 70, 72, 90] {
        let contenders = vec![Contender::of(Form::Flat), Contender::of(Form::Kv)];
        let plan = LabPlan { sizes: vec![2_000], keys: keys as usize, contenders, ..LabPlan::default() };
        let report = run(&plan, &mut |_| {}, &AtomicBool::new(false)).expect("it was not cancelled");
        let docs = |form| report.rows.iter().find(|row| row.contender == Contender::of(form)).map(|row| row.docs);
        let served = 2_000.0 * 5.0 / f64::from(keys) / 50.0;
        let kv = docs(Form::Kv).expect("the row is there");
        assert!((0.7..1.3).contains(&(kv / served)), "{keys} keys: {kv} documents, {served} expected");
        let unserved = f64::from(keys.saturating_sub(63)) / f64::from(keys);
        let expected = served * (1.0 - unserved) + 2_000.0 * unserved;
        let flat = docs(Form::Flat).expect("the row is there");
        assert!((0.7..1.3).contains(&(flat / expected)), "{keys} keys: {flat} documents, {expected} expected");
    }
}

#[test]
fn the_lab_stops_when_it_is_cancelled() {
    assert_eq!(run(&LabPlan::default(), &mut |_| {}, &AtomicBool::new(true)), None);
}

#[test]
fn a_quantity_is_in_the_unit_it_is_rounded_to() {
    for (figure, en, de) in [
        (999_999_999.9, "1 G", "1 G"),
        (999_400_000.0, "999 M", "999 M"),
        (19_700_000_000.0, "19.7 G", "19,7 G"),
        (7.25, "7.2", "7,2"),
        (99_999.0, "99999", "99999"),
    ] {
        assert_eq!((quantity(figure, Lang::En).as_str(), quantity(figure, Lang::De).as_str()), (en, de));
    }
}
