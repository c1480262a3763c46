//! `tests/golden/*.md`: whole sessions, each statement with what the shell prints. `UPDATE_GOLDEN=1` writes the answers anew.

use std::fmt::Write as _;
use std::fs;

use pegboard::engine::Database;
use pegboard::shell::{Limits, Shell};
use pegboard::value::Source;

fn answer(shell: &mut Shell<Database>, text: &str) -> String {
    let outcome = shell.run(text);
    let mut out = outcome.printed.iter().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{line}");
        out
    });
    match &outcome.value {
        Ok(shown) => out.push_str(&shown.print(false)),
        Err(failure) => out.push_str(&failure.render(text, false)),
    }
    for note in &outcome.notes {
        let _ = write!(out, "\n{}", note.render(text, false));
    }
    out.trim().to_owned()
}

/// The page with the answer behind each `js` block as the shell gives it now.
fn played(page: &str) -> String {
    let mut shell = Shell::new(Database::new(Source::seeded(1).with_clock(1_700_000_000_000)), Limits::default());
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("```js\n") {
        let (code, behind) = after.split_once("```\n").expect("a block is closed");
        let _ = write!(out, "{before}```js\n{code}```\n");
        let answer = answer(&mut shell, code.trim_end());
        if !answer.is_empty() {
            let _ = write!(out, "\n```text\n{answer}\n```\n");
        }
        rest = match behind.strip_prefix("\n```text\n") {
            Some(old) => old.split_once("```\n").expect("an answer is closed").1,
            None => behind,
        };
    }
    out + rest
}

#[test]
fn sessions_answer_as_written() {
    let mut pages: Vec<_> =
        fs::read_dir("tests/golden").expect("the sessions are there").flatten().map(|entry| entry.path()).collect();
    pages.sort();
    for path in pages.iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let page = fs::read_to_string(path).expect("a session is text");
        let now = played(&page);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(path, &now).expect("a session can be written");
        }
        assert_eq!(now, page, "{}", path.display());
    }
}
