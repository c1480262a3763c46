//! Right answers broken: every question's right choice is checked by running both texts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pegboard::course::{CheckKind, Exercise, Pack};
use pegboard::engine::Database;
use pegboard::grade::data_text;
use pegboard::pitfall::{Quiz, breaks, quizzes, table};
use pegboard::shell::{Limits, Shell, literal};
use pegboard::value::{Bson, Source};
use pegboard::words::Lang;

use crate::pitfalls;

/// Exercises without a break that its data shows, each with the reason.
const WITHOUT: &[(&str, &str)] =
    &[("X25", "a loop of upserts whose filters and values come from JavaScript: no literal of it can be broken")];

fn data(exercise: &Exercise) -> Database {
    let mut shell = Shell::new(Database::new(Source::seeded(1).with_clock(0)), Limits::default());
    shell.run(&data_text(exercise, 0, 0));
    shell.host().clone()
}

fn probes(exercise: &Exercise) -> Vec<String> {
    let checks = &exercise.spec.checks;
    if checks.iter().any(|check| matches!(check.kind, CheckKind::Result { .. })) {
        return Vec::new();
    }
    let of = |check: &pegboard::course::Check| match &check.kind {
        CheckKind::Probe { queries, .. } => queries.clone(),
        _ => Vec::new(),
    };
    checks.iter().flat_map(of).collect()
}

/// Everything a text gives and leaves, and the plan of its last search.
struct Ran {
    value: String,
    rows: Vec<Bson>,
    left: Vec<Bson>,
    figures: [String; 4],
}

fn run(database: &Database, text: &str, probe: &str) -> Ran {
    let mut shell = Shell::new(database.clone(), Limits::default());
    let outcome = shell.run(&format!("{text}\n;{probe}"));
    let value = outcome.value.as_ref().expect("both texts run").to_bson();
    let shown = literal(&value);
    let rows = value.as_array().cloned().unwrap_or_else(|| vec![value]);
    let explain = outcome.ran.iter().rev().find_map(|ran| ran.result.as_ref().ok()?.explain.clone());
    let figures = explain.map(|explain| {
        let keys: u64 = explain.winning.all().map(|node| node.work.keys_examined).sum();
        let docs: u64 = explain.winning.all().map(|node| node.work.docs_examined).sum();
        let stages: Vec<&str> = explain.winning.all().map(|node| node.stage.name()).collect();
        [keys.to_string(), docs.to_string(), explain.returned.to_string(), stages.join(" ")]
    });
    let names = shell.run("db.getCollectionNames().sort()").value.expect("names are listed").to_bson();
    let mut left = Vec::new();
    for name in names.as_array().into_iter().flatten().filter_map(Bson::as_str) {
        let all =
            shell.run(&format!("db.getCollection({name:?}).find().toArray()")).value.expect("a find runs").to_bson();
        left.extend(all.as_array().cloned().unwrap_or_default());
    }
    Ran { value: shown, rows, left, figures: figures.unwrap_or_default() }
}

/// The row that a choice names, by its `_id` or that with what it holds.
fn with_id<'r>(rows: &'r [Bson], choice: &str) -> Option<&'r Bson> {
    let is_it =
        |own: &Bson| choice.strip_prefix(&literal(own)).is_some_and(|rest| rest.is_empty() || rest.starts_with(": {"));
    rows.iter().find(|row| row.as_document().and_then(|row| row.get("_id")).is_some_and(is_it))
}

/// Whether the two runs differ in what a choice speaks of.
fn differs(choice: &str, right: &Ran, broken: &Ran) -> Option<bool> {
    if let Some(id) = choice.strip_prefix("_id ") {
        let part = |rows: fn(&Ran) -> &Vec<Bson>| with_id(rows(right), id) != with_id(rows(broken), id);
        return Some(part(|ran| &ran.rows) || part(|ran| &ran.left));
    }
    let names = ["totalKeysExamined", "totalDocsExamined", "nReturned", "winningPlan"];
    match names.iter().position(|name| *name == choice) {
        Some(at) => Some(right.figures[at] != broken.figures[at]),
        None if choice.starts_with("none") => None,
        None => Some(choice == broken.value && choice != right.value),
    }
}

fn fault(quiz: &Quiz, right: &Ran, broken: &Ran) -> Option<String> {
    let count = quiz.choices.iter().filter(|choice| choice.right).count();
    if count != 1 || quiz.choices.len() < 2 {
        return Some(format!("{count} of {} choices are right", quiz.choices.len()));
    }
    let texts: BTreeSet<&str> = quiz.choices.iter().map(|choice| choice.text.as_str()).collect();
    if texts.len() < quiz.choices.len() {
        return Some("two choices say the same".into());
    }
    quiz.choices.iter().find_map(|choice| {
        let differs = differs(&choice.text, right, broken)?;
        (differs != choice.right).then(|| format!("{} differs: {differs}, right: {}", choice.text, choice.right))
    })
}

#[test]
fn every_solution_can_be_broken_and_every_question_is_true() {
    let pack = Pack::built_in().expect("the built-in course reads");
    let mut report = String::new();
    let mut without = BTreeSet::new();
    let mut met = BTreeSet::new();
    for exercise in &pack.exercises {
        let (database, probes) = (data(exercise), probes(exercise));
        let mut any = false;
        for solution in &exercise.solutions {
            for quiz in quizzes(&solution.text, &probes, &database, Lang::En) {
                any = true;
                met.insert(quiz.id);
                let right = run(&database, &solution.text, &quiz.probe);
                let broken = run(&database, &quiz.broken, &quiz.probe);
                if let Some(fault) = fault(&quiz, &right, &broken) {
                    let _ = writeln!(report, "{} {}: {fault}\n{}", exercise.spec.id, quiz.id, quiz.broken);
                }
            }
        }
        if !any {
            without.insert(exercise.spec.id.clone());
        }
    }
    assert!(report.is_empty(), "{report}");
    let expected: BTreeSet<String> = WITHOUT.iter().map(|(id, _)| (*id).to_owned()).collect();
    assert_eq!(without, expected, "met: {met:?}");
}

/// The right statements of other questions are broken as well, each way that their data shows, and every answer is true.
#[test]
fn right_statements_are_broken_truly_too() {
    let mut report = String::new();
    let mut met = BTreeSet::new();
    let questions = pitfalls::right_statements().into_iter().filter(|(name, ..)| name.starts_with("questions/"));
    for (name, setup, text) in questions {
        let mut shell = Shell::new(Database::new(Source::seeded(1).with_clock(0)), Limits::default());
        for line in &setup {
            shell.run(line);
        }
        let database = shell.host().clone();
        for quiz in quizzes(&text, &[], &database, Lang::En) {
            met.insert(quiz.id);
            let right = run(&database, &text, &quiz.probe);
            let broken = run(&database, &quiz.broken, &quiz.probe);
            if let Some(fault) = fault(&quiz, &right, &broken) {
                let _ = writeln!(report, "{name} {}: {fault}\n{}", quiz.id, quiz.broken);
            }
        }
    }
    assert!(report.is_empty(), "{report}");
    assert!(met.len() > 8, "only {met:?} were met");
}

#[test]
fn every_break_has_words_and_a_known_pitfall() {
    for way in breaks() {
        assert!(!way.done.en.is_empty() && !way.done.de.is_empty(), "{} lacks words", way.id);
        assert!(way.pitfall.is_none_or(|id| table().any(|pitfall| pitfall.id == id)), "{} names no pitfall", way.id);
    }
}
