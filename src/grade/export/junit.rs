//! `JUnit` XML inside both common schemas: no attributes on the root, times with three decimals, points as suite properties.
//!
//! Written by hand: `quick-junit` puts counts on the root and a zone into the timestamp, which the stricter schema refuses.

use std::fmt::Write;

use super::{LONG, clean};
use crate::grade::report::{Report, Row, Status, Verdict};

/// Writes one suite per exercise.
pub(super) fn write(reports: &[Report]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    reports.iter().enumerate().for_each(|(id, report)| suite(&mut out, id, report));
    out.push_str("</testsuites>\n");
    out
}

fn suite(out: &mut String, id: usize, report: &Report) {
    let whole = whole_error(report);
    let (tests, errors) = match whole {
        Some(_) => (1, 1),
        None => (report.checks.len(), report.count(Verdict::Ungradable)),
    };
    let failures = if whole.is_some() { 0 } else { report.count(Verdict::Fail) + report.count(Verdict::Partial) };
    let skipped = if whole.is_some() { 0 } else { report.count(Verdict::Skipped) };
    let _ = writeln!(
        out,
        "  <testsuite id=\"{id}\" package=\"{}\" name=\"{}\" timestamp=\"{}\" hostname=\"localhost\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"0.000\">",
        escape(&report.pack),
        escape(&report.exercise),
        report.graded_at.trim_end_matches('Z'),
    );
    properties(out, report);
    match whole {
        Some(message) => {
            let body = format!("<error type=\"Ungradable\" message=\"{}\"/>", escape(message));
            case(out, report, "grading", &body);
        }
        None => report.checks.iter().for_each(|row| case(out, report, &row.name, &outcome(row))),
    }
    out.push_str("    <system-out></system-out>\n    <system-err></system-err>\n  </testsuite>\n");
}

fn whole_error(report: &Report) -> Option<&str> {
    (report.status != Status::Graded && report.checks.iter().all(|row| row.verdict != Verdict::Pass))
        .then_some(report.message.as_str())
}

fn properties(out: &mut String, report: &Report) {
    out.push_str("    <properties>\n");
    let mut property = |name: &str, value: u64| {
        let _ = writeln!(out, "      <property name=\"{}\" value=\"{value}\"/>", escape(name));
    };
    property("points", report.points.into());
    property("max_points", report.max_points.into());
    property("seed", report.seed);
    report.checks.iter().for_each(|row| property(&format!("points.{}", row.id), row.points.into()));
    out.push_str("    </properties>\n");
}

fn case(out: &mut String, report: &Report, name: &str, body: &str) {
    let class = format!("{}.{}", report.pack, report.exercise);
    let open = format!("    <testcase classname=\"{}\" name=\"{}\" time=\"0.000\"", escape(&class), escape(name));
    let _ = match body {
        "" => writeln!(out, "{open}/>"),
        body => writeln!(out, "{open}>\n      {body}\n    </testcase>"),
    };
}

fn outcome(row: &Row) -> String {
    let message = escape(&row.advice());
    match row.verdict {
        Verdict::Pass => String::new(),
        Verdict::Skipped => format!("<skipped message=\"{message}\"/>"),
        Verdict::Ungradable => format!("<error type=\"Ungradable\" message=\"{message}\"/>"),
        Verdict::Partial | Verdict::Fail => {
            let kind = row.diagnoses.first().map_or("CheckFailed", String::as_str);
            let body = format!("expected {}\nactual {}", row.expected, row.actual);
            format!("<failure type=\"{}\" message=\"{message}\">{}</failure>", escape(kind), escape(&body))
        }
    }
}

fn escape(text: &str) -> String {
    clean(text, LONG).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
