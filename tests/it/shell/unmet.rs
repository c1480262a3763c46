//! Names that no document has: a remark where nothing was found or nothing sorted, silence where all is right.

use pegboard::engine::Database;
use pegboard::shell::{Limits, Shell};
use pegboard::value::Source;
use pegboard::words::Lang;

const DATA: &str = r#"db.c.insertMany([
    {_id: 1, price: 3, category: "pens", specs: [{k: "color", v: "red"}, {k: "ram", v: 16}], maker: {name: "A"}},
    {_id: 2, price: 7, category: "pads", specs: [{k: "color", v: "blue"}, {k: "ram", v: 8}], maker: {name: "B"}},
    {_id: 3, price: 9, category: "ink", specs: [{k: "color", v: "red"}]},
])"#;

/// The bytes and the sentence of each remark.
fn remarks(text: &str, lang: Lang) -> Vec<(String, String)> {
    let mut shell = Shell::new(Database::new(Source::seeded(1).with_clock(0)), Limits::default());
    shell.set_lang(lang);
    shell.run(DATA);
    let outcome = shell.run(text);
    let place = |span: Option<std::ops::Range<usize>>| span.map(|span| text[span].to_owned()).unwrap_or_default();
    outcome.notes.into_iter().map(|note| (place(note.span), note.message)).collect()
}

/// Text, the bytes it is about, the sentence.
const REMARKS: &[(&str, &str, &str)] = &[
    ("db.c.find({prise: 3})", "prise", "No document has `prise`. Did you mean `price`? 3 documents have it."),
    (
        "db.c.find({\"spec.k\": \"ram\"})",
        "\"spec.k\"",
        "No document has `spec.k`. Did you mean `specs.k`? 3 documents have it.",
    ),
    (
        "db.c.find({\"specs.key\": \"ram\"})",
        "\"specs.key\"",
        "No document has `specs.key`. Did you mean `specs.k`? 3 documents have it.",
    ),
    (
        "db.c.find({specs: {$elemMatch: {k: \"ram\", value: 8}}})",
        "value",
        "No document has `specs.value`. Did you mean `specs.v`? 3 documents have it.",
    ),
    (
        "db.c.find({\"specs.unit\": \"GB\"})",
        "\"specs.unit\"",
        "No document has `specs.unit`; in `specs` there are `k` (3), `v` (3).",
    ),
    ("db.c.find({name: \"A\"})", "name", "No document has `name`. Did you mean `maker.name`? 2 documents have it."),
    (
        "db.c.countDocuments({$or: [{prise: 3}, {category: \"x\"}]})",
        "prise",
        "No document has `prise`. Did you mean `price`? 3 documents have it.",
    ),
    (
        "db.c.find({price: {gt: 5}})",
        "gt",
        "`price` is compared with an object here, and 0 of 3 documents have `gt` in it: the operator is `$gt`.",
    ),
    (
        "db.c.find({specs: {elemMatch: {k: \"ram\"}}})",
        "elemMatch",
        "`specs` is compared with an object here, and 0 of 3 documents have `elemMatch` in it: the operator is `$elemMatch`.",
    ),
    (
        "db.c.find({specs: {$elemMatch: {k: \"red\", v: \"color\"}}})",
        "k",
        "`red` is no `k` in `specs`, but `color` is one, in 3 documents: are `k` and `v` swapped?",
    ),
    (
        "db.c.find({\"specs.k\": \"colr\"})",
        "\"specs.k\"",
        "No element of `specs` has `k`: \"colr\". Did you mean \"color\"? 3 documents have it.",
    ),
    (
        "db.c.updateOne({prise: 3}, {$set: {x: 1}})",
        "prise",
        "No document has `prise`. Did you mean `price`? 3 documents have it.",
    ),
    (
        "db.c.deleteMany({catgory: \"pens\"})",
        "catgory",
        "No document has `catgory`. Did you mean `category`? 3 documents have it.",
    ),
    (
        "db.c.distinct(\"catgory\")",
        "\"catgory\"",
        "No document has `catgory`. Did you mean `category`? 3 documents have it.",
    ),
    ("db.c.find().sort({prise: 1})", "prise", "No document has `prise`. Did you mean `price`? 3 documents have it."),
    ("db.c.find({}, {pirce: 1})", "pirce", "No document has `pirce`. Did you mean `price`? 3 documents have it."),
    (
        "db.c.aggregate([{$match: {prise: 3}}])",
        "prise",
        "No document has `prise`. Did you mean `price`? 3 documents have it.",
    ),
    (
        "db.c.aggregate([{$group: {_id: \"$catgory\"}}])",
        "_id",
        "No document has `catgory`. Did you mean `category`? 3 documents have it.",
    ),
    (
        "db.c.aggregate([{$group: {_id: \"category\"}}])",
        "_id",
        "\"category\" is only a text here: the value of the field is \"$category\", which 3 documents have.",
    ),
    (
        "db.c.aggregate([{$group: {_id: null, sum: {$sum: \"price\"}}}])",
        "$sum",
        "\"price\" is only a text here: the value of the field is \"$price\", which 3 documents have.",
    ),
    (
        "db.c.find({$expr: {$eq: [\"specs.k\", \"color\"]}})",
        "\"specs.k\"",
        "\"specs.k\" is only a text here: the value of the field is \"$specs.k\", which 3 documents have.",
    ),
];

/// Right statements, and those that name something new.
const SILENT: &[&str] = &[
    "db.c.find({price: 100})",
    "db.c.find({specs: {$elemMatch: {k: \"color\", v: \"green\"}}})",
    "db.c.find({\"specs.0.v\": \"green\"})",
    "db.c.find({weight: {$exists: true}})",
    "db.c.find({price: 3, prise: {$exists: false}, category: \"ink\"})",
    "db.c.find({_id: 9})",
    "db.c.find({maker: {name: \"C\"}})",
    "db.c.find({}, {price: 1, _id: 0}).sort({category: 1})",
    "db.c.updateOne({sku: \"A\"}, {$set: {x: 1}}, {upsert: true})",
    "db.c.aggregate([{$set: {prise: 1}}, {$sort: {prise: 1}}])",
    "db.c.aggregate([{$unwind: \"$specs\"}, {$group: {_id: \"$specs.k\", n: {$sum: 1}}}, {$sort: {n: 1}}])",
    "db.c.aggregate([{$group: {_id: \"all\", sum: {$sum: \"$price\"}}}])",
    "db.c.aggregate([{$project: {color: {$first: {$filter: {input: \"$specs\", as: \"s\", cond: {$eq: [\"$$s.k\", \"color\"]}}}}}}])",
];

#[test]
fn a_name_that_no_document_has_is_remarked_on() {
    for (text, at, wanted) in REMARKS {
        let said = remarks(text, Lang::En);
        assert_eq!(said, [((*at).to_owned(), (*wanted).to_owned())], "{text}");
        let german = remarks(text, Lang::De);
        assert!(german.len() == 1 && german[0].1 != *wanted && !german[0].1.contains('{'), "{german:?}");
    }
}

/// What is typed as one thing and read as another: the bytes, and what the sentence says.
const MISREAD: &[(&str, &str, &str)] = &[
    (
        "db.c.find({elemMatch: {k: \"ram\"}})",
        "elemMatch",
        "the operator is `$elemMatch`. Type {specs: {$elemMatch: {…}}}.",
    ),
    ("db.c.find({or: [{price: 3}, {price: 7}]})", "or", "the operator is `$or`. Type {$or: [{…}, {…}]}."),
    (
        "db.c.updateOne({_id: 1}, {$pull: {specs: {k: \"colour\"}}})",
        "k",
        "Did you mean \"color\"? 3 documents have it.",
    ),
    ("db.c.insertOne({_id: 90, specs: {k: \"ram\", v: 16}})", "specs", "an array in the other 3 documents"),
    ("db.c.updateOne({_id: 1}, {$set: {specs: {k: \"ram\", v: 16}}})", "specs", "an array in the other 2 documents"),
    ("db.c.replaceOne({_id: 1}, {specs: {k: \"ram\", v: 16}})", "specs", "an array in the other 2 documents"),
    (
        "db.c.find({price: {$gt: 1} && {$lt: 9}})",
        "{$gt: 1}",
        "{$gt: 1} was never sent. Put all conditions into one object",
    ),
    ("db.c.find({price: 3} || {price: 7})", "{price: 7}", "Alternatives are written $or: [{…}, {…}]."),
    ("db.c.find(({price: 3}) && {category: \"pens\"})", "({price: 3})", "({price: 3}) was never sent"),
];

/// Statements that read alike and are what they say.
const MEANT: &[&str] = &[
    "db.c.insertOne({_id: 90, maker: {name: \"C\"}, specs: []})",
    "db.c.insertOne({_id: 90, size: {w: 1}})",
    "const wanted = db.c.findOne({_id: 9}) || {price: 7}; db.c.find(wanted)",
    "db.c.updateOne({_id: 1}, {$pull: {specs: {k: \"color\"}}})",
    "db.c.updateOne({_id: 1}, {$set: {price: 3}})",
    "db.c.drop(); db.c.insertMany([{specs: {k: 1}}, {specs: {k: 2}}])",
];

#[test]
fn what_is_read_as_something_else_is_remarked_on() {
    for (text, at, wanted) in MISREAD {
        for lang in [Lang::En, Lang::De] {
            let said = remarks(text, lang);
            assert!(said.len() == 1 && said[0].0 == *at, "{text}: {said:?}");
            assert_eq!(said[0].1.contains(wanted), lang == Lang::En, "{text}: {said:?}");
        }
    }
    for text in MEANT {
        assert_eq!(remarks(text, Lang::En), [], "{text}");
    }
}

#[test]
fn names_that_are_there_or_new_are_not_remarked_on() {
    for text in SILENT {
        assert_eq!(remarks(text, Lang::En), [], "{text}");
    }
}
