//! The one report from which people's text and every tool's format are made.

use serde::{Deserialize, Serialize};

/// The report's own schema, published as `lessons/report.schema.json`.
pub const SCHEMA: &str = "pegboard/report/v1";

/// What grading one answer gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// The pack's id and version.
    pub pack: String,
    /// The exercise's id.
    pub exercise: String,
    /// The exercise's title.
    pub title: String,
    /// Who answered, where that is known.
    pub student: String,
    /// A digest of the answer's text, to know it again.
    pub answer: String,
    /// The form of the answer's statements, values left out, and the stages of their plans.
    pub shape: String,
    /// The seed of the hidden data.
    pub seed: u64,
    /// When it was graded, UTC to the second.
    pub graded_at: String,
    /// How far grading came.
    pub status: Status,
    /// Why it could not be graded, or was not attempted.
    pub message: String,
    /// The sum of the rows.
    pub points: u32,
    /// What there was to reach.
    pub max_points: u32,
    /// One row per check, in the exercise's order.
    pub checks: Vec<Row>,
    /// What all statements examined on the shown data.
    pub work: Effort,
    /// What the model solution examines on the shown data.
    pub par: Effort,
    /// The ids of findings on the shown data.
    pub findings: Vec<String>,
    /// The smallest data found on which a wrong answer differs from the task.
    pub counter_example: Option<CounterExample>,
}

/// How far grading came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The report was begun and is not complete.
    Running,
    /// Every check has a verdict.
    Graded,
    /// There is no answer, or it is the starter unchanged.
    NotAttempted,
    /// The answer cannot be judged.
    Ungradable,
}

/// What became of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Full points.
    Pass,
    /// Some points.
    Partial,
    /// No points.
    Fail,
    /// A check it needs did not pass.
    Skipped,
    /// It could not be judged.
    Ungradable,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Stable and ASCII.
    pub id: String,
    /// What was asked.
    pub name: String,
    /// The exercise's id.
    pub task: String,
    /// What became of it.
    pub verdict: Verdict,
    /// Points reached.
    pub points: u32,
    /// Points there were.
    pub max_points: u32,
    /// Whether it was judged on hidden data only.
    pub hidden: bool,
    /// What was seen, and what to do next.
    pub message: String,
    /// What explains it or helps; empty where it passed or was not judged.
    pub hint: String,
    /// What was expected, never from hidden data.
    pub expected: String,
    /// What came, never from hidden data.
    pub actual: String,
    /// Ids of findings that belong to it.
    pub diagnoses: Vec<String>,
    /// The check that had to pass first and did not.
    pub needs: Option<String>,
    /// What the answer examined, where it counts.
    pub work: Effort,
}

/// Counted work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Index keys examined.
    pub keys: u64,
    /// Documents examined.
    pub docs: u64,
    /// Bytes of all indexes afterwards.
    pub index_bytes: u64,
}

/// A small set of documents on which an answer is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterExample {
    /// The collection.
    pub collection: String,
    /// The documents, as they print.
    pub documents: Vec<String>,
    /// What the task asks for.
    pub expected: String,
    /// What the answer gave.
    pub actual: String,
}

impl Report {
    /// Counts the points of the rows.
    pub(super) fn sum(&mut self) {
        self.points = self.checks.iter().map(|row| row.points).sum();
        self.max_points = self.checks.iter().map(|row| row.max_points).sum();
    }

    /// The points in percent, rounded down; 0 where there are none.
    #[must_use]
    pub fn percent(&self) -> u32 {
        (self.points * 100).checked_div(self.max_points).unwrap_or_default()
    }

    /// How many rows have this verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.checks.iter().filter(|row| row.verdict == verdict).count()
    }

    /// The report as JSON with its own schema.
    ///
    /// # Panics
    /// Never: a report has text keys only.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a report has text keys only");
        text.push('\n');
        text
    }
}

impl Row {
    /// Whether a person should be told of it: not of a row that gives nothing and went well.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.max_points > 0 || self.verdict != Verdict::Pass
    }

    /// What a person should read: what was seen, and the hint.
    #[must_use]
    pub fn advice(&self) -> String {
        match (self.message.is_empty(), self.hint.is_empty() || self.verdict == Verdict::Pass) {
            (_, true) => self.message.clone(),
            (true, false) => self.hint.clone(),
            (false, false) => format!("{} {}", self.message, self.hint),
        }
    }
}
