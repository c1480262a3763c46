//! The law: a document matches a filter exactly when the reshaped document matches the rephrased filter.

use std::collections::BTreeSet;

use pegboard::design::{Design, Entity, Form, Ground, Keys, pour, rephrase_filter};
use pegboard::query::{Collation, Filter, Matcher};
use pegboard::value::{Bson, Document, doc};
use proptest::collection::vec;
use proptest::prelude::*;

use super::facts::{KEYS, UNITS, design, entities, value};

/// The `_id`s of the entities of which some document matches.
fn matching(design: &Design, entities: &[&Entity], filter: &Document) -> BTreeSet<i32> {
    let parsed = Filter::parse(filter).unwrap_or_else(|error| panic!("{filter}: {error}"));
    let judge = Matcher::new(&parsed, Collation::simple()).expect("the filter's patterns compile");
    let matches = |entity: &&&Entity| pour(design, entity).made.iter().any(|document| judge.matches(document));
    entities.iter().filter(matches).filter_map(|entity| entity.id.as_i32()).collect()
}

/// Every twin that has a counterpart finds the same entities, among those that it holds without loss.
fn check(from: Form, filter: &Document, entities: &[Entity]) {
    let from = design(from);
    let find = || KEYS.map(str::to_owned).to_vec();
    let keys = Keys::new(&find);
    for to in Form::ALL.map(design) {
        let ground = Ground { from: &from, to: &to, collection: "twin", keys: &keys };
        let Ok((other, _)) = rephrase_filter(&ground, filter) else { continue };
        let expression = other.to_string().contains("$objectToArray");
        let held = |entity: &&Entity| {
            let kept = pour(&from, entity).losses.is_empty() && pour(&to, entity).losses.is_empty();
            // An expression compares an array as a whole, a filter also its elements.
            kept && !(expression && entity.attributes.iter().any(|held| held.value.as_array().is_some()))
        };
        let held: Vec<_> = entities.iter().filter(held).collect();
        let (here, there) = (matching(&from, &held, filter), matching(&to, &held, &other));
        assert_eq!(here, there, "{} {filter} became {} {other}", from.name(), to.name());
    }
}

fn test() -> BoxedStrategy<Bson> {
    let op = prop::sample::select(vec!["$eq", "$gt", "$gte", "$lt", "$lte", "$ne"]);
    prop_oneof![
        3 => value(),
        3 => (op, value()).prop_map(|(op, value)| Bson::Document(Document::from_iter([(op.to_owned(), value)]))),
        1 => vec(value(), 0..3).prop_map(|list| Bson::Document(doc! {"$in": list})),
        1 => vec(value(), 0..3).prop_map(|list| Bson::Document(doc! {"$nin": list})),
        1 => (0..4, 2..6).prop_map(|(low, high)| Bson::Document(doc! {"$gte": low, "$lt": high})),
        1 => any::<bool>().prop_map(|there| Bson::Document(doc! {"$exists": there})),
        1 => value().prop_map(|value| Bson::Document(doc! {"$not": {"$gt": value}})),
        1 => Just(Bson::Document(doc! {"$type": "string"})),
    ]
    .boxed()
}

fn entry(name: &str, operand: Bson) -> Document {
    Document::from_iter([(name.to_owned(), operand)])
}

fn common() -> BoxedStrategy<Document> {
    prop_oneof![
        prop::sample::select(vec!["shirt", "laptop"]).prop_map(|name| doc! {"name": name}),
        (0..5).prop_map(|price| doc! {"price": {"$gte": price}}),
        (1..8).prop_map(|id| doc! {"_id": id}),
    ]
    .boxed()
}

fn logic(leaf: BoxedStrategy<Document>) -> BoxedStrategy<Document> {
    leaf.prop_recursive(2, 8, 3, |inner| {
        let op = prop::sample::select(vec!["$and", "$or", "$nor"]);
        (op, vec(inner, 1..3)).prop_map(|(op, parts)| Document::from_iter([(op.to_owned(), Bson::from(parts))]))
    })
    .boxed()
}

fn joined(parts: Vec<Document>) -> Document {
    parts.into_iter().flatten().collect()
}

fn flat_filter() -> impl Strategy<Value = Document> {
    let attribute = (prop::sample::select(KEYS.to_vec()), test()).prop_map(|(key, test)| entry(key, test));
    vec(logic(prop_oneof![2 => attribute, 1 => common()].boxed()), 1..3).prop_map(joined)
}

fn nested_filter() -> impl Strategy<Value = Document> {
    let attribute = (prop::sample::select(KEYS.to_vec()), test());
    let attribute = attribute.prop_map(|(key, test)| entry(&format!("specs.{key}"), test));
    vec(logic(prop_oneof![2 => attribute, 1 => common()].boxed()), 1..3).prop_map(joined)
}

fn key_test() -> BoxedStrategy<Bson> {
    let name = || prop::sample::select(KEYS.to_vec());
    prop_oneof![
        4 => name().prop_map(Bson::from),
        1 => vec(name(), 1..3).prop_map(|names| Bson::Document(doc! {"$in": names})),
        1 => name().prop_map(|name| Bson::Document(doc! {"$gte": name})),
        1 => (name(), name()).prop_map(|(low, high)| Bson::Document(doc! {"$gte": low, "$lt": high})),
    ]
    .boxed()
}

fn element() -> BoxedStrategy<Document> {
    let unit = prop::sample::select(UNITS.to_vec());
    prop_oneof![
        4 => (key_test(), test()).prop_map(|(key, test)| doc! {"k": key, "v": test}),
        1 => (key_test(), test(), unit).prop_map(|(key, test, unit)| doc! {"k": key, "v": test, "u": unit}),
        1 => key_test().prop_map(|key| doc! {"k": key}),
        1 => test().prop_map(|test| doc! {"v": test}),
        1 => (key_test(), vec(test(), 1..3)).prop_map(|(key, tests)| {
            let branches: Vec<_> = tests.into_iter().map(|test| entry("v", test)).collect();
            doc! {"k": key, "$or": branches}
        }),
    ]
    .boxed()
}

fn kv_filter() -> impl Strategy<Value = Document> {
    let attribute = prop_oneof![
        4 => element().prop_map(|element| doc! {"specs": {"$elemMatch": element}}),
        1 => element().prop_map(|element| doc! {"specs": {"$not": {"$elemMatch": element}}}),
        1 => vec(element(), 1..3).prop_map(|elements| {
            let all: Vec<_> = elements.into_iter().map(|element| doc! {"$elemMatch": element}).collect();
            doc! {"specs": {"$all": all}}
        }),
        1 => key_test().prop_map(|key| doc! {"specs.k": key}),
        1 => prop::sample::select(KEYS.to_vec()).prop_map(|key| doc! {"specs.k": {"$ne": key}}),
        1 => test().prop_map(|test| doc! {"specs.v": test}),
    ];
    vec(logic(prop_oneof![3 => attribute, 1 => common()].boxed()), 1..3).prop_map(joined)
}

fn row_filter() -> impl Strategy<Value = Document> {
    let common = prop::sample::select(vec!["shirt", "laptop"]).prop_map(|name| doc! {"name": name});
    let leaf =
        prop_oneof![key_test().prop_map(|key| entry("k", key)), test().prop_map(|test| entry("v", test)), common,];
    vec(logic(leaf.boxed()), 1..3).prop_map(joined)
}

proptest! {
    #![proptest_config(crate::chosen::cases(400))]

    #[test]
    fn flat_questions_mean_the_same_everywhere(filter in flat_filter(), entities in entities(&KEYS)) {
        check(Form::Flat, &filter, &entities);
    }

    #[test]
    fn sub_document_questions_mean_the_same_everywhere(filter in nested_filter(), entities in entities(&KEYS)) {
        check(Form::Wildcard, &filter, &entities);
    }

    #[test]
    fn element_questions_mean_the_same_everywhere(filter in kv_filter(), entities in entities(&KEYS)) {
        check(Form::Kv, &filter, &entities);
    }

    #[test]
    fn row_questions_mean_the_same_everywhere(filter in row_filter(), entities in entities(&KEYS)) {
        check(Form::Rows, &filter, &entities);
    }
}
