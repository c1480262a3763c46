//! The usual slips: each text fails at the bytes named, with advice that holds the words named.

use pegboard::engine::Database;
use pegboard::shell::{Limits, Outcome, Shell};
use pegboard::value::Source;
use pegboard::words::Lang;

fn run(text: &str, lang: Lang) -> Outcome {
    let mut shell = Shell::new(Database::new(Source::seeded(1).with_clock(0)), Limits::default());
    shell.set_lang(lang);
    shell.run("db.products.insertOne({_id: 1, price: 5})");
    shell.run(text)
}

/// Text, the bytes to blame, a part of the advice.
const SLIPS: [(&str, &str, &str); 91] = [
    ("db.products.find({price: {$between: [1, 5]}})", "$between", "{$gte: …, $lte: …}"),
    ("db.products.find({name: {$startsWith: 'A'}})", "$startsWith", "/^…/"),
    ("db.products.find({$where: 'this.price > 5'})", "$where", "$expr"),
    ("db.products.find({price: $gt 5})", "$gt", "price: {$gt: …}"),
    ("db.products.find(where price > 5)", "where", "SQL"),
    ("db.products.updateOne({_id: 1}, {$set: {price: 1}, upsert: true})", "upsert", "behind the update"),
    ("db.products.updateMany({_id: 1}, {$set: {price: 1}, arrayFilters: []})", "arrayFilters", "behind the update"),
    ("db.products.find({price: $gt: 5})", "$gt", "price: {$gt: …}"),
    ("db.products.find({price: {$gte: 100, lte: 200}})", "lte", "`$`: type $lte"),
    ("db.c.find({a: “b”})", "“", "straight quotes"),
    ("db.c.find({a: 'b’})", "'b’})", "closing quote"),
    ("SELECT * FROM products", "SELECT", "db.NAME.find"),
    ("select name from products", "select", "db.NAME.find"),
    ("DELETE FROM products WHERE price > 5", "DELETE", "deleteMany"),
    ("db.c.find({a: {b: 1)", ")", "`}`"),
    ("db.c.find({a: {b: 1}", "{a: {b: 1}", "}"),
    ("db.c.find({a: [1, 2}) ", "}", "`]`"),
    ("db.c.find({a: 1}))", ")", "remove it"),
    ("db.c.find()}", "}", "remove it"),
    ("db.c.find({a: 1 b: 2})", "b", "comma"),
    ("db.c.insertMany([{_id: 1} {_id: 2}])", "{", "comma"),
    ("db.c.find({a: \"x\" b: 2})", "b", "comma"),
    ("db.c.find({a = 1})", "=", "`:`"),
    ("db.c.find({a: {$gt = 1}})", "=", "`:`"),
    ("db.c.find({specs.k: \"ram\"})", "specs.k", "\"specs.k\""),
    ("db.c.find({my-key: 1})", "my-key", "\"my-key\""),
    ("db.c.find({a 1})", "1", "colon"),
    ("db.c.find({a: {$gt 5}})", "5", "colon"),
    ("db.c.find(a: 1)", "a:", "braces"),
    ("db.c.find({a: 1; b: 2})", ";", "`,`"),
    ("{\"a\": 1, \"b\": 2}", "{", "no statement"),
    ("db.c.find({a: \"x})", "\"x})", "closing quote"),
    ("db.c.find({a: 16GB})", "16GB", "\"16GB\""),
    ("test> db.c.find()", "test>", "prompt"),
    ("# all of them\ndb.c.find()", "#", "//"),
    ("db.c.find().", ".", "ends with a dot"),
    ("db.find({a: 1})", "find", "db.NAME.find"),
    ("db.products.findd({a: 1})", "findd", "find?"),
    ("db.products.find().sortt({a: 1})", "sortt", "sort?"),
    ("db.products.sort({a: 1})", "sort", "db.NAME.find"),
    ("db.products.find({_id: ObjectID(\"5f1d7f3a2c1d4b0001a1b2c3\")})", "ObjectID", "ObjectId"),
    ("db.products.find({a: True})", "True", "true"),
    ("db.products.find({name: Laptop})", "Laptop", "\"Laptop\""),
    ("db.products.aggregate([{$group: {_id: $price}}])", "$price", "\"$price\""),
    ("db.products.find({price: {$gth: 5}})", "$gth", "$gt"),
    ("db.my-items.find()", "items", "db[\"my-items\"]"),
    ("db.products.find() db.products.find()", "db", "`;` between"),
    ("INSERT INTO products VALUES (1)", "INSERT", "insertOne"),
    ("db.products.find{price: 5}", "{", "parentheses"),
    ("db.products.find({price > 5})", ">", "price: {$gt: …}"),
    ("db.products.find({price: <= 5})", "<=", "price: {$lte: …}"),
    ("db.products.find({price: 5, name != 'a'})", "!=", "name: {$ne: …}"),
    ("db.products.find({a：1})", "：", "looks like `:`"),
    ("db.products.find({a: –1})", "–", "looks like `-`"),
    ("db.products.find({\u{200b}a: 1})", "\u{200b}", "U+200B"),
    ("db.products.find({…})", "…", "left out"),
    ("db.products.find({a: /lap})", "/", "closing /"),
    ("> db.products.find()", ">", "prompt"),
    ("shop> db.products.find({\n...   a: 1\n... })", "shop>", "prompt"),
    ("db.products.find({\n...   a: 1\n... })", "...", "prompt"),
    ("rs0 [direct: primary] shop> db.products.find()", "rs0 [direct: primary] shop>", "prompt"),
    ("find({a: 1})", "find", "db.NAME.find"),
    ("db.products.aggregate([{$mach: {a: 1}}])", "$mach", "$match"),
    ("db.products.aggregate([{$group: {_id: null, n: {$summ: 1}}}])", "$summ", "$sum"),
    ("db.products.updateOne({}, {$st: {a: 1}})", "$st", "$set"),
    ("db.products.aggregate([{$match: {a: {$gtt: 1}}}])", "$gtt", "$gt"),
    ("db.products.aggregate([{$match: {}}]).limit(5)", "limit", "{$limit: …}"),
    ("db.products.updateOne({a: 1}, {a: 2})", "{a: 2}", "{$set: {…}}"),
    ("db.products.insertMany({a: 2})", "{a: 2}", "insertOne"),
    ("products.find({a: 1})", "products", "db.products"),
    ("db.my products.find()", "my products", "db[\"my products\"]"),
    ("db.products.aggregate([{$match: {a: 1}, {$sort: {a: 1}}])", "{$sort", "close the one before"),
    ("db.products.aggregate([$match: {a: 1}])", "$match:", "braces"),
    ("db.products.find({a: 1 OR b: 2})", "OR", "$or"),
    ("DESCRIBE products;", "DESCRIBE", "findOne"),
    ("npm install", "npm", "system's shell"),
    ("mongosh", "mongosh", "system's shell"),
    ("\"name\": \"x\"", "\"name\"", "no statement"),
    ("/* all of them", "/*", "closing */"),
    ("db.products.find().sort({price: 2})", "{price: 2}", "descending"),
    ("db.products.aggregate([{match: {}}])", "match", "$match"),
    ("db.products.find().limit(\"5\")", "\"5\"", ""),
    ("db.products.findById(1)", "findById", "findOne({_id: …})"),
    ("db.my-big-items.find()", "big", "db[\"my-big\"]"),
    ("db.products.find({a: \".aggregate(\"}).limitt(1)", "limitt", "limit?"),
    ("db.products.find().toArray().fliter(x => x)", "fliter", "filter?"),
    ("db.getSiblingDB(\"shop\").getCollectionNamess()", "getCollectionNamess", "getCollectionNames?"),
    ("db.products.aggregate([{$unwind: \"tags\"}])", "$unwind", "\"$tags\""),
    ("db.products.aggregate([{$group: {_id: null, n: 1}}])", "n", "n: {$sum: 1}"),
    ("db.products.updateOne({}, {$set: {a: 1}, b: 2})", "b", "put b into $set"),
    ("db.products.insertOne([{a: 1}])", "[{a: 1}]", "insertMany"),
];

#[test]
fn slips_are_placed_and_advised() {
    let mut wrong = Vec::new();
    for (text, blamed, advice) in SLIPS {
        let outcome = run(text, Lang::En);
        let Err(failure) = &outcome.value else {
            wrong.push(format!("{text}: no failure"));
            continue;
        };
        let found = failure.span.clone().map(|span| &text[span]);
        let hint = failure.hint.as_deref().unwrap_or(&failure.message);
        let placed = found.is_some_and(|found| blamed.starts_with(found));
        if !placed || !hint.contains(advice) {
            wrong.push(format!(
                "{text}\n  at {found:?}, wanted {blamed:?}\n  hint {hint:?}, wanted {advice:?}\n  {}",
                failure.message
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn failures_are_drawn_like_the_compilers() {
    let text = "const q = {price: {$gth: 5}}\ndb.products.find(q)";
    let outcome = run(text, Lang::En);
    insta::assert_snapshot!(outcome.value.expect_err("the operator is unknown").render(text, false));
}

#[test]
fn advice_comes_in_german() {
    let outcome = run("db.c.find({a: 1 b: 2})", Lang::De);
    let hint = outcome.value.expect_err("a comma is missing").hint;
    assert_eq!(hint.as_deref(), Some("Vor `b` fehlt ein Komma."));
}

#[test]
fn a_missing_collection_is_noted_with_the_nearest_name() {
    let outcome = run("db.product.find().toArray()", Lang::En);
    assert_eq!(outcome.value.map(|shown| shown.to_bson()), Ok(bson::Bson::Array(Vec::new())));
    let notes: Vec<&str> = outcome.notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(notes, ["There is no collection `product`, so nothing can match. Did you mean `products`?"]);
}

#[test]
fn methods_of_mongosh_only_say_what_to_use() {
    let outcome = run("db.products.mapReduce()", Lang::En);
    let failure = outcome.value.expect_err("mapReduce is not here");
    assert_eq!(failure.message, "db.NAME.mapReduce() exists in mongosh but not here: use aggregate([…]).");
}

#[test]
fn a_wrong_method_is_told_however_long_its_call_is() {
    let outcome = run(&format!("db.products.find().sorrt(\"{}\")", "x".repeat(1_200_000)), Lang::En);
    let failure = outcome.value.expect_err("there is no such method");
    assert_eq!(failure.hint.as_deref(), Some("Did you mean sort?"));
}
