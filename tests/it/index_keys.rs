//! Which keys documents have in indexes: the server's own cases (`btree_key_generator_test.cpp`,
//! `wildcard_key_generator_test.cpp`), as tables.

use bson::{Bson, Document, RawDocumentBuf};
use pegboard::store::{Index, IndexSpec};
use pegboard::value::{JsonMode, from_json, to_json};
use serde_json::{Value, json};

fn document(value: &Value) -> Document {
    match from_json(value).expect("the case is Extended JSON") {
        Bson::Document(document) => document,
        other => panic!("{other} is no document"),
    }
}

fn index(keys: &Value, options: &Value) -> Index {
    let spec = IndexSpec::parse(&document(keys), &document(options)).expect("the index is allowed");
    Index::new(spec).expect("the index is allowed")
}

/// The keys in order, each as the list of its values, and the array positions per part.
fn keys(index: &Index, source: &Value) -> Result<(Value, Vec<Vec<usize>>), i32> {
    let raw = RawDocumentBuf::try_from(&document(source)).expect("the case is a document");
    let set = index.keys(&raw).map_err(|error| error.code.number())?;
    let list = set.iter().map(|key| to_json(&Bson::Array(key.decode(index.order())), JsonMode::Relaxed)).collect();
    Ok((list, set.multikey().iter().map(|part| part.iter().copied().collect()).collect()))
}

#[expect(clippy::needless_pass_by_value, reason = "written at the call")]
fn check(pattern: Value, options: Value, source: Value, expected: Value, multikey: &[&[usize]]) {
    let index = index(&pattern, &options);
    let (found, positions) = keys(&index, &source).expect("the document has keys");
    assert_eq!(found, expected, "{pattern} {options} {source}");
    assert_eq!(positions, multikey, "{pattern} {options} {source}");
}

fn undefined() -> Value {
    json!({"$undefined": true})
}

#[test]
fn plain_and_array_values() {
    let plain = json!({});
    let cases: Vec<(Value, Value, Value, &[&[usize]])> = vec![
        (json!({"a": 1}), json!({"a": 5}), json!([[5]]), &[&[]]),
        (json!({"a.b": 1}), json!({"a": {"b": 4}}), json!([[4]]), &[&[]]),
        (json!({"a": 1}), json!({"a": [1, 2, 3]}), json!([[1], [2], [3]]), &[&[0]]),
        (json!({"a": 1}), json!({"a": [0, 0, 0.0]}), json!([[0]]), &[&[0]]),
        (json!({"a": 1, "b": 1}), json!({"a": [1, 2], "b": 2}), json!([[1, 2], [2, 2]]), &[&[0], &[]]),
        (json!({"x": 1, "a": 1}), json!({"x": 5, "a": [1, 2]}), json!([[5, 1], [5, 2]]), &[&[], &[0]]),
        (json!({"a.b": 1}), json!({"a": {"b": [1, 2]}}), json!([[1], [2]]), &[&[1]]),
        (json!({"a.b": 1}), json!({"a": [{"b": 1}, {"b": 2}]}), json!([[1], [2]]), &[&[0]]),
        (json!({"a.b.c": 1}), json!({"a": {"b": [{"c": 1}, {"c": 2}]}}), json!([[1], [2]]), &[&[1]]),
        (json!({"a.b": 1}), json!({"a": [{"x": 1}, {"b": 1}]}), json!([[null], [1]]), &[&[0]]),
        (json!({"a.b": 1}), json!({"a": [1, 2]}), json!([[null]]), &[&[0]]),
        (json!({"a": 1}), json!({"b": 1}), json!([[null]]), &[&[]]),
        (json!({"x": 1, "y": 1}), json!({"x": "a"}), json!([["a", null]]), &[&[], &[]]),
        (json!({"a.b": 1}), json!({"a": [{"b": [2]}]}), json!([[2]]), &[&[0, 1]]),
        (json!({"a.b": 1, "a.c": 1}), json!({"a": [{"b": 1}, {"c": 2}]}), json!([[null, 2], [1, null]]), &[&[0], &[0]]),
        (json!({"a.b": 1}), json!({"a": [{"b": 1}, {"b": [1, 2]}]}), json!([[1], [2]]), &[&[0, 1]]),
        (json!({"a": 1}), json!({"a": null}), json!([[null]]), &[&[]]),
        (json!({"a": 1}), json!({"a": []}), json!([[undefined()]]), &[&[0]]),
        (json!({"a": 1, "b": 1}), json!({"a": 1, "b": []}), json!([[1, undefined()]]), &[&[], &[0]]),
        (json!({"a.b": 1}), json!({"a": []}), json!([[null]]), &[&[0]]),
        (json!({"a": 1, "a.b": 1}), json!({"a": []}), json!([[undefined(), null]]), &[&[0], &[0]]),
        (json!({"a": 1, "a.b": 1}), json!({"a": [{"b": 1}]}), json!([[{"b": 1}, 1]]), &[&[0], &[0]]),
        (json!({"a": 1, "a.b": 1}), json!({"a": [{"b": []}]}), json!([[{"b": []}, undefined()]]), &[&[0], &[0, 1]]),
        (json!({"a.b": 1, "a": 1}), json!({"a": []}), json!([[null, undefined()]]), &[&[0], &[0]]),
        (json!({"a": 1}), json!({"a": [[2]]}), json!([[[2]]]), &[&[0]]),
        (json!({"a.b": 1}), json!({"a": [[1, 2, 5]]}), json!([[null]]), &[&[0]]),
        (json!({"a.b.c": 1}), json!({"a": [1, {"b": {"c": [3, 4]}}]}), json!([[null], [3], [4]]), &[&[0, 2]]),
        (
            json!({"a.b.c": 1, "a.b.d": 1}),
            json!({"a": [1, 2, {"b": {"c": [3, 4], "d": 5}}]}),
            json!([[null, null], [3, 5], [4, 5]]),
            &[&[0, 2], &[0]],
        ),
        (
            json!({"a": 1, "a.b": 1}),
            json!({"a": [1, {"b": [2, 3]}]}),
            json!([[1, null], [{"b": [2, 3]}, 2], [{"b": [2, 3]}, 3]]),
            &[&[0], &[0, 1]],
        ),
        (
            json!({"a.b.c.d": 1, "a.g": 1, "a.b.f": 1, "a.b.c": 1, "a.b.e": 1}),
            json!({"a": [1, {"b": [2, {"c": [3, {"d": 1}], "e": 4}, 5, {"f": 6}], "g": 7}]}),
            json!([
                [null, null, null, null, null],
                [null, 7, null, null, null],
                [null, 7, null, 3, 4],
                [null, 7, 6, null, null],
                [1, 7, null, {"d": 1}, 4],
            ]),
            &[&[0, 1, 2], &[0], &[0, 1], &[0, 1, 2], &[0, 1]],
        ),
    ];
    for (pattern, source, expected, multikey) in cases {
        check(pattern, plain.clone(), source, expected, multikey);
    }
}

#[test]
fn positions_in_paths() {
    let plain = json!({});
    let cases: Vec<(Value, Value, Value, &[&[usize]])> = vec![
        (json!({"a.0": 1}), json!({"a": [1]}), json!([[1]]), &[&[]]),
        (json!({"a.0": 1}), json!({"a": [[1]]}), json!([[[1]]]), &[&[]]),
        (json!({"a.0": 1}), json!({"a": [[]]}), json!([[undefined()]]), &[&[]]),
        (json!({"a.0": 1}), json!({"a": {"0": 1}}), json!([[1]]), &[&[]]),
        (json!({"a.0.0": 1}), json!({"a": [[1]]}), json!([[1]]), &[&[]]),
        (json!({"a.0.0": 1}), json!({"a": [[]]}), json!([[null]]), &[&[]]),
        (json!({"a.0.0": 1}), json!({"a": []}), json!([[null]]), &[&[0]]),
        (json!({"a.0.b": 1}), json!({"a": [{"b": 1}]}), json!([[1]]), &[&[]]),
        (json!({"a.0.b": 1}), json!({"a": [{"b": [1]}]}), json!([[1]]), &[&[2]]),
        (json!({"a.0.b": 1}), json!({"a": [[{"b": 1}]]}), json!([[1]]), &[&[1]]),
        (json!({"a.0.b.0": 1}), json!({"a": [{"b": [1]}]}), json!([[1]]), &[&[]]),
        (json!({"a.2": 1}), json!({"a": [{"2": 5}]}), json!([[5]]), &[&[0]]),
        (json!({"a.2": 1}), json!({"a": [[1, 2, 5]]}), json!([[null]]), &[&[0]]),
        (json!({"a.2": 1}), json!({"a": [[1, 2, 5], [3, 4, 6], [0, 1, 2]]}), json!([[[0, 1, 2]]]), &[&[]]),
        (json!({"a.2": 1}), json!({"a": [[1, 2, 5], {"2": 6}]}), json!([[null], [6]]), &[&[0]]),
        (json!({"a.b": 1, "a.b.0": 1}), json!({"a": {"b": [1, 2]}}), json!([[1, 1], [2, 1]]), &[&[1], &[]]),
    ];
    for (pattern, source, expected, multikey) in cases {
        check(pattern, plain.clone(), source, expected, multikey);
    }
}

#[test]
fn what_an_index_refuses() {
    let cases = [
        (json!({"a": 1, "b": 1}), json!({"a": [1], "b": [2]}), 171),
        (json!({"a": 1, "b": 1}), json!({"a": [], "b": []}), 171),
        (json!({"a.b": 1, "a.c": 1}), json!({"a": [{"b": [1], "c": [2]}]}), 171),
        (json!({"a.a": 1, "b.a": 1}), json!({"a": {"a": [1]}, "b": {"a": [1]}}), 171),
        (json!({"b.a": 1, "a": 1}), json!({"b": {"a": [1]}, "a": [1, 2]}), 171),
        (json!({"a.0": 1}), json!({"a": [{"0": 1}]}), 16746),
        (json!({"a.0": 1}), json!({"a": [1, {"0": 2}]}), 16746),
        (json!({"x": 1, "a.$**": 1}), json!({"x": [1], "a": {"b": 1}}), 7_246_301),
    ];
    for (pattern, source, code) in cases {
        assert_eq!(keys(&index(&pattern, &json!({})), &source).err(), Some(code), "{pattern} {source}");
    }
}

#[test]
fn sparse_partial_and_descending() {
    let none: &[&[usize]] = &[&[]];
    let sparse = json!({"sparse": true});
    check(json!({"a": 1}), sparse.clone(), json!({"b": 1}), json!([]), none);
    check(json!({"a": 1}), sparse.clone(), json!({"a": null}), json!([[null]]), none);
    check(json!({"a.b": 1}), sparse.clone(), json!({"a": [{"c": 1}]}), json!([]), &[&[0]]);
    check(json!({"a.b": 1}), sparse.clone(), json!({"a": [1, {"b": 1}]}), json!([[1]]), &[&[0]]);
    check(json!({"a.b": 1, "a": 1}), sparse.clone(), json!({"a": []}), json!([[null, undefined()]]), &[&[0], &[0]]);
    check(json!({"z": 1, "a": 1}), sparse, json!({"a": 1}), json!([[null, 1]]), &[&[], &[]]);
    let partial = json!({"partialFilterExpression": {"live": true}});
    check(json!({"a": 1}), partial.clone(), json!({"a": 1}), json!([]), none);
    check(json!({"a": 1}), partial, json!({"a": 1, "live": true}), json!([[1]]), none);
    check(json!({"a": -1}), json!({}), json!({"a": [1, "x", 3]}), json!([["x"], [3], [1]]), &[&[0]]);
}

#[test]
fn wildcards() {
    let all = json!({"$**": 1});
    let none: &[&[usize]] = &[&[]];
    let cases = [
        (all.clone(), json!({}), json!({"_id": 1, "a": {"b": 1, "c": {"d": 2}}}), json!([["a.b", 1], ["a.c.d", 2]])),
        (all.clone(), json!({}), json!({"a": [1, 2, {"b": 3}]}), json!([["a", 1], ["a", 2], ["a.b", 3]])),
        (all.clone(), json!({}), json!({"a": [[1, 2], 3]}), json!([["a", 3], ["a", [1, 2]]])),
        (all.clone(), json!({}), json!({"a": [], "b": {}}), json!([["a", undefined()], ["b", {}]])),
        (all.clone(), json!({}), json!({"a.b": 1}), json!([])),
        (json!({"a.$**": 1}), json!({}), json!({"a": {"b": 1}, "c": 2}), json!([["a.b", 1]])),
        (json!({"a.$**": 1}), json!({}), json!({"a": 5}), json!([["a", 5]])),
        (json!({"a.b.$**": 1}), json!({}), json!({"a": [{"b": 1}, {"c": 2}, 5]}), json!([["a", {}], ["a.b", 1]])),
        (all.clone(), json!({"wildcardProjection": {"a": 1}}), json!({"a": 1, "b": 2}), json!([["a", 1]])),
        (all.clone(), json!({"wildcardProjection": {"a": 0}}), json!({"a": 1, "b": 2}), json!([["b", 2]])),
        (
            all.clone(),
            json!({"wildcardProjection": {"_id": 1, "a": 0}}),
            json!({"_id": 7, "a": 1, "b": 2}),
            json!([["_id", 7], ["b", 2]]),
        ),
        (all.clone(), json!({"wildcardProjection": {"a.b": 0}}), json!({"a": {"b": 1, "c": 2}}), json!([["a.c", 2]])),
        (json!({"$**": -1}), json!({}), json!({"a": [1, 2]}), json!([["a", 2], ["a", 1]])),
    ];
    for (pattern, options, source, expected) in cases {
        check(pattern, options, source, expected, none);
    }
}

#[test]
fn compound_wildcards() {
    let none: &[&[usize]] = &[&[], &[]];
    let (least, pattern) = (json!({"$minKey": 1}), json!({"x": 1, "a.$**": 1}));
    check(pattern.clone(), json!({}), json!({"x": 5, "a": {"b": 1}}), json!([[5, "a.b", 1]]), none);
    check(pattern.clone(), json!({}), json!({"x": 5}), json!([[5, least, least]]), none);
    check(pattern.clone(), json!({}), json!({"a": 1}), json!([[null, "a", 1]]), none);
    check(pattern, json!({}), json!({"y": 1}), json!([]), none);
    check(
        json!({"a.$**": 1, "x": -1}),
        json!({}),
        json!({"x": 5, "a": [1, 2]}),
        json!([["a", 1, 5], ["a", 2, 5]]),
        none,
    );
}

/// A key pattern of 32 fields, one of which is two parts of the key: each part keeps its own direction.
#[test]
fn as_many_parts_as_there_may_be() {
    let plain = (0..30).map(|at| (format!("f{at}"), json!(if at == 0 { -1 } else { 1 })));
    let wild = [("a.$**".to_owned(), json!(1)), ("z".to_owned(), json!(1))];
    let pattern = Value::Object(plain.chain(wild).collect());
    let index = index(&pattern, &json!({}));
    assert_eq!(index.order().parts(), 33);
    let last = |value: i32| index.keys(&bson::rawdoc! {"a": 1, "z": value}).expect("it has a key");
    let (one, two) = (last(1), last(2));
    assert!(one.iter().next().map(|key| key.bytes().to_vec()) < two.iter().next().map(|key| key.bytes().to_vec()));
}
