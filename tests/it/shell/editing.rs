//! Completion, layout and colours.

use std::collections::{BTreeMap, BTreeSet};

use bson::{RawDocumentBuf, doc};
use pegboard::engine::Database;
use pegboard::shell::{Limits, Meaning, Offer, Role, Shell, Vocabulary, about, all_about, complete, format, highlight};
use pegboard::value::Source;

/// Completes at the `|`.
fn offered(text: &str) -> Vec<String> {
    let documents = [
        doc! { "_id": 1, "name": "Laptop", "price": 900, "specs": [{ "k": "ram", "v": 16, "u": "GB" }, { "k": "color", "v": "grey" }] },
        doc! { "_id": 2, "name": "Shirt", "specs": [{ "k": "color", "v": "yellow" }, { "k": "size", "v": "M" }] },
    ];
    let raw: Vec<RawDocumentBuf> =
        documents.iter().map(|document| RawDocumentBuf::try_from(document).expect("valid")).collect();
    let words = Vocabulary::of(raw.iter().map(AsRef::as_ref)).with_indexes(["_id_".to_owned(), "price_1".to_owned()]);
    let order = RawDocumentBuf::try_from(&doc! { "item": 1, "total": 5 }).expect("valid");
    let orders = Vocabulary::of([order.as_ref()]);
    let data: BTreeMap<String, Vocabulary> =
        [("products".to_owned(), words), ("orders".to_owned(), orders)].into_iter().collect();
    let at = text.find('|').expect("a cursor");
    let completion = complete(&text.replace('|', ""), at, &data);
    completion.choices.into_iter().map(|(_, choice)| choice).collect()
}

#[test]
fn offers_fit_their_place() {
    let cases: [(&str, &str); 64] = [
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
        ("db.products.aggregate([{$group: {_id: null, n: {$s|", "$sum"),
        ("db.products.aggregate([{$group: {_id: null, n: {$sum: \"$p|", "\"$price\""),
        ("db.products.aggregate([{$group: {|", "_id"),
        ("db.products.aggregate([{$group: {_id: {$toU|", "$toUpper"),
        ("db.products.aggregate([{$match: {pr|", "price"),
        ("db.products.aggregate([{$match: {price: {$gt|", "$gte"),
        ("db.products.aggregate([{$match: {$o|", "$or"),
        ("db.products.aggregate([{$project: {na|", "name"),
        ("db.products.aggregate([{$project: {name: |", "1"),
        ("db.products.aggregate([{$project: {n: \"$spe|", "\"$specs.k\""),
        ("db.products.aggregate([{$project: {n: {$con|", "$concat"),
        ("db.products.aggregate([{$sort: {pr|", "price"),
        ("db.products.aggregate([{$sort: {price: |", "-1"),
        ("db.products.aggregate([{$lookup: {|", "localField"),
        ("db.products.aggregate([{$lookup: {from: \"o|", "\"orders\""),
        ("db.products.aggregate([{$lookup: {from: \"orders\", localField: \"|", "\"price\""),
        ("db.products.aggregate([{$lookup: {from: \"orders\", foreignField: \"|", "\"item\""),
        ("db.products.aggregate([{$lookup: {from: \"orders\", pipeline: [{$ma|", "$match"),
        ("db.products.aggregate([{$facet: {all: [{$co|", "$count"),
        ("db.products.aggregate([{$unwind: \"$s|", "\"$specs\""),
        ("db.products.aggregate([{$unwind: {pa|", "path"),
        ("db.products.aggregate([{$out: \"|", "\"orders\""),
        ("db.products.aggregate([{$match: {}}, {$so|", "$sort"),
        ("db.products.aggregate([]).to|", "toArray"),
        ("db.products.createIndex({\"specs.|", "\"specs.v\""),
        ("db.products.createIndex({price: |", "1"),
        ("db.products.createIndex({price: 1}, {un|", "unique"),
        ("db.products.createIndex({price: 1}, {partialFilterExpression: {price: {$ex|", "$exists"),
        ("db.products.dropIndex(\"|", "\"price_1\""),
        ("db.products.find({}).hint(\"pri|", "\"price_1\""),
        ("db.products.find({}).hint({pr|", "price"),
        ("db.products.find({}).sort({na|", "name"),
        ("db.products.find({}).sort({name: |", "-1"),
        ("db.products.find({}, {na|", "name"),
        ("db.products.find({}, {name: |", "0"),
        ("db.products.find({$|", "$and"),
        ("db.products.find({$and: [{pr|", "price"),
        ("db.products.find({$expr: {$g|", "$gt"),
        ("db.products.find({$expr: {$gt: [\"$pr|", "\"$price\""),
        ("db.products.find({price: {$exists: |", "true"),
        ("db.products.find({price: {$type: \"st|", "\"string\""),
        ("db.products.find({name: \"L|", "\"Laptop\""),
        ("db.products.find({name: {$in: [\"S|", "\"Shirt\""),
        ("db.products.updateOne({pr|", "price"),
        ("db.products.updateOne({_id: 1}, {$set: {pr|", "price"),
        ("db.products.updateOne({_id: 1}, {$push: {specs: {$e|", "$each"),
        ("db.products.updateOne({_id: 1}, {$set: {price: 1}}, {up|", "upsert"),
        ("db.products.explain(\"ex|", "\"executionStats\""),
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
    let absent = [
        ("db.products.find({$|", "$gt"),
        ("db.products.find({price: {$|", "$and"),
        ("db.products.find({price: {$|", "$sum"),
        ("db.products.aggregate([{$match: {price: {$|", "$add"),
        ("db.products.aggregate([{$group: {_id: null, n: {$|", "$match"),
        ("db.products.aggregate([{$group: {_id: null, n: {$|", "$concat"),
        ("db.products.updateOne({}, {$|", "$each"),
        ("db.products.updateOne({}, {$set: {$|", "$inc"),
        ("db.products.find({_id: ObjectId(\"t|", "\"true\""),
        ("db.products.find({specs: {$elemMatch: {k: \"ram\", v: |", "\"yellow\""),
        ("db.products.aggregate([]).|", "hint"),
        ("const q = 1; |", "price"),
    ];
    for (text, unwanted) in absent {
        assert!(!offered(text).contains(&unwanted.to_owned()), "{text} offers {unwanted}");
    }
}

#[test]
fn shell_lines_and_brackets_are_completed_too() {
    for (text, wanted) in [
        ("show c|", "collections"),
        ("db[\"or|", "\"orders\""),
        ("db.getCollection(\"or|", "\"orders\""),
        ("const q = {pr|", "price"),
        ("db.products.distinct(\"na|", "\"name\""),
        ("db.products.bulkWrite([{up|", "updateOne"),
        ("db.products.bulkWrite([{updateOne: {filter: {pr|", "price"),
        ("db.products.bulkWrite([{updateOne: {filter: {}, update: {$s|", "$set"),
        ("db.products.findOneAndUpdate({}, {$set: {}}, {returnDocument: \"|", "\"after\""),
    ] {
        let choices = offered(text);
        assert!(choices.iter().any(|choice| choice == wanted), "{text} offers {choices:?}, not {wanted}");
    }
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
        (
            "db.c.aggregate([{$match: {a: 1}}, {$group: {_id: \"$category\", n: {$sum: 1}}}, {$sort: {n: -1}}, {$limit: 3}])",
            "db.c.aggregate([\n  { $match: { a: 1 } },\n  { $group: { _id: \"$category\", n: { $sum: 1 } } },\n  { $sort: { n: -1 } },\n  { $limit: 3 }\n])",
        ),
        (
            "db.products.find({specs: {$all: [{$elemMatch: {k: \"ram\", v: 16}}, {$elemMatch: {k: \"color\", v: \"red\"}}]}}, {name: 1})",
            "db.products.find(\n  {\n    specs: {\n      $all: [\n        { $elemMatch: { k: \"ram\", v: 16 } },\n        { $elemMatch: { k: \"color\", v: \"red\" } }\n      ]\n    }\n  },\n  { name: 1 }\n)",
        ),
        ("db.c.find({a: // why\n 1})", "db.c.find({a: // why\n 1})"),
        ("db.c.find({a: 1)", "db.c.find({a: 1)"),
    ];
    for (text, expected) in cases {
        assert_eq!(format(text), expected);
        assert_eq!(format(&format(text)), format(text), "laying out twice changes nothing");
    }
}

#[test]
fn parts_of_a_text_have_meanings() {
    let text = "db.c.find({price: {$gte: 16}, 'a b': /x[/]y/i, k: \"ram\"}) // all\n`two\nlines` + ISODate('2024')";
    let found: Vec<(String, Meaning)> = text
        .lines()
        .zip(highlight(text.lines()))
        .flat_map(|(line, spans)| {
            spans.into_iter().map(|(at, meaning)| (line[at].trim().to_owned(), meaning)).collect::<Vec<_>>()
        })
        .collect();
    let expected = [
        ("db", Meaning::Keyword),
        ("find", Meaning::Method),
        ("price", Meaning::Field),
        ("$gte", Meaning::Operator),
        ("16", Meaning::Number),
        ("'a b'", Meaning::Field),
        ("/x[/]y/i", Meaning::Literal),
        ("k", Meaning::Field),
        ("\"ram\"", Meaning::Literal),
        ("// all", Meaning::Comment),
        ("ISODate", Meaning::Number),
        ("'2024'", Meaning::Literal),
    ];
    for (part, meaning) in expected {
        assert!(found.contains(&(part.to_owned(), meaning)), "{part} is {meaning:?} in {found:?}");
    }
    assert!(found.iter().any(|(part, meaning)| part.ends_with("two") && *meaning == Meaning::Literal), "{found:?}");
}

/// Neither depth nor length is too much; the spans always fit their lines.
#[test]
fn colours_survive_any_paste() {
    for text in [
        "{[(".repeat(400_000),
        "{a: ".repeat(300_000),
        "db.c.find({a: 1})\n".repeat(60_000),
        "`${".repeat(100_000),
        "/*".repeat(500_000),
    ] {
        let spans = highlight(text.lines());
        assert_eq!(spans.len(), text.lines().count());
        for (line, spans) in text.lines().zip(spans) {
            assert!(spans.iter().all(|(at, _)| line.get(at.clone()).is_some()));
        }
    }
}

/// Where an example of an operator stands.
fn placed(role: Role, example: &str) -> String {
    match role {
        Role::Filter => format!("db.products.find({example}).toArray()"),
        Role::Projection => format!("db.products.find({{}}, {example}).toArray()"),
        Role::Update => format!("db.products.updateOne({{_id: 1}}, {example})"),
        Role::Modifier => format!("db.products.updateOne({{_id: 1}}, {{$push: {{tags: {{{}}}}}}})", bare(example)),
        Role::Stage if example.contains("$documents") => format!("db.aggregate([{example}]).toArray()"),
        Role::Stage => format!("db.products.aggregate([{example}]).toArray()"),
        Role::Expression if example.contains("$meta") => format!("db.products.find({{}}, {{r: {example}}}).toArray()"),
        Role::Expression if example.contains("$sampleRate") => {
            format!("db.products.aggregate([{{$match: {example}}}]).toArray()")
        }
        Role::Expression => format!("db.products.aggregate([{{$project: {{r: {example}}}}}]).toArray()"),
        Role::Accumulator => format!("db.products.aggregate([{{$group: {{_id: null, r: {example}}}}}]).toArray()"),
        Role::Window => format!(
            "db.products.aggregate([{{$setWindowFields: {{sortBy: {{_id: 1}}, output: {{r: {example}}}}}}}]).toArray()"
        ),
    }
}

fn bare(example: &str) -> &str {
    example.trim_start_matches('{').trim_end_matches('}')
}

const PRODUCTS: &str = "
    db.products.insertMany([
        {_id: 1, name: 'Laptop 5', price: 900, cost: 700, stock: 3, flags: 6, day: ISODate('2014-02-01'), color: 'red',
         size: {height: 2}, tags: ['new', 'sale'], specs: [{k: 'ram', v: 16, u: 'GB'}]},
        {_id: 2, name: 'Desk', price: 120, cost: 80, stock: 0, flags: 1, day: ISODate('2014-02-03'), color: 'grey',
         size: {height: 70}, tags: ['new'], specs: [{k: 'width', v: 160, u: 'cm'}]}]);
    db.products.createIndex({price: 1});
    db.makers.insertOne({_id: 1});";

#[test]
fn every_example_of_the_completion_runs() {
    let mut failed = Vec::new();
    for (offer, name) in all_about() {
        let example = about(offer, name).expect("it is listed").example;
        let text = match offer {
            Offer::Operator(role) => placed(role, example),
            _ => format!("db.products.{example}"),
        };
        assert!(example.contains(name), "{name}: {example}");
        let mut shell = Shell::new(Database::new(Source::seeded(1).with_clock(0)), Limits::default());
        shell.run(PRODUCTS).value.expect("the products are sound");
        failed.extend(shell.run(&text).value.err().map(|failure| format!("{text}: {}", failure.message)));
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn every_operator_is_explained_where_it_stands() {
    let places = [
        (Role::Filter, "db.products.find({|"),
        (Role::Filter, "db.products.find({price: {|"),
        (Role::Update, "db.products.updateOne({}, {|"),
        (Role::Modifier, "db.products.updateOne({}, {$push: {tags: {|"),
        (Role::Projection, "db.products.find({}, {tags: {|"),
        (Role::Stage, "db.products.aggregate([{|"),
        (Role::Expression, "db.products.aggregate([{$group: {_id: {|"),
        (Role::Accumulator, "db.products.aggregate([{$group: {_id: null, n: {|"),
        (Role::Window, "db.products.aggregate([{$setWindowFields: {output: {n: {|"),
    ];
    let mut seen = BTreeSet::new();
    for (role, text) in places {
        let found = complete(&text.replace('|', ""), text.len() - 1, &BTreeMap::new());
        let operators = found.choices.iter().filter(|(_, name)| name.starts_with('$'));
        for (offer, name) in operators.filter(|(offer, _)| *offer == Offer::Operator(role)) {
            assert!(about(*offer, name).is_some(), "nothing is written of {name} as {role:?}");
            seen.insert((role, name.clone()));
        }
    }
    let written = all_about().filter_map(|(offer, name)| match offer {
        // The window's own functions come behind the accumulators.
        Offer::Operator(role) => Some((role, name.to_owned())),
        _ => None,
    });
    let idle: Vec<_> = written.filter(|known| !seen.contains(known)).collect();
    assert!(idle.is_empty(), "written of, but never offered: {idle:?}");
}
