//! The formats of the course: lessons, exercises, packs, progress.

use std::collections::BTreeSet;
use std::fs;

use pegboard::course::{
    Block, Calibration, CheckKind, Claim, Confidence, Files, MAX_FILE_BYTES, Pack, Prediction, Progress, ProgressFile,
    Slip,
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
    slip.passed(200);
    slip.passed(200);
    slip.passed(201);
    assert_eq!((slip.due, slip.interval), (202, 2), "a second time before its day proves nothing");
    (0..20).for_each(|_| slip.passed(slip.due));
    assert_eq!(slip.interval, 180);
}

/// The built-in course with its pack of lessons and exercises.
fn built_in() -> Pack {
    Pack::built_in().expect("the course reads")
}

#[test]
fn every_requirement_of_the_syllabus_is_covered() {
    let pack = built_in();
    let covered: BTreeSet<&str> = pack.lessons.iter().flat_map(|lesson| &lesson.covers).map(String::as_str).collect();
    let wanted: Vec<String> = (1..=63).map(|number| format!("R{number}")).collect();
    assert_eq!(covered, wanted.iter().map(String::as_str).collect());
    let exercises: Vec<&str> = pack.exercises.iter().map(|exercise| exercise.spec.id.as_str()).collect();
    assert_eq!(exercises, (1..=32).map(|number| format!("X{number}")).collect::<Vec<_>>());
}

#[test]
fn the_thirty_heaviest_pitfalls_are_met() {
    let pack = built_in();
    let claims = |block: &Block| match block {
        Block::Code(code) => code.claims.clone(),
        Block::Predict(predict) => predict.claims.clone(),
        _ => Vec::new(),
    };
    let blocks = pack.lessons.iter().flat_map(|lesson| &lesson.en.steps).flat_map(|step| &step.blocks);
    let claimed = blocks.flat_map(claims).filter_map(|claim| match claim {
        Claim::Finding(id) => Some(id),
        _ => None,
    });
    let caught = pack.exercises.iter().flat_map(|exercise| &exercise.wrong).flat_map(|answer| answer.caught_by.clone());
    let judged = pack.exercises.iter().flat_map(|exercise| &exercise.spec.checks).flat_map(|check| match &check.kind {
        CheckKind::Findings { none, some, .. } => [none.as_slice(), some.as_slice()].concat(),
        _ => Vec::new(),
    });
    let met: BTreeSet<String> = claimed.chain(caught).chain(judged).collect();
    let mut all: Vec<_> = pegboard::pitfall::table().collect();
    all.sort_by_key(|pitfall| std::cmp::Reverse(pitfall.weight));
    let missing: Vec<&str> = all.iter().take(30).map(|pitfall| pitfall.id).filter(|id| !met.contains(*id)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_exercise_stands_behind_the_lessons_it_needs() {
    let pack = built_in();
    for exercise in &pack.exercises {
        assert!(!exercise.spec.lessons.is_empty(), "{} says what it needs", exercise.spec.id);
        assert!(exercise.solutions.len() >= 3 && exercise.wrong.len() >= 3 && exercise.hints.len() == 3);
    }
}

/// The faults of a pack of these files beside a manifest with one lesson `a`.
fn pack_faults(manifest: &str, files: &[(&str, &str)]) -> Vec<String> {
    let folder = pack_with(&[&[("lessons/pack.toml", manifest)], files].concat());
    let problems = match Pack::open(folder.path()) {
        Ok(pack) => pack.inspect(),
        Err(problems) => problems,
    };
    problems.iter().map(ToString::to_string).collect()
}

const LESSON: &str = "+++\nid = \"a\"\ntitle = \"A\"\n+++\n# One\ntext\n";

#[test]
fn what_no_manifest_lists_and_what_it_lists_twice_is_a_fault() {
    let twice = MANIFEST.replace("[\"a\"]", "[\"a\", \"a\", \"../b\"]");
    let faults =
        pack_faults(&twice, &[("lessons/a.md", LESSON), ("lessons/lost.md", LESSON), ("exercises/x9/task.md", "t")]);
    for fault in [
        "lessons/pack.toml:5:12: `a` is listed twice among the lessons",
        "lessons/pack.toml:5:22: `../b` is no name: use a-z, 0-9, `-` and `_`",
        "lessons/lost.md: lessons/pack.toml does not list this, so nobody would see it",
        "exercises/x9/task.md: lessons/pack.toml does not list this, so nobody would see it",
    ] {
        assert!(faults.iter().any(|known| known == fault), "{fault}\nis not among\n{}", faults.join("\n"));
    }
}

#[test]
fn prerequisites_never_lead_in_a_circle() {
    let lesson = |id: &str, before: &str| {
        format!("+++\nid = \"{id}\"\ntitle = \"T\"\nprerequisites = [\"{before}\"]\n+++\n# One\n")
    };
    let manifest = MANIFEST.replace("[\"a\"]", "[\"a\", \"b\"]");
    let faults = pack_faults(&manifest, &[("lessons/a.md", &lesson("a", "b")), ("lessons/b.md", &lesson("b", "a"))]);
    assert_eq!(faults[0], "lessons/a.md:4:18: the prerequisite `b` does not stand before this lesson");
    assert_eq!(faults.iter().filter(|fault| fault.contains("does not stand before")).count(), 1);
}

#[test]
fn a_dead_link_is_placed() {
    let faults = pack_faults(MANIFEST, &[("lessons/a.md", &LESSON.replace("text", "see [it](term:nothing)"))]);
    assert!(faults.contains(&"lessons/a.md:6:10: the link `term:nothing` leads nowhere".to_owned()), "{faults:?}");
}

#[test]
fn text_that_is_no_utf_8_and_files_of_other_kinds_are_refused() {
    let folder = pack_with(&[("lessons/pack.toml", MANIFEST), ("lessons/run.sh", "rm -rf /")]);
    fs::write(folder.path().join("lessons/a.md"), b"+++\nid = \"a\xff\"\n").expect("a file can be written");
    let problems = Files::read(folder.path()).expect_err("the pack is refused");
    let faults: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        ["lessons/a.md:2:8: this is no UTF-8 text", "lessons/run.sh: a pack's files end in .md, .js, .json, .toml"]
    );
}

#[test]
#[cfg(unix)]
fn a_folder_that_is_a_link_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::os::unix::fs::symlink("/etc", folder.path().join("lessons")).expect("a link can be made");
    fs::create_dir(folder.path().join("exercises")).expect("a folder can be made");
    let problems = Files::read(folder.path()).expect_err("the pack is refused");
    assert_eq!(problems[0].to_string(), "lessons: a pack holds no links");
}

/// The faults of a pack whose one exercise is X3 with another `exercise.json`.
fn exercise_faults(json: &str) -> Vec<String> {
    let files =
        ["task.md", "starter.js", "setup.js", "hints.md"].map(|name| (format!("exercises/x03/{name}"), "x".to_owned()));
    let mut files: Vec<(String, String)> = files.into();
    files.push(("exercises/x03/exercise.json".into(), json.into()));
    files.push(("lessons/a.md".into(), LESSON.into()));
    let manifest = MANIFEST.replace("exercises = []", "exercises = [\"x03\"]");
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    pack_faults(&manifest, &files)
}

fn x3() -> String {
    fs::read_to_string("exercises/x03/exercise.json").expect("X3 exists")
}

#[test]
fn an_exercise_asks_for_a_bounded_number_of_data_sets() {
    let faults = exercise_faults(&x3().replace("\"hidden\": 3", "\"hidden\": 4000000000"));
    assert!(faults[0].ends_with("4000000000 hidden data sets; at most 20 are made"), "{faults:?}");
}

#[test]
fn a_word_of_a_check_that_means_nothing_is_a_fault() {
    let json = x3().replacen("\"points\":", "\"pionts\": 1, \"points\":", 1).replacen(
        "\"points\":",
        "\"zzz\": 1, \"points\":",
        1,
    );
    let faults = exercise_faults(&json);
    assert!(
        faults[0].contains(" `pionts` means nothing in the check `") && faults[0].ends_with("did you mean `points`?")
    );
    assert!(faults[1].contains("`zzz` means nothing") && faults[1].contains("; known are id, name,"), "{faults:?}");
    assert!(
        faults.iter().all(|fault| fault.starts_with("exercises/x03/exercise.json:")),
        "with line and column: {faults:?}"
    );
}

#[test]
fn a_pack_in_one_language_is_whole_and_one_in_two_has_all_of_both() {
    let german = |faults: &[String]| faults.iter().any(|fault| fault.contains("German"));
    let one = pack_faults(MANIFEST, &[("lessons/a.md", LESSON)]);
    assert!(!german(&one), "{one:?}");
    let manifest = MANIFEST.replace("[\"a\"]", "[\"a\", \"b\"]");
    let other = LESSON.replace("\"a\"", "\"b\"");
    let half =
        pack_faults(&manifest, &[("lessons/a.md", LESSON), ("lessons/a.de.md", LESSON), ("lessons/b.md", &other)]);
    assert_eq!(half, ["lessons/b.md: there is no German text, and other parts of the pack have one"]);
}

/// The words that a table of `teaching/packs.md` explains, with their explanations.
fn explained(heading: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string("teaching/packs.md").expect("it is there");
    let (_, rest) = text.split_once(&format!("\n### {heading}")).unwrap_or_else(|| panic!("no heading {heading}"));
    let rows = rest.lines().skip(1).take_while(|line| !line.starts_with('#'));
    let cells = rows.filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "));
    cells.map(|(word, about)| (word.to_owned(), about.to_owned())).collect()
}

/// The handbook of packs names every kind of check and every word of it that is read, and no other.
#[test]
fn the_handbook_of_packs_names_what_is_read() {
    let words = |heading: &str| explained(heading).into_iter().map(|(word, _)| word).collect::<BTreeSet<String>>();
    let mut seen = BTreeSet::new();
    for check in built_in().exercises.iter().flat_map(|exercise| &exercise.spec.checks) {
        let written = serde_json::to_value(check).expect("a check can be written");
        let read: BTreeSet<String> = written.as_object().expect("as an object").keys().cloned().collect();
        let kind = written["kind"].as_str().expect("a kind is a text").to_owned();
        let told: BTreeSet<String> = words("Every check").union(&words(&format!("`{kind}`"))).cloned().collect();
        assert_eq!(read, told, "a check of kind {kind}");
        if let Some(facts) = written["facts"].as_object() {
            assert_eq!(facts.keys().cloned().collect::<BTreeSet<_>>(), words("Facts of a plan"));
        }
        seen.insert(kind);
    }
    // The parser's own lists of what may stand at a word, told where something else stands there.
    let lists = [("\"kind\": \"result\"", "Every check", "kind"), ("\"compare\": \"ids\"", "`result`", "compare")];
    for (good, heading, word) in lists {
        let json = x3();
        assert!(json.contains(good), "X3 has {good}");
        let fault = exercise_faults(&json.replacen(good, &format!("\"{word}\": \"nonsense\""), 1)).join("\n");
        let (_, expected) = fault.split_once("expected ").expect("the fault lists what may stand there");
        let about = explained(heading).into_iter().find(|(known, _)| known == word).expect("it is explained").1;
        for name in expected.split('`').skip(1).step_by(2) {
            assert!(about.contains(&format!("`{name}`")), "{word} may be {name}");
            seen.remove(name);
        }
    }
    assert!(seen.is_empty(), "kinds without a list: {seen:?}");
}
