//! An answer that uses up too much is told so: it is neither right nor wrong, and the next one is not touched by it.

use super::{RIGHT, graded, judged};
use pegboard::grade::{Settings, Status, Verdict};

#[test]
fn an_answer_stopped_at_a_limit_cannot_be_judged() {
    let cases = [
        ("while (true) {}", "step limit"),
        (
            "db.products.aggregate(Array(8).fill({$lookup: {from: 'products', pipeline: [], as: 'all'}}).flatMap(stage => [stage, {$unwind: '$all'}]))",
            "work limit",
        ),
        ("const all = []; while (true) all.push({x: 1})", "memory limit"),
        ("while (true) print('x'.repeat(1000))", "output limit"),
        ("function again() { return again() + 1 }\nagain()", "call depth"),
    ];
    for (text, limit) in cases {
        let report = graded("X3", text);
        assert_eq!(report.status, Status::Ungradable, "{text}");
        assert!(report.message.starts_with("Line ") && report.message.contains(limit), "{text}: {}", report.message);
        assert!(report.checks.iter().all(|row| row.verdict == Verdict::Ungradable && row.points == 0), "{text}");
        assert!(report.counter_example.is_none(), "{text}");
    }
}

/// Commands too many to keep hide no question: the answer is neither right nor wrong, whatever it does at its end.
#[test]
fn what_was_not_looked_at_is_not_judged() {
    let report = graded("X3", &format!("for (let i = 0; i < 20001; i++) db.products.findOne({{_id: -1}})\n{RIGHT}"));
    assert_eq!(report.status, Status::Ungradable);
    assert!(report.message.contains("the first 2 of them"), "{}", report.message);
}

#[test]
fn the_budget_of_keys_and_documents_can_be_set() {
    let with = |budget: u64| judged("X3", RIGHT, Settings { budget: Some(budget), ..Settings::default() });
    assert_eq!(with(10_000).status, Status::Graded);
    let report = with(40);
    assert_eq!(report.status, Status::Ungradable);
    assert!(report.message.contains("work limit (40 "), "{}", report.message);
}

#[test]
fn a_limit_reached_on_hidden_data_only_tells_nothing_of_them() {
    let text = format!("if (db.products.countDocuments({{}}) > 12) while (true) {{}}\n{RIGHT}");
    let report = graded("X3", &text);
    assert_eq!(report.status, Status::Ungradable);
    assert!(report.message.starts_with("It runs on the shown data, but not on hidden data. Stopped at the step limit"));
}
