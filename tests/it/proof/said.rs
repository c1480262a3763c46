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
