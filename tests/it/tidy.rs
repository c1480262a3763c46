//! The house rules, checked on the source itself.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a source folder can be listed") {
        let path = entry.expect("a source entry can be read").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

fn rooms() -> Vec<String> {
    let list = fs::read_to_string("src/lib.rs").expect("src/lib.rs exists");
    list.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).map(str::to_owned).collect()
}

/// Room names that a file's code mentions behind `crate::`; comments may point anywhere.
fn mentioned(text: &str) -> Vec<(usize, String)> {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    text.lines()
        .enumerate()
        .flat_map(|(number, line)| {
            let line = code(line);
            line.match_indices("crate::")
                .map(|(at, found)| {
                    let rest = &line[at + found.len()..];
                    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                    (number + 1, rest[..end].to_owned())
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn imports_go_one_way() {
    let rank: HashMap<String, usize> = rooms().into_iter().enumerate().map(|(rank, room)| (room, rank)).collect();
    let mut wrong = Vec::new();
    for (room, own) in &rank {
        let mut files = Vec::new();
        rust_files(&Path::new("src").join(room), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("a source file is text");
            for (line, other) in mentioned(&text) {
                match rank.get(&other) {
                    Some(theirs) if theirs <= own => {}
                    _ => wrong.push(format!("{}:{line} imports {other}", file.display())),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "a room imports only from rooms above it:\n{}", wrong.join("\n"));
}

#[test]
fn every_room_is_listed_and_has_a_door() {
    let listed = rooms();
    for entry in fs::read_dir("src").expect("src exists") {
        let path = entry.expect("a source entry can be read").path();
        if path.is_dir() {
            let room = path.file_name().and_then(|name| name.to_str()).expect("room names are text").to_owned();
            assert!(listed.contains(&room), "src/{room} is not listed in lib.rs");
            let door = fs::read_to_string(path.join("mod.rs")).expect("a room has a mod.rs");
            assert!(door.starts_with("//! "), "src/{room}/mod.rs says its purpose first");
        }
    }
}

/// Libraries of a surface, each with the one room that may know it.
const OWNED: [(&str, &str); 20] = [
    ("annotate_snippets", "shell"),
    ("anyhow", "cli"),
    ("clap", "cli"),
    ("clap_complete", "cli"),
    ("clap_mangen", "cli"),
    ("crossterm", "tui"),
    ("etcetera", "cli"),
    ("flate2", "course"),
    ("icu_collator", "query"),
    ("imbl", "store"),
    ("include_dir", "cli"),
    ("nucleo_matcher", "tui"),
    ("pulldown_cmark", "tui"),
    ("ratatui", "tui"),
    ("ratatui_textarea", "tui"),
    ("rquickjs", "shell"),
    ("sha2", "grade"),
    ("syntect", "shell"),
    ("tree_sitter", "shell"),
    ("tree_sitter_javascript", "shell"),
];

#[test]
fn a_library_of_a_surface_has_one_room() {
    let mut wrong = Vec::new();
    for room in rooms() {
        let mut files = Vec::new();
        rust_files(&Path::new("src").join(&room), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("a source file is text");
            let foreign = OWNED.iter().filter(|(library, owner)| *owner != room && names(&text, library));
            wrong.extend(foreign.map(|(library, owner)| format!("{} names {library} of {owner}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "a library of a surface has one room:\n{}", wrong.join("\n"));
}

/// Whether code, not a comment, goes into a library by its name.
fn names(text: &str, library: &str) -> bool {
    let path = format!("{library}::");
    let starts = |line: &str, at: usize| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':')
    };
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.into_iter().any(|line| line.match_indices(&path).any(|(at, _)| starts(line, at)))
}

/// What reads the machine's clock, its files or its environment.
const OUTSIDE: [&str; 6] = ["Instant", "SystemTime", "DateTime::now", "Timestamp::now", "std::fs", "std::env"];

/// Up to `pitfall` clock, files and chance arrive as arguments; `Source` is the clock, and a script's limits count its time.
#[test]
fn equal_inputs_give_equal_bytes() {
    let mut wrong = Vec::new();
    let below = rooms().into_iter().take_while(|room| room != "course");
    for room in below {
        let mut files = Vec::new();
        rust_files(&Path::new("src").join(room), &mut files);
        files.retain(|file| !file.ends_with("value/source.rs") && !file.ends_with("shell/limits.rs"));
        for file in files {
            let text = fs::read_to_string(&file).expect("a source file is text");
            let code = |line: &&str| !line.trim_start().starts_with("//");
            let reads = |line: &&str| OUTSIDE.iter().any(|name| line.contains(name));
            wrong.extend(text.lines().filter(code).filter(reads).map(|line| format!("{}: {line}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "clock, files and environment arrive as arguments:\n{}", wrong.join("\n"));
}
