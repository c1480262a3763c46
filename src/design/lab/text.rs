//! What the lab found, as plain text: a table for each figure, then the findings in words.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use crate::design::words::say;
use crate::words::{Lang, Words};

use super::{Contender, LabReport, LabRow};

const TITLE: Words = Words::new(
    "Cost lab: {attributes} of {keys attributes} each, {values values} a key, {reads} % questions and {writes} % inserts",
    "Kostenlabor: je {attributes} von {keys Attributen}, {values Werte} je Schlüssel, {reads} % Fragen und {writes} % Inserts",
);
const COMPUTED: Words = Words::new(
    "* computed from the straight line through the two largest sizes built; the others were built and counted",
    "* gerechnet aus der Geraden durch die zwei größten gebauten Größen; die anderen wurden gebaut und gezählt",
);

/// One figure of the lab: its name and where it stands in a row.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// Its name.
    pub name: Words,
    /// Its value in a row, with so many questions in a hundred operations.
    pub of: fn(&LabRow, u8) -> f64,
}

/// All figures, in the order in which they are shown.
pub const FIGURES: [Figure; 8] = [
    Figure { name: Words::new("index bytes", "Bytes der Indexe"), of: |row, _| row.index_bytes },
    Figure {
        name: Words::new(
            "index bytes, prefix-compressed (estimate)",
            "Bytes der Indexe, präfixkomprimiert (geschätzt)",
        ),
        of: |row, _| row.estimated_index_bytes,
    },
    Figure { name: Words::new("bytes of documents", "Bytes der Dokumente"), of: |row, _| row.data_bytes },
    Figure { name: Words::new("index entries", "Indexeinträge"), of: |row, _| row.entries },
    Figure {
        name: Words::new("index entries touched by one insert", "Indexeinträge, die ein Insert berührt"),
        of: |row, _| row.insert_entries,
    },
    Figure { name: Words::new("keys examined per question", "gelesene Schlüssel je Frage"), of: |row, _| row.keys },
    Figure {
        name: Words::new("documents examined per question", "gelesene Dokumente je Frage"),
        of: |row, _| row.docs,
    },
    Figure {
        name: Words::new(
            "keys, documents and entries touched per operation",
            "berührte Schlüssel, Dokumente und Einträge je Vorgang",
        ),
        of: LabRow::cost,
    },
];

/// A line of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LabLine {
    /// What was measured.
    Title(String),
    /// The name of the figure that the rows below show; a gap is before it.
    Figure(&'static str),
    /// A row of a table, its columns aligned: it is not to be broken.
    Row(String),
    /// What a sign in the tables means.
    Note(&'static str),
    /// What follows from the tables; a gap is before the first.
    Finding(String),
}

/// The report line by line.
#[must_use]
pub fn lab_lines(report: &LabReport, lang: Lang) -> Vec<LabLine> {
    let plan = &report.plan;
    let values = [
        ("attributes", plan.attributes.to_string()),
        ("keys", plan.keys.to_string()),
        ("values", plan.values.to_string()),
        ("reads", plan.reads.to_string()),
        ("writes", (100 - plan.reads).to_string()),
    ];
    let mut lines = vec![LabLine::Title(say(TITLE, lang, &values))];
    for figure in FIGURES {
        lines.push(LabLine::Figure(figure.name.get(lang)));
        lines.extend(table(report, figure, lang).into_iter().map(LabLine::Row));
    }
    lines.push(LabLine::Note(COMPUTED.get(lang)));
    lines.extend(findings(report, lang).into_iter().map(LabLine::Finding));
    lines
}

/// The report as plain text.
#[must_use]
pub fn to_text(report: &LabReport, lang: Lang) -> String {
    let mut text = String::new();
    let mut found = false;
    for line in lab_lines(report, lang) {
        let gap = matches!(line, LabLine::Figure(_)) || (matches!(line, LabLine::Finding(_)) && !found);
        found = matches!(line, LabLine::Finding(_));
        let gap = if gap { "\n" } else { "" };
        // Writing to a text cannot fail.
        let _ = match line {
            LabLine::Title(said) | LabLine::Row(said) | LabLine::Finding(said) => writeln!(text, "{gap}{said}"),
            LabLine::Figure(said) | LabLine::Note(said) => writeln!(text, "{gap}{said}"),
        };
    }
    text
}

/// One figure of every design at every size.
fn table(report: &LabReport, figure: Figure, lang: Lang) -> Vec<String> {
    let sizes = sizes(report);
    let heads = sizes.iter().map(|(size, computed)| head(*size, *computed, lang));
    let mut table: Vec<Vec<String>> = std::iter::once(String::new()).chain(heads).map(|cell| vec![cell]).collect();
    for &contender in &report.plan.contenders {
        table[0].push(contender.name());
        for (at, (size, _)) in sizes.iter().enumerate() {
            let row = row_of(report, contender, *size);
            let figure = row.map(|row| quantity((figure.of)(row, report.plan.reads), lang));
            table[at + 1].push(figure.unwrap_or_default());
        }
    }
    aligned(&table)
}

/// The sizes, each with whether it was computed.
fn sizes(report: &LabReport) -> Vec<(u64, bool)> {
    let first = report.plan.contenders.first();
    report.rows.iter().filter(|row| Some(&row.contender) == first).map(|row| (row.entities, row.computed)).collect()
}

fn row_of(report: &LabReport, contender: Contender, entities: u64) -> Option<&LabRow> {
    report.rows.iter().find(|row| row.contender == contender && row.entities == entities)
}

fn head(size: u64, computed: bool, lang: Lang) -> String {
    let star = if computed { "*" } else { "" };
    format!("{}{star}", quantity(super::measure::float(size), lang))
}

/// Columns as lines of text, the first to the left, the others to the right.
fn aligned(columns: &[Vec<String>]) -> Vec<String> {
    let width = |column: &[String]| column.iter().map(|cell| cell.width()).max().unwrap_or(0);
    let cell = |(at, column): (usize, &Vec<String>), row: usize| {
        let room = " ".repeat(width(column) - column[row].width());
        if at == 0 { format!("  {}{room}", column[row]) } else { format!("  {room}{}", column[row]) }
    };
    let rows = 0..columns.first().map_or(0, Vec::len);
    rows.map(|row| columns.iter().enumerate().map(|column| cell(column, row)).collect()).collect()
}

/// A figure people can read: whole below 100,000, with one decimal where it has any below 100, else in k, M, G or T.
#[must_use]
pub fn quantity(figure: f64, lang: Lang) -> String {
    const STEPS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    /// What is rounded up to a thousand of a unit is one of the next.
    const NEARLY: f64 = 0.9995;
    let size = figure.abs();
    if size < 100.0 && figure.fract() != 0.0 {
        return lang.decimal(figure, 1);
    }
    if size < 100_000.0 {
        return format!("{figure:.0}");
    }
    let (unit, name) = STEPS.into_iter().find(|(unit, _)| size >= *unit * NEARLY).unwrap_or((1.0, ""));
    let scaled = figure / unit;
    let decimals = usize::from(scaled.abs() < 100.0 && (scaled * 10.0).round() % 10.0 != 0.0);
    format!("{} {name}", lang.decimal(scaled, decimals))
}

/// What follows from the rows, in words: the cheapest and where that changes, the two ceilings.
#[must_use]
pub fn findings(report: &LabReport, lang: Lang) -> Vec<String> {
    let mut lines = cheapest_lines(report, lang);
    lines.push(ceiling_line(report, lang));
    lines.extend(report.rows.iter().filter(|row| is_largest_built(report, row)).filter_map(|row| unserved(row, lang)));
    lines.extend(report.growth.iter().map(|growth| growth_line(growth, lang)));
    lines
}

fn is_largest_built(report: &LabReport, row: &LabRow) -> bool {
    !row.computed && Some(row.entities) == report.plan.sizes.last().copied()
}

fn cheapest_lines(report: &LabReport, lang: Lang) -> Vec<String> {
    let largest = report.plan.sizes.last().map_or(0.0, |size| super::measure::float(*size));
    let cheapest = Words::new(
        "Cheapest with {reads} % questions at {size entities}: {design}; of equal ones the one with fewer index bytes.",
        "Am billigsten bei {reads} % Fragen und {size Entitäten}: {design}; von gleichen das mit weniger Bytes im Index.",
    );
    let changes = Words::new(
        "From {reads} % questions on, {to} is cheaper than {from}.",
        "Ab {reads} % Fragen ist {to} billiger als {from}.",
    );
    let mut lines = Vec::new();
    if let Some(design) = report.cheapest {
        let reads = report.plan.reads.to_string();
        lines.push(say(
            cheapest,
            lang,
            &[("reads", reads), ("size", quantity(largest, lang)), ("design", design.name())],
        ));
    }
    lines.extend(report.changes.iter().map(|change| {
        let values = [("reads", change.reads.to_string()), ("to", change.to.name()), ("from", change.from.name())];
        say(changes, lang, &values)
    }));
    lines
}

fn ceiling_line(report: &LabReport, lang: Lang) -> String {
    let words = Words::new(
        "A collection took {made indexes} beside _id_; the next was refused: {message} ({code} {name}).",
        "Eine Collection nahm {made Indexe} neben _id_; der nächste wurde abgelehnt: {message} ({code} {name}).",
    );
    let (made, refusal) = &report.ceiling;
    let values = [
        ("made", made.to_string()),
        ("message", refusal.message.clone()),
        ("code", refusal.code.number().to_string()),
        ("name", refusal.code.name().clone()),
    ];
    say(words, lang, &values)
}

/// Which questions have no index because the ceiling was met.
fn unserved(row: &LabRow, lang: Lang) -> Option<String> {
    let words = Words::new(
        "{design}: {count keys} {count|has|have} no index because the ceiling was met; questions about them read every document.",
        "{design}: {count Schlüssel} {count|hat|haben} keinen Index, weil die Grenze erreicht war; Fragen nach ihnen lesen jedes Dokument.",
    );
    (row.unserved > 0)
        .then(|| say(words, lang, &[("design", row.contender.name()), ("count", row.unserved.to_string())]))
}

fn growth_line(growth: &super::Growth, lang: Lang) -> String {
    let until = Words::new(
        "{design}: a day adds {bytes bytes} to the document; {days days} ({years years}) fit into 16 MiB.",
        "{design}: Ein Tag fügt dem Dokument {bytes Bytes} hinzu; {days Tage} ({years Jahre}) passen in 16 MiB.",
    );
    let own = Words::new(
        "{design}: a day is a document of its own with {bytes bytes}; none grows.",
        "{design}: Ein Tag ist ein eigenes Dokument mit {bytes Bytes}; keins wächst.",
    );
    let mut values = vec![("design", growth.form.name().to_owned()), ("bytes", growth.bytes_per_day.to_string())];
    let Some(days) = growth.days else { return say(own, lang, &values) };
    values.extend([("days", days.to_string()), ("years", (days * 4 / 1461).to_string())]);
    say(until, lang, &values)
}
