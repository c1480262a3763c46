//! Values as mongosh prints them, and back.

use bson::oid::ObjectId;
use bson::spec::BinarySubtype;
use bson::{Binary, Bson, DateTime, Document, Timestamp};
use pegboard::engine::{Command, Database, Find};
use pegboard::shell::{Limits, Shell, Style, Tree, inspect, literal, to_statement};
use pegboard::value::{Source, regex};
use proptest::prelude::*;

fn shell() -> Shell<Database> {
    Shell::new(Database::new(Source::seeded(1).with_clock(0)), Limits::default())
}

/// What mongosh 2 prints for each of these.
const PRINTED: [(&str, &str); 44] = [
    ("ObjectId('5f1d7f3a2c1d4b0001a1b2c3')", "ObjectId('5f1d7f3a2c1d4b0001a1b2c3')"),
    ("NumberLong('5')", "Long('5')"),
    ("NumberInt(7)", "Int32(7)"),
    ("Double(5)", "Double(5)"),
    ("NumberDecimal('1.10')", "Decimal128('1.10')"),
    ("BinData(0, 'aGVsbG8=')", "Binary.createFromBase64('aGVsbG8=', 0)"),
    ("UUID('00112233-4455-6677-8899-aabbccddeeff')", "UUID('00112233-4455-6677-8899-aabbccddeeff')"),
    ("MD5('00112233445566778899aabbccddeeff')", "MD5('00112233445566778899aabbccddeeff')"),
    ("Timestamp({t: 100, i: 2})", "Timestamp({ t: 100, i: 2 })"),
    ("[MinKey(), MaxKey()]", "[ MinKey(), MaxKey() ]"),
    ("ISODate('2021-02-03')", "ISODate('2021-02-03T00:00:00.000Z')"),
    ("[/ab+c/i, new BSONRegExp('a', 'x')]", "[ /ab+c/i, BSONRegExp('a', 'x') ]"),
    ("Code('x', {a: 1})", "Code('x', { a: 1 })"),
    ("[undefined, null, -0, 1e21, 1e-7, 3e9, 12n]", "[ undefined, null, -0, 1e+21, 1e-7, 3000000000, 12n ]"),
    ("[\"it's\", 'a\\nb', 'q\"\\'']", "[ \"it's\", 'a\\nb', `q\"'` ]"),
    ("({'a b': 1, $gt: 2, a_1: 3})", "{ 'a b': 1, '$gt': 2, a_1: 3 }"),
    ("new Map([[1, {a: 2}]])", "Map(1) { 1 => { a: 2 } }"),
    ("new Set([1, 2])", "Set(2) { 1, 2 }"),
    ("(function f() {})", "[Function: f]"),
    ("'text'", "text"),
    ("[{}, []]", "[ {}, [] ]"),
    ("[{a: 1, b: {c: [1, 2, 3]}}]", "[\n  { a: 1, b: { c: [ 1, 2, 3 ] } }\n]"),
    ("({a: {b: {c: {d: 1}}}})", "{\n  a: { b: { c: { d: 1 } } }\n}"),
    ("[new Date(NaN)]", "[ Invalid Date ]"),
    ("[/a/gi, /b/u, /c/s]", "[ /a/gi, /b/u, /c/s ]"),
    (
        "[() => 1, async () => 1, function* g(){}]",
        "[\n  [Function (anonymous)],\n  [AsyncFunction (anonymous)],\n  [GeneratorFunction: g]\n]",
    ),
    ("EJSON.parse('{\"a\": {\"$numberLong\": \"5\"}, \"b\": 1.5}')", "{ a: 5, b: 1.5 }"),
    ("EJSON.parse('{\"a\": {\"$numberLong\": \"5\"}}', {relaxed: false})", "{ a: Long('5') }"),
    (
        "({a: {b: {c: {d: {e: {f: {g: {h: {i: 1}}}}}}}}})",
        "{\n  a: {\n    b: {\n      c: {\n        d: { e: { f: { g: [Object] } } }\n      }\n    }\n  }\n}",
    ),
    ("new Date(253402300800000)", "ISODate('+010000-01-01T00:00:00.000Z')"),
    ("new Date(-62198755200000)", "ISODate('-000001-01-01T00:00:00.000Z')"),
    ("[1, , 3, , ,]", "[ 1, <1 empty item>, 3, <2 empty items> ]"),
    (
        "let a = []; a.length = 3e9; a[1] = 2; a",
        "[ <1 empty item>, 2, <999998 empty items>, ... 2999000000 more items ]",
    ),
    (
        "EJSON.stringify({k: 2147483648, l: -0, m: 0.5, n: [1e21]})",
        "{\"k\":2147483648,\"l\":0,\"m\":0.5,\"n\":[1e+21]}",
    ),
    ("EJSON.stringify({k: 2147483648}, {relaxed: false})", "{\"k\":{\"$numberLong\":\"2147483648\"}}"),
    ("NumberInt('5x')", "Int32(5)"),
    ("String(x => ({a: 1}))", "x => ({a: 1})"),
    ("db.a === db.a && db.getCollection('a.b') === db.a.b", "true"),
    ("db.n.insertOne({_id: 1, a: -0.0}); 1 / db.n.findOne().a", "-Infinity"),
    ("try { throw null } catch (thrown) { thrown }", "null"),
    ("try { db.getCollection('') } catch (error) { error.message }", "[COMMON-10001] Invalid collection name: "),
    ("try { db.n.updateOne({}, {$set: {a: 1}}, {sort: {a: 1}}) } catch (error) { error.code }", "40415"),
    ("new Date(-1e3)", "ISODate('1969-12-31T23:59:59.000Z')"),
    ("[1, 2, 3, 4, 5, 6, 7]", "[\n  1, 2, 3, 4,\n  5, 6, 7\n]"),
];

#[test]
fn values_print_as_in_mongosh() {
    for (text, expected) in PRINTED {
        let value = shell().run(text).value.unwrap_or_else(|failure| panic!("{text}: {failure:?}"));
        assert_eq!(value.print(false), expected, "{text}");
    }
}

#[test]
fn a_cursor_shows_twenty_and_it_goes_on() {
    let mut shell = shell();
    shell.run("for (let i = 0; i < 45; i++) db.c.insertOne({_id: i})");
    let first = shell.run("db.c.find()").value.expect("the cursor is shown").print(false);
    assert!(first.ends_with("{ _id: 19 }\n]\nType \"it\" for more"), "{first}");
    let second = shell.run("it").value.expect("the cursor goes on").print(false);
    assert!(
        second.starts_with("[\n  { _id: 20 }, { _id: 21 },") && second.ends_with("Type \"it\" for more"),
        "{second}"
    );
    let third = shell.run("it").value.expect("the cursor ends").print(false);
    assert!(third.ends_with("{ _id: 44 }\n]") || third.ends_with("{ _id: 44 } ]"), "{third}");
    assert_eq!(shell.run("it").value.expect("nothing is left").print(false), "no cursor");
}

#[test]
fn colors_are_nodes() {
    let tree = Tree::from(&bson::doc! { "a": 1, "b": "x", "c": null });
    let expected = "{ a: \u{1b}[33m1\u{1b}[39m, b: \u{1b}[32m'x'\u{1b}[39m, c: \u{1b}[1mnull\u{1b}[22m }";
    assert_eq!(inspect(&tree, Style::value(true)), expected);
}

fn scalar() -> impl Strategy<Value = Bson> {
    prop_oneof![
        any::<i32>().prop_map(Bson::Int32),
        any::<i64>().prop_map(Bson::Int64),
        // A double without a fraction within 32 bits is an int to JavaScript.
        (-1e12..1e12_f64).prop_filter("has a fraction", |number| number.fract() != 0.0).prop_map(Bson::Double),
        any::<bool>().prop_map(Bson::Boolean),
        Just(Bson::Null),
        Just(Bson::MinKey),
        Just(Bson::MaxKey),
        "[ -~äß☃\n'\"`\\\\]{0,30}".prop_map(Bson::String),
        (0_i64..4_000_000_000_000).prop_map(|millis| Bson::DateTime(DateTime::from_millis(millis))),
        any::<[u8; 12]>().prop_map(|bytes| Bson::ObjectId(ObjectId::from_bytes(bytes))),
        any::<[u8; 16]>()
            .prop_map(|bytes| Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes: bytes.to_vec() })),
        proptest::collection::vec(any::<u8>(), 0..9)
            .prop_map(|bytes| Bson::Binary(Binary { subtype: BinarySubtype::Generic, bytes })),
        any::<(u32, u32)>().prop_map(|(time, increment)| Bson::Timestamp(Timestamp { time, increment })),
        // A slash is escaped between slashes, and so in the pattern.
        r"[a-z.]{1,4}(\\/[a-z.]{0,3})?"
            .prop_map(|pattern| Bson::RegularExpression(regex(&pattern, "i").expect("no NUL"))),
        any::<i32>().prop_map(|number| Bson::Decimal128(number.to_string().parse().expect("a whole number"))),
    ]
}

fn value() -> impl Strategy<Value = Bson> {
    scalar().prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..9).prop_map(Bson::Array),
            proptest::collection::vec(("[a-zA-Z_$. -]{1,8}", inner), 0..6)
                .prop_map(|fields| Bson::Document(fields.into_iter().collect::<Document>())),
        ]
    })
}

proptest! {
    #![proptest_config(crate::chosen::cases(64))]

    #[test]
    fn what_is_printed_reads_back(values in proptest::collection::vec(value(), 1..6)) {
        let value = Bson::Array(values);
        let mut shell = shell();
        for text in [inspect(&Tree::from(&value), Style::whole(false)), literal(&value)] {
            let read = shell.run(&text).value.map(|shown| shown.to_bson());
            prop_assert_eq!(read.as_ref(), Ok(&value), "{}", text);
        }
    }

    #[test]
    fn statements_read_back(filter in value(), sort in any::<bool>(), limit in proptest::option::of(1_i64..100)) {
        let filter: Document = [("f".to_owned(), filter)].into_iter().collect();
        let sort = sort.then(|| bson::doc! { "f": -1 });
        let command = Command::Find(Find { collection: "my-items".into(), filter, sort, limit, ..Find::default() });
        let outcome = shell().run(&to_statement(&command));
        prop_assert_eq!(&outcome.ran[0].command, &command);
    }
}

#[test]
fn one_document_is_asked_for_as_it_was() {
    for text in [
        "db.c.findOne()",
        "db.c.findOne({ _id: 2 })",
        "db.c.findOne({ _id: 2 }, { a: 1 })",
        "db.c.findOne({}, {}, { sort: { a: -1 }, skip: 1 })",
        "db.c.find().limit(2)",
        "db.c.find().showRecordId(true).limit(-1)",
    ] {
        let command = |text: &str| shell().run(text).ran[0].command.clone();
        let written = to_statement(&command(text));
        assert_eq!(command(&written), command(text), "{written}");
        assert_eq!(written.contains("findOne"), text.contains("findOne"), "{written}");
    }
    let explained = shell().run("db.c.explain().findOne({a: 1})");
    if let Some(ran) = explained.ran.first() {
        let written = to_statement(&ran.command);
        assert_eq!(shell().run(&written).ran[0].command, ran.command, "{written}");
    }
}
