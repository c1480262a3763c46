//! `pegboard grade` as a process: exit codes, what is left out, where a report goes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn pegboard(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pegboard"));
    command.args(arguments).current_dir(folder).env("LC_ALL", "C").output().expect("the program runs")
}

fn told(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const RIGHT: &str = "db.products.find({specs: {$elemMatch: {k: 'ram', v: 16}}})";

/// A folder `ada` with a right answer, an endless one and a file named after no exercise.
fn class() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let ada = folder.path().join("ada");
    fs::create_dir(&ada).expect("a folder can be made");
    for (name, text) in [("X4.js", RIGHT), ("X33.js", RIGHT)] {
        fs::write(ada.join(name), text).expect("a file can be written");
    }
    folder
}

#[test]
fn an_answer_that_cannot_be_graded_is_told_by_the_exit_code() {
    let folder = class();
    let submission = ["grade", "--submission", "ada", "--student", "Ada"];
    let output = pegboard(&submission, folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", told(&output.stderr));
    assert!(told(&output.stderr).contains("X33.js"), "a name with a slip is told: {}", told(&output.stderr));
    assert!(told(&output.stdout).starts_with("Ada\n"));
    fs::write(folder.path().join("ada/X3.js"), "while (true) {}").expect("a file can be written");
    let output = pegboard(&submission, folder.path());
    assert_eq!(output.status.code(), Some(3));
    assert!(told(&output.stdout).contains("In all: 5 of 13 points"), "{}", told(&output.stdout));
    let output = pegboard(&["grade", "--all", "."], folder.path());
    assert_eq!(output.status.code(), Some(0), "in a class one bad answer is a row of the table");
    assert!(told(&output.stdout).contains("Points in all:"), "{}", told(&output.stdout));
}

#[test]
fn a_missing_file_is_named_as_it_was_given() {
    let folder = class();
    let output = pegboard(&["grade", "X4", "no/such.js"], folder.path());
    assert_eq!(output.status.code(), Some(3));
    assert!(told(&output.stdout).contains("no/such.js"), "{}", told(&output.stdout));
}

#[test]
fn a_report_never_replaces_the_answer() {
    let folder = class();
    let output = pegboard(&["grade", "X4", "ada/X4.js", "--out", "ada/../ada/X4.js"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("ada/X4.js")).expect("it is there"), RIGHT);
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_a_device_stays() {
    let folder = class();
    fs::write(folder.path().join("kept.txt"), "").expect("a file can be written");
    std::os::unix::fs::symlink("kept.txt", folder.path().join("link")).expect("a link can be made");
    for out in ["link", "/dev/null"] {
        let output = pegboard(&["grade", "X4", "ada/X4.js", "--out", out], folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", told(&output.stderr));
    }
    assert!(fs::symlink_metadata(folder.path().join("link")).is_ok_and(|meta| meta.is_symlink()));
    assert!(fs::read_to_string(folder.path().join("kept.txt")).is_ok_and(|text| text.contains("5 of 5")));
    assert!(fs::metadata("/dev/null").is_ok_and(|meta| !meta.is_file()));
}

#[test]
fn the_manual_page_has_every_command_with_its_options() {
    let folder = class();
    let page = told(&pegboard(&["man"], folder.path()).stdout);
    for part in [".SH \"pegboard grade\"", "fail\\-below", ".SH \"pegboard progress merge\"", ".SH \"pegboard shell\""]
    {
        assert!(page.contains(part), "{part} is missing");
    }
}
