//! A step as plain text, which is also the measure of whether it fits the page.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use super::lesson::{Block, Predict, Question, Role, Step};

/// Columns a step may use, so that it fits an 80-column terminal with a border.
pub const COLUMNS: usize = 76;
/// Lines a step may use below its heading, so that it fits 24 rows with editor and footer.
pub const LINES: usize = 18;

/// The lines of a step below its heading, markup removed; nothing is wrapped.
#[must_use]
pub fn plain_step(step: &Step) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for block in &step.blocks {
        let part = match block {
            Block::Prose(text) => strip_markup(text).lines().map(str::to_owned).collect(),
            Block::Code(code) if code.role == Role::Setup => continue,
            Block::Code(code) => code.text.lines().map(|line| format!("  {line}")).collect(),
            Block::Predict(predict) => predict_lines(predict),
            Block::Question(question) => question_lines(question),
        };
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(part);
    }
    lines
}

fn predict_lines(predict: &Predict) -> Vec<String> {
    let mut lines = wrapped("? ", &predict.ask);
    lines.extend(predict.run.trim().lines().map(|line| format!("  {line}")));
    lines
}

fn question_lines(question: &Question) -> Vec<String> {
    let mut lines = wrapped("? ", &question.ask);
    for (letter, choice) in ('a'..).zip(&question.choices) {
        lines.extend(wrapped(&format!("  {letter}) "), &choice.text));
    }
    lines
}

/// Words behind a label, wrapped at the page's width; further lines stand below the first word.
fn wrapped(label: &str, text: &str) -> Vec<String> {
    let indent = " ".repeat(label.width());
    let mut lines = vec![label.to_owned()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        let fresh = last.trim().len() == label.trim().len() || *last == indent;
        if last.width() + word.width() + 1 > COLUMNS && !fresh {
            lines.push(format!("{indent}{word}"));
        } else {
            let gap = if last.ends_with(' ') { "" } else { " " };
            last.push_str(gap);
            last.push_str(word);
        }
    }
    lines
}

/// Markdown without emphasis and link targets; a link may go over the end of a line.
#[must_use]
pub fn strip_markup(text: &str) -> String {
    let text = text.replace("**", "");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, label, after)) = next_link(rest) {
        let _ = write!(out, "{before}{label}");
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The next `[label](target)`: what stands before it, its label, and what follows.
fn next_link(text: &str) -> Option<(&str, &str, &str)> {
    let middle = text.find("](")?;
    let open = text[..middle].rfind('[')?;
    let close = middle + text[middle..].find(')')?;
    Some((&text[..open], &text[open + 1..middle], &text[close + 1..]))
}
