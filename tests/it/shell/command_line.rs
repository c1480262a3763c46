//! `pegboard shell` as a process: streams, exit codes, data files.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn shell(arguments: &[&str], stdin: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pegboard"))
        .arg("shell")
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that has ended already does not read its input.
    let _ = child.stdin.take().expect("piped").write_all(stdin.as_ref());
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

fn json_of(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("one JSON document and nothing else")
}

#[test]
fn prints_the_last_value() {
    let output = shell(&["--quiet", "--eval", "1 + 1"], "");
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("2\n", Some(0)));
}

#[test]
fn json_is_the_only_thing_on_stdout() {
    let script = "db.c.insertMany([{_id: 1, n: NumberLong(5)}, {_id: 2}]); print('aside'); db.c.find()";
    let relaxed = shell(&["--json", "--eval", script], "");
    assert_eq!(json_of(&relaxed.stdout), json!([{"_id": 1, "n": 5}, {"_id": 2}]));
    assert_eq!(text(&relaxed.stderr), "aside\n");
    let canonical = shell(&["--json=canonical", "-"], script);
    assert_eq!(json_of(&canonical.stdout)[0], json!({"_id": {"$numberInt": "1"}, "n": {"$numberLong": "5"}}));
}

#[test]
fn errors_go_to_stderr_as_json() {
    let output = shell(&["--json", "--eval", "db.c.insertOne({_id: 1});\ndb.c.insertOne({_id: 1})"], "");
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(1)));
    let error = &json_of(&output.stderr)["error"];
    assert_eq!(
        (&error["code"], &error["codeName"], &error["line"]),
        (&json!(11000), &json!("DuplicateKey"), &json!(2))
    );
    let output = shell(&["--json", "--eval", "db.c.find({a: 1 b: 2})"], "");
    let error = &json_of(&output.stderr)["error"];
    assert_eq!((error.get("code"), &error["line"], &error["column"]), (None, &json!(1), &json!(17)));
}

/// What the text says on the other stream, the JSON says in a field of its own; of one slip only one of them speaks.
#[test]
fn notes_come_with_the_findings_and_say_nothing_twice() {
    let data = r#"db.c.insertMany([{_id: 1, specs: [{k: "color", v: "red"}]}, {_id: 2, specs: [{k: "color", v: "blue"}, {k: "ram", v: 8}]}]);"#;
    let notes = |text: &str| {
        let text = format!("{data} {text}");
        let given = json_of(&shell(&["--findings", "--eval", &text], "").stdout);
        let ids: Vec<_> = given["findings"].as_array().into_iter().flatten().map(|own| own["id"].clone()).collect();
        (given["notes"].clone(), ids)
    };
    let (said, _) = notes(r#"for (let i = 0; i < 3; i++) db.c.find({"spec.k": "ram"}).toArray()"#);
    let start = data.len() + 1 + r"for (let i = 0; i < 3; i++) db.c.find({".len();
    let message = "No document has `spec.k`. Did you mean `specs.k`? 2 documents have it.";
    assert_eq!(said, json!([{"span": {"start": start, "end": start + 8}, "message": message}]));
    for (text, id) in [
        (r#"db.c.find({specs: {$elemMatch: {"specs.k": "ram"}}})"#, "path-repeated-inside-elemmatch"),
        (r#"db.c.find({"specs.k": "Color"})"#, "key-spelling-variants"),
    ] {
        let (said, ids) = notes(text);
        assert!(said.is_null() && ids.contains(&json!(id)), "{said} {ids:?}");
    }
}

#[test]
fn findings_come_with_the_value_or_the_error() {
    let output = shell(&["--findings", "--eval", "5"], "");
    assert_eq!(json_of(&output.stdout), json!({"value": 5, "findings": []}));
    let output = shell(&["--findings", "--eval", "nothing"], "");
    assert!(json_of(&output.stdout)["error"]["message"].is_string());
}

#[test]
fn a_bad_line_loads_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = folder.path().join("goods.jsonl");
    fs::write(&good, "{\"_id\": 1}\n\n{\"_id\": {\"$numberLong\": \"2\"}}\n").expect("written");
    let good = good.to_str().expect("a plain path");
    let output = shell(&["--json", "--data", good, "--eval", "db.goods.countDocuments()"], "");
    assert_eq!(json_of(&output.stdout), json!(2));
    let named = format!("products={good}");
    let output = shell(&["--json", "--data", &named, "--eval", "db.products.countDocuments()"], "");
    assert_eq!(json_of(&output.stdout), json!(2));
    let bad = folder.path().join("bad.jsonl");
    fs::write(&bad, "{\"_id\": 1}\n{\"_id\": 2,,}\n").expect("written");
    let output = shell(&["--data", bad.to_str().expect("a plain path"), "--eval", "1"], "");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("bad.jsonl, line 2: ") && said.contains("Nothing was loaded."), "{said}");
}

#[test]
fn what_is_piped_is_text_of_a_bounded_size() {
    let said = |stdin: &[u8]| {
        let output = shell(&["--quiet"], stdin);
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    assert_eq!(said("'é'\n".as_bytes()), (Some(0), "é\n".to_owned()));
    assert_eq!(said(b"1\n'\xff'\n"), (Some(2), "pegboard: -, line 2: this is no UTF-8 text.\n".to_owned()));
    let long = vec![b' '; (16 << 20) + 1];
    assert_eq!(said(&long), (Some(2), "pegboard: - cannot be read: it holds more than 16 MiB.\n".to_owned()));
}

#[test]
fn equal_seeds_give_equal_bytes() {
    let run = || {
        shell(
            &[
                "--json",
                "--seed",
                "7",
                "--fixed-clock",
                "2024-01-01T00:00:00Z",
                "--eval",
                "[ObjectId(), Math.random(), new Date()]",
            ],
            "",
        )
    };
    let (one, other) = (run(), run());
    assert_eq!(one.stdout, other.stdout);
    assert_eq!(json_of(&one.stdout)[2], json!({"$date": "2024-01-01T00:00:00Z"}));
}

#[test]
fn files_are_read_with_a_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    let named = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        fs::write(&file, bytes).expect("written");
        file.to_str().expect("a plain path").to_owned()
    };
    let here = folder.path().to_str().expect("a plain path").to_owned();
    let binary = named("binary.jsonl", b"{\"_id\": 1}\n{\"_id\": \"\xff\xfe\"}\n");
    let twice = named("twice.jsonl", b"{\"_id\": 1}\n\n{\"_id\": 2, \"a\": {\"b\": 1, \"b\": 2}}\n");
    let broken = named("broken.jsonl", b"{\"_id\": 1}\n{\"_id\": 2 \"a\": 1}\n");
    let listed = named("listed.jsonl", b"[{\"_id\": 1}, {\"_id\": 2}]\n");
    let again = named("again.jsonl", b"{\"_id\": 1}\r\n\r\n{\"_id\": 1}\r\n");
    let cases: [(&[&str], &str); 10] = [
        (&["--file", "/dev/zero"], "/dev/zero cannot be read: it holds more than 16 MiB."),
        (&["--file", &here], "it is a directory."),
        (&["--file", "nowhere.js"], "nowhere.js cannot be read: "),
        (&["--data", "x=/dev/zero", "--eval", "1"], "/dev/zero cannot be read: it holds more than 256 MiB."),
        (&["--data", &here, "--eval", "1"], "it is a directory."),
        (&["--data", &binary, "--eval", "1"], "binary.jsonl, line 2: this is no UTF-8 text."),
        (&["--data", &twice, "--eval", "1"], "twice.jsonl, line 3: the key `b` is written twice, column "),
        (
            &["--data", &broken, "--eval", "1"],
            "broken.jsonl, line 2: expected `,` or `}`, column 11. Nothing was loaded.",
        ),
        (
            &["--data", &listed, "--eval", "1"],
            "listed.jsonl, line 1: each line holds one document, not an array of them.",
        ),
        (&["--data", &again, "--eval", "1"], "again.jsonl, line 3: E11000 duplicate key error"),
    ];
    for (arguments, said) in cases {
        let output = shell(arguments, "");
        let stderr = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{arguments:?}: {stderr}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
    }
}

#[test]
fn byte_order_marks_are_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("goods.jsonl");
    fs::write(&data, "\u{feff}{\"_id\": 1}\r\n{\"_id\": 2}").expect("written");
    let script = folder.path().join("script.js");
    fs::write(&script, "\u{feff}db.goods.countDocuments()\r\n").expect("written");
    let (data, script) = (data.to_str().expect("a plain path"), script.to_str().expect("a plain path"));
    let output = shell(&["--json", "--data", data, "--file", script], "");
    assert_eq!(json_of(&output.stdout), json!(2), "{}", text(&output.stderr));
}

/// Also where only the program as a whole can be stopped.
#[test]
fn an_endless_script_ends_with_a_limit() {
    let script = "const a = 'x'.repeat(2e7), b = 'x'.repeat(2e7); while (a == b) ;";
    let output = shell(&["--json", "--eval", script], "");
    assert_eq!(output.status.code(), Some(1));
    let error = &json_of(&output.stderr)["error"];
    assert_eq!(error["name"], json!("LimitError"), "{error}");
}

#[test]
fn why_names_the_elements_that_answered() {
    let run = |more: &[&str]| {
        let filter = r#"db.products.find({"specs.k": "ram", "specs.v": {$gt: 10}})"#;
        let output = Command::new(env!("CARGO_BIN_EXE_pegboard"))
            .args(["why", "--lang", "en", "--eval", filter])
            .args(more)
            .output()
            .expect("the program starts");
        (text(&output.stdout), output.status.code())
    };
    let (said, code) = run(&["--id", "2"]);
    assert!(said.starts_with("✓ _id 2 matches.") && said.contains("specs.1.v = 16"), "{said}");
    assert_eq!(code, Some(0));
    let (json, _) = run(&["--id", "1", "--id", "2", "--json"]);
    let json: Value = serde_json::from_str(&json).expect("one JSON document and nothing else");
    assert_eq!((&json["documents"][0]["matches"], &json["documents"][1]["matches"]), (&json!(false), &json!(true)));
    assert_eq!(json["documents"][1]["why"]["parts"][1]["seen"][0]["element"], json!({"array": "specs", "index": 1}));
    assert_eq!(run(&["--id", "no such"]).1, Some(2));
}

/// One flag, one reading and one refusal, whatever the subcommand.
#[test]
fn clocks_are_read_alike() {
    for (clock, fits) in [("2026-01-15T09:30:00Z", true), ("2026-01-15 09:30:00+01:00", true), ("yesterday", false)] {
        let one = shell(&["--fixed-clock", clock, "--eval", "1"], "");
        let other = Command::new(env!("CARGO_BIN_EXE_pegboard"))
            .args(["grade", "X4", "-", "--fixed-clock", clock])
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output()
            .expect("the program runs");
        let refusal = format!("--fixed-clock wants an instant such as 2026-01-15T09:30:00Z, not {clock}.\n");
        for output in [one, other] {
            assert_eq!(text(&output.stderr).ends_with(&refusal), !fits, "{clock}: {}", text(&output.stderr));
        }
    }
}
