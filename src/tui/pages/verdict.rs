//! What grading an answer gave: points, a verdict per check, and the smallest data on which the answer is wrong.

use crate::grade::{self, CounterExample, Report, Row, Status, Verdict};
use crate::tui::highlight;
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const POINTS: Words = Words::new("{points} of {all points}", "{points} von {all Punkten}");
const SOLVED: Words = Words::new("Solved.", "Gelöst.");
const BREAK: Words = Words::new(
    "{break} breaks it in one place and asks what gives it away.",
    "{break} macht sie an einer Stelle kaputt und fragt, was es verrät.",
);
const NOT_ATTEMPTED: Words = Words::new("There is no answer to judge yet.", "Es gibt noch keine Antwort zu bewerten.");
const UNGRADABLE: Words = Words::new("This answer cannot be judged.", "Diese Antwort lässt sich nicht bewerten.");
const EXPECTED: Words = Words::new("expected", "erwartet");
const ACTUAL: Words = Words::new("came", "kam");
const WRONG_ON: Words =
    Words::new("A small example on which the answer is wrong", "Ein kleines Beispiel, an dem die Antwort falsch ist");

/// A report as a page.
#[must_use]
pub fn page(report: &Report, lang: Lang) -> Page {
    let mut page = Page::new();
    head(&mut page, report, lang);
    for row in report.checks.iter().filter(|row| row.is_told()) {
        check(&mut page, row, &report.message, lang);
    }
    if let Some(example) = &report.counter_example {
        page.gap();
        counter_example(&mut page, example, lang);
    }
    if let Some(examined) = grade::examined(report, lang).filter(|_| report.status == Status::Graded) {
        page.gap();
        page.line(Line::of(Role::Quiet, examined));
    }
    page
}

fn head(page: &mut Page, report: &Report, lang: Lang) {
    let (points, all) = (report.points.to_string(), report.max_points.to_string());
    let text = POINTS.fill(lang, &[("points", &points), ("all", &all)]);
    let solved = report.status == Status::Graded && report.points == report.max_points;
    let mut line = Line::of(if solved { Role::Good } else { Role::Warning }, text);
    if solved {
        line.push(Role::Good, format!("  {}", SOLVED.get(lang)));
    }
    page.line(line);
    if solved {
        let [drawn, read] = ["b", ":break"].map(|way| BREAK.fill(lang, &[("break", way)]));
        page.line(Line::of(Role::Info, drawn).read_as(read));
    }
    match report.status {
        Status::NotAttempted => page.say(Role::Info, NOT_ATTEMPTED.get(lang)),
        Status::Ungradable => page.say(Role::Bad, UNGRADABLE.get(lang)),
        Status::Running | Status::Graded => {}
    }
    for line in report.message.lines() {
        page.say(Role::Text, line);
    }
    page.gap();
}

fn check(page: &mut Page, row: &Row, said: &str, lang: Lang) {
    let (sign, role) = match row.verdict {
        Verdict::Pass => ("✓", Role::Good),
        Verdict::Partial => ("◐", Role::Warning),
        Verdict::Fail => ("✗", Role::Bad),
        Verdict::Skipped => ("–", Role::Quiet),
        Verdict::Ungradable => ("?", Role::Warning),
    };
    page.line(
        Line::of(role, format!("{sign} "))
            .and(Role::Strong, row.name.clone())
            .and(Role::Figure, format!("  {}/{}", row.points, row.max_points))
            .hang(2),
    );
    if row.verdict == Verdict::Pass {
        return;
    }
    let parts =
        [("", &row.message), (EXPECTED.get(lang), &row.expected), (ACTUAL.get(lang), &row.actual), ("→", &row.hint)];
    for (label, text) in parts.into_iter().filter(|(_, text)| !text.is_empty() && *text != said) {
        let gap = if label.is_empty() { "" } else { " " };
        page.line(Line::of(Role::Quiet, format!("  {label}{gap}")).and(Role::Text, text.clone()).hang(4));
    }
}

fn counter_example(page: &mut Page, example: &CounterExample, lang: Lang) {
    page.say(Role::Heading, WRONG_ON.get(lang));
    for document in &example.documents {
        for mut line in highlight::lines(document) {
            line.pieces.insert(0, crate::tui::page::Piece { text: "  ".into(), role: Role::Code });
            page.line(line);
        }
    }
    for (label, text) in [(EXPECTED, &example.expected), (ACTUAL, &example.actual)] {
        page.line(Line::of(Role::Quiet, format!("  {} ", label.get(lang))).and(Role::Code, text.clone()).hang(4));
    }
}
