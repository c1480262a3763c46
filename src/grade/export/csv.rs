//! A grade table in nbgrader's columns; a cell that a spreadsheet would run is guarded.

use std::fmt::Write;

use crate::grade::report::Report;

/// The columns.
pub const HEADER: &str = "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,\
                          late_submission_penalty,score,max_score";

/// Writes the table with its header.
pub(super) fn write(reports: &[Report]) -> String {
    let mut out = format!("{HEADER}\n");
    for report in reports {
        out.push_str(&line(report));
    }
    out
}

/// One report as a line.
#[must_use]
pub fn line(report: &Report) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{},,{},{},,,,{points},0,{points},{}",
        cell(&report.exercise),
        report.graded_at,
        cell(&report.student),
        report.max_points,
        points = report.points,
    );
    out
}

/// A cell: quoted where needed, with an apostrophe before what a spreadsheet would take for a formula.
#[must_use]
pub fn cell(text: &str) -> String {
    let guarded = match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r') => format!("'{text}"),
        _ => text.to_owned(),
    };
    if guarded.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", guarded.replace('"', "\"\"")) } else { guarded }
}
