//! Hostile texts are stopped at a limit that they are told, and leave the data as it was.

use std::time::Duration;

use pegboard::engine::Database;
use pegboard::shell::{FailureKind, Limit, Limits, Shell};
use pegboard::value::Source;

fn shell() -> Shell<Database> {
    let limits = Limits {
        steps: 20_000_000,
        work: Some(200_000),
        time: Duration::from_secs(2),
        memory: 32 << 20,
        output: 1 << 20,
        text: 1 << 20,
    };
    Shell::new(Database::new(Source::seeded(1).with_clock(0)), limits)
}

#[test]
fn hostile_texts_reach_a_limit() {
    let cases: [(&str, &[Limit]); 24] = [
        ("while (true) {}", &[Limit::Steps, Limit::Time]),
        ("try { while (true) {} } catch (e) {}", &[Limit::Steps, Limit::Time]),
        ("\"x\".repeat(1e9)", &[Limit::Memory]),
        ("new Array(3e8) + ''", &[Limit::Memory]),
        ("const a = []; while (true) a.push({x: 1})", &[Limit::Memory]),
        ("const a = []; a[3e8] = 1; new Set(a).size", &[Limit::Memory]),
        ("const x = []; x.length = 4e9; x.reverse()", &[Limit::Memory]),
        ("Array.prototype.indexOf.call({length: 2 ** 53}, 1)", &[Limit::Memory]),
        ("function f() { return f() + 1 } f()", &[Limit::Depth]),
        ("(/(a+)+$/).test('a'.repeat(40) + 'b')", &[Limit::Steps, Limit::Time]),
        ("'a'.repeat(1e7).indexOf('a'.repeat(5e6) + 'b')", &[Limit::Time, Limit::Memory]),
        ("while (true) print('x'.repeat(1000))", &[Limit::Output]),
        ("function loop() { Promise.resolve().then(loop) } loop()", &[Limit::Steps, Limit::Time]),
        ("new Proxy({}, {ownKeys() { while (true) {} }})", &[Limit::Steps, Limit::Time]),
        ("[...'x'.repeat(3e7)].length", &[Limit::Memory]),
        ("let s = 'x'; while (true) s += s", &[Limit::Memory]),
        ("while (true) db.c.countDocuments({x: 1})", &[Limit::Work, Limit::Time]),
        ("while (true) { try { db.c.find({x: 1}).toArray() } catch (e) {} }", &[Limit::Work, Limit::Time]),
        ("while (true) db.c.insertOne({x: 'x'.repeat(1e6)})", &[Limit::Work, Limit::Time]),
        (
            "while (true) db.c.updateMany({}, [{$set: {s: {$concat: [{$ifNull: ['$s', 'x']}, 'xxxxxxxxxx']}}}])",
            &[Limit::Work, Limit::Time],
        ),
        (
            "db.c.aggregate([{$set: {x: {$reduce: {input: {$range: [0, 60]}, initialValue: [0], in: {$concatArrays: ['$$value', '$$value']}}}}}])",
            &[Limit::Work, Limit::Time],
        ),
        (
            "db.c.aggregate([{$set: {x: {$map: {input: {$range: [0, 9999]}, in: {$size: {$map: {input: {$range: [0, 9999]}, in: 1}}}}}}}])",
            &[Limit::Work, Limit::Time],
        ),
        (
            "db.c.aggregate([{$set: {x: {$range: [0, 9]}}}].concat(Array(9).fill({$set: {x: '$x'}}).flatMap((s, i) => [{$set: {['a' + i]: '$x'}}, {$unwind: '$a' + i}])))",
            &[Limit::Work, Limit::Time],
        ),
        (
            "db.c.find({$where: 'x'}); db.c.find({$expr: {$eq: [{$concat: ['x'.repeat(8e6), 'x'.repeat(8e6)]}, 1]}})",
            &[Limit::Work, Limit::Time],
        ),
    ];
    for (text, limits) in cases {
        let mut shell = shell();
        shell.run("db.c.insertOne({_id: 1})");
        let outcome = shell.run(&format!("db.c.insertOne({{_id: 2}});\n{{ db.c.insertOne({{_id: 3}}); {text} }}"));
        let failure = outcome.value.expect_err(text);
        let reached = matches!(&failure.kind, FailureKind::Limit(limit) if limits.contains(limit));
        assert!(reached, "{text}: {failure:?}");
        let left = shell.run("db.c.countDocuments()").value.map(|shown| shown.to_bson());
        assert_eq!(left, Ok(2.into()), "the stopped statement is undone, the one before it stays: {text}");
    }
}

#[test]
fn each_limit_names_itself() {
    let mut shell = shell();
    let message = |shell: &mut Shell<Database>, text: &str| shell.run(text).value.expect_err("a limit").message;
    assert_eq!(
        message(&mut shell, "while (true) print('x'.repeat(1000))"),
        "Stopped at the output limit (1 MiB): the script prints too much."
    );
    let paste = format!("db.c.insertOne({{a: \"{}\"}})", "x".repeat(2 << 20));
    assert_eq!(
        message(&mut shell, &paste),
        "The text is over the size limit (1 MiB); nothing was run. Load large data with --data instead."
    );
}

#[test]
fn scripts_cannot_break_the_shell_for_later_texts() {
    let tricks = [
        "Object.prototype.toString = null; Array.prototype.map = null",
        "Object.defineProperty(Array.prototype, '0', {set(v) { db.c.find().toArray() }, configurable: true}); Timestamp(1, 2)",
        "Error.prepareStackTrace = () => { throw 1 }",
        "Function.prototype.call = null; Function.prototype.apply = null; Reflect.apply = null",
        "print = null; console = null; EJSON = null",
        "Object.prototype.a = 5; Object.prototype.toJSON = () => 1",
        "Symbol.iterator; Array.prototype[Symbol.iterator] = null",
        "Promise.prototype.then = null; JSON.parse = null",
    ];
    for trick in tricks {
        let mut shell = shell();
        shell.run(trick);
        let value = shell.run("db.c.insertOne({_id: 9, l: {k: NumberLong(5)}}); db.c.find({_id: 9})").value;
        let expected = bson::Bson::Array(vec![bson::doc! { "_id": 9, "l": { "k": 5_i64 } }.into()]);
        assert_eq!(value.map(|shown| shown.to_bson()), Ok(expected), "{trick}");
    }
}

#[test]
fn odd_values_are_refused_in_words() {
    let cases = [
        ("const d = {}; d.d = d; db.c.insertOne(d)", "Cannot convert circular structure to BSON"),
        ("db.c.insertOne({a: db.c.find()})", "A cursor cannot be part of a document: call .toArray() on it first"),
        ("db.c.insertOne({['a\\0b']: 1})", "key must not contain null bytes"),
        ("db.c.insertOne()", "[COMMON-10001] Missing required argument at position 0 (Collection.insertOne)"),
        (
            "require('fs')",
            "require exists in mongosh but not here: scripts here cannot reach files, the network or the machine; start the shell with --file or --data.",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(shell().run(text).value.expect_err(text).message, expected);
    }
}
