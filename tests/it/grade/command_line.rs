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

#[test]
fn a_second_answer_to_an_exercise_counts_nothing() {
    let folder = class();
    fs::write(folder.path().join("ada/x4.js"), RIGHT).expect("a file can be written");
    for arguments in
        [&["grade", "--all", ".", "--format", "csv"][..], &["grade", "--submission", "ada", "--format", "csv"]]
    {
        let output = pegboard(arguments, folder.path());
        let (table, left) = (told(&output.stdout), told(&output.stderr));
        assert!(left.contains("x4.js") && left.contains("a second one"), "{left}");
        assert_eq!(table.lines().count(), 2, "the head and one answer: {table}");
    }
}

#[test]
fn the_exercises_asked_for_stand_in_a_class_too() {
    let folder = class();
    fs::create_dir(folder.path().join("bob")).expect("a folder can be made");
    let output = pegboard(&["grade", "--all", ".", "--exercises", "X3,x4", "--format", "csv"], folder.path());
    let table = told(&output.stdout);
    assert_eq!(table.lines().count(), 5, "two students, two exercises: {table}");
    fs::write(folder.path().join("bob/X3.js"), "while (true) {}").expect("a file can be written");
    let output = pegboard(&["grade", "--all", ".", "--exercises", "X3,X4"], folder.path());
    let table = told(&output.stdout);
    for part in [
        "ada  X3       –/8  not attempted: ",
        "ada  X4       5/5",
        "bob  X3       –/8  could not grade: ",
        "2 answers of 2 students",
    ] {
        assert!(table.contains(part), "{part} in {table}");
    }
    let output = pegboard(&["grade", "--all", ".", "--exercises", "X99"], folder.path());
    assert_eq!(output.status.code(), Some(2), "{}", told(&output.stderr));
    let output = pegboard(&["grade", "--submission", "ada", "--reports", "kept"], folder.path());
    assert_eq!(output.status.code(), Some(2), "an option that means nothing is refused");
}

#[test]
fn a_starter_is_not_attempted_and_not_ungradable() {
    let folder = class();
    let starter = fs::read_to_string("exercises/x06/starter.js").expect("X6 has a starter");
    fs::create_dir(folder.path().join("eve")).expect("a folder can be made");
    fs::write(folder.path().join("eve/X6.js"), starter).expect("a file can be written");
    let output = pegboard(&["grade", "--submission", "eve", "--exercises", "X6"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", told(&output.stderr));
    let output = pegboard(&["grade", "--submission", "eve", "--exercises", "X6", "--fail-below", "1"], folder.path());
    assert_eq!(output.status.code(), Some(1), "{}", told(&output.stderr));
}

/// Where the pack of the screens' tests lies.
fn pack() -> String {
    format!("{}/tests/it/tui/pack", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_command_that_is_named_names_the_pack() {
    let folder = class();
    let (pack, none) = (pack(), String::new());
    let named = format!("pegboard grade --pack {pack} X3 FILE");
    let read = told(&pegboard(&["exercise", "--pack", &pack, "X3"], folder.path()).stdout);
    assert!(read.contains(&named) && read.contains(&format!("pegboard exercise --pack {pack} X3 --hint 1")), "{read}");
    assert!(told(&pegboard(&["exercise", "X3"], folder.path()).stdout).contains(&format!("grade{none} X3 FILE")));
    for wrong in [&["lesson", "--pack", &pack, "none"][..], &["grade", "--pack", &pack, "none", "file"]] {
        let output = pegboard(wrong, folder.path());
        assert_eq!(output.status.code(), Some(2));
        assert!(told(&output.stderr).contains(&format!("--pack {pack}` lists")), "{}", told(&output.stderr));
    }
}

#[test]
fn the_app_opens_a_pack_and_keeps_its_progress_apart() {
    let folder = class();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pegboard"));
        command.args(arguments).current_dir(folder.path()).env("LC_ALL", "C").stdin(std::process::Stdio::null());
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(name, folder.path());
        }
        command.output().expect("the program runs")
    };
    let output = run(&["--pack", &pack()]);
    assert!(told(&output.stdout).contains("Three products"), "{}", told(&output.stdout));
    let kept = fs::read_to_string(folder.path().join("pegboard/progress-screens.json")).expect("progress is kept");
    assert!(kept.contains("\"pack\": \"screens\""), "{kept}");
    let exported = told(&run(&["progress", "--pack", &pack(), "export", "--name", "Ada"]).stdout);
    assert!(exported.contains("screens"), "{exported}");
    assert_eq!(run(&["--pack", "no/such"]).status.code(), Some(2));
    assert_eq!(run(&["--plain", "lessons"]).status.code(), Some(2), "an option that means nothing is refused");
}

#[test]
fn the_answers_of_a_lesson_have_its_numbers() {
    let folder = class();
    let read = told(&pegboard(&["lesson", "index", "--step", "5", "--answers"], folder.path()).stdout);
    assert!(read.contains("Answer: specs.k_1_specs.v_1"), "{read}");
}

#[test]
fn a_slip_of_syntax_is_told_in_the_language_asked_for() {
    let folder = class();
    fs::write(folder.path().join("two.js"), "db.products.find() db.products.find()").expect("a file can be written");
    let report = told(&pegboard(&["grade", "--lang", "de", "X4", "two.js"], folder.path()).stdout);
    assert!(report.contains("Zwei Anweisungen in einer Zeile"), "{report}");
}
