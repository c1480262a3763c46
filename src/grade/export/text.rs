//! A report for people, in plain text.

use std::fmt::Write;

use crate::grade::report::{Effort, Report, Row, Status, Verdict};
use crate::words::{Lang, Words};

const POINTS: Words = Words::new("{points} of {max points}", "{points} von {max Punkten}");
const TOTAL: Words = Words::new("In all: {points} of {max points}", "Insgesamt: {points} von {max Punkten}");
const WORK: Words =
    Words::new("Examined: {keys keys} and {docs documents}.", "Gelesen: {keys Schlüssel} und {docs Dokumente}.");
const PAR: Words =
    Words::new("The model solution examines {keys} and {docs}.", "Die Musterlösung liest {keys} und {docs}.");
const COUNTER: Words = Words::new(
    "A small case where your answer differs from the task:",
    "Ein kleiner Fall, in dem deine Antwort von der Aufgabe abweicht:",
);
const EXPECTED: Words = Words::new("expected", "erwartet");
const ACTUAL: Words = Words::new("yours", "deine");

/// Writes the reports, one after the other.
pub(super) fn write(reports: &[Report], lang: Lang) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(report) = reports.first().filter(|report| !report.student.is_empty()) {
        parts.push(format!("{}\n", report.student));
    }
    parts.extend(reports.iter().map(|report| one(report, lang)));
    if reports.len() > 1 {
        let sum = |of: fn(&Report) -> u32| reports.iter().map(of).sum::<u32>().to_string();
        let numbers = [("points", sum(|report| report.points)), ("max", sum(|report| report.max_points))];
        parts.push(format!("{}\n", fill(TOTAL, lang, &numbers)));
    }
    super::clean(&parts.join("\n"), usize::MAX)
}

fn one(report: &Report, lang: Lang) -> String {
    let mut out = format!("{} {}\n", report.exercise, report.title);
    if report.status != Status::Graded {
        let _ = writeln!(out, "{}", report.message);
    }
    let numbers = [("points", report.points.to_string()), ("max", report.max_points.to_string())];
    let _ = writeln!(out, "{}\n", fill(POINTS, lang, &numbers));
    report.checks.iter().filter(|row| row.is_told()).for_each(|row| push_row(&mut out, row, &report.message, lang));
    if let Some(found) = &report.counter_example {
        let _ = writeln!(out, "\n{}", COUNTER.get(lang));
        found.documents.iter().for_each(|document| {
            let _ = writeln!(out, "  {document}");
        });
        push_pair(&mut out, &found.expected, &found.actual, lang);
    }
    if let Some(examined) = examined(report, lang) {
        let _ = writeln!(out, "\n{examined}");
    }
    out
}

/// Says what was examined, and by the model solution where that searches anything; none of an answer that examined nothing,
/// as one that was stopped at once.
#[must_use]
pub fn examined(report: &Report, lang: Lang) -> Option<String> {
    if report.work == Effort::default() {
        return None;
    }
    let said = |words: Words, effort: Effort| {
        fill(words, lang, &[("keys", effort.keys.to_string()), ("docs", effort.docs.to_string())])
    };
    let mine = said(WORK, report.work);
    Some(if report.par.keys + report.par.docs == 0 { mine } else { format!("{mine} {}", said(PAR, report.par)) })
}

fn fill<const N: usize>(words: Words, lang: Lang, values: &[(&str, String); N]) -> String {
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    words.fill(lang, &values)
}

fn push_row(out: &mut String, row: &Row, said: &str, lang: Lang) {
    let _ = writeln!(out, "{} {:>2}/{} {}", mark(row.verdict), row.points, row.max_points, row.name);
    if row.verdict == Verdict::Pass {
        return;
    }
    row.advice().lines().filter(|line| *line != said).for_each(|line| {
        let _ = writeln!(out, "       {line}");
    });
    if !row.expected.is_empty() || !row.actual.is_empty() {
        push_pair(out, &row.expected, &row.actual, lang);
    }
}

fn push_pair(out: &mut String, expected: &str, actual: &str, lang: Lang) {
    let _ = writeln!(out, "       {}: {expected}", EXPECTED.get(lang));
    let _ = writeln!(out, "       {}: {actual}", ACTUAL.get(lang));
}

/// A word-free mark, told apart without colour.
fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "[+]",
        Verdict::Partial => "[~]",
        Verdict::Fail => "[-]",
        Verdict::Skipped => "[ ]",
        Verdict::Ungradable => "[?]",
    }
}
