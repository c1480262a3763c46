//! Proof by document, pitfall by pitfall: `tests/pitfalls/proofs/*.json` holds for each wrong result a statement, data of
//! which it misjudges a document, and data which it judges right by chance.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use pegboard::engine::Database;
use pegboard::pitfall::{Detector, Evidence, Finding, Inquiry, Level, Work, table};
use pegboard::proof::said_text;
use pegboard::shell::{Limits, Shell, literal};
use pegboard::value::{Bson, Document, Source, doc};
use pegboard::words::Lang;
use serde::Deserialize;

use crate::expectation;
use crate::pitfalls::findings;

/// One statement on data of both kinds.
#[derive(Deserialize)]
struct Row {
    id: String,
    ask: String,
    /// Documents of which some are misjudged.
    wrong: String,
    /// Documents that are all judged right.
    right: String,
    /// Why nothing is reported on those.
    silent: Option<String>,
    /// Why the statement and its cure give other rows even there.
    apart: Option<String>,
    /// Why a smaller document on which the two part as well would not show the pitfall.
    narrow: Option<String>,
}

fn rows() -> Vec<Row> {
    let mut files: Vec<String> = fs::read_dir("tests/pitfalls/proofs")
        .expect("the table is there")
        .filter_map(|entry| Some(entry.ok()?.path().to_string_lossy().into_owned()))
        .collect();
    files.sort();
    files.iter().flat_map(|path| expectation::read::<Row>(path)).collect()
}

fn inserted(documents: &str) -> String {
    format!("db.c.insertMany({documents})")
}

fn listed(documents: &[Document]) -> String {
    literal(&Bson::Array(documents.iter().cloned().map(Bson::Document).collect()))
}

fn finding(row: &Row, documents: &str, lang: Lang) -> Option<Finding> {
    findings(&[inserted(documents)], &row.ask, lang).into_iter().find(|finding| finding.id == row.id)
}

/// What a text answers on these documents and what it leaves, as far as it can be compared with another text's.
fn answer(documents: &str, text: &str, ask: &str, ids_alone: bool) -> Option<String> {
    let mut shell = Shell::new(Database::new(Source::seeded(1)), Limits::default());
    shell.run(&inserted(documents)).value.ok()?;
    let gave = shell.run(text).value.ok()?.to_bson();
    if ask.contains(".update") {
        let left = shell.run("db.c.find().sort({_id: 1})").value.ok()?.to_bson();
        return Some(literal(&left));
    }
    let row = |row: &Bson| match row.as_document().and_then(|row| row.get("_id")) {
        Some(id) if ids_alone => literal(id),
        _ => literal(row),
    };
    let mut rows: Vec<String> = gave.as_array()?.iter().map(row).collect();
    if !ask.contains(".sort(") {
        rows.sort();
    }
    Some(rows.join("\n"))
}

/// Whether two texts that both run part on these documents.
fn differ(documents: &str, ask: &str, other: &str) -> bool {
    // A cure that converts the data first finds the same documents with other values.
    let ids_alone = other.contains(".update") && !ask.contains(".update");
    let both = answer(documents, ask, ask, ids_alone).zip(answer(documents, other, ask, ids_alone));
    both.is_some_and(|(typed, cured)| typed != cured)
}

fn documents_of(finding: &Finding, wanted: bool) -> Vec<Document> {
    let document = |piece: &Evidence| match piece {
        Evidence::Document { document, made, .. } if *made == wanted => Some(document.clone()),
        Evidence::Write { before, .. } if !wanted => before.clone(),
        _ => None,
    };
    let mut found: Vec<Document> = finding.evidence.iter().filter_map(document).collect();
    found.dedup();
    found
}

/// What is wrong with the finding on data that holds a misjudged document.
fn fault_where_wrong(row: &Row) -> Option<String> {
    let Some(finding) = finding(row, &row.wrong, Lang::En) else { return Some("not reported".into()) };
    let Some(fix) = &finding.fix else { return no_fix(row, &finding) };
    let own = documents_of(&finding, false);
    let inserts = |piece: &Evidence| matches!(piece, Evidence::Write { before: None, .. });
    let held = if own.is_empty() && finding.evidence.iter().any(inserts) { row.wrong.clone() } else { listed(&own) };
    if finding.level != Level::WrongResult {
        return Some(format!("reported as {:?}: {}", finding.level, finding.message));
    }
    if own.is_empty() && held != row.wrong || !documents_of(&finding, true).is_empty() {
        return Some(format!("no document of the data proves it: {:?}", finding.evidence));
    }
    (!differ(&held, &row.ask, fix)).then(|| format!("{held} is not misjudged; cure {fix}"))
}

/// Where no cure can be written, two different results have to be told.
fn no_fix(row: &Row, finding: &Finding) -> Option<String> {
    let own = documents_of(finding, false);
    let differs = |piece: &Evidence| matches!(piece, Evidence::Results { learner, meant } if learner != meant);
    let proven = !own.is_empty() && finding.evidence.iter().any(differs);
    (!proven).then(|| format!("no cure and no two results for {}: {:?}", row.id, finding.evidence))
}

/// What is wrong with the finding on data that is judged right by chance.
fn fault_where_right(row: &Row) -> Option<String> {
    // A hint speaks of no result.
    let found = finding(row, &row.right, Lang::En).filter(|finding| finding.level != Level::Hint);
    let finding = match (&row.silent, found) {
        (Some(reason), None) => return reason.is_empty().then(|| "silent without a reason".into()),
        (Some(_), Some(finding)) => return Some(format!("reported all the same: {}", finding.message)),
        (None, None) => return Some("silent on data that is judged right by chance".into()),
        (None, Some(finding)) => finding,
    };
    let german = self::finding(row, &row.right, Lang::De).map(|finding| finding.message).unwrap_or_default();
    let said = finding.message.contains("happens to be right") && finding.message.contains("made for the proof");
    let told =
        german.contains("zufällig") && german.contains("für den Beweis gemacht") || german.contains("Für den Beweis");
    if finding.level != Level::Risk || !said || !told || !finding.message.contains(|c: char| c.is_ascii_digit()) {
        return Some(format!("said wrongly ({:?}): {}\n    {german}", finding.level, finding.message));
    }
    let made = documents_of(&finding, true);
    let Some(fix) = &finding.fix else { return made.is_empty().then(|| "nothing was made".into()) };
    if row.apart.is_none() && differ(&row.right, &row.ask, fix) {
        return Some(format!("the two readings part on the data: {fix}"));
    }
    if !differ(&listed(&made), &row.ask, fix) {
        return Some(format!("{} is not misjudged; cure {fix}", listed(&made)));
    }
    let smallest = row.apart.is_none() && row.narrow.is_none();
    let smaller = smaller(&made).into_iter().find(|less| smallest && differ(&listed(less), &row.ask, fix));
    smaller.map(|less| format!("{} would do for {}", listed(&less), listed(&made)))
}

/// The documents with one document, field or element less.
fn smaller(made: &[Document]) -> Vec<Vec<Document>> {
    let mut found = Vec::new();
    for at in 0..made.len() {
        let mut fewer = made.to_vec();
        fewer.remove(at);
        found.push(fewer);
        for less in less(&Bson::Document(made[at].clone())) {
            let Bson::Document(less) = less else { continue };
            if less.contains_key("_id") {
                let mut all = made.to_vec();
                all[at] = less;
                found.push(all);
            }
        }
    }
    found.retain(|set| !set.is_empty());
    found
}

/// The value with one part of it taken away.
fn less(value: &Bson) -> Vec<Bson> {
    let mut found = Vec::new();
    match value {
        Bson::Document(fields) => {
            for (name, inner) in fields {
                let mut without = fields.clone();
                without.remove(name);
                found.push(without.into());
                found.extend(less(inner).into_iter().map(|inner| {
                    let mut with = fields.clone();
                    with.insert(name, inner);
                    with.into()
                }));
            }
        }
        Bson::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                let mut without = items.clone();
                without.remove(at);
                found.push(without.into());
                found.extend(less(inner).into_iter().map(|inner| {
                    let mut with = items.clone();
                    with[at] = inner;
                    with.into()
                }));
            }
        }
        _ => {}
    }
    found
}

/// What a detector has to do about a text on products.
fn work(products: usize, text: &str) -> (Work, Vec<&'static str>) {
    let mut shell = Shell::new(Database::new(Source::seeded(1)), Limits::default());
    shell.run(&format!(
        "db.c.insertMany([...Array({products}).keys()].map(i => ({{_id: i, specs: [{{k: 'color', v: i}}, {{k: 'size', v: 1}}]}})))"
    ));
    let before = shell.host().clone();
    let outcome = shell.run(text);
    let mut detector = Detector::new(Lang::En);
    let found = detector.detect(&outcome, &before, &shell.host());
    (detector.work(), found.iter().map(|finding| finding.id).collect())
}

/// However long a text or a filter is, what is done about it stays within a bound, and what is left out is told.
#[test]
fn long_texts_and_filters_are_looked_at_within_a_bound() {
    let asked = |times: usize| {
        format!("for (let i = 0; i < {times}; i++) db.c.find({{'specs.k': 'color', 'specs.v': i}}).toArray()")
    };
    let (short, _) = work(50, &asked(100));
    let (long, _) = work(50, &asked(1_000));
    assert_eq!((short.left_out, long.left_out), (0, 900));
    assert!(long.documents <= short.documents, "{long:?} for {short:?}");
    let (many, _) = work(5_000, &asked(100));
    assert_eq!(many.left_out, 60, "more documents, fewer commands");
    let behind_many =
        "for (let i = 0; i < 20010; i++) db.c.findOne({_id: -1})\ndb.c.find({'specs.k': 'color', 'specs.v': 1})";
    let (last, found) = work(2, behind_many);
    assert_eq!((last.left_out, found.contains(&"cross-element-match")), (19_911, true));
    let listed = |values: usize| {
        format!("db.c.find({{'specs.k': 'size', 'specs.v': {{$in: [...Array({values}).keys()]}}}}).toArray()")
    };
    let (few, found) = work(50, &listed(100));
    assert_eq!((few.left_out, found.contains(&"cross-element-match")), (0, true));
    let (huge, found) = work(50, &listed(20_000));
    assert_eq!((huge, found), (Work { left_out: 1, documents: 0 }, Vec::new()));
}

#[test]
fn every_wrong_result_is_proven_by_a_document() {
    let rows = rows();
    let shown: BTreeSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let wrong: BTreeSet<&str> =
        table().filter(|pitfall| pitfall.level == Level::WrongResult).map(|pitfall| pitfall.id).collect();
    assert_eq!(shown, wrong, "one row at least for each pitfall of a wrong result");
    let mut report = String::new();
    for row in &rows {
        for (data, fault) in [("wrong", fault_where_wrong(row)), ("right", fault_where_right(row))] {
            if let Some(fault) = fault {
                let _ = writeln!(report, "{} on {data} data, {}: {fault}\n", row.id, row.ask);
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// What a pipeline asks in several `$match` stages is asked together; what is equal only by the collation is said to be.
#[test]
fn why_knows_all_filters_of_a_pipeline_and_the_collation() {
    let mut shell = Shell::new(Database::new(Source::seeded(1)), Limits::default());
    shell.run(r#"db.c.insertMany([{_id: 1, name: "Acme", s: [{k: "ram", v: 16}]}, {_id: 2, name: "acme", s: []}])"#);
    let before = shell.host().clone();
    let mut asked = |text: &str| {
        let outcome = shell.run(text);
        Inquiry::of(&outcome, &before, &before).expect("it asks").expect("it can be asked")
    };
    let both =
        asked(r#"db.c.aggregate([{$match: {"s.k": "ram"}}, {$sort: {_id: 1}}, {$match: {name: {$ne: "Acme"}}}])"#);
    assert_eq!([both.matches(0), both.matches(1)], [false, false]);
    let text = said_text(&both.said(0, Lang::En).expect("it is judged"));
    assert!(text.contains("✓ \"s.k\"") && text.contains("✗ name"), "{text}");

    let first = asked(r#"db.c.aggregate([{$match: {"s.k": "ram"}}, {$limit: 1}, {$match: {name: "Acme"}}])"#);
    assert_eq!(first.filter, doc! {"name": "Acme"});

    let collated = asked(r#"db.c.find({name: "ACME"}).collation({locale: "en", strength: 2})"#);
    let text = said_text(&collated.said(0, Lang::En).expect("it is judged"));
    assert!(text.contains("name = \"Acme\" (equal by the collation)"), "{text}");
    let json = collated.to_json(&[0]);
    assert_eq!(json["collation"]["strength"], 2);
    assert_eq!(json["documents"][0]["matches"], true);
}
