//! Completion and layout.

use std::collections::BTreeMap;

use bson::{RawDocumentBuf, doc};
use pegboard::shell::{Vocabulary, complete, format};

/// Completes at the `|`.
fn offered(text: &str) -> Vec<String> {
    let documents = [
        doc! { "_id": 1, "name": "Laptop", "price": 900, "specs": [{ "k": "ram", "v": 16, "u": "GB" }, { "k": "color", "v": "grey" }] },
        doc! { "_id": 2, "name": "Shirt", "specs": [{ "k": "color", "v": "yellow" }, { "k": "size", "v": "M" }] },
    ];
    let raw: Vec<RawDocumentBuf> =
        documents.iter().map(|document| RawDocumentBuf::try_from(document).expect("valid")).collect();
    let words = Vocabulary::of(raw.iter().map(AsRef::as_ref));
    let data: BTreeMap<String, Vocabulary> = [("products".to_owned(), words)].into_iter().collect();
    let at = text.find('|').expect("a cursor");
    let completion = complete(&text.replace('|', ""), at, &data);
    completion.choices.into_iter().map(|(_, choice)| choice).collect()
}

#[test]
fn offers_fit_their_place() {
    let cases: [(&str, &str); 16] = [
        ("db.pro|", "products"),
        ("db.getColl|", "getCollectionNames"),
        ("db.products.fi|", "findOne"),
        ("db.products.find({}).so|", "sort"),
        ("db.products.find({pr|", "price"),
        ("db.products.find({\"specs.|", "\"specs.k\""),
        ("db.products.find({price: {$g|", "$gte"),
        ("db.products.find({specs: {$el|", "$elemMatch"),
        ("db.products.find({specs: {$elemMatch: {|", "k"),
        ("db.products.find({specs: {$elemMatch: {k: \"r|", "\"ram\""),
        ("db.products.find({specs: {$elemMatch: {k: \"ram\", v: 1|", "16"),
        ("db.products.find({\"specs.k\": \"co|", "\"color\""),
        ("db.products.updateOne({_id: 1}, {$s|", "$set"),
        ("db.products.aggregate([{$un|", "$unwind"),
        ("db.products.aggregate([{$group: {_id: \"$na|", "\"$name\""),
        ("ISO|", "ISODate"),
    ];
    for (text, wanted) in cases {
        let choices = offered(text);
        assert!(choices.iter().any(|choice| choice == wanted), "{text} offers {choices:?}, not {wanted}");
    }
}

#[test]
fn operators_keep_to_their_position() {
    assert!(!offered("db.products.find({price: {$s|").contains(&"$set".to_owned()));
    assert!(!offered("db.products.aggregate([{$|").contains(&"$gt".to_owned()));
    assert!(!offered("db.products.updateOne({}, {$|").contains(&"$match".to_owned()));
}

#[test]
fn statements_are_laid_out() {
    let cases = [
        ("db.c.find( {a:1,b : 2} )", "db.c.find({ a: 1, b: 2 })"),
        ("db.c.find({})", "db.c.find({})"),
        (
            "db.products.find({specs: {$elemMatch: {k: \"ram\", v: {$gte: 16}}}, price: {$lt: 1000}, name: \"a\"})",
            "db.products.find({\n  specs: { $elemMatch: { k: \"ram\", v: { $gte: 16 } } },\n  price: { $lt: 1000 },\n  name: \"a\"\n})",
        ),
        ("db.c.find({a: // why\n 1})", "db.c.find({a: // why\n 1})"),
        ("db.c.find({a: 1)", "db.c.find({a: 1)"),
    ];
    for (text, expected) in cases {
        assert_eq!(format(text), expected);
        assert_eq!(format(&format(text)), format(text), "laying out twice changes nothing");
    }
}
