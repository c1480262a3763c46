//! The report in the formats that teachers' tools read; one file per format.

mod check50;
mod classroom50;
mod csv;
mod ctrf;
mod exercism;
mod github;
mod gradescope;
mod junit;
mod prairielearn;
mod text;

pub use csv::{HEADER as CSV_HEADER, cell, line as csv_line};
pub use text::examined;

use super::report::{Report, Status, Verdict};
use crate::words::Lang;

/// A format a report can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// Our own schema.
    Json,
    /// `JUnit` XML.
    Junit,
    /// Gradescope's `results.json`.
    Gradescope,
    /// Classroom 50's `result.json`.
    Classroom50,
    /// The runner result of the retired GitHub Classroom, base64.
    Github,
    /// Exercism's test runner result, version 3.
    Exercism,
    /// `check50 -o json`.
    Check50,
    /// `PrairieLearn`'s external grader result.
    PrairieLearn,
    /// Common Test Report Format.
    Ctrf,
    /// A grade table.
    Csv,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 11] = [
        Self::Text,
        Self::Json,
        Self::Junit,
        Self::Gradescope,
        Self::Classroom50,
        Self::Github,
        Self::Exercism,
        Self::Check50,
        Self::PrairieLearn,
        Self::Ctrf,
        Self::Csv,
    ];

    /// The name it is asked for by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Gradescope => "gradescope",
            Self::Classroom50 => "classroom50",
            Self::Github => "github",
            Self::Exercism => "exercism",
            Self::Check50 => "check50",
            Self::PrairieLearn => "prairielearn",
            Self::Ctrf => "ctrf",
            Self::Csv => "csv",
        }
    }
}

/// What a format needs to know of the world around the report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The language of our own sentences.
    pub lang: Lang,
    /// Classroom 50: the classroom.
    pub classroom: String,
    /// Classroom 50: the assignment.
    pub assignment: String,
    /// Classroom 50: the account.
    pub owner: String,
    /// Classroom 50: the tag, `submit/…`.
    pub submission: String,
    /// Classroom 50: addresses of the commit, the release and the review.
    pub links: [String; 3],
    /// When the answer was handed in, UTC to the second; the time of grading where unknown.
    pub submitted_at: String,
}

/// Writes the reports of one learner's exercises in a format.
#[must_use]
pub fn export(format: Format, reports: &[Report], around: &Surroundings) -> String {
    match format {
        Format::Text => text::write(reports, around.lang),
        Format::Json => match reports {
            [one] => one.to_json(),
            many => pretty(&serde_json::json!(many)),
        },
        Format::Junit => junit::write(reports),
        Format::Gradescope => pretty(&gradescope::write(reports)),
        Format::Classroom50 => pretty(&classroom50::write(reports, around)),
        Format::Github => github::write(reports),
        Format::Exercism => pretty(&exercism::write(reports)),
        Format::Check50 => pretty(&check50::write(reports)),
        Format::PrairieLearn => pretty(&prairielearn::write(reports)),
        Format::Ctrf => pretty(&ctrf::write(reports)),
        Format::Csv => csv::write(reports),
    }
}

fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("a JSON value prints");
    text.push('\n');
    text
}

/// The reason why nothing can be graded, if that is so of every report.
fn not_gradable(reports: &[Report]) -> Option<&str> {
    let bad = |report: &&Report| matches!(report.status, Status::Ungradable | Status::NotAttempted);
    (!reports.is_empty() && reports.iter().all(|report| bad(&report))).then(|| reports[0].message.as_str())
}

fn points(reports: &[Report]) -> (u32, u32) {
    let sum = |of: fn(&Report) -> u32| reports.iter().map(of).sum();
    (sum(|report| report.points), sum(|report| report.max_points))
}

fn rows(reports: &[Report]) -> impl Iterator<Item = &super::report::Row> {
    reports.iter().flat_map(|report| &report.checks)
}

fn all_pass(reports: &[Report]) -> bool {
    rows(reports).all(|row| row.verdict == Verdict::Pass)
}

/// Text without control characters but tabs and line ends, nor the two letters that XML cannot hold, cut with a visible mark.
pub(in crate::grade) fn clean(text: &str, most: usize) -> String {
    let is_kept = |letter: &char| match letter {
        '\n' | '\t' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        letter => !letter.is_control(),
    };
    let kept = text.chars().filter(is_kept);
    let mut out: String = kept.clone().take(most).collect();
    if kept.count() > most {
        out = out.chars().take(most.saturating_sub(1)).collect();
        out.push('…');
    }
    out
}

const LONG: usize = 10_000;
