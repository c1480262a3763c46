//! What a learner is told of a wrong answer: the finding that made it, else a hint that fits, the documents as they were written.

use pegboard::grade::{Format, Report, Row, Surroundings, export};
use pegboard::words::Lang;

use super::{RIGHT, graded};

fn row<'a>(report: &'a Report, id: &str) -> &'a Row {
    report.checks.iter().find(|row| row.id == id).expect("the check exists")
}

fn text_of(reports: &[Report], lang: Lang) -> String {
    export(Format::Text, reports, &Surroundings { lang, ..Surroundings::default() })
}

#[test]
fn the_finding_that_made_the_mistake_explains_it() {
    let report = graded("X3", "db.products.find({'attributes.k': 'color', 'attributes.v': 'Yellow'})");
    let hint = &row(&report, "no-cross-match").hint;
    assert!(hint.contains("met by different elements"), "{hint}");
    let report = graded("X16", "db.products.updateMany({'specs.k': 'stock'}, {$unset: {'specs.$': null}})");
    assert!(row(&report, "removed").hint.contains("null"), "{:?}", row(&report, "removed"));
}

#[test]
fn a_hint_is_given_where_its_case_is_met() {
    let open_end = graded("X9", "db.lamps.find({specs: {$elemMatch: {k: 'watt', v: {$gte: 10, $lt: 20}}}})");
    let ids = row(&open_end, "ids");
    assert_eq!(
        (ids.message.contains("missing"), ids.hint.as_str()),
        (true, ""),
        "the ends are bound as they should be"
    );
    let loose = graded("X9", "db.lamps.find({'specs.v': {$gte: 10, $lte: 20}})");
    assert!(!row(&loose, "ids").hint.is_empty());
    let text = graded("X4", "db.products.find({specs: {$elemMatch: {k: 'ram', v: '16'}}})");
    assert!(!row(&text, "ids").hint.contains("Bind"), "{:?}", row(&text, "ids"));
    let unwound = graded(
        "X8",
        "db.products.aggregate([{$unwind: '$specs'}, {$match: {'specs.k': 'color'}}, {$project: {specs: 1}}])",
    );
    assert_eq!(row(&unwound, "rows").hint, "");
}

#[test]
fn passed_and_skipped_rows_have_no_hint() {
    for answer in [RIGHT, "db.products.find({_id: 1})"] {
        let report = graded("X3", answer);
        let settled = report.checks.iter().filter(|row| !matches!(row.verdict, pegboard::grade::Verdict::Fail));
        assert!(settled.clone().all(|row| row.hint.is_empty()), "{report:?}");
    }
}

#[test]
fn documents_are_shown_as_they_were_written() {
    let answer = "db.products.insertOne({_id: 'cm', name: 'Coffee Maker', specs: [{k: 'voltage', v: '230', u: 'V'}]})
        db.products.find({specs: {$elemMatch: {k: 'voltage', v: 230}}})";
    let report = graded("X7", answer);
    let added = row(&report, "added");
    assert!(added.actual.contains("{k: \"voltage\", v: \"230\", u: \"V\"}"), "{}", added.actual);
    assert!(added.expected.contains("{k: \"voltage\", v: 230, u: \"V\"}"), "{}", added.expected);
    assert!(added.message.contains("1 document is not as it should be"), "{}", added.message);
}

#[test]
fn people_are_told_what_matters() {
    let empty = text_of(&[graded("X4", "")], Lang::En);
    assert_eq!(empty.matches("Nothing was written yet").count(), 1, "{empty}");
    let solved = text_of(&[graded("X5", "db.lamps.createIndex({'specs.k': 1, 'specs.v': 1})")], Lang::En);
    assert!(!solved.contains("0/0") && !solved.contains("examines 0"), "{solved}");
    let typo = graded("X3", "db.products.find({price: 20}");
    assert!(
        !typo.checks[0].message.contains("' `"),
        "a message ends before the next begins: {}",
        typo.checks[0].message
    );
}

#[test]
fn several_reports_end_with_their_sum() {
    let reports = [graded("X3", RIGHT), graded("X4", "db.products.find({_id: 1})")];
    let points: u32 = reports.iter().map(|report| report.points).sum();
    assert!(text_of(&reports, Lang::En).ends_with(&format!("In all: {points} of 13 points\n")));
    assert!(text_of(&reports, Lang::De).ends_with(&format!("Insgesamt: {points} von 13 Punkten\n")));
}

#[test]
fn an_index_is_explained_by_what_is_wrong_with_it() {
    let whole = graded("X2", "db.products.createIndex({specs: 1})");
    let hint = &row(&whole, "serves").hint;
    assert!(hint.contains("whole elements"), "{hint}");
    let two = graded("X2", "db.products.createIndex({'specs.k': 1}); db.products.createIndex({'specs.v': 1})");
    assert!(two.checks.iter().any(|row| !row.hint.is_empty() && !row.hint.contains("Which comes first")), "{two:?}");
    for (exercise, answer) in [
        ("X14", "db.products.updateOne({_id: 2}, {$set: {'specs.0.v': 'black'}})"),
        ("X16", "db.products.updateMany({}, {$pull: {specs: 'stock'}})"),
        ("X16", "db.products.updateMany({}, {$unset: {'specs.stock': 1}})"),
    ] {
        let report = graded(exercise, answer);
        assert!(report.checks.iter().any(|row| !row.hint.is_empty()), "{answer}: {report:?}");
    }
}
