//! The store: keys as bytes, entries in order, what documents give as keys.

use std::cmp::Ordering;

use pegboard::store::{Direction, KeyBuilder, KeyOrder};
use pegboard::value::{Bson, View, compare};
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
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn keys_sort_as_values_do(left in any_value(), right in any_value()) {
        let expected = compare(View::from(&left), View::from(&right));
        for (direction, expected) in [(Direction::Ascending, expected), (Direction::Descending, expected.reverse())] {
            let order = order(&[direction]);
            let found = key(&[left.clone()], order).bytes().cmp(key(&[right.clone()], order).bytes());
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
        let order = order(&[Direction::Ascending]);
        let (left, right) = (key(&[left], order), key(&[right], order));
        if left.bytes().cmp(right.bytes()) != Ordering::Equal {
            prop_assert!(!left.bytes().starts_with(right.bytes()));
        }
    }
}
