//! An exercise: what is asked, what it starts from, how it is judged, and the answers that prove the judging.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::files::Files;
use super::problem::Problem;
use super::text::Text;
use crate::shell::nearest;
use crate::words::Lang;

/// One exercise with all its files.
#[derive(Debug, Clone, PartialEq)]
pub struct Exercise {
    /// The folder below `exercises/`.
    pub folder: String,
    /// What `exercise.json` says.
    pub spec: Spec,
    /// The task, Markdown.
    pub task: Text,
    /// What the editor starts with.
    pub starter: String,
    /// Statements that make the shown data; run by the grader on an empty store.
    pub setup: String,
    /// Statements that make hidden data from `SEED` and `VARIANT`; empty where the shown data is all there is.
    pub variants: String,
    /// Three hints, from a nudge to the way.
    pub hints: Vec<Text>,
    /// The model solution first, then other ways that also pass.
    pub solutions: Vec<Answer>,
    /// Answers that must be caught.
    pub wrong: Vec<Answer>,
}

/// One answer kept beside an exercise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The file's path in the pack.
    pub file: String,
    /// The statements.
    pub text: String,
    /// What its header says of it.
    pub about: Text,
    /// The checks or findings that must catch it, of a wrong answer.
    pub caught_by: Vec<String>,
}

/// `exercise.json`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The format of this file, 1.
    pub format: u32,
    /// The stable id, such as `X3`.
    pub id: String,
    /// The title.
    pub title: Text,
    /// From 1, one step, to 4, a design of one's own.
    pub level: u32,
    /// How long a learner needs, in minutes.
    pub minutes: u32,
    /// Lessons that teach what is needed.
    pub lessons: Vec<String>,
    /// How many hidden data sets are made.
    #[serde(default)]
    pub hidden: u32,
    /// How many keys, documents and values an answer may look at on one data set; a general limit where missing.
    #[serde(default)]
    pub budget: Option<u64>,
    /// The checks, in the order they are judged and reported.
    pub checks: Vec<Check>,
}

/// One graded fact.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Check {
    /// A stable ASCII id.
    pub id: String,
    /// What is asked, in one line.
    pub name: Text,
    /// What to do when it fails, where no finding says what is wrong.
    #[serde(default)]
    pub hint: Text,
    /// When the hint fits: `extra`, `missing` or `order` of what is compared, or the id of a finding; any failure where
    /// nothing is named.
    #[serde(default)]
    pub hint_when: Vec<String>,
    /// What it is worth.
    pub points: u32,
    /// Points for the shown data alone, where hidden data does not pass.
    #[serde(default)]
    pub partial: u32,
    /// Checks that must pass before this one is judged.
    #[serde(default)]
    pub needs: Vec<String>,
    /// On which data it is judged.
    #[serde(default)]
    pub on: Data,
    /// What is looked at.
    #[serde(flatten)]
    pub kind: CheckKind,
}

/// On which data a check is judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Data {
    /// The shown data and every hidden variant.
    #[default]
    All,
    /// The shown data only.
    Shown,
    /// Hidden variants only.
    Hidden,
}

/// What a check looks at.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CheckKind {
    /// The value of the last statement, against the model solution's.
    Result {
        /// What of it is compared.
        compare: Compare,
        /// Whether order counts.
        #[serde(default)]
        order: OrderRule,
    },
    /// The winning plan of the search that gave the answer; of every search where the answer was made of what they gave.
    Plan {
        /// What must be so.
        facts: Facts,
    },
    /// The plans of given questions, asked after the answer has run.
    Probe {
        /// The questions, mongosh text.
        queries: Vec<String>,
        /// What must be so of each.
        facts: Facts,
    },
    /// Collections after the answer has run, against those after the model solution.
    State {
        /// Their names.
        collections: Vec<String>,
        /// Whether `_id` is left out, where the server may make it.
        #[serde(default)]
        ignore_id: bool,
        /// Arrays whose order is free.
        #[serde(default)]
        free_arrays: Vec<String>,
        /// How many times the answer runs; 2 proves that a second run changes nothing.
        #[serde(default = "one")]
        runs: u32,
    },
    /// The indexes of a collection.
    Indexes {
        /// The collection.
        collection: String,
        /// How many more than the setup made there may be, at most.
        #[serde(default)]
        more: Option<i64>,
        /// Key patterns of which each must exist, options left out.
        #[serde(default)]
        have: Vec<serde_json::Value>,
        /// Key patterns that must be gone.
        #[serde(default)]
        gone: Vec<serde_json::Value>,
        /// Whether one of `have` must be unique.
        #[serde(default)]
        unique: bool,
    },
    /// What the detector reports.
    Findings {
        /// None of these may be reported.
        #[serde(default)]
        none: Vec<String>,
        /// One of these must be reported.
        #[serde(default)]
        some: Vec<String>,
        /// Which statement is looked at.
        #[serde(default)]
        of: Which,
    },
    /// Keys and documents examined by all statements, against the model solution's.
    Cost {
        /// So many times the model's cost is allowed …
        #[serde(default = "one")]
        times: u32,
        /// … and so many more.
        #[serde(default)]
        plus: u64,
    },
    /// The value of a question asked after the answer has run.
    Value {
        /// The question, mongosh text.
        ask: String,
        /// What it must give; the model solution's value where missing.
        #[serde(default)]
        equals: Option<serde_json::Value>,
    },
}

fn one() -> u32 {
    1
}

/// Which of an answer's statements is looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    /// Every one.
    #[default]
    Any,
    /// The first.
    First,
    /// The last.
    Last,
}

/// What of a result is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    /// The `_id` of each document.
    Ids,
    /// Whole values; numbers by value, the order of fields is free.
    Values,
}

/// Whether the order of results counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderRule {
    /// Any order is right.
    #[default]
    Free,
    /// The order is part of the task.
    Given,
}

/// Facts about a plan; what is not named is free.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Facts {
    /// Stages that must occur.
    pub has: Vec<String>,
    /// Stages that must not occur.
    pub lacks: Vec<String>,
    /// Paths whose bounds must be narrower than everything.
    pub tight: Vec<String>,
    /// Bounds by path, as explain prints them.
    pub bounds: BTreeMap<String, Vec<String>>,
    /// How many index scans there are.
    pub scans: Option<usize>,
    /// How many keys may be examined beyond the results.
    pub keys_over_returned: Option<u64>,
    /// How many documents may be examined beyond the results.
    pub docs_over_returned: Option<u64>,
    /// How many keys may be examined.
    pub max_keys: Option<u64>,
    /// How many documents may be examined.
    pub max_docs: Option<u64>,
}

impl Answer {
    /// The statements without the header.
    #[must_use]
    pub fn statements(&self) -> &str {
        let mut rest = self.text.as_str();
        while rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, below)| below);
        }
        rest
    }
}

impl Check {
    /// The findings of which one must be reported.
    #[must_use]
    pub fn wanted(&self) -> &[String] {
        if let CheckKind::Findings { some, .. } = &self.kind { some } else { &[] }
    }
}

/// No exercise has more hidden data sets.
const MAX_HIDDEN: u32 = 20;
/// No check runs an answer more often.
const MAX_RUNS: u32 = 2;

/// The exercise formats this program reads.
const FORMATS: std::ops::RangeInclusive<u32> = 1..=1;

impl Exercise {
    /// Reads one exercise folder.
    ///
    /// # Errors
    /// All faults of its files, placed.
    pub fn read(files: &Files, folder: &str) -> Result<Self, Vec<Problem>> {
        let base = format!("exercises/{folder}");
        let mut problems = Vec::new();
        let mut need = |name: &str| {
            let path = format!("{base}/{name}");
            files.get(&path).map_or_else(
                || {
                    problems.push(Problem::of_file(&path, "this file is missing"));
                    String::new()
                },
                str::to_owned,
            )
        };
        let (json, task, starter, setup) =
            (need("exercise.json"), need("task.md"), need("starter.js"), need("setup.js"));
        let hints = need("hints.md");
        let optional = |name: &str| files.get(&format!("{base}/{name}")).unwrap_or_default().to_owned();
        if !problems.is_empty() {
            return Err(problems);
        }
        let spec = spec(&format!("{base}/exercise.json"), &json)?;
        Ok(Self {
            folder: folder.into(),
            spec,
            task: Text { en: task, de: optional("task.de.md") },
            starter,
            setup,
            variants: optional("variants.js"),
            hints: stages(&hints, &optional("hints.de.md")),
            solutions: answers(files, &format!("{base}/solutions/")),
            wrong: answers(files, &format!("{base}/wrong/")),
        })
    }

    /// The model solution; every proven exercise has one.
    #[must_use]
    pub fn model(&self) -> Option<&Answer> {
        self.solutions.first()
    }

    /// The points of all checks.
    #[must_use]
    pub fn max_points(&self) -> u32 {
        self.spec.checks.iter().map(|check| check.points).sum()
    }

    /// The title in one language.
    #[must_use]
    pub fn title(&self, lang: Lang) -> &str {
        self.spec.title.get(lang)
    }
}

fn spec(path: &str, json: &str) -> Result<Spec, Vec<Problem>> {
    let spec: Spec = serde_json::from_str(json)
        .map_err(|error| vec![Problem::new(path, error.line(), error.column(), words(&error))])?;
    let mut problems = Vec::new();
    if !FORMATS.contains(&spec.format) {
        problems
            .push(Problem::of_file(path, format!("format {} is not known; this program reads format 1", spec.format)));
    }
    if spec.hidden > MAX_HIDDEN {
        let message = format!("{} hidden data sets; at most {MAX_HIDDEN} are made", spec.hidden);
        problems.push(place_of(path, json, "hidden", message));
    }
    if spec.checks.is_empty() {
        problems.push(place_of(path, json, "checks", "an exercise needs a check".into()));
    }
    for (at, check) in spec.checks.iter().enumerate() {
        if matches!(check.kind, CheckKind::State { runs, .. } if runs > MAX_RUNS) {
            problems.push(place_of(path, json, "runs", format!("an answer runs at most {MAX_RUNS} times")));
        }
        let known = |id: &String| spec.checks[..at].iter().any(|earlier| earlier.id == *id);
        if known(&check.id) || check.id.is_empty() || !check.id.bytes().all(is_id_byte) {
            let message = format!("`{}` must be a new id of a-z, 0-9 and `-`", check.id);
            problems.push(place_of(path, json, &check.id, message));
        }
        for needed in check.needs.iter().filter(|needed| !known(needed)) {
            let message = format!("`{}` needs `{needed}`, which is no earlier check", check.id);
            problems.push(place_of(path, json, needed, message));
        }
        problems.extend(unknown(path, json, at, check));
        if check.partial > check.points {
            problems.push(place_of(path, json, &check.id, "partial points are more than all points".into()));
        }
    }
    if problems.is_empty() { Ok(spec) } else { Err(problems) }
}

/// The words of a check that mean nothing there. What a check knows is what it writes when it is written out itself.
fn unknown(path: &str, json: &str, at: usize, check: &Check) -> Vec<Problem> {
    let members = |value: serde_json::Value| value.as_object().map(|words| words.keys().cloned().collect::<Vec<_>>());
    let known = serde_json::to_value(check).ok().and_then(members).unwrap_or_default();
    let whole: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    let written = members(whole["checks"][at].clone()).unwrap_or_default();
    let say = |word: &String| {
        let like = nearest(word, known.iter().map(String::as_str)).map(|like| format!(", did you mean `{like}`?"));
        let like = like.unwrap_or_else(|| format!("; known are {}", known.join(", ")));
        place_of(path, json, word, format!("`{word}` means nothing in the check `{}`{like}", check.id))
    };
    written.iter().filter(|word| !known.contains(word)).map(say).collect()
}

fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

/// The error's words without the place, which the problem carries itself.
fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(words, _)| words.to_owned())
}

fn place_of(path: &str, json: &str, id: &str, message: String) -> Problem {
    let (line, column) = json.find(&format!("\"{id}\"")).map_or((0, 0), |at| super::problem::place(json, at));
    Problem::new(path, line, column, message)
}

fn stages(english: &str, german: &str) -> Vec<Text> {
    let cut = |text: &str| text.split("\n---\n").map(|part| part.trim().to_owned()).collect::<Vec<_>>();
    let mut german = cut(german).into_iter();
    cut(english).into_iter().map(|en| Text { en, de: german.next().unwrap_or_default() }).collect()
}

fn answers(files: &Files, folder: &str) -> Vec<Answer> {
    let mut found: Vec<Answer> = files.below(folder).map(|(file, text)| answer(file, text)).collect();
    found.sort_by_key(|answer| (!answer.file.ends_with("/model.js"), answer.file.clone()));
    found
}

/// Reads the header: `// en: …`, `// de: …` and `// caught-by: …` lines before the first statement.
fn answer(file: &str, text: &str) -> Answer {
    let mut read = Answer { file: file.into(), text: text.into(), about: Text::default(), caught_by: Vec::new() };
    for line in text.lines().map_while(|line| line.strip_prefix("//")) {
        let line = line.trim();
        if let Some(words) = line.strip_prefix("en:") {
            append(&mut read.about.en, words);
        } else if let Some(words) = line.strip_prefix("de:") {
            append(&mut read.about.de, words);
        } else if let Some(ids) = line.strip_prefix("caught-by:") {
            read.caught_by.extend(ids.split(',').map(|id| id.trim().to_owned()));
        }
    }
    read
}

fn append(text: &mut String, words: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(words.trim());
}
