//! Right answers of every kind have all points, and answers that are wrong in a subtle way have not.

use std::path::Path;

use pegboard::course::Pack;
use pegboard::grade::{Judge, Report, Settings, Status, Verdict};

/// Graded answers of the files whose names end so: exercise, number of the answer in its file, report.
fn answers(kind: &str) -> Vec<(String, usize, Report)> {
    let folder = Path::new("tests/answers");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the answers are there").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    let pack = Pack::built_in().expect("the course reads");
    let mut graded = Vec::new();
    for file in files {
        let name = file.file_name().to_string_lossy().into_owned();
        let Some(exercise) = name.strip_suffix(&format!(".{kind}.js")) else { continue };
        let known = pack.exercise(exercise).expect("the exercise exists");
        let judge =
            Judge::new(known, Settings { counter_examples: false, ..Settings::default() }).expect("it is ready");
        let text = std::fs::read_to_string(file.path()).expect("an answer is text");
        for (number, answer) in (1..).zip(text.split("//----\n")) {
            graded.push((exercise.to_owned(), number, judge.grade(answer, &mut |_| ())));
        }
    }
    graded
}

fn told(report: &Report) -> Vec<String> {
    let failed = report.checks.iter().filter(|row| row.verdict != Verdict::Pass);
    failed
        .map(|row| format!("{}: {} (expected {}, actual {})", row.id, row.message, row.expected, row.actual))
        .collect()
}

#[test]
fn right_answers_of_every_kind_are_right() {
    for (exercise, number, report) in answers("right") {
        assert_eq!(report.points, report.max_points, "{exercise} {number}: {:#?}", told(&report));
    }
}

#[test]
fn subtly_wrong_answers_are_not_right() {
    for (exercise, number, report) in answers("wrong") {
        assert!(report.points < report.max_points, "{exercise} {number} is taken for right");
        let says_why = report.checks.iter().any(|row| row.points < row.max_points && !row.message.is_empty());
        assert!(says_why, "{exercise} {number}");
        assert_ne!(report.status, Status::Ungradable, "{exercise} {number}: {}", report.message);
    }
}
