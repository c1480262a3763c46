//! A duel as plain text and as Markdown.

use std::fmt::Write;

use crate::words::{Lang, Words};

use super::compare::Ratio;
use super::duel::{Column, Duel, Writing};

/// The figures of a column, as label and value, in one order for every format.
pub(super) fn figures(column: &Column, lang: Lang) -> Vec<(&'static str, String)> {
    let label = |en, de| Words::new(en, de).get(lang);
    let ratio = |ratio: Option<Ratio>, percent: bool| {
        ratio.map_or_else(
            || "–".into(),
            |ratio| {
                let band = ratio.band.text(lang);
                if percent {
                    format!("{} % ({band})", lang.decimal(ratio.value * 100.0, 1))
                } else {
                    format!("{}× ({band})", lang.decimal(ratio.value, 1))
                }
            },
        )
    };
    let (cost, storage) = (&column.cost, &column.storage);
    // A design that cannot be asked this has read nothing, which is no praise.
    let read = |figure: u64| if column.command.is_some() { figure.to_string() } else { "–".into() };
    let writing =
        |of: fn(&Writing) -> u64| column.writing.as_ref().map_or_else(|| "–".into(), |writing| of(writing).to_string());
    vec![
        (label("keys examined", "Schlüssel gelesen"), read(cost.keys)),
        (label("documents examined", "Dokumente gelesen"), read(cost.docs)),
        (label("returned", "zurückgegeben"), read(cost.returned)),
        (label("entities", "Entitäten"), read(cost.entities)),
        (label("bytes of the answer", "Bytes der Antwort"), read(cost.bytes)),
        (label("efficiency", "Ausbeute"), ratio(cost.efficiency, true)),
        (label("keys per document", "Schlüssel je Dokument"), ratio(cost.expansion, false)),
        (label("documents", "Dokumente"), storage.documents.to_string()),
        (label("bytes of documents", "Bytes der Dokumente"), storage.bytes.to_string()),
        (label("indexes", "Indexe"), format!("{} / 64", storage.indexes.len())),
        (label("index entries", "Indexeinträge"), storage.entries().to_string()),
        (label("distinct keys", "verschiedene Schlüssel"), storage.distinct().to_string()),
        (label("entries of null", "Einträge mit null"), storage.nulls().to_string()),
        (label("index bytes", "Bytes der Indexe"), storage.index_bytes().to_string()),
        (
            label("prefix-compressed (estimate)", "präfixkomprimiert (geschätzt)"),
            storage.estimated_index_bytes().to_string(),
        ),
        (
            label("one more like the first: entries", "eine mehr wie die erste: Einträge"),
            writing(|writing| writing.insert_entries),
        ),
        (
            label("one more like the first: documents", "eine mehr wie die erste: Dokumente"),
            writing(|writing| writing.insert_documents),
        ),
        (
            label("one value changed: documents", "ein Wert geändert: Dokumente"),
            writing(|writing| writing.change_documents),
        ),
        (label("one value changed: bytes", "ein Wert geändert: Bytes"), writing(|writing| writing.change_bytes)),
        (label("one value changed: entries", "ein Wert geändert: Einträge"), writing(|writing| writing.change_entries)),
    ]
}

/// The plan, the bounds, the notes of a column, line by line.
pub(super) fn plan_text(column: &Column, lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    for stage in &column.stages {
        let indent = "  ".repeat(stage.depth);
        let detail = if stage.detail.is_empty() { String::new() } else { format!(" {}", stage.detail) };
        lines.push(format!("{indent}{}{detail}", stage.stage));
    }
    for bounds in &column.bounds {
        lines.push(bounds.words.clone());
        lines.extend(bounds.notation.iter().map(|(path, intervals)| format!("  {path}: {}", intervals.join(", "))));
    }
    let lost = Words::new("lost", "verlor").get(lang);
    lines.extend(column.losers.iter().map(|loser| format!("{lost}: {} – {}", loser.plan, loser.why)));
    lines.extend(column.notes.iter().map(|(_, note)| format!("· {note}")));
    lines.extend(column.losses.iter().map(|loss| format!("! {loss}")));
    lines
}

/// The duel as plain text, in reading order: sameness, differences, then design after design.
#[must_use]
pub fn to_text(duel: &Duel, lang: Lang) -> String {
    let mut text = format!("{}\n\n", duel.statement);
    for line in &duel.lines {
        let _ = writeln!(text, "{line}");
    }
    for column in &duel.columns {
        let _ = write!(text, "\n== {} ({}) ==\n", column.name, column.collection);
        let said = column.statement.as_ref().or(column.reason.as_ref().map(|(_, reason)| reason));
        let _ = writeln!(text, "{}", said.map_or("", String::as_str));
        for line in plan_text(column, lang) {
            let _ = writeln!(text, "  {line}");
        }
    }
    text.push('\n');
    text.push_str(&table(duel, lang));
    text
}

/// The figures side by side, aligned.
fn table(duel: &Duel, lang: Lang) -> String {
    let columns: Vec<_> = duel.columns.iter().map(|column| figures(column, lang)).collect();
    let width = |text: &str| unicode_width::UnicodeWidthStr::width(text);
    let pad = |text: &str, to: usize| format!("{text}{}", " ".repeat(to.saturating_sub(width(text))));
    let labels = columns.first().into_iter().flatten().map(|(label, _)| width(label)).max().unwrap_or(0);
    let widths: Vec<_> = duel
        .columns
        .iter()
        .zip(&columns)
        .map(|(column, figures)| {
            let values = figures.iter().map(|(_, value)| width(value)).max().unwrap_or(0);
            values.max(width(&column.name))
        })
        .collect();
    let mut text = pad("", labels);
    for (column, width) in duel.columns.iter().zip(&widths) {
        let _ = write!(text, "  {}", pad(&column.name, *width));
    }
    text = format!("{}\n", text.trim_end());
    let rows = columns.first().map_or(0, Vec::len);
    for row in 0..rows {
        let mut line = pad(columns[0][row].0, labels);
        for (figures, width) in columns.iter().zip(&widths) {
            let _ = write!(line, "  {}", pad(&figures[row].1, *width));
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// The duel as Markdown: a table of figures, and each design's statement and plan.
#[must_use]
pub fn to_markdown(duel: &Duel, lang: Lang) -> String {
    let mut text = format!("# Duel\n\n```js\n{}\n```\n\n", duel.statement);
    for line in &duel.lines {
        let _ = writeln!(text, "- {line}");
    }
    let names: Vec<_> = duel.columns.iter().map(|column| column.name.as_str()).collect();
    let _ = write!(text, "\n| | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    let columns: Vec<_> = duel.columns.iter().map(|column| figures(column, lang)).collect();
    for row in 0..columns.first().map_or(0, Vec::len) {
        let values: Vec<_> = columns.iter().map(|figures| figures[row].1.as_str()).collect();
        let _ = writeln!(text, "| {} | {} |", columns[0][row].0, values.join(" | "));
    }
    for column in &duel.columns {
        let _ = write!(text, "\n## {}\n\n", column.name);
        if let Some(statement) = &column.statement {
            let _ = write!(text, "```js\n{statement}\n```\n\n");
        }
        if let Some((_, reason)) = &column.reason {
            let _ = write!(text, "{reason}\n\n");
        }
        let lines = plan_text(column, lang);
        if !lines.is_empty() {
            let _ = write!(text, "```\n{}\n```\n", lines.join("\n"));
        }
    }
    text
}
