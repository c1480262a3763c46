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
        ..Limits::default()
    };
    Shell::new(Database::new(Source::seeded(1).with_clock(0)), limits)
}

#[test]
fn hostile_texts_reach_a_limit() {
    let cases: [(&str, &[Limit]); 32] = [
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
        ("String(2n ** 1000000n)", &[Limit::Memory]),
        ("let x = 3n; while (true) x *= x", &[Limit::Memory]),
        ("BigInt('9'.repeat(300000))", &[Limit::Memory]),
        ("String(BigInt.asUintN(1000000, -1n))", &[Limit::Memory]),
        ("let d = []; for (let i = 0; i < 40; i++) d = [d, d]; db.c.insertOne({d})", &[Limit::Memory, Limit::Time]),
        ("let d = []; for (let i = 0; i < 40; i++) d = [d, d]; print(d)", &[Limit::Memory, Limit::Time]),
        (
            "let d = []; for (let i = 0; i < 40; i++) d = [d, d]; JSON.stringify(d)",
            &[Limit::Steps, Limit::Memory, Limit::Time],
        ),
        (
            "for (let i = 0; i < 2000; i++) db.e.insertOne({}); db.e.aggregate([{$lookup: {from: 'e', let: {i: '$_id'}, pipeline: [{$match: {$expr: {$eq: [1, {$add: [1, {$toInt: '1'}]}]}}}], as: 'x'}}]).toArray()",
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

/// What nothing can stop once it is begun is refused before.
#[test]
fn hostile_forms_are_refused_unread() {
    let names = (0..20_000).map(|at| format!("let n{at};")).collect::<Vec<_>>().concat();
    let cases = [
        (format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)), Limit::Depth),
        ("{a:".repeat(100_000), Limit::Depth),
        ("[".repeat(100_000), Limit::Depth),
        ("-".repeat(200_000), Limit::Depth),
        ("a?b:".repeat(100_000) + "1", Limit::Depth),
        (names, Limit::Names),
        (format!("{}n", "9".repeat(300_000)), Limit::Memory),
        (format!("db.c.insertOne({{a: '{}'}})", "x".repeat(2 << 20)), Limit::Text),
    ];
    for (text, limit) in cases {
        let failure = shell().run(&text).value.expect_err("a limit is reached");
        assert_eq!(failure.kind, FailureKind::Limit(limit), "{}", &text[..10]);
    }
}

/// Long broken texts are answered with what is wrong, and as quickly as short ones.
#[test]
fn long_broken_texts_get_their_advice() {
    for (text, word) in [
        ("SELECT * FROM products WHERE a = 1;\n".repeat(10_000), "SQL"),
        (format!("{}x", "\"".repeat(100_001)), "quote"),
        ("/[".repeat(100_000), ""),
        ("“a” ".repeat(50_000), "straight"),
    ] {
        let failure = shell().run(&text).value.expect_err("the text is broken");
        assert!(failure.hint.as_deref().unwrap_or(&failure.message).contains(word), "{failure:?}");
        assert!(failure.render(&text, false).len() < 10_000, "only the place is shown");
    }
}

/// A document may be nested as deeply as MongoDB takes it.
#[test]
fn deep_filters_run() {
    let text =
        "let f = {a: 1}; for (let i = 0; i < 60; i++) f = {$and: [f]}; db.c.insertOne({a: 1}); db.c.find(f).itcount()";
    assert_eq!(shell().run(text).value.map(|shown| shown.to_bson()), Ok(1.into()));
    let typed =
        format!("db.c.insertOne({{a: 1}}); db.c.find({}{{a: 1}}{}).itcount()", "{$and: [".repeat(60), "]}".repeat(60));
    assert_eq!(shell().run(&typed).value.map(|shown| shown.to_bson()), Ok(1.into()));
}

/// As many points as can be typed make no more plans than are looked at.
#[test]
fn lists_that_multiply_beyond_any_number_are_planned() {
    let text = "db.c.createIndex({a: 1, b: 1, c: 1, d: 1, e: 1, f: 1}); db.c.insertOne({a: 1, b: 1, c: 1, d: 1, e: 1});
        const l = {$in: Array.from({length: 8192}, (_, i) => i)};
        db.c.find({a: l, b: l, c: l, d: l, e: l}).sort({f: 1}).itcount()";
    assert_eq!(shell().run(text).value.map(|shown| shown.to_bson()), Ok(1.into()));
}

#[test]
fn whole_numbers_of_any_length_still_multiply() {
    let text =
        "let q = 2; q *= 5; q **= 2; [String(2n ** 64n * 3n), [1] * 2, q, eval('1 + 1'), JSON.stringify({a: [1, {}]})]";
    let expected = bson::bson!(["55340232221128654848", 2, 100, 2, "{\"a\":[1,{}]}"]);
    assert_eq!(shell().run(text).value.map(|shown| shown.to_bson()), Ok(expected));
}

#[test]
fn a_running_text_can_be_stopped() {
    let mut shell = shell();
    shell.run("db.c.insertOne({_id: 1})");
    let brake = shell.brake();
    let foot = std::thread::spawn(move || {
        for _ in 0..200 {
            std::thread::sleep(Duration::from_millis(10));
            brake.pull();
        }
    });
    let failure = shell.run("while (true) { db.c.deleteMany({}) }").value.expect_err("it is stopped");
    foot.join().expect("the foot does not stumble");
    assert!(matches!(failure.kind, FailureKind::Limit(Limit::Asked | Limit::Steps)), "{failure:?}");
    assert_eq!(shell.run("db.c.countDocuments()").value.map(|shown| shown.to_bson()), Ok(1.into()));
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

/// What is thrown is no limit, however it is printed.
#[test]
fn a_thrown_word_is_no_limit() {
    let failure = shell().run("Promise.reject('null')").value.expect_err("it is thrown");
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Script("Uncaught".to_owned()), "null"));
}

#[test]
fn odd_values_are_refused_in_words() {
    let cases = [
        ("const d = {}; d.d = d; db.c.insertOne(d)", "Cannot convert circular structure to BSON"),
        ("db.c.insertOne({a: db.c.find()})", "A cursor cannot be part of a document: call .toArray() on it first"),
        ("const a = []; a.length = 3e9; db.c.insertOne({a})", "The array is too long for a document"),
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
