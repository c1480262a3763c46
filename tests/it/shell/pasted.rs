//! The questions' statements in the forms that people paste them in: whatever the form, the answer is the same.

use std::fs;

use pegboard::engine::Database;
use pegboard::shell::{Limits, Shell};
use pegboard::value::Source;
use serde::Deserialize;

#[derive(Deserialize)]
struct Question {
    setup: Vec<String>,
    wrong: String,
    script: String,
}

fn questions() -> Vec<Question> {
    let files = fs::read_dir("tests/questions").expect("the questions are there").flatten().map(|entry| entry.path());
    let json = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let read = |path| -> Vec<Question> {
        serde_json::from_str(&fs::read_to_string(path).expect("a file of questions")).expect("questions")
    };
    json.flat_map(read).collect()
}

/// What a text prints, or how it fails, on a fresh database with the setup run.
fn answer(setup: &[String], text: &str) -> String {
    let mut shell = Shell::new(Database::new(Source::seeded(1).with_clock(0)), Limits::default());
    for statement in setup {
        let outcome = shell.run(statement);
        assert!(outcome.value.is_ok(), "{statement}: {:?}", outcome.value);
    }
    let outcome = shell.run(text);
    let value = match outcome.value {
        Ok(shown) => shown.print(false),
        Err(failure) => format!("{}: {}", failure.class(), failure.message),
    };
    // How long a plan took is no part of the answer.
    let value: Vec<&str> = value.lines().filter(|line| !line.contains("executionTimeMillis")).collect();
    format!("{}\n{}", outcome.printed.join("\n"), value.join("\n"))
}

/// A line is broken before each method of the outer chain, as editors lay it out.
fn dotted(text: &str) -> String {
    let mut depth = 0_i32;
    let mut out = String::new();
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'' | '`' | '/') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, '.') if depth == 0 && out.ends_with(')') => out.push_str("\n    "),
            _ => {}
        }
        out.push(letter);
    }
    out
}

#[test]
fn odd_forms_answer_alike() {
    for question in questions() {
        for text in [&question.wrong, &question.script] {
            let plain = answer(&question.setup, text);
            let forms = [
                format!("{text};"),
                format!("  {text} ;; \r\n"),
                format!("\r\n{}\r\n", text.replace('\n', "\r\n")),
                format!("// first\n/* and\n more */ {text} // behind"),
                format!("\u{feff}\u{a0}{text}\u{a0}\u{2003}"),
                format!("\n\n\t{}", dotted(text)),
            ];
            for form in forms {
                assert_eq!(answer(&question.setup, &form), plain, "{form:?}");
            }
        }
    }
}
