//! A duel as an SVG picture: one card per design, bars for keys and documents read, the difference lines below.

use std::fmt::Write;

use crate::words::Lang;

use super::duel::{Column, Duel};
use super::render::plan_text;

const CARD: usize = 380;
const GAP: usize = 20;
const LINE: usize = 18;
const TOP: usize = 60;
/// Longer lines are cut: a card is narrow.
const LETTERS: usize = 50;

/// The duel as a complete SVG document; text stays text.
#[must_use]
pub fn to_svg(duel: &Duel, lang: Lang) -> String {
    let plans: Vec<_> = duel.columns.iter().map(|column| card_lines(column, lang)).collect();
    let longest = plans.iter().map(Vec::len).max().unwrap_or(0);
    let card_height = 90 + longest * LINE;
    let width = duel.columns.len() * (CARD + GAP) + GAP;
    let height = TOP + card_height + GAP + (duel.lines.len() + 1) * LINE;
    let most = duel.columns.iter().map(|column| column.cost.keys.max(column.cost.docs)).max().unwrap_or(0).max(1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace, monospace\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    line(&mut svg, GAP, 30, "#111111", &cut(&duel.statement, width / 8));
    for (at, (column, lines)) in duel.columns.iter().zip(&plans).enumerate() {
        card(&mut svg, GAP + at * (CARD + GAP), card_height, column, lines, most);
    }
    for (at, text) in duel.lines.iter().enumerate() {
        line(&mut svg, GAP, TOP + card_height + GAP + (at + 1) * LINE, "#111111", &cut(text, width / 8));
    }
    svg.push_str("</svg>\n");
    svg
}

fn card_lines(column: &Column, lang: Lang) -> Vec<String> {
    let said = column.statement.clone().or_else(|| column.reason.as_ref().map(|(_, reason)| reason.clone()));
    let mut lines = vec![said.unwrap_or_default()];
    lines.extend(plan_text(column, lang));
    lines
}

fn card(svg: &mut String, x: usize, height: usize, column: &Column, lines: &[String], most: u64) {
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{TOP}\" width=\"{CARD}\" height=\"{height}\" rx=\"6\" fill=\"#f6f8fa\" stroke=\"#8c959f\"/>"
    );
    let home = if column.home { " ★" } else { "" };
    line(svg, x + 12, TOP + 22, "#0550ae", &format!("{}{home}", column.name));
    bar(svg, x + 12, TOP + 32, "keys", column.cost.keys, most, "#1f6feb");
    bar(svg, x + 12, TOP + 52, "documents", column.cost.docs, most, "#bc4c00");
    for (at, text) in lines.iter().enumerate() {
        line(svg, x + 12, TOP + 90 + at * LINE, "#24292f", &cut(text, LETTERS));
    }
}

fn bar(svg: &mut String, x: usize, y: usize, label: &str, value: u64, most: u64, color: &str) {
    let length = value.saturating_mul(180) / most;
    let _ = writeln!(svg, "<rect x=\"{}\" y=\"{y}\" width=\"{length}\" height=\"12\" fill=\"{color}\"/>", x + 150);
    line(svg, x, y + 11, "#24292f", &format!("{label} {value}"));
}

fn line(svg: &mut String, x: usize, y: usize, color: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{color}\" xml:space=\"preserve\">{}</text>", escaped(text));
}

fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
