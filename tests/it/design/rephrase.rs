//! Statements and their counterparts, as a learner would write them.

use pegboard::design::{Design, Form, Ground, Keys, rephrase_filter};
use pegboard::value::{Document, doc};

use super::facts::design;

fn written(from: &Design, to: &Design, filter: &Document) -> Result<Document, &'static str> {
    let find = || ["color", "ram", "size"].map(str::to_owned).to_vec();
    let keys = Keys::new(&find);
    let ground = Ground { from, to, collection: "twin", keys: &keys };
    rephrase_filter(&ground, filter).map(|(filter, _)| filter).map_err(|reason| reason.id())
}

#[expect(clippy::needless_pass_by_value, reason = "written at the call")]
fn check(from: Form, to: Form, filter: &Document, expected: Result<Document, &str>) {
    assert_eq!(written(&design(from), &design(to), filter), expected, "{from:?} to {to:?}: {filter}");
}

#[test]
fn pairs_and_fields_translate_into_each_other() {
    let pair = doc! {"specs": {"$elemMatch": {"k": "ram", "v": {"$gte": 8, "$lte": 32}}}};
    check(Form::Kv, Form::Flat, &pair, Ok(doc! {"ram": {"$gte": 8, "$lte": 32}}));
    check(Form::Kv, Form::Wildcard, &pair, Ok(doc! {"specs.ram": {"$gte": 8, "$lte": 32}}));
    check(Form::Flat, Form::Kv, &doc! {"ram": {"$gte": 8, "$lte": 32}}, Ok(pair.clone()));
    check(Form::Kv, Form::Array, &pair, Ok(pair.clone()));
    let two = doc! {"color": "red", "size": "XL", "name": "shirt"};
    let all = doc! {"specs": {"$all": [
        {"$elemMatch": {"k": "color", "v": "red"}}, {"$elemMatch": {"k": "size", "v": "XL"}},
    ]}, "name": "shirt"};
    check(Form::Flat, Form::Kv, &two, Ok(all.clone()));
    check(Form::Kv, Form::Flat, &all, Ok(two));
}

#[test]
fn absence_and_negation_translate() {
    check(Form::Flat, Form::Kv, &doc! {"ram": {"$exists": false}}, Ok(doc! {"specs.k": {"$ne": "ram"}}));
    check(Form::Kv, Form::Flat, &doc! {"specs.k": {"$ne": "ram"}}, Ok(doc! {"ram": {"$exists": false}}));
    let not_red = doc! {"specs": {"$not": {"$elemMatch": {"k": "color", "v": "red"}}}};
    check(Form::Flat, Form::Kv, &doc! {"color": {"$ne": "red"}}, Ok(not_red.clone()));
    check(Form::Kv, Form::Flat, &not_red, Ok(doc! {"color": {"$ne": "red"}}));
    let other_color = doc! {"specs": {"$elemMatch": {"k": "color", "v": {"$ne": "red"}}}};
    check(Form::Kv, Form::Flat, &other_color, Ok(doc! {"color": {"$exists": true, "$ne": "red"}}));
}

#[test]
fn what_cannot_be_asked_has_its_reason() {
    check(Form::Kv, Form::Flat, &doc! {"specs.k": "ram", "specs.v": 16}, Err("cross-element"));
    check(Form::Kv, Form::Rows, &doc! {"specs.k": "ram", "specs.v": 16}, Err("cross-element"));
    let unit = doc! {"specs": {"$elemMatch": {"k": "ram", "v": 16, "u": "GB"}}};
    check(Form::Kv, Form::Flat, &unit, Err("unit"));
    check(Form::Kv, Form::Flat, &doc! {"specs.0.v": 16}, Err("position"));
    check(Form::Kv, Form::Flat, &doc! {"specs": {"$size": 3}}, Err("size"));
    check(Form::Kv, Form::Flat, &doc! {"specs": {"k": "ram", "v": 16}}, Err("whole-element"));
    check(Form::Flat, Form::Rows, &doc! {"color": "red", "size": "L"}, Err("two-rows"));
    check(Form::Flat, Form::Rows, &doc! {"color": {"$exists": false}}, Err("absence-in-rows"));
}

#[test]
fn a_value_without_its_key_lists_the_fields() {
    let any = doc! {"specs": {"$elemMatch": {"v": 16}}};
    check(Form::Kv, Form::Flat, &any, Ok(doc! {"$or": [{"color": 16}, {"ram": 16}, {"size": 16}]}));
    let range = doc! {"specs": {"$elemMatch": {"k": {"$gte": "ram"}, "v": 16}}};
    check(Form::Kv, Form::Flat, &range, Ok(doc! {"$or": [{"ram": 16}, {"size": 16}]}));
    let expression = doc! {"$expr": {"$gt": [{"$size": {"$ifNull": [{"$filter": {
        "input": {"$objectToArray": "$specs"}, "as": "pair",
        "cond": {"$and": [{"$gte": ["$$pair.k", "ram"]}, {"$eq": ["$$pair.v", 16]}]},
    }}, []]}}, 0]}};
    check(Form::Kv, Form::Map, &range, Ok(expression));
}
