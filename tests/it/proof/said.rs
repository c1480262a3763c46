//! Why a document matched or not, in the words of both languages.

use std::fmt::Write as _;

use pegboard::proof::{said, said_text};
use pegboard::query::{Collation, Filter, Matcher, expr::Scope};
use pegboard::value::Bson;
use pegboard::words::Lang;

use crate::query::document;

/// A filter and a document it is asked of.
const CASES: &[(&str, &str)] = &[
    ("{'s.k': 'ram', 's.v': 16}", "{_id: 1, s: [{k: 'ram', v: 8}, {k: 'hdd', v: 16}]}"),
    ("{'s.k': 'ram', 's.v': 16}", "{_id: 2, s: [{k: 'ram', v: 8}]}"),
    ("{s: {$elemMatch: {k: 'ram', v: 16}}}", "{_id: 3, s: [{k: 'ram', v: 8}, {k: 'ram', v: 16}]}"),
    ("{s: {$elemMatch: {k: 'ram', v: 16}}}", "{_id: 4, s: [{k: 'ram', v: '16'}, {k: 'hdd', v: 16}]}"),
    ("{s: {$elemMatch: {k: 'ram'}}}", "{_id: 5, s: {k: 'ram'}}"),
    ("{s: {$elemMatch: {$gt: 10, $lt: 20}}}", "{_id: 6, s: [5, 25]}"),
    ("{s: {$gt: 10, $lt: 20}}", "{_id: 7, s: [5, 25]}"),
    ("{'s.k': {$ne: 'ram'}}", "{_id: 8, s: [{k: 'hdd'}, {k: 'ram'}]}"),
    ("{'s.k': {$nin: ['ram', 'cpu']}}", "{_id: 9, s: [{k: 'hdd'}]}"),
    ("{a: {$not: {$gt: 5}}}", "{_id: 10, b: 1}"),
    ("{tags: {$all: ['a', 'b']}}", "{_id: 11, tags: ['a', 'c']}"),
    ("{a: {$in: [1, 5]}}", "{_id: 12, a: [7, 5]}"),
    ("{$or: [{a: 1}, {$nor: [{b: 2}, {c: {$exists: true}}]}]}", "{_id: 13, b: 2}"),
    (
        "{$expr: {$and: [{$gt: ['$spent', '$budget']}, {$lt: [{$size: '$tags'}, 3]}]}}",
        "{_id: 14, spent: 5, budget: 9, tags: [1]}",
    ),
    (
        "{$jsonSchema: {required: ['name'], properties: {n: {minimum: 5}, list: {items: {bsonType: 'string'}}}}}",
        "{_id: 15, n: 3, list: ['a', 1]}",
    ),
    ("{'a.b': 1}", "{_id: 16, a: []}"),
    ("{}", "{_id: 17}"),
    ("{n: 3}", "{_id: 18, n: [1, 2, 4, 5, 6, 7, 8, 9]}"),
    ("{a: null}", "{_id: 19, b: 1}"),
    ("{a: null}", "{_id: 20, a: 0}"),
    ("{'s.v': null}", "{_id: 21, s: [{k: 'a', v: 1}, {k: 'b'}]}"),
    ("{a: {$exists: true}}", "{_id: 22, a: null}"),
    ("{a: {$exists: true}}", "{_id: 23}"),
    ("{a: {$exists: false}}", "{_id: 24, a: 1}"),
    ("{tags: {$size: 2}}", "{_id: 25, tags: [1, 2, 3]}"),
    ("{tags: {$size: 2}}", "{_id: 26, tags: [1, 2]}"),
    ("{tags: {$size: 2}}", "{_id: 27, tags: 'xx'}"),
    ("{a: {$type: 'number'}}", "{_id: 28, a: ['x', 1]}"),
    ("{a: {$type: ['string', 'date']}}", "{_id: 29, a: 5}"),
    ("{a: {$type: 'array'}}", "{_id: 30, a: [1]}"),
    ("{name: {$regex: '^ac', $options: 'i'}}", "{_id: 31, name: 'Acme'}"),
    ("{name: {$regex: '^ac'}}", "{_id: 32, name: 'Acme'}"),
    ("{name: {$regex: '^ac'}}", "{_id: 33, name: 5}"),
    ("{tags: {$all: ['a', 'b']}}", "{_id: 34, tags: ['b', 'a']}"),
    (
        "{s: {$all: [{$elemMatch: {k: 'a', v: 1}}, {$elemMatch: {k: 'b', v: 2}}]}}",
        "{_id: 35, s: [{k: 'a', v: 1}, {k: 'b', v: 3}]}",
    ),
    ("{$nor: [{a: 1}, {b: {$gt: 5}}]}", "{_id: 36, a: 2, b: 3}"),
    ("{$nor: [{a: 1}, {b: {$gt: 5}}]}", "{_id: 37, a: 1, b: 3}"),
    ("{s: {$not: {$elemMatch: {k: 'a', v: 1}}}}", "{_id: 38, s: [{k: 'a', v: 1}]}"),
    ("{s: {$not: {$elemMatch: {k: 'a', v: 1}}}}", "{_id: 39, s: [{k: 'a', v: 2}, {k: 'b', v: 1}]}"),
    ("{a: {$not: {$regex: 'x'}}}", "{_id: 40, a: ['xy', 'z']}"),
    ("{n: {$mod: [4, 1]}}", "{_id: 41, n: [3, 5]}"),
    ("{n: {$mod: [4, 1]}}", "{_id: 42, n: 8}"),
    ("{f: {$bitsAllSet: 5}}", "{_id: 43, f: 4}"),
    ("{'m.0.1': 5}", "{_id: 44, m: [[1, 5], [2]]}"),
    ("{m: {$elemMatch: {$elemMatch: {$gt: 3}}}}", "{_id: 45, m: [[1, 2], [5]]}"),
    ("{m: {$elemMatch: {$elemMatch: {$gt: 9}}}}", "{_id: 46, m: [[1, 2], [5]]}"),
    ("{'o.list': {$elemMatch: {a: 1, 'in.b': 2}}}", "{_id: 47, o: [{list: [{a: 1, in: [{b: 3}, {b: 2}]}]}]}"),
    ("{n: {$elemMatch: {$not: {$gt: 5}}}}", "{_id: 48, n: [6, 7]}"),
    ("{s: {k: 'a', v: 1}}", "{_id: 49, s: [{k: 'a', v: 1, u: 'x'}, {v: 1, k: 'a'}]}"),
    ("{tags: ['a', 'b']}", "{_id: 50, tags: ['b', 'a']}"),
    ("{a: {$gte: 5, $lte: 9}, $or: [{b: 1}, {b: {$exists: false}}]}", "{_id: 51, a: 9.5}"),
    ("{a: {$in: [null, {$regularExpression: {pattern: '^x', options: ''}}]}}", "{_id: 52}"),
    ("{a: {$in: [null, {$regularExpression: {pattern: '^x', options: ''}}]}}", "{_id: 53, a: 'xy'}"),
    ("{a: {$gt: {$date: '2024-01-01T00:00:00Z'}}}", "{_id: 54, a: '2024-05-05'}"),
    ("{a: {$numberDouble: 'NaN'}, b: {$lt: {$numberDouble: 'NaN'}}}", "{_id: 55, a: {$numberDouble: 'NaN'}, b: 1}"),
    ("{$expr: {$gt: ['$specs.v', 100]}}", "{_id: 56, specs: [{v: 5}, {v: 7}]}"),
    ("{$and: [{a: 1}, {$or: [{b: 1}, {c: 1}]}], d: {$ne: 4}}", "{_id: 57, a: 1, c: 1, d: [3, 4]}"),
    ("{$alwaysFalse: 1}", "{_id: 58}"),
];

#[test]
fn every_kind_of_condition_says_what_settled_it() {
    let mut text = String::new();
    for (filter, of) in CASES {
        let (written, of) = (document(filter), document(of));
        let parsed = Filter::as_written(&written, &Scope::default()).expect("the filter parses");
        let matcher = Matcher::new(&parsed, Collation::simple()).expect("the filter was parsed");
        let why = matcher.why(&of).expect("it can be judged");
        let _ = writeln!(text, "{filter}\n{}\n", pegboard::shell::literal(&Bson::Document(of.clone())));
        for lang in [Lang::En, Lang::De] {
            let _ = writeln!(text, "{}", said_text(&said(&why, &of["_id"], lang)));
        }
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots" }, {
        insta::assert_snapshot!("said", text);
    });
}
