//! Scripts become commands: over a host that keeps documents in a list and answers without looking at filters.

use std::collections::BTreeMap;

use bson::{Bson, Document, RawDocumentBuf, doc};
use pegboard::engine::{Command, Host, Reply, Run, UpdateReply, Writes};
use pegboard::error::{CommandError, CommandPath, ErrorCode};
use pegboard::shell::{FailureKind, Limit, Limits, Outcome, Shell};
use pegboard::value::Source;

/// Keeps what is inserted; refuses a filter with `$gth` the way the engine does.
#[derive(Clone)]
struct Listing {
    documents: BTreeMap<String, Vec<Document>>,
    source: Source,
}

impl Host for Listing {
    fn run(&mut self, command: &Command) -> Result<Run, CommandError> {
        let reply = match command {
            Command::Insert(insert) => {
                let list = self.documents.entry(insert.collection.clone()).or_default();
                list.extend(insert.documents.iter().cloned());
                let id = |document: &Document| document.get("_id").cloned().unwrap_or(Bson::Null);
                Reply::Inserted { ids: insert.documents.iter().map(id).enumerate().collect(), failures: Vec::new() }
            }
            Command::Find(find) => {
                if let Ok(price) = find.filter.get_document("price")
                    && price.contains_key("$gth")
                {
                    let at = CommandPath::argument("filter").field("price").field("$gth");
                    return Err(CommandError::new(ErrorCode::BadValue, "unknown operator: $gth").at(at));
                }
                let list = self.documents.get(&find.collection).cloned().unwrap_or_default();
                let raw =
                    |document: &Document| RawDocumentBuf::try_from(document).expect("test documents are valid").into();
                Reply::Documents(list.iter().map(raw).collect())
            }
            Command::Count(count) => {
                Reply::Count(self.documents.get(&count.collection).map_or(0, |list| list.len() as u64))
            }
            Command::Update(_) => Reply::Updated(UpdateReply { matched: 1, modified: 1, upserted: None }),
            other => Reply::Result(doc! { "command": format!("{other:?}") }),
        };
        Ok(Run { reply, explain: None, writes: Writes::default() })
    }

    fn source(&mut self) -> &mut Source {
        &mut self.source
    }
}

fn shell() -> Shell<Listing> {
    let host = Listing { documents: BTreeMap::new(), source: Source::seeded(1).with_clock(0) };
    Shell::new(host, Limits { steps: 5_000_000, ..Limits::default() })
}

fn run(text: &str) -> Outcome {
    shell().run(text)
}

fn check(text: &str, expected: &Bson) {
    let outcome = run(text);
    match &outcome.value {
        Ok(shown) => assert_eq!(&shown.to_bson(), expected, "{text}"),
        Err(failure) => panic!("{text}: {failure:?}"),
    }
}

#[test]
fn values_of_scripts() {
    let cases: [(&str, Bson); 23] = [
        ("const v = await Promise.resolve(3); v + 1", 4.into()),
        ("const both = async () => [await 1, 2]; (await both()).length", 2.into()),
        ("1 + 1", Bson::Int32(2)),
        ("await (1 + 1)", Bson::Int32(2)),
        ("await [1, 2][0] + 1", Bson::Int32(2)),
        ("const v = await (async () => ({a: 5}))(); v.a * 2", 10.into()),
        (
            "db.c.insertOne({_id: 1, f: function (a) { return [a, {b: (a)}] }}); db.c.findOne().f",
            Bson::JavaScriptCode("function (a) { return [a, {b: (a)}] }".to_owned()),
        ),
        ("db.c.find().close()", Bson::Null),
        ("3e9", Bson::Double(3e9)),
        ("12n", Bson::Int64(12)),
        ("-0", Bson::Double(-0.0)),
        ("let r = 'none'; if (true) { r = 'one' } else { r = 'many' } r", "one".into()),
        (
            "const q = {a: 1};\nlet s = {b: -1};\n[q, s]",
            Bson::Array(vec![doc! { "a": 1 }.into(), doc! { "b": -1 }.into()]),
        ),
        ("var n = 1\nlet m = 5\nn = n + m; m = n * 2; [n, m]", Bson::Array(vec![6.into(), 12.into()])),
        ("db.c.insertOne({_id: 7})", doc! { "acknowledged": true, "insertedId": 7 }.into()),
        ("db.c.insertMany([{_id: 1}, {_id: 2}]).insertedIds", doc! { "0": 1, "1": 2 }.into()),
        (
            "db.c.insertMany([{_id: 1}, {_id: 2}]); db.c.find()",
            Bson::Array(vec![doc! { "_id": 1 }.into(), doc! { "_id": 2 }.into()]),
        ),
        ("db.c.insertMany([{_id: 1}, {_id: 2}]); let s = 0; for (const d of db.c.find()) s += d._id; s", 3.into()),
        (
            "db.c.insertMany([{_id: 1}, {_id: 2}]); db.c.find().map(d => d._id * 2)",
            Bson::Array(vec![2.into(), 4.into()]),
        ),
        ("db['my-items'].insertOne({_id: 1}); db['my-items'].countDocuments()", 1.into()),
        ("db.c.createIndex({p: -1, n: 1})", "p_-1_n_1".into()),
        ("ISODate('2021-02-03T04:05:06.789+02:00')", bson::DateTime::from_millis(1_612_317_906_789).into()),
        ("const f = async () => 5; f()", 5.into()),
    ];
    for (text, expected) in cases {
        check(text, &expected);
    }
}

#[test]
fn a_refused_key_is_underlined_through_a_const() {
    let text = "const q = {price: {$gth: 5}}\ndb.c.find(q).toArray()";
    let outcome = run(text);
    let failure = outcome.value.expect_err("the operator is refused");
    assert_eq!(failure.span.map(|span| &text[span]), Some("$gth"));
    assert_eq!(outcome.ran[0].span.clone().map(|span| &text[span]), Some("db.c.find(q)"));
}

#[test]
fn syntax_errors_have_a_place() {
    let text = "db.c.insertOne({_id: 1});\ndb.c.find({a: 1]})";
    let outcome = run(text);
    let failure = outcome.value.expect_err("the text is broken");
    assert_eq!((&failure.kind, failure.position(text)), (&FailureKind::Syntax, Some((2, 16))));
    assert!(outcome.ran.is_empty());
}

#[test]
fn a_limit_undoes_its_statement_only() {
    let mut shell = shell();
    let outcome = shell.run("db.c.insertOne({_id: 1});\nwhile (true) { db.c.insertOne({_id: 2}) }");
    let failure = outcome.value.expect_err("the loop is stopped");
    assert!(matches!(failure.kind, FailureKind::Limit(Limit::Steps | Limit::Time)), "{failure:?}");
    assert_eq!(shell.host().documents["c"].len(), 1);
}

#[test]
fn variables_and_cursors_live_on() {
    let mut shell = shell();
    shell.run("const q = {a: 1}; var c; db.c.insertMany([{_id: 1}, {_id: 2}])");
    shell.run("c = db.c.find(); c.next()");
    assert_eq!(
        shell.run("[q.a, c.next()._id]").value.map(|shown| shown.to_bson()),
        Ok(Bson::Array(vec![1.into(), 2.into()]))
    );
}

#[test]
fn repeated_keys_stay_in_the_tree() {
    let outcome = run("db.c.find({a: 1, b: 2, 'a': 3})");
    let repeated: Vec<_> =
        outcome.script.repeated_keys().map(|(_, key, spans)| (key.to_owned(), spans.len())).collect();
    assert_eq!(repeated, [("a".to_owned(), 2)]);
}

#[test]
fn the_ends_of_the_order_of_values_need_no_call() {
    let stored = |text: &str| {
        let outcome = run(text);
        let Command::Insert(insert) = &outcome.ran.first().expect("it ran").command else { panic!("{text}") };
        insert.documents[0].get("v").cloned()
    };
    assert_eq!(stored("db.c.insertOne({_id: 1, v: MinKey})"), Some(Bson::MinKey));
    assert_eq!(stored("db.c.insertOne({_id: 1, v: MaxKey})"), Some(Bson::MaxKey));
    assert_eq!(stored("db.c.insertOne({_id: 1, v: MinKey()})"), Some(Bson::MinKey));
    assert!(matches!(stored("db.c.insertOne({_id: 1, v: function MinKey() {}})"), Some(Bson::JavaScriptCode(_))));
}
