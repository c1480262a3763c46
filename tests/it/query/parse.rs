//! What filters become and how wrong ones are refused.

use pegboard::query::Filter;

use super::document;

fn check(filter: &str, shown: &str) {
    let parsed = Filter::parse(&document(filter)).unwrap_or_else(|error| panic!("{filter}: {error}"));
    assert_eq!(parsed.to_document().to_string(), document(shown).to_string(), "{filter}");
}

fn refuse(filter: &str, code: i32, place: &str) {
    let error = Filter::parse(&document(filter)).expect_err(filter);
    assert_eq!((error.code.number(), error.at.to_string().as_str()), (code, place), "{filter}: {error}");
}

/// Forms as in the server's `expression_serialization_test.cpp`, `expression_optimize_test.cpp` and explain documents.
#[test]
fn filters_take_the_servers_normal_form() {
    check("{}", "{}");
    check("{a: 1}", "{a: {$eq: 1}}");
    check("{b: 1, a: 2}", "{$and: [{a: {$eq: 2}}, {b: {$eq: 1}}]}");
    check("{a: {$ne: 1}}", "{a: {$not: {$eq: 1}}}");
    check("{a: {$nin: [2, 1]}}", "{a: {$not: {$in: [1, 2]}}}");
    check("{a: {$in: [3]}}", "{a: {$eq: 3}}");
    check("{a: {$in: [3, 1, 3, 2]}}", "{a: {$in: [1, 2, 3]}}");
    check("{a: {$exists: false}}", "{a: {$not: {$exists: true}}}");
    check("{a: {$not: {$gt: 1, $lt: 5}}}", "{a: {$not: {$lt: 5, $gt: 1}}}");
    check("{a: {$gte: 1, $lt: 5}}", "{$and: [{a: {$lt: 5}}, {a: {$gte: 1}}]}");
    check("{a: {$all: [1]}}", "{a: {$eq: 1}}");
    check("{a: {$all: [2, 1]}}", "{$and: [{a: {$eq: 1}}, {a: {$eq: 2}}]}");
    check("{$or: [{a: 1}, {a: 2}]}", "{a: {$in: [1, 2]}}");
    check("{$or: [{a: 1}, {a: 2}, {b: 3}]}", "{$or: [{b: {$eq: 3}}, {a: {$in: [1, 2]}}]}");
    check("{$or: [{a: 1}]}", "{a: {$eq: 1}}");
    check("{$nor: [{a: 1}]}", "{a: {$not: {$eq: 1}}}");
    check("{$nor: [{a: 1, b: 2}]}", "{$nor: [{$and: [{a: {$eq: 1}}, {b: {$eq: 2}}]}]}");
    check("{$and: [{a: 1}, {$and: [{b: 1}, {c: 1}]}]}", "{$and: [{a: {$eq: 1}}, {b: {$eq: 1}}, {c: {$eq: 1}}]}");
    check("{$and: [{$alwaysFalse: 1}, {a: 1}]}", "{$alwaysFalse: 1}");
    check("{s: {$elemMatch: {k: 'ram', v: 8}}}", "{s: {$elemMatch: {$and: [{k: {$eq: 'ram'}}, {v: {$eq: 8}}]}}}");
    check("{s: {$elemMatch: {$gt: 1, $lt: 5}}}", "{s: {$elemMatch: {$lt: 5, $gt: 1}}}");
    check("{s: {$elemMatch: {$not: {$gt: 1}}}}", "{s: {$elemMatch: {$not: {$gt: 1}}}}");
    check("{a: {$type: 'number'}}", "{a: {$type: ['number']}}");
    check("{a: {$type: ['string', 16]}}", "{a: {$type: [2, 16]}}");
    check("{a: {$mod: [4, 1]}}", "{a: {$mod: [4, 1]}}");
    check("{a: {$regex: '^x', $options: 'mi'}}", "{a: {$regex: '^x', $options: 'im'}}");
    check("{a: {$bitsAllSet: 5}}", "{a: {$bitsAllSet: [0, 2]}}");
    check("{a: {$comment: 'why', $gt: 1}}", "{a: {$gt: 1}}");
    check("{$comment: 'why', a: 1}", "{a: {$eq: 1}}");
}

/// Codes and places as in the server's parser tests (`expression_parser_leaf_test.cpp` and its sisters).
#[test]
fn wrong_filters_are_refused_with_code_and_place() {
    refuse("{a: {$foo: 1}}", 2, "a.$foo");
    refuse("{$foo: 1}", 2, "$foo");
    refuse("{a: {$in: 1}}", 2, "a.$in");
    refuse("{a: {$in: [1, {$gt: 1}]}}", 2, "a.$in.1");
    refuse("{a: {$all: 5}}", 2, "a.$all");
    refuse("{a: {$all: [{$elemMatch: {x: 1}}, 5]}}", 2, "a.$all.1");
    refuse("{a: {$elemMatch: 1}}", 2, "a.$elemMatch");
    refuse("{a: {$elemMatch: {v: {$foo: 1}}}}", 2, "a.$elemMatch.v.$foo");
    refuse("{a: {$size: -1}}", 2, "a.$size");
    refuse("{a: {$size: 1.5}}", 2, "a.$size");
    refuse("{a: {$mod: [4]}}", 2, "a.$mod");
    refuse("{a: {$mod: [0, 1]}}", 2, "a.$mod.0");
    refuse("{a: {$not: 1}}", 2, "a.$not");
    refuse("{a: {$not: {}}}", 2, "a.$not");
    refuse("{a: {$type: 'number32'}}", 2, "a.$type");
    refuse("{a: {$type: 99}}", 2, "a.$type");
    refuse("{a: {$type: []}}", 9, "a.$type");
    refuse("{a: {$regex: '('}}", 51091, "a.$regex");
    refuse("{a: {$regex: 'x', $options: 'q'}}", 51108, "a.$regex");
    refuse("{a: {$options: 'i'}}", 2, "a.$options");
    refuse("{$or: []}", 2, "$or");
    refuse("{$or: {a: 1}}", 2, "$or");
    refuse("{$and: [{a: 1}, 5]}", 2, "$and.1");
    refuse("{$and: [{a: {$foo: 1}}]}", 2, "$and.0.a.$foo");
    refuse("{a: {$expr: 1}}", 2, "a.$expr");
    refuse("{a: {$bitsAllSet: -1}}", 9, "a.$bitsAllSet");
    refuse("{a: {$bitsAllSet: [1, 'x']}}", 2, "a.$bitsAllSet.1");
    refuse("{$where: 'true'}", 2, "$where");
    refuse("{$text: {$search: 'x'}}", 27, "$text");
    refuse("{a: {$near: [1, 2]}}", 291, "a.$near");
    refuse("{$jsonSchema: 1}", 14, "$jsonSchema");
    refuse("{$jsonSchema: {foo: 1}}", 9, "$jsonSchema.foo");
    refuse("{$sampleRate: 2}", 2, "$sampleRate");
}
