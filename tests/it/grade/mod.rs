//! Judging: right answers pass, wrong ones are caught and told why, and nothing a file holds can do harm.

mod answers;
mod command_line;
mod feedback;
mod limits;

use pegboard::course::{Pack, Progress};
use pegboard::grade::{
    Format, Judge, NotSigned, Report, Settings, Signed, Status, Surroundings, Verdict, export, merge, merged_csv,
    read_answer,
};
use pegboard::words::Lang;

fn judged(exercise: &str, text: &str, settings: Settings) -> Report {
    let pack = Pack::built_in().expect("the course reads");
    let exercise = pack.exercise(exercise).expect("the exercise exists");
    Judge::new(exercise, settings).expect("it is ready").grade(text, &mut |_| ())
}

fn graded(exercise: &str, text: &str) -> Report {
    judged(exercise, text, Settings { seed: 1207, clock: 1_768_469_400_000, ..Settings::default() })
}

fn verdicts(report: &Report) -> Vec<(&str, Verdict)> {
    report.checks.iter().map(|row| (row.id.as_str(), row.verdict)).collect()
}

const RIGHT: &str = "db.products.find({attributes: {$all: [{$elemMatch: {k: 'color', v: 'Yellow'}}, {$elemMatch: {k: 'voltage', v: 20}}]}})";
const CROSSED: &str =
    "db.products.find({'attributes.k': {$all: ['color', 'voltage']}, 'attributes.v': {$all: ['Yellow', 20]}})";

#[test]
fn a_right_answer_has_all_points() {
    let report = graded("X3", RIGHT);
    assert_eq!((report.points, report.max_points), (8, 8), "{:?}", verdicts(&report));
    assert_eq!(report.status, Status::Graded);
    assert!(report.counter_example.is_none());
}

#[test]
fn a_wrong_answer_is_shown_the_smallest_case() {
    let report = graded("X3", CROSSED);
    assert!(report.points < report.max_points);
    let found = report.counter_example.expect("one product is enough to differ");
    let [one] = found.documents.as_slice() else { panic!("one document is enough: {found:?}") };
    let (keys, values) = (one.matches("k: ").count(), one.matches("v: ").count());
    assert!(keys <= 3 && keys == values, "nothing more can be taken away, and every pair is whole: {one}");
    assert_ne!(found.expected, found.actual);
}

#[test]
fn right_on_the_shown_data_only_is_partly_right() {
    let report = graded("X3", "db.products.find({_id: {$in: [1, 4]}})");
    let ids = report.checks.iter().find(|row| row.id == "ids").expect("the check exists");
    assert_eq!((ids.verdict, ids.points), (Verdict::Partial, 1));
    assert!(ids.expected.is_empty() && ids.actual.is_empty(), "hidden data are not told");
}

#[test]
fn a_check_whose_need_fails_is_skipped() {
    let report = graded("X3", "db.products.find({})");
    assert_eq!(report.status, Status::NotAttempted);
    let report = graded("X3", "db.products.find({_id: 1})");
    assert!(verdicts(&report).contains(&("index", Verdict::Skipped)));
    let skipped = report.checks.iter().filter(|row| row.verdict == Verdict::Skipped && row.needs.is_some());
    assert!(skipped.clone().all(|row| row.hint.is_empty() && row.message.starts_with("Not judged")));
}

#[test]
fn an_answer_that_does_nothing_has_no_points() {
    let pack = Pack::built_in().expect("the course reads");
    for exercise in &pack.exercises {
        let judge = Judge::new(exercise, Settings { counter_examples: false, ..Settings::default() });
        let report = judge.expect("it is ready").grade("null; []", &mut |_| ());
        assert_eq!(report.points, 0, "{}: {:?}", exercise.spec.id, verdicts(&report));
    }
}

#[test]
fn a_plan_is_judged_of_the_search_that_gave_the_answer() {
    let wanted = "db.bikes.find({specs: {$elemMatch: {k: 'frame', v: 'carbon'}}})";
    let decoy = format!(
        "const all = db.bikes.find({{}}).toArray();
        const found = all.filter(bike => bike.specs.some(spec => spec.k === 'frame' && spec.v === 'carbon'));
        {}.toArray(); found",
        wanted.replace("carbon", "none")
    );
    let keys = |text: &str| graded("X6", text).checks.into_iter().find(|row| row.id == "keys").map(|row| row.verdict);
    assert_eq!(keys(&decoy), Some(Verdict::Fail));
    assert_eq!(
        keys(&format!("const found = {wanted}.toArray(); db.bikes.find().limit(1).toArray(); found")),
        Some(Verdict::Pass)
    );
}

#[test]
fn answers_that_could_hold_the_grader_up_are_judged() {
    for text in [
        "db.products.find({'attributes.v': NaN})",
        "const a = []; a.length = 3e9; db.products.find({attributes: {$in: a}})",
        "db.products.find({_id: {$in: Array.from({length: 100000}, (_, i) => i + 100)}})",
    ] {
        let report = graded("X3", text);
        assert_eq!((report.status, report.points), (Status::Graded, 0), "{text}: {:?}", verdicts(&report));
        assert!(!report.findings.iter().any(|id| id == "cross-element-match"), "{text}: {:?}", report.findings);
    }
}

#[test]
fn a_text_that_stops_is_placed() {
    let report = graded("X3", "const x = 1\ndb.products.find({price: {$gth: 1}})");
    assert!(report.checks[0].message.starts_with("Line 2, column "), "{}", report.checks[0].message);
    assert!(report.checks[1..].iter().all(|row| row.verdict == Verdict::Skipped));
    let report = graded("X3", "db.products.find({");
    assert_eq!(report.checks[0].verdict, Verdict::Fail);
    assert!(report.counter_example.is_none(), "nothing was judged that could differ");
}

#[test]
fn files_that_are_no_answer_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("binary.js"), b"db\x00\xff").expect("a file can be written");
    std::fs::write(at("huge.js"), vec![b' '; 300 * 1024]).expect("a file can be written");
    std::fs::write(at("good.js"), "\u{feff}db").expect("a file can be written");
    let status = |name: &str| read_answer(&at(name), name, Lang::En).map_err(|error| error.status);
    assert_eq!(status("good.js"), Ok("db".to_owned()));
    assert_eq!(status("none.js"), Err(Status::NotAttempted));
    assert_eq!(status("binary.js"), Err(Status::Ungradable));
    assert_eq!(status("huge.js"), Err(Status::Ungradable));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(at("good.js"), at("link.js")).expect("a link can be made");
        assert_eq!(status("link.js"), Err(Status::Ungradable));
    }
}

#[test]
fn equal_input_gives_equal_bytes_in_every_format() {
    let (first, second) = (graded("X3", CROSSED), graded("X3", CROSSED));
    for format in [
        Format::Text,
        Format::Json,
        Format::Junit,
        Format::Gradescope,
        Format::Classroom50,
        Format::Github,
        Format::Exercism,
        Format::Check50,
        Format::PrairieLearn,
        Format::Ctrf,
        Format::Csv,
    ] {
        let write = |report: &Report| export(format, std::slice::from_ref(report), &Surroundings::default());
        assert_eq!(write(&first), write(&second), "{format:?}");
    }
}

#[test]
fn the_built_in_course_is_proven() {
    let pack = Pack::built_in().expect("the course reads");
    let problems: Vec<String> = pegboard::grade::prove(&pack, 7, &|_| ()).iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_class_merges_in_any_order_and_an_altered_file_is_seen() {
    let with = |points: u32| {
        let mut progress = Progress::default();
        progress.exercises.entry("X1".into()).or_default().attempt(points, 8);
        progress
    };
    let (ada, ben, again) =
        (Signed::new("Ada", &with(5), "k"), Signed::new("Ben", &with(8), "k"), Signed::new("Ada", &with(7), "k"));
    let one = merge(vec![ada.clone(), ben.clone(), again.clone()]);
    let other = merge(vec![again, ben.clone(), ada.clone()]);
    assert_eq!(merged_csv(&one), merged_csv(&other));
    assert_eq!(merged_csv(&one), "student,lessons,points,max_points,X1\nAda,0,7,8,7\nBen,0,8,8,8\n");
    assert_eq!(Signed::read(&ben.to_json(), "k"), Ok(ben.clone()));
    assert_eq!(Signed::read(&ada.to_json().replace("\"Ada", "\"Bda"), "k"), Err(NotSigned::Altered));
    assert_eq!(Signed::read(&ben.to_json(), "other"), Err(NotSigned::Altered));
    let newer = ben.to_json().replace("progress/v1", "progress/v2");
    assert_eq!(Signed::read(&newer, "k"), Err(NotSigned::Version("pegboard/progress/v2".into())));
    for damaged in ["", "{", "[1]", &ben.to_json()[..40]] {
        assert_eq!(Signed::read(damaged, "k"), Err(NotSigned::Damaged), "{damaged}");
    }
}

#[test]
fn hostile_names_and_long_outputs_do_no_harm_to_any_format() {
    let mut report = graded("X3", CROSSED);
    let hostile = "\u{1b}[31mred\u{0}\u{ffff} ]]> <b>&\"'\r\n 😀 =1+1";
    report.student = hostile.into();
    report.title = hostile.into();
    for row in &mut report.checks {
        row.name = hostile.into();
        row.message = hostile.repeat(2_000);
        row.actual = hostile.repeat(2_000);
    }
    let write = |format| export(format, std::slice::from_ref(&report), &Surroundings::default());
    let xml = write(Format::Junit);
    let is_legal = |letter: char| matches!(letter, '\n' | '\t') || !letter.is_control() && letter != '\u{ffff}';
    assert!(xml.chars().all(is_legal) && !xml.contains("]]>") && !xml.contains("<b>"));
    assert!(xml.contains("…\""), "long texts are cut with a mark");
    let json = [Format::Json, Format::Gradescope, Format::Classroom50, Format::Exercism, Format::Check50];
    for format in json.into_iter().chain([Format::PrairieLearn, Format::Ctrf]) {
        let text = write(format);
        serde_json::from_str::<serde_json::Value>(&text).expect("it is JSON");
        assert!(!text.contains('\u{1b}'), "{format:?}");
    }
    assert!(write(Format::Csv).lines().count() >= 2);
    assert!(!write(Format::Text).contains('\u{1b}'), "a terminal is told no escape sequences");
}
