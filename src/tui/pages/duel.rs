//! The duel: a column per design with statement, plan, bounds and cost, and the difference in words below.

use crate::design::{
    BoundsLine, Column, Cost, Duel, IndexLine, Role as StageRole, Sameness, StageLine, Storage, Writing, measure,
    plan_lines,
};
use crate::plan::Explain;
use crate::tui::highlight;
use crate::tui::page::{Line, Page};
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const YOURS: Words = Words::new("yours", "deiner");
const TWIN: Words = Words::new("twin", "Zwilling");
const BOUNDS: Words = Words::new("Index bounds", "Indexgrenzen");
const NO_BOUNDS: Words = Words::new("none: every document is read", "keine: jedes Dokument wird gelesen");
const BY_ID: Words =
    Words::new("the one entry of this _id in the index on _id", "der eine Eintrag dieser _id im Index auf _id");
const NOTHING_READ: Words = Words::new("none: there is nothing to read", "keine: es gibt nichts zu lesen");
const READ: Words = Words::new("Read", "Gelesen");
const KEPT: Words = Words::new("Kept", "Gespeichert");
const INDEXES: Words = Words::new("{n|index|indexes}", "{n|Index|Indexe}");
const ENTRIES: Words = Words::new("index {n|entry|entries}", "{n|Indexeintrag|Indexeinträge}");
const BYTES: Words = Words::new("index {n|byte|bytes}", "{n|Indexbyte|Indexbytes}");
const ESTIMATE: Words = Words::new("prefix-compressed (estimate)", "präfixkomprimiert (geschätzt)");
const INSERT: Words = Words::new(
    "{n|entry|entries} if the first is inserted again",
    "{n|Eintrag|Einträge}, fügt man den ersten noch einmal ein",
);
const MORE: Words = Words::new("… {count} more", "… {count} weitere");
const LOST: Words = Words::new("Rejected plans", "Verworfene Pläne");
const DIFFERENCE: Words = Words::new("Difference", "Unterschied");

/// So many indexes are named in a column; the rest are counted.
const NAMED: usize = 4;

/// The duel as a page, so many columns side by side; further designs follow below.
#[must_use]
pub fn page(duel: &Duel, columns: usize, lang: Lang) -> Page {
    let mut page = Page::new();
    for (at, group) in duel.columns.chunks(columns.max(1)).enumerate() {
        beside(&mut page, &group.iter().map(|column| figures(column, lang)).collect::<Vec<_>>());
        page.gap();
        if at == 0 {
            page.append(difference(duel, lang));
            page.gap();
        }
    }
    for group in duel.columns.chunks(columns.max(1)) {
        beside(&mut page, &group.iter().map(|column| details(column, lang)).collect::<Vec<_>>());
        page.gap();
    }
    page.trim();
    page
}

/// Columns side by side, the same section of all of them starting on one line.
fn beside(page: &mut Page, columns: &[Vec<Page>]) {
    let count = columns.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..count {
        let parts: Vec<Page> = columns.iter().map(|sections| sections.get(at).cloned().unwrap_or_default()).collect();
        page.beside(&parts);
    }
}

/// The difference in words, sameness first.
fn difference(duel: &Duel, lang: Lang) -> Page {
    let mut page = Page::new();
    let role = match duel.same {
        Sameness::Same(_) => Role::Good,
        Sameness::Different(_) => Role::Bad,
        Sameness::Alone => Role::Info,
    };
    page.say(Role::Heading, DIFFERENCE.get(lang));
    for (at, line) in duel.lines.iter().enumerate() {
        let sign = if at == 0 { "= " } else { "· " };
        let role = if at == 0 { role } else { Role::Text };
        page.line(Line::of(Role::Quiet, sign).and(role, line.clone()).hang(2));
    }
    page
}

/// What is compared of one column, section by section.
fn figures(column: &Column, lang: Lang) -> Vec<Page> {
    vec![
        title(column, lang),
        statement(column),
        stages(&column.stages),
        bounds(&column.stages, &column.bounds, lang),
        if column.statement.is_some() { cost(&column.cost, lang) } else { Page::new() },
        storage(&column.storage, column.writing.as_ref(), lang),
    ]
}

/// What stands behind the figures of one column.
fn details(column: &Column, lang: Lang) -> Vec<Page> {
    let mut name = Page::new();
    name.say(Role::Title, column.name.clone());
    vec![name, indexes(&column.storage.indexes, lang), losers(column, lang)]
}

fn title(column: &Column, lang: Lang) -> Page {
    // Of statements beside each other, both are the learner's.
    let whose = match (column.name == column.form.name(), column.home) {
        (false, _) => String::new(),
        (true, home) => format!("{} · ", if home { YOURS } else { TWIN }.get(lang)),
    };
    let mut page = Page::new();
    page.line(Line::of(Role::Title, column.name.clone()).and(Role::Quiet, format!("  {whose}{}", column.collection)));
    page
}

fn statement(column: &Column) -> Page {
    let mut page = Page::new();
    if let Some(text) = &column.statement {
        for mut line in highlight::lines(text) {
            line.hang = 2;
            page.line(line);
        }
    }
    if let Some((_, reason)) = &column.reason {
        page.line(Line::of(Role::Warning, "✗ ").and(Role::Text, reason.clone()).hang(2));
    }
    for (_, note) in &column.notes {
        page.line(Line::of(Role::Quiet, "· ").and(Role::Info, note.clone()).hang(2));
    }
    page
}

fn stages(stages: &[StageLine]) -> Page {
    let mut page = Page::new();
    for stage in stages {
        let indent = "  ".repeat(stage.depth.saturating_sub(1));
        let branch = if stage.depth == 0 { String::new() } else { format!("{indent}└ ") };
        let hang = 2 * stage.depth + 2;
        let mut line = Line::of(Role::Quiet, branch).and(Role::Strong, stage.stage.clone()).hang(hang);
        if !stage.detail.is_empty() {
            line.push(Role::Code, format!(" {}", stage.detail));
        }
        page.line(line);
        // What a scan does is said by its bounds.
        if !stage.words.is_empty() && stage.role != StageRole::Scan {
            page.line(Line::of(Role::Quiet, format!("{}{}", " ".repeat(hang), stage.words)).hang(hang));
        }
    }
    page
}

fn bounds(stages: &[StageLine], scans: &[BoundsLine], lang: Lang) -> Page {
    let mut page = Page::new();
    if stages.is_empty() {
        return page;
    }
    page.say(Role::Heading, BOUNDS.get(lang));
    let has = |name: &str| stages.iter().any(|stage| stage.stage == name);
    let none = [("COLLSCAN", NO_BOUNDS), ("IDHACK", BY_ID), ("EOF", NOTHING_READ)];
    if let Some((_, words)) = none.into_iter().find(|(stage, _)| scans.is_empty() && has(stage)) {
        page.line(Line::of(Role::Text, words.get(lang)).hang(2));
    }
    for scan in scans {
        page.line(Line::of(Role::Text, scan.words.clone()).hang(2));
        for (field, intervals) in &scan.notation {
            let notation = intervals.join(", ");
            page.line(Line::of(Role::Field, format!("  {field}")).and(Role::Code, format!(": {notation}")).hang(4));
        }
    }
    page
}

/// A plan without twins: its stages, bounds and cost.
#[must_use]
pub fn plan(explain: &Explain, lang: Lang) -> Page {
    let (lines, scans) = plan_lines(&explain.winning, lang);
    let figures = measure(explain);
    let mut page = stages(&lines);
    page.append(bounds(&lines, &scans, lang));
    let read = Cost { keys: figures.keys, docs: figures.docs, returned: figures.returned, ..Cost::default() };
    page.append(cost(&read, lang));
    page
}

/// A figure and what it counts, in the number that goes with it.
fn counted(words: Words, number: impl std::fmt::Display, lang: Lang) -> Line {
    let n = number.to_string();
    figure(&words.fill(lang, &[("n", &n)]), n)
}

/// A label and its figure, the figures below each other.
fn figure(label: &str, figure: impl std::fmt::Display) -> Line {
    Line::of(Role::Figure, format!("{figure:>6}")).and(Role::Text, format!(" {label}")).hang(7)
}

fn cost(cost: &Cost, lang: Lang) -> Page {
    let mut page = Page::new();
    page.say(Role::Heading, READ.get(lang));
    page.line(figure("keysExamined", cost.keys));
    page.line(figure("docsExamined", cost.docs));
    page.line(figure("nReturned", cost.returned));
    page
}

fn storage(storage: &Storage, writing: Option<&Writing>, lang: Lang) -> Page {
    let mut page = Page::new();
    page.say(Role::Heading, KEPT.get(lang));
    page.line(counted(INDEXES, storage.indexes.len(), lang));
    page.line(counted(ENTRIES, storage.entries(), lang));
    page.line(counted(BYTES, storage.index_bytes(), lang));
    page.line(figure(ESTIMATE.get(lang), storage.estimated_index_bytes()));
    if let Some(writing) = writing {
        page.line(counted(INSERT, writing.insert_entries, lang));
    }
    page
}

fn indexes(indexes: &[IndexLine], lang: Lang) -> Page {
    let mut page = Page::new();
    for index in indexes.iter().take(NAMED) {
        let mut line = Line::of(Role::Quiet, format!("{:>6} ", index.entries)).and(Role::Quiet, index.name.clone());
        if index.multikey {
            line.push(Role::Quiet, " multikey");
        }
        page.line(line.hang(7));
    }
    if let Some(more) = indexes.len().checked_sub(NAMED).filter(|more| *more > 0) {
        page.line(Line::of(Role::Quiet, format!("       {}", MORE.fill(lang, &[("count", &more.to_string())]))));
    }
    page
}

fn losers(column: &Column, lang: Lang) -> Page {
    let mut page = Page::new();
    if column.losers.is_empty() {
        return page;
    }
    page.say(Role::Heading, LOST.get(lang));
    for loser in &column.losers {
        page.line(Line::of(Role::Code, loser.plan.clone()).hang(2));
        page.line(Line::of(Role::Quiet, format!("  {}", loser.why)).hang(2));
    }
    page
}
