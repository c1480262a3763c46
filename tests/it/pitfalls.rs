//! The pitfall detector on examples: `tests/pitfalls/*.json`, each with a statement that must be caught, near misses that
//! must stay silent, and the cure that makes the finding go away.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pegboard::engine::Database;
use pegboard::pitfall::{Detector, Evidence, Finding, Level, table};
use pegboard::proof::plain;
use pegboard::query::Filter;
use pegboard::shell::{Limits, Shell, parse};
use pegboard::value::{Source, doc};
use pegboard::words::{Lang, Words};
use serde::Deserialize;

use crate::expectation;

/// One pitfall's examples.
#[derive(Deserialize)]
pub struct Example {
    pub id: String,
    pub setup: Vec<String>,
    /// A statement that must be caught.
    pub caught: String,
    /// The same mistake in other places and forms: each must be caught as well.
    #[serde(default)]
    pub also: Vec<String>,
    /// Statements on the same data that must stay silent, but for a hint.
    pub silent: Vec<String>,
    /// Whether a fix is offered; it must then run without the finding.
    #[serde(default)]
    fix: bool,
    /// Statements with the very text of their fixes.
    #[serde(default)]
    pub fixes: BTreeMap<String, String>,
}

/// What the detector says of a statement on data made by the setup.
pub fn findings(setup: &[String], statement: &str, lang: Lang) -> Vec<Finding> {
    let mut shell = Shell::new(Database::new(Source::seeded(1)), Limits::default());
    for line in setup {
        shell.run(line);
    }
    let before = shell.host().clone();
    let outcome = shell.run(statement);
    let after = shell.host().clone();
    Detector::new(lang).detect(&outcome, &before, &after)
}

fn ids(findings: &[Finding]) -> BTreeSet<&str> {
    findings.iter().map(|finding| finding.id).collect()
}

pub fn examples() -> Vec<Example> {
    let mut files: Vec<_> = fs::read_dir("tests/pitfalls")
        .expect("the examples are there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files.iter().flat_map(|path| expectation::read::<Example>(&path.to_string_lossy())).collect()
}

fn faults(example: &Example) -> Vec<String> {
    let mut faults = Vec::new();
    for statement in std::iter::once(&example.caught).chain(&example.also).chain(example.fixes.keys()) {
        let found = findings(&example.setup, statement, Lang::En);
        match found.iter().find(|finding| finding.id == example.id) {
            None => faults.push(format!("not caught, but {:?}, at {statement}", ids(&found))),
            Some(finding) => faults.extend(fault_of(example, finding)),
        }
    }
    for (statement, wanted) in &example.fixes {
        let found = findings(&example.setup, statement, Lang::En);
        let fix = found.iter().find(|finding| finding.id == example.id).and_then(|finding| finding.fix.as_ref());
        if fix != Some(wanted) {
            faults.push(format!("the fix of {statement} is {fix:?}"));
        }
    }
    for statement in &example.silent {
        let found = findings(&example.setup, statement, Lang::En);
        if found.iter().any(|finding| finding.id == example.id && finding.level != Level::Hint) {
            faults.push(format!("false alarm at {statement}"));
        }
    }
    faults
}

fn fault_of(example: &Example, finding: &Finding) -> Option<String> {
    if !finding.message.contains(|c: char| c.is_ascii_digit()) {
        return Some(format!("no number in: {}", finding.message));
    }
    if let Some(open) = finding.message.find('{')
        && finding.message[open + 1..].starts_with(|c: char| c.is_ascii_lowercase())
        && finding.message[open..]
            .find('}')
            .is_some_and(|close| !finding.message[open..open + close].contains([':', ' ']))
    {
        return Some(format!("a name was not filled in: {}", finding.message));
    }
    if finding.evidence.is_empty() {
        return Some("no evidence".into());
    }
    let proves = |piece: &Evidence| {
        matches!(piece, Evidence::Document { .. } | Evidence::Write { .. } | Evidence::Refusal { .. })
    };
    if finding.level == Level::WrongResult && !finding.evidence.iter().any(proves) {
        return Some(format!("no document proves {}", finding.message));
    }
    let Some(fix) = &finding.fix else {
        return example.fix.then(|| "no fix offered".into());
    };
    if parse(fix).repeated_keys().next().is_some() {
        return Some(format!("the fix names something twice: {fix}"));
    }
    let again = ids(&findings(&example.setup, fix, Lang::En)).contains(example.id.as_str());
    again.then(|| format!("the fix is caught again: {fix}"))
}

#[test]
fn examples_are_caught_and_near_misses_are_not() {
    let mut report = String::new();
    for example in examples() {
        for fault in faults(&example) {
            let _ = writeln!(report, "{}: {fault}", example.id);
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Evidence is what the statement saw, not what a later one left.
#[test]
fn a_question_is_judged_on_what_it_looked_through() {
    let setup = [r#"db.p.insertMany([{_id: 2, s: [{k: "a", v: 2}, {k: "b", v: 5}]}, {_id: 3, s: [{k: "b", v: 3}, {k: "a", v: 4}]}])"#.to_owned()];
    let insert = r#"db.p.insertOne({_id: 1, s: [{k: "a", v: 1}, {k: "b", v: 2}]});"#;
    let asked = r#"db.p.find({"s.k": "a", "s.v": 2}).toArray();"#;
    let proven = |text: &str| -> Vec<(String, Vec<Evidence>)> {
        let found = findings(&setup, text, Lang::En);
        let wrong = found.into_iter().filter(|finding| finding.level == Level::WrongResult);
        wrong.map(|finding| (finding.message, finding.evidence)).collect()
    };
    let alone = proven(&format!("{insert} {asked}"));
    let own = |piece: &Evidence| matches!(piece, Evidence::Document { made: false, document, .. } if document.get("_id") == Some(&1.into()));
    assert!(alone.iter().any(|(_, evidence)| evidence.iter().any(own)), "{alone:?}");
    for later in ["db.p.deleteMany({});", "db.p.deleteOne({_id: 1});", "db.p.updateOne({_id: 1}, {$set: {s: []}});"] {
        let found = proven(&format!("{insert} {asked} {later}"));
        assert!(found.starts_with(&alone), "{later}: {found:?}");
    }
}

#[test]
fn every_pitfall_has_an_example_and_both_languages() {
    let shown: BTreeSet<String> = examples().into_iter().map(|example| example.id).collect();
    let mut ids = BTreeSet::new();
    for pitfall in table() {
        assert!(ids.insert(pitfall.id), "{} stands twice in the table", pitfall.id);
        assert!(shown.contains(pitfall.id), "{} has no example", pitfall.id);
        for words in [pitfall.title, pitfall.explanation, pitfall.message, pitfall.cure] {
            assert!(!words.en.is_empty() && !words.de.is_empty(), "{} lacks words", pitfall.id);
        }
    }
}

/// Whatever a message counts takes its noun with it: `{n documents}` is "1 document" where there is one.
#[test]
fn messages_count_with_the_noun_that_goes_with_the_number() {
    let table = fs::read_to_string("src/words/nouns.rs").expect("the nouns are there");
    let plurals: Vec<&str> =
        table.lines().filter_map(|line| line.trim().strip_prefix("(\"")?.split('"').next()).collect();
    for pitfall in table_of_messages() {
        for (at, _) in pitfall.match_indices("} ") {
            let behind: String = pitfall[at + 2..].chars().take_while(|letter| letter.is_alphabetic()).collect();
            let is_counted = !pitfall[..at].rsplit('{').next().unwrap_or_default().contains(['|', ' ', ':']);
            assert!(!is_counted || !plurals.contains(&&*behind), "{behind} is counted without its number in {pitfall}");
        }
        let ones: Vec<(&str, &str)> = names(pitfall).into_iter().map(|name| (name, "1")).collect();
        let said = Words::new(pitfall, "").fill(Lang::En, &ones);
        assert!(
            !said.contains('{') || said.contains("{_id") || said.contains(": {") || said.contains("{lang"),
            "{said}"
        );
    }
}

fn table_of_messages() -> impl Iterator<Item = &'static str> {
    table().flat_map(|pitfall| [pitfall.message.en, pitfall.message.de])
}

/// The names of a template's places.
fn names(template: &str) -> Vec<&str> {
    template.split('{').skip(1).filter_map(|place| place.split(['}', '|', ' ']).next()).collect()
}

#[test]
fn plain_filters_mean_the_same() {
    let filters = [
        doc! {"specs": {"$elemMatch": {"k": "ram", "v": {"$gte": 8, "$lt": 32}}}},
        doc! {"a": {"$eq": {}}, "$and": [{"a": {"$gt": 1}}, {"b": 2}]},
        doc! {"$and": [{"a": {"$eq": {}}}, {"a": {"$gt": 1}}]},
        doc! {"$and": [{"s": {"$elemMatch": {"k": 1}}}, {"s": {"$elemMatch": {"k": 2}}}]},
        doc! {"$or": [{"a": {"$eq": bson::Regex { pattern: bson::raw::cstr!("x").into(), options: bson::raw::cstr!("").into() }}}, {"b": {"$not": {"$gt": 1}}}]},
        doc! {"$nor": [{"a": 1, "b": {"$in": [1, 2]}}], "c": {"$ne": 3}},
        doc! {"$expr": {"$or": [{"$eq": ["$a", "$b"]}, {"$eq": ["$c", 5]}, {"$not": {"$gt": ["$a", 1]}}]}, "d": {"$eq": 1}},
    ];
    for filter in filters {
        let tree = Filter::parse(&filter).expect("the filter is right");
        let written = plain(&tree.to_document());
        assert_eq!(Filter::parse(&written).expect("it stays right"), tree, "{written}");
    }
    let tree = Filter::parse(&doc! {"specs": {"$elemMatch": {"k": "ram", "v": 16}}}).expect("the filter is right");
    assert_eq!(plain(&tree.to_document()), doc! {"specs": {"$elemMatch": {"k": "ram", "v": 16}}});
}

#[derive(Deserialize)]
struct Question {
    id: String,
    pitfall: String,
    setup: Vec<String>,
    wrong: String,
    script: String,
}

/// A question's wrong statement is caught by its pitfall, its right one raises no finding of a wrong result.
#[test]
fn questions_are_caught_and_right_answers_are_not() {
    let known: BTreeSet<&str> = table().map(|pitfall| pitfall.id).collect();
    let mut report = String::new();
    for area in ["aggregating", "indexing", "migrating", "modelling", "querying", "updating"] {
        for question in expectation::read::<Question>(&format!("tests/questions/{area}.json")) {
            let wrong = findings(&question.setup, &question.wrong, Lang::En);
            if known.contains(question.pitfall.as_str()) && !ids(&wrong).contains(question.pitfall.as_str()) {
                let _ = writeln!(report, "{}: {} not caught, but {:?}", question.id, question.pitfall, ids(&wrong));
            }
            let right = findings(&question.setup, &question.script, Lang::En);
            for finding in right.iter().filter(|finding| finding.level == Level::WrongResult) {
                let _ = writeln!(report, "{}: false alarm {} at the right statement", question.id, finding.id);
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Alarms at right statements that are justified: the pitfall, why it is right to warn, and where.
#[derive(Deserialize)]
struct Justified {
    pitfall: String,
    reason: String,
    statements: BTreeSet<String>,
}

/// Statements that are right, each under a name, with what makes their data.
pub fn right_statements() -> Vec<(String, Vec<String>, String)> {
    let mut found = Vec::new();
    for area in ["aggregating", "indexing", "migrating", "modelling", "querying", "updating"] {
        let questions = expectation::read::<Question>(&format!("tests/questions/{area}.json"));
        found.extend(questions.into_iter().map(|own| (format!("questions/{}", own.id), own.setup, own.script)));
    }
    for path in
        listed("tests/conformance").iter().filter(|path| Path::new(path).extension().is_some_and(|kind| kind == "json"))
    {
        let cases = expectation::read::<expectation::Case>(path);
        found.extend(cases.into_iter().map(|own| (format!("conformance/{}", own.id), own.setup, own.script)));
    }
    for exercise in listed("exercises") {
        let setup = fs::read_to_string(format!("{exercise}/setup.js")).unwrap_or_default();
        for path in listed(&format!("{exercise}/solutions")) {
            let text = fs::read_to_string(&path).expect("the solution is there");
            found.push((path.trim_end_matches(".js").to_owned(), vec![setup.clone()], text));
        }
    }
    found
}

/// The paths in a folder, sorted; none where it is not there.
fn listed(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<String> =
        entries.filter_map(|entry| Some(entry.ok()?.path().to_string_lossy().into_owned())).collect();
    paths.sort();
    paths
}

/// Whatever is reported at level *wrong result* for a right statement is a false alarm, unless it is listed with a reason.
#[test]
fn false_alarms_are_counted() {
    let list: Vec<Justified> = expectation::read("tests/pitfalls/alarms/justified.json");
    let mut justified: BTreeSet<(String, String)> = BTreeSet::new();
    for entry in &list {
        assert!(!entry.reason.is_empty(), "{} has no reason", entry.pitfall);
        justified.extend(entry.statements.iter().map(|name| (entry.pitfall.clone(), name.clone())));
    }
    let statements = right_statements();
    let mut alarms = BTreeSet::new();
    for (name, setup, text) in &statements {
        let found = findings(setup, text, Lang::En);
        let wrong = found.iter().filter(|finding| finding.level == Level::WrongResult);
        alarms.extend(wrong.map(|finding| (finding.id.to_owned(), name.clone())));
    }
    eprintln!("{} right statements, {} alarms, {} of them justified", statements.len(), alarms.len(), justified.len());
    let mut report = String::new();
    for (id, name) in alarms.difference(&justified) {
        let _ = writeln!(report, "{id} at {name}: false alarm");
    }
    for (id, name) in justified.difference(&alarms) {
        let _ = writeln!(report, "{id} at {name}: no alarm any more; take it off the list");
    }
    assert!(report.is_empty(), "{report}");
}

/// The list is made from the table, in its order and in both languages.
#[test]
fn the_command_line_lists_the_table() {
    for (lang, title) in [("en", "Key and value matched by different elements"), ("de", "Schlüssel und Wert von")] {
        let run = |arguments: &[&str]| {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pegboard"));
            let output = command.arg("pitfalls").args(arguments).args(["--lang", lang]).output();
            String::from_utf8(output.expect("the program runs").stdout).expect("it prints text")
        };
        let list = run(&[]);
        let listed: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(listed, table().map(|pitfall| pitfall.id).collect::<Vec<_>>());
        assert!(list.contains(title), "{list}");
        assert!(run(&["cross-element-match"]).contains("db.c.find"));
    }
}

/// What a finding says of data that decides its words.
#[test]
fn messages_say_what_the_data_decides() {
    let specs = |values: &[&str]| {
        let documents: Vec<String> =
            values.iter().enumerate().map(|(id, specs)| format!("{{_id: {id}, specs: [{specs}]}}")).collect();
        vec![format!("db.c.insertMany([{}])", documents.join(", "))]
    };
    let said = |setup: &[String], statement: &str, id: &str, lang| {
        let found = findings(setup, statement, lang);
        found.into_iter().find(|finding| finding.id == id).map(|finding| finding.message).unwrap_or_default()
    };
    let mixed = specs(&["{k: \"color\", v: \"blue\"}, {k: \"ram\", v: 5}, {k: \"size\", v: 25}", "{k: \"ram\", v: 8}"]);
    let range = "db.c.find({\"specs.v\": {$gte: 10, $lte: 20}})";
    let message = said(&mixed, range, "range-cross-element", Lang::En);
    assert!(message.contains("5, 25 meet one end each"), "only numbers meet the ends of numbers: {message}");
    assert!(said(&mixed, range, "range-cross-element", Lang::De).contains("1 von 1 gefundenen Dokument."));

    let empty = "db.c.find({\"specs.k\": \"wifi\", \"specs.v\": true})";
    let message = said(&mixed, empty, "cross-element-match", Lang::En);
    assert!(message.contains("they are met in 0 of 2 documents"), "{message}");
    assert!(said(&mixed, empty, "cross-element-match", Lang::De).contains("0 von 2 Dokumenten"));

    let placed = specs(&["{k: \"color\", v: \"red\"}", "{k: \"size\", v: 3}", "{k: \"color\", v: \"blue\"}"]);
    let place = "db.c.find({\"specs.0.v\": 3})";
    let message = said(&placed, place, "position-dependent-path", Lang::En);
    assert!(
        message.contains("takes `size` for the key that is meant: 1 element with such a value has it."),
        "{message}"
    );
    assert!(said(&placed, place, "position-dependent-path", Lang::De).contains("1 Element mit so einem Wert hat ihn."));
    let place = "db.c.find({\"specs.0.v\": \"green\"})";
    let message = said(&placed, place, "position-dependent-path", Lang::En);
    assert!(
        message.contains("takes `color` for the key that is meant: it stands there most often, in 2 documents."),
        "{message}"
    );
}

/// Right statements name what is there: nothing is remarked on their names.
#[test]
fn right_statements_are_left_without_a_remark() {
    let mut report = String::new();
    for (name, setup, text) in right_statements() {
        let mut shell = Shell::new(Database::new(Source::seeded(1)), Limits::default());
        for line in &setup {
            shell.run(line);
        }
        for note in
            shell.run(&text).notes.iter().filter(|note| {
                ["no collection", "DeprecationWarning"].iter().all(|remark| !note.message.contains(remark))
            })
        {
            let _ = writeln!(report, "{name}: {}", note.message);
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn a_pair_of_indexes_made_by_one_text_is_one_mistake() {
    let text = "db.c.insertOne({a: 1, b: 1}); db.c.createIndex({a: 1}); db.c.createIndex({a: 1, b: 1})";
    let found = findings(&[], text, Lang::En);
    assert_eq!(found.iter().filter(|finding| finding.id == "redundant-prefix-index").count(), 1, "{found:?}");
}
