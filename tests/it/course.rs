//! The formats of the course: lessons, exercises, packs, progress.

use std::fs;

use pegboard::course::{
    Calibration, Confidence, Files, MAX_FILE_BYTES, Pack, Prediction, Progress, ProgressFile, Slip,
};
use pegboard::words::Lang;

fn pack_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    fs::create_dir_all(folder.path().join("exercises")).expect("a folder can be made");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    folder
}

const MANIFEST: &str =
    "format = 1\nid = \"p\"\nversion = \"1\"\ntitle = { en = \"P\" }\nlessons = [\"a\"]\nexercises = []\n";

/// The faults of a pack with one lesson, as they print.
fn faults(lesson: &str) -> Vec<String> {
    let folder = pack_with(&[("lessons/pack.toml", MANIFEST), ("lessons/a.md", lesson)]);
    let problems = Pack::open(folder.path()).expect_err("the lesson has a fault");
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn the_built_in_course_reads() {
    let pack = Pack::built_in().unwrap_or_else(|problems| {
        panic!("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    });
    assert!(pack.lesson("idea").is_some_and(|lesson| lesson.de.is_some()));
    let exercise = pack.exercise("x3").expect("X3 exists");
    assert_eq!(exercise.title(Lang::De), "Gelb und 20 V");
}

#[test]
fn faults_of_a_lesson_are_placed() {
    let front = "+++\nid = \"a\"\ntitle = \"A\"\n+++\n";
    assert_eq!(faults("# A\n"), ["lessons/a.md:1:1: a lesson begins with front matter between two lines of `+++`"]);
    assert_eq!(
        faults(&format!("{front}# One\n```js run retuns=3\nx\n```\n")),
        [
            "lessons/a.md:6:11: `retuns` is no claim; known are returns, ids, prints, stage, no-stage, index, keys, docs, \
          bounds, finding, no-finding, error, changed"
        ]
    );
    assert_eq!(faults(&format!("{front}text\n")), ["lessons/a.md:5:1: a step begins with a heading, `# …`"]);
    assert_eq!(
        faults(&format!("{front}# One\n```js run returns=many\nx\n```\n")),
        ["lessons/a.md:6:11: `returns` needs a whole number, not `many`"]
    );
    assert_eq!(faults(&format!("{front}# One\n```js run\nx\n")), ["lessons/a.md:6:1: this fence is never closed"]);
    assert!(
        faults("+++\nid = \"a\"\ntitel = \"A\"\n+++\n# A\n")[0].starts_with("lessons/a.md:3:1: unknown field `titel`")
    );
    let predict = format!("{front}# One\n```predict\nask = \"?\"\nof = \"kees\"\nrun = \"\"\n```\n");
    assert!(faults(&predict)[0].starts_with("lessons/a.md:8:6: unknown variant `kees`"), "{:?}", faults(&predict));
}

#[test]
fn a_pack_with_a_huge_file_or_a_link_is_refused() {
    let huge = "x".repeat(usize::try_from(MAX_FILE_BYTES).expect("small") + 1);
    let folder = pack_with(&[("lessons/pack.toml", MANIFEST), ("lessons/a.md", &huge)]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/hostname", folder.path().join("lessons/b.md")).expect("a link can be made");
    let problems = Files::read(folder.path()).expect_err("the pack is refused");
    assert!(problems[0].to_string().starts_with("lessons/a.md: 262145 bytes"));
    #[cfg(unix)]
    assert_eq!(problems[1].to_string(), "lessons/b.md: a pack holds no links");
}

#[test]
fn a_damaged_progress_file_is_set_aside() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = ProgressFile::new(folder.path().join("deep/progress.json"));
    file.update(|progress| progress.at = "idea".into()).expect("progress can be written");
    assert_eq!(file.open().expect("progress can be read").progress.at, "idea");
    fs::write(file.path(), "{\"format\": 1, \"at\":").expect("a file can be written");
    let opened = file.open().expect("a damaged file is no error");
    assert_eq!(opened.progress, Progress::default());
    let aside = opened.set_aside.expect("the damaged file is named");
    assert_eq!(fs::read_to_string(aside).expect("it is still there"), "{\"format\": 1, \"at\":");
}

#[test]
fn the_built_in_course_is_whole() {
    let pack = Pack::built_in().expect("the course reads");
    let problems: Vec<String> = pack.inspect().iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn no_other_confidence_earns_more_than_the_true_one() {
    for percent in 0..=100_u32 {
        let chance = f64::from(percent) / 100.0;
        let earns = |level: &Confidence| chance * f64::from(level.gain()) - (1.0 - chance) * f64::from(level.loss());
        let best = Confidence::ALL.iter().map(earns).fold(f64::MIN, f64::max);
        for level in Confidence::ALL.iter().filter(|level| {
            let (low, high) = level.fits();
            (low..=high).contains(&percent)
        }) {
            assert!(earns(level) + 0.02 > best, "{level:?} at {percent} %");
        }
    }
}

#[test]
fn calibration_counts_by_confidence() {
    let made =
        |confidence: Confidence, right| Prediction { confidence: confidence.number(), right, ..Prediction::default() };
    let levels =
        Calibration::of(&[made(Confidence::High, true), made(Confidence::High, false), made(Confidence::Low, true)]);
    assert_eq!(levels.map(Calibration::percent), [Some(100), None, Some(50)]);
}

#[test]
fn slips_come_back_after_growing_intervals() {
    let mut slip = Slip::default();
    slip.made("X3", "text", 100);
    assert_eq!((slip.due, slip.count), (101, 1));
    let dues: Vec<i64> = (0..3)
        .map(|_| {
            slip.passed(slip.due);
            slip.interval
        })
        .collect();
    assert_eq!(dues, [2, 4, 8]);
    slip.made("X4", "text", 200);
    assert_eq!((slip.due, slip.interval, slip.count), (201, 1, 2));
    (0..20).for_each(|_| slip.passed(0));
    assert_eq!(slip.due, 180);
}
