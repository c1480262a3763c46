//! The same field twice in one object of a filter: JavaScript sends only the last.

use std::ops::Range;

use crate::pitfall::case::{Case, ids};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, parts, question};
use crate::query::Filter;
use crate::shell::{Limits, NodeId, Shell, Syntax};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "duplicate-field-in-filter",
    level: Level::WrongResult,
    weight: 20,
    title: Words::new("Same field twice in one object", "Dasselbe Feld zweimal in einem Objekt"),
    explanation: Words::new(
        "JavaScript keeps only the last of two equal names, before the filter is ever sent. The first condition is lost \
         without a word.",
        "JavaScript behält von zwei gleichen Namen nur den letzten, noch bevor der Filter gesendet wird. Die erste Bedingung \
         geht wortlos verloren.",
    ),
    message: Words::new(
        "`{field}` stands {times} times in one object; only the last one was sent. Dropped: {clause}.",
        "`{field}` steht {times}-mal in einem Objekt; nur das letzte wurde gesendet. Weggefallen: {clause}.",
    ),
    cure: Words::new(
        "Use `$and`, or put both operators into one object.",
        "Nimm `$and` oder setze beide Operatoren in ein Objekt.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color"}}, specs: {$elemMatch: {k: "size"}}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let mut repeated = case.script.repeated_keys().peekable();
    if repeated.peek().is_none() {
        return Vec::new();
    }
    let questions: Vec<&Question<'_>> = case.filters().collect();
    repeated.filter_map(|(object, key, spans)| sight(case, &questions, object, key, &spans)).collect()
}

fn sight(
    case: &Case<'_>,
    questions: &[&Question<'_>],
    object: NodeId,
    key: &str,
    spans: &[Range<usize>],
) -> Option<Sighting> {
    let whole = &case.script.node(object).span;
    let question = questions.iter().find(|question| {
        let filter = question.ran.places.literal(&question.at).map(|node| &case.script.node(node).span);
        filter.is_some_and(|filter| filter.start <= whole.start && whole.end <= filter.end)
    })?;
    let clauses = clauses(case, object, key);
    let fix = with_and(case, object, key, &clauses).filter(|_| !key.starts_with('$') || key == "$or" || key == "$nor");
    let meant = fix.as_ref().and_then(|fix| asked_by(case, question, fix));
    let verdict = meant.as_ref().and_then(|meant| Verdict::of(case, question, meant));
    let evidence = verdict.as_ref().map_or_else(
        || vec![Evidence::Results { learner: ids(&case.matching(question, &question.tree)), meant: Vec::new() }],
        |verdict| verdict.evidence(Vec::new()),
    );
    let (_, dropped) = clauses.split_last()?;
    Some(Sighting {
        span: spans.last()?.clone(),
        values: vec![
            ("field", key.to_owned()),
            ("times", spans.len().to_string()),
            ("clause", dropped.iter().map(|clause| format!("`{clause}`")).collect::<Vec<_>>().join(", ")),
        ],
        evidence,
        fix: meant.and(fix),
        level: verdict.and_then(|verdict| verdict.level()),
        ..Sighting::default()
    })
}

/// The entries of a repeated key as they were typed.
fn clauses<'c>(case: &Case<'c>, object: NodeId, key: &str) -> Vec<&'c str> {
    let script = case.script;
    let Syntax::Object(entries) = &script.node(object).syntax else { return Vec::new() };
    let mine = entries.iter().filter(|entry| entry.key.as_deref() == Some(key));
    mine.filter_map(|entry| script.text().get(entry.key_span.start..script.node(entry.value?).span.end)).collect()
}

/// The text with each repeated entry as a part of an `$and`; none where the object has an `$and` already.
fn with_and(case: &Case<'_>, object: NodeId, key: &str, clauses: &[&str]) -> Option<String> {
    let script = case.script;
    let Syntax::Object(entries) = &script.node(object).syntax else { return None };
    if entries.iter().any(|entry| entry.key.as_deref() == Some("$and")) {
        return None;
    }
    let parts: Vec<String> = clauses.iter().map(|clause| format!("{{{clause}}}")).collect();
    let mut all = vec![format!("$and: [{}]", parts.join(", "))];
    for entry in entries.iter().filter(|entry| entry.key.as_deref() != Some(key)) {
        all.push(script.text().get(entry.key_span.start..script.node(entry.value?).span.end)?.to_owned());
    }
    case.replaced(&script.node(object).span, &format!("{{{}}}", all.join(", ")))
}

/// The filter that the cured text asks in the same place.
fn asked_by(case: &Case<'_>, question: &Question<'_>, text: &str) -> Option<Filter> {
    let place = case.ran.iter().position(|ran| std::ptr::eq(ran, question.ran))?;
    let mut shell = Shell::new(case.before.clone(), Limits::default());
    let outcome = shell.run(text);
    let parted = parts::with_parts(&outcome.ran, case.before, &shell.host());
    let asked = parted.as_deref().unwrap_or(&outcome.ran).get(place).filter(|ran| ran.result.is_ok())?;
    let mut filters = question::of(asked).into_iter().chain(question::of_elements(asked));
    filters.find(|asked| asked.at == question.at).map(|asked| asked.tree)
}
