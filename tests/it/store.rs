//! The store: keys as bytes, entries in order, what documents give as keys.

use std::cmp::Ordering;

use pegboard::store::{Collection, Cursor, Direction, Index, IndexSpec, KeyBuilder, KeyOrder, RecordId};
use pegboard::update::Touched;
use pegboard::value::{Bson, Document, RawDocumentBuf, Source, View, compare, doc};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c\u{0}]{0,3}", "\\PC{0,4}"]
}

fn number() -> impl Strategy<Value = Bson> {
    prop_oneof![
        (-300_i32..300).prop_map(Bson::Int32),
        any::<i32>().prop_map(Bson::Int32),
        any::<i64>().prop_map(Bson::Int64),
        (-300_i64..300).prop_map(Bson::Int64),
        prop::sample::select(vec![i64::MIN, i64::MAX, 1 << 53, (1 << 53) + 1, 1 << 55, (1 << 62) + 1])
            .prop_map(Bson::Int64),
        any::<f64>().prop_map(Bson::Double),
        (-1200_i32..1200).prop_map(|quarters| Bson::Double(f64::from(quarters) / 4.0)),
        prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 5e-324, 9.007_199_254_740_992e15])
            .prop_map(Bson::Double),
    ]
}

/// Decimals near whole numbers, near doubles, and at the ends of the range.
fn decimal() -> impl Strategy<Value = Bson> {
    let texts = vec!["0", "-0", "0E+3", "1", "1.0", "5.5", "0.1", "NaN", "Infinity", "-Infinity", "1E-6176", "9E+6111"];
    let text = prop_oneof![
        prop::sample::select(texts).prop_map(str::to_owned),
        (-1200_i32..1200).prop_map(|quarters| format!("{}", f64::from(quarters) / 4.0)),
        (any::<i64>(), -20_i32..20).prop_map(|(digits, exponent)| format!("{digits}E{exponent}")),
        any::<i64>().prop_map(|number| number.to_string()),
        (any::<u64>(), any::<u32>(), -400_i32..400).prop_map(|(a, b, exponent)| format!("{a}{b}E{exponent}")),
        (-300_i32..300, 1_u32..9).prop_map(|(whole, part)| format!("{whole}.2500000000000000000000{part}")),
        any::<i64>().prop_map(|number| format!("{number}.5")),
    ];
    text.prop_map(|text| Bson::Decimal128(text.parse().expect("a decimal")))
}

fn scalar() -> impl Strategy<Value = Bson> {
    prop_oneof![
        4 => number(),
        3 => decimal(),
        3 => text().prop_map(Bson::String),
        1 => text().prop_map(Bson::Symbol),
        1 => any::<bool>().prop_map(Bson::Boolean),
        1 => prop::sample::select(vec![Bson::Null, Bson::Undefined, Bson::MinKey, Bson::MaxKey]),
        1 => any::<i64>().prop_map(|millis| Bson::DateTime(bson::DateTime::from_millis(millis))),
        1 => (any::<u32>(), any::<u32>()).prop_map(|(time, increment)| Bson::Timestamp(bson::Timestamp { time, increment })),
        1 => any::<[u8; 12]>().prop_map(|bytes| Bson::ObjectId(bson::oid::ObjectId::from_bytes(bytes))),
        1 => prop::collection::vec(any::<u8>(), 0..4)
            .prop_map(|bytes| Bson::Binary(bson::Binary { subtype: bson::spec::BinarySubtype::Generic, bytes })),
        1 => text().prop_map(Bson::JavaScriptCode),
    ]
}

fn any_value() -> impl Strategy<Value = Bson> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Bson::Array),
            prop::collection::vec(("[a-c]{0,2}", inner), 0..3)
                .prop_map(|fields| Bson::Document(fields.into_iter().collect())),
        ]
    })
}

fn key(values: &[Bson], order: KeyOrder) -> KeyBuilder {
    KeyBuilder::of(values.iter().map(View::from), order)
}

fn order(directions: &[Direction]) -> KeyOrder {
    KeyOrder::new(directions.iter().copied())
}

fn same(left: &Bson, right: &Bson) -> bool {
    match (left, right) {
        (Bson::Double(a), Bson::Double(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Bson::Array(a), Bson::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Bson::Document(a), Bson::Document(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((name, a), (other, b))| name == other && same(a, b))
        }
        _ => left == right,
    }
}

proptest! {
    #![proptest_config(crate::chosen::cases(4000))]

    #[test]
    fn keys_sort_as_values_do(left in any_value(), right in any_value()) {
        let expected = compare(View::from(&left), View::from(&right));
        for (direction, expected) in [(Direction::Ascending, expected), (Direction::Descending, expected.reverse())] {
            let order = order(&[direction]);
            let found = key(std::slice::from_ref(&left), order).bytes().cmp(key(std::slice::from_ref(&right), order).bytes());
            prop_assert_eq!(found, expected, "{:?} {:?} {:?}", left, right, direction);
        }
    }

    #[test]
    fn keys_read_back(values in prop::collection::vec(any_value(), 1..4), down in any::<u8>()) {
        let directions: Vec<_> = (0..values.len())
            .map(|part| if down >> part & 1 == 1 { Direction::Descending } else { Direction::Ascending })
            .collect();
        let order = order(&directions);
        let key = key(&values, order);
        let read = key.key().decode(order);
        prop_assert!(read.len() == values.len() && read.iter().zip(&values).all(|(a, b)| same(a, b)), "{:?} {:?}", read, values);
        prop_assert_eq!(key.key().parts(order).map(<[u8]>::len).sum::<usize>(), key.bytes().len());
    }

    #[test]
    fn no_key_is_the_beginning_of_another(left in any_value(), right in any_value()) {
        assert_apart(left, right);
    }
}

fn assert_apart(left: Bson, right: Bson) {
    let order = order(&[Direction::Ascending]);
    let (left, right) = (key(&[left], order), key(&[right], order));
    if left.bytes().cmp(right.bytes()) != Ordering::Equal {
        assert!(!left.bytes().starts_with(right.bytes()), "{left:?} {right:?}");
    }
}

#[test]
fn text_with_control_bytes_has_keys_of_its_own() {
    let texts = ["", "\0", "\0\0", "\u{1}", "\u{1}\0", "\u{2}", "a", "a\0", "a\0b", "a\u{1}"];
    for (at, left) in texts.iter().enumerate() {
        for right in &texts[..at] {
            assert_apart((*left).into(), (*right).into());
            let order = order(&[Direction::Ascending]);
            let keys = [*left, *right].map(|text| key(&[text.into()], order));
            assert_eq!(keys[0].bytes().cmp(keys[1].bytes()), left.cmp(right), "{left:?} {right:?}");
            assert_eq!(keys[0].key().decode(order), [Bson::from(*left)]);
        }
    }
}

/// A document with an id and values that collide now and then; some keys are long, so that pages split by size.
fn colliding(source: &mut Source, id: i32) -> RawDocumentBuf {
    let mut below = |limit: u64| i32::try_from(source.next_u64() % limit).unwrap_or_default();
    let text = "x".repeat(usize::try_from(below(4) * 60).unwrap_or_default());
    let values = match below(4) {
        0 => Bson::Array((0..below(4)).map(Bson::Int32).collect()),
        1 => Bson::String(format!("{}{text}", below(30))),
        2 => Bson::Double(f64::from(below(50))),
        _ => Bson::Int32(below(50)),
    };
    RawDocumentBuf::try_from(&doc! {"_id": id, "a": values, "b": below(1000)}).expect("the document is sound")
}

fn index_spec(keys: &Document, options: &Document) -> IndexSpec {
    IndexSpec::parse(keys, options).expect("the index is allowed")
}

/// What an index holds: key bytes and record ids, in order.
fn entries(index: &Index) -> Vec<(Vec<u8>, RecordId)> {
    index.entries().map(|entry| (entry.key.bytes().to_vec(), entry.id)).collect()
}

fn recounted(collection: &Collection, index: &Index) -> Vec<(Vec<u8>, RecordId)> {
    let mut expected = Vec::new();
    for (id, document) in collection.scan(Direction::Ascending) {
        let keys = index.keys(document).expect("stored documents have keys");
        expected.extend(keys.iter().map(|key| (key.bytes().to_vec(), id)));
    }
    expected.sort();
    expected
}

fn check_index(collection: &Collection, index: &Index) {
    let expected = recounted(collection, index);
    assert_eq!(entries(index), expected, "{}", index.name());
    let mut distinct: Vec<_> = expected.iter().map(|(key, _)| key).collect();
    distinct.dedup();
    let info = index.info();
    assert_eq!((info.entries, info.distinct_keys), (expected.len() as u64, distinct.len() as u64));
    check_holders(collection, index, &expected);
    let mut keys = collection.scan(Direction::Ascending).filter_map(|(_, document)| index.keys(document).ok());
    let arrays = keys.all(|keys| keys.is_empty() || keys.multikey()[0].contains(&0));
    assert_eq!(index.begins_with_arrays(), arrays, "{}", index.name());
}

/// The records of a key, asked in order and out of it.
fn check_holders(collection: &Collection, index: &Index, expected: &[(Vec<u8>, RecordId)]) {
    let mut keys: Vec<_> = expected.chunk_by(|one, other| one.0 == other.0).collect();
    keys.sort_by_key(|holders| std::cmp::Reverse(holders.len()));
    for of_key in keys.into_iter().take(3) {
        let known: Vec<RecordId> = of_key.iter().map(|(_, id)| *id).collect();
        let mut holders = index.holders(of_key[0].0.clone());
        let ids = collection.scan(Direction::Ascending).chain(collection.scan(Direction::Descending));
        for (id, _) in ids {
            assert_eq!(holders.has(id), known.contains(&id), "{} {id:?}", index.name());
        }
    }
}

/// All entries from a place on, by the cursor.
fn from_place(index: &Index, direction: Direction, place: &[u8], inclusive: bool) -> Vec<(Vec<u8>, RecordId)> {
    walked(index.cursor(direction), place, inclusive)
}

fn walked(mut cursor: Cursor<'_>, place: &[u8], inclusive: bool) -> Vec<(Vec<u8>, RecordId)> {
    cursor.seek(place, inclusive);
    std::iter::from_fn(|| {
        let entry = cursor.current()?;
        cursor.advance();
        Some((entry.key.bytes().to_vec(), entry.id))
    })
    .collect()
}

#[test]
fn indexes_follow_random_writes() {
    let mut source = Source::seeded(11);
    let mut collection = Collection::new("test.c", Document::new());
    for (keys, options) in [(doc! {"a": 1}, doc! {}), (doc! {"a": -1, "b": 1}, doc! {}), (doc! {"$**": 1}, doc! {})] {
        collection.create_index(index_spec(&keys, &options)).expect("the index is new");
    }
    let snapshot = collection.clone();
    let mut alive: Vec<RecordId> = Vec::new();
    for round in 0..6000 {
        // Growing, then shrinking to nothing, then growing again.
        let growing = round % 3000 < 1800;
        let place = usize::try_from(source.next_u64()).unwrap_or_default() % alive.len().max(1);
        match source.next_u64() % 10 {
            0..=6 if growing || alive.is_empty() => {
                let document = colliding(&mut source, round);
                alive.push(collection.insert(&document).expect("nothing is in the way").0);
            }
            0..=7 if !growing && !alive.is_empty() => _ = collection.delete(alive.swap_remove(place)),
            _ if !alive.is_empty() => {
                let document = colliding(&mut source, round);
                _ = collection.update(alive[place], &document, &Touched::All).expect("nothing is in the way");
            }
            _ => {}
        }
        if round % 500 == 499 {
            collection.indexes().iter().for_each(|index| check_index(&collection, index));
        }
    }
    for id in alive {
        collection.delete(id);
    }
    collection.indexes().iter().for_each(|index| check_index(&collection, index));
    assert!(snapshot.is_empty() && snapshot.indexes().iter().all(|index| index.entries().next().is_none()));
}

#[test]
fn cursors_seek_both_ways() {
    let mut source = Source::seeded(5);
    let mut collection = Collection::new("test.c", Document::new());
    for id in 0..1500 {
        collection.insert(&colliding(&mut source, id)).expect("nothing is in the way");
    }
    collection.create_index(index_spec(&doc! {"a": 1, "b": -1}, &doc! {})).expect("the index is new");
    let index = collection.index("a_1_b_-1").expect("it was just made");
    let all = entries(index);
    for _ in 0..300 {
        let value = Bson::Int32(i32::try_from(source.next_u64() % 60).unwrap_or_default() - 5);
        let place = KeyBuilder::of([View::from(&value)], index.order());
        let place = place.bytes();
        let begins = |key: &[u8]| key.starts_with(place);
        let above = |inclusive: bool| -> Vec<_> {
            all.iter().filter(|(key, _)| key.as_slice() > place && (inclusive || !begins(key))).cloned().collect()
        };
        let below = |inclusive: bool| -> Vec<_> {
            let kept = all.iter().filter(|(key, _)| key.as_slice() < place || (inclusive && begins(key)));
            kept.rev().cloned().collect()
        };
        for inclusive in [true, false] {
            assert_eq!(from_place(index, Direction::Ascending, place, inclusive), above(inclusive));
            assert_eq!(from_place(index, Direction::Descending, place, inclusive), below(inclusive));
        }
        let edge = all[usize::try_from(source.next_u64() % 1500).unwrap_or_default()].0.clone();
        for (direction, ahead) in [(Direction::Ascending, above(true)), (Direction::Descending, below(true))] {
            let inside = |key: &[u8]| (key < edge.as_slice()) == (direction == Direction::Ascending);
            let expected: Vec<_> = ahead.into_iter().take_while(|(key, _)| inside(key)).collect();
            let mut cursor = index.cursor(direction);
            cursor.end_at(edge.clone());
            assert_eq!(walked(cursor, place, true), expected);
        }
        let (before, from) = index.window(place, 3, 4);
        let window: Vec<_> = before.iter().chain(&from).map(|entry| (entry.key.bytes().to_vec(), entry.id)).collect();
        let start = all.partition_point(|(key, _)| key.as_slice() < place);
        assert_eq!(window, all[start.saturating_sub(3)..(start + 4).min(all.len())]);
    }
}

#[test]
fn an_index_built_is_an_index_grown() {
    let mut source = Source::seeded(8);
    let spec = index_spec(&doc! {"a": 1, "b": 1}, &doc! {});
    let mut grown = Collection::new("test.c", Document::new());
    grown.create_index(spec.clone()).expect("the index is new");
    let mut built = Collection::new("test.c", Document::new());
    for id in 0..800 {
        let document = colliding(&mut source, id);
        grown.insert(&document).expect("nothing is in the way");
        built.insert(&document).expect("nothing is in the way");
    }
    built.create_index(spec).expect("the index is new");
    let index = |collection: &Collection| collection.index("a_1_b_1").cloned().expect("it was made");
    assert_eq!(entries(&index(&grown)), entries(&index(&built)));
    assert_eq!(index(&grown).info(), index(&built).info());
    let info = index(&built);
    assert!(info.estimated_prefix_compressed_bytes() < info.info().bytes);
}

/// An attribute document; its keys come in no order, and several runs of a build are full of them.
fn attributes(source: &mut Source, id: i32) -> RawDocumentBuf {
    let mut pair = |name: &str| doc! {"k": name, "v": i32::try_from(source.next_u64() % 5000).unwrap_or_default()};
    let specs = ["ram", "storage_gb", "weight_g", "width_mm", "color", "power_w", "voltage"].map(&mut pair);
    RawDocumentBuf::try_from(&doc! {"_id": id, "specs": specs.to_vec()}).expect("the document is sound")
}

#[test]
fn an_index_takes_little_more_memory_than_its_keys() {
    let mut source = Source::seeded(21);
    let spec = index_spec(&doc! {"specs.k": 1, "specs.v": 1}, &doc! {});
    let mut grown = Collection::new("test.c", Document::new());
    grown.create_index(spec.clone()).expect("the index is new");
    let mut built = Collection::new("test.c", Document::new());
    for id in 0..12_000 {
        let document = attributes(&mut source, id);
        grown.insert(&document).expect("nothing is in the way");
        built.insert(&document).expect("nothing is in the way");
    }
    built.create_index(spec).expect("the index is new");
    let index = |collection: &Collection| collection.index("specs.k_1_specs.v_1").cloned().expect("it was made");
    assert_eq!(entries(&index(&grown)), entries(&index(&built)));
    assert_eq!(index(&grown).info(), index(&built).info());
    let keys = |index: &Index| index.entries().map(|entry| entry.key.bytes().len() as u64).sum::<u64>();
    for index in grown.indexes().iter().chain(built.indexes()) {
        let allowed = 2 * keys(index) + 24 * index.info().entries;
        assert!(index.memory() <= allowed, "{}: {} of {allowed}", index.name(), index.memory());
    }
}

#[test]
fn unique_counts_between_documents_only() {
    let raw = |document: Document| RawDocumentBuf::try_from(&document).expect("the document is sound");
    let mut collection = Collection::new("test.c", Document::new());
    collection.create_index(index_spec(&doc! {"a.k": 1}, &doc! {"unique": true})).expect("the index is new");
    let twice = raw(doc! {"_id": 1, "a": [{"k": "ram"}, {"k": "ram"}]});
    let (id, counts) = collection.insert(&twice).expect("within one document a key may repeat");
    assert_eq!(counts.0, [(1, 0), (1, 0)]);
    let error = collection.insert(&raw(doc! {"_id": 2, "a": {"k": "ram"}})).expect_err("another document may not");
    assert_eq!(error.message, "E11000 duplicate key error collection: test.c index: a.k_1 dup key: { a.k: \"ram\" }");
    assert_eq!(collection.len(), 1);
    let changed = raw(doc! {"_id": 1, "a": [{"k": "ram"}, {"k": "hdd"}]});
    assert_eq!(collection.update(id, &changed, &Touched::All).expect("its own key is no obstacle").0, [(0, 0), (1, 0)]);
}

#[test]
fn a_number_that_changes_its_type_changes_its_key() {
    let raw = |document: Document| RawDocumentBuf::try_from(&document).expect("the document is sound");
    let mut collection = Collection::new("test.c", Document::new());
    collection.create_index(index_spec(&doc! {"a": 1}, &doc! {})).expect("the index is new");
    let (id, _) = collection.insert(&raw(doc! {"_id": 1, "a": 5})).expect("nothing is in the way");
    assert_eq!(
        collection.update(id, &raw(doc! {"_id": 1, "a": 5.0}), &Touched::All).expect("nothing is in the way").0[1],
        (1, 1)
    );
    let index = collection.index("a_1").expect("it was made");
    let values: Vec<_> = index.entries().map(|entry| entry.key.decode(index.order())).collect();
    assert_eq!(values, [[Bson::Double(5.0)]]);
}
