//! What a duel says in words: sameness first, then the differences, line by line.

use crate::words::{Lang, Words};

use super::compare::compare;
use super::duel::{Column, Difference, Kind, Sameness};
use super::words::{counted, difference_line, say};

/// The lines of a question asked of every design.
pub(super) fn lines(kind: Kind, same: &Sameness, columns: &[Column], lang: Lang) -> Vec<String> {
    let mut lines = sameness_lines(kind, same, columns, lang);
    lines.extend(cost_lines(kind, columns, lang));
    lines
}

/// The lines of statements set beside each other.
pub(super) fn versus_lines(kind: Kind, same: &Sameness, columns: &[Column], lang: Lang) -> Vec<String> {
    let home = columns.first().map_or("", |column| column.name.as_str());
    let mut lines = match same {
        _ if kind == Kind::Admin => Vec::new(),
        Sameness::Alone => vec![Words::new("One gave no answer.", "Eine gab keine Antwort.").get(lang).to_owned()],
        Sameness::Same(count) => {
            let words = Words::new("All give the same answer: {count}.", "Alle geben dieselbe Antwort: {count}.");
            vec![say(words, lang, &[("count", count.to_string())])]
        }
        Sameness::Different(differences) => {
            differences.iter().map(|difference| different_line(home, difference, lang)).collect()
        }
    };
    lines.extend(cost_lines(kind, columns, lang));
    lines
}

/// What the first column costs against each of the others.
fn cost_lines(kind: Kind, columns: &[Column], lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    let Some((home, twins)) = columns.split_first() else { return lines };
    for twin in twins {
        let name = &twin.name;
        if let Some((_, reason)) = &twin.reason {
            lines.push(format!("{name}: {reason}"));
        }
        if let (Kind::Read, Some(left), Some(right)) = (kind, &home.explain, &twin.explain) {
            lines.push(difference_line(&home.name, name, &compare(left, right), lang));
        }
    }
    match kind {
        Kind::Read => {}
        Kind::Write => lines.extend(columns.iter().filter_map(|column| written_line(column, lang))),
        Kind::Admin => lines.extend(columns.iter().map(|column| index_line(column, lang))),
    }
    lines
}

fn sameness_lines(kind: Kind, same: &Sameness, columns: &[Column], lang: Lang) -> Vec<String> {
    let home = columns.first().map_or("", |column| column.name.as_str());
    match same {
        _ if kind == Kind::Admin => Vec::new(),
        Sameness::Alone => {
            vec![
                Words::new("Only {home} can be asked this.", "Nur {home} kann das gefragt werden.")
                    .fill(lang, &[("home", home)]),
            ]
        }
        Sameness::Same(count) => {
            let words = match kind {
                Kind::Write => Words::new("Same entities touched: {count}.", "Dieselben Entitäten berührt: {count}."),
                _ => Words::new(
                    "Same answer in every design asked: {count}.",
                    "Gleiche Antwort in jedem gefragten Design: {count}.",
                ),
            };
            vec![say(words, lang, &[("count", count.to_string())])]
        }
        Sameness::Different(differences) => {
            differences.iter().map(|difference| different_line(home, difference, lang)).collect()
        }
    }
}

fn different_line(home: &str, difference: &Difference, lang: Lang) -> String {
    let words = Words::new(
        "NOT the same: {missing} only in {home} ({only_home}), {extra} only in {twin} ({only_twin}); costs below compare different answers.",
        "NICHT dasselbe: {missing} nur in {home} ({only_home}), {extra} nur in {twin} ({only_twin}); die Kosten unten vergleichen verschiedene Antworten.",
    );
    let values = [
        ("missing", difference.missing.to_string()),
        ("extra", difference.extra.to_string()),
        ("home", home.to_owned()),
        ("twin", difference.name.clone()),
        ("only_home", shown(&difference.only_home)),
        ("only_twin", shown(&difference.only_twin)),
    ];
    say(words, lang, &values)
}

fn shown(examples: &[String]) -> String {
    if examples.is_empty() { "–".into() } else { examples.join(", ") }
}

/// What a write cost one design.
fn written_line(column: &Column, lang: Lang) -> Option<String> {
    column.command.as_ref()?;
    let (one, many) = (Words::new("document", "Dokument"), Words::new("documents", "Dokumente"));
    let (entry, entries) = (Words::new("index entry", "Indexeintrag"), Words::new("index entries", "Indexeinträge"));
    let words = Words::new(
        "{design}: {documents} written ({bytes bytes}), {entries} touched",
        "{design}: {documents} geschrieben ({bytes Bytes}), {entries} berührt",
    );
    let values = [
        ("design", column.name.clone()),
        ("documents", counted(column.cost.written, one, many, lang)),
        ("bytes", column.cost.bytes.to_string()),
        ("entries", counted(column.cost.entries, entry, entries, lang)),
    ];
    Some(say(words, lang, &values))
}

/// How a design's indexes stand.
fn index_line(column: &Column, lang: Lang) -> String {
    let words = Words::new(
        "{design}: {count} of 64 indexes, {entries entries}, {bytes bytes} (prefix-compressed, an estimate: {estimate}); \
         one more like the first touches {insert entries}",
        "{design}: {count} von 64 Indexen, {entries Einträge}, {bytes Bytes} (präfixkomprimiert, geschätzt: {estimate}); \
         eine weitere wie die erste berührt {insert Einträge}",
    );
    let insert = column.writing.as_ref().map_or_else(|| "–".to_owned(), |writing| writing.insert_entries.to_string());
    let values = [
        ("design", column.name.clone()),
        ("count", column.storage.indexes.len().to_string()),
        ("entries", column.storage.entries().to_string()),
        ("bytes", column.storage.index_bytes().to_string()),
        ("estimate", column.storage.estimated_index_bytes().to_string()),
        ("insert", insert),
    ];
    say(words, lang, &values)
}
