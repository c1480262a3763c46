//! Whether a plan is as a check asks.

use crate::course::Facts;
use crate::plan::{Explain, IndexScan, PlanNode};
use crate::words::{Lang, Words};

const HAS: Words = Words::new("The plan has no {stage} stage.", "Der Plan hat keine Stufe {stage}.");
const LACKS: Words = Words::new("The plan still has a {stage} stage.", "Der Plan hat noch eine Stufe {stage}.");
const UNBOUND: Words = Words::new(
    "The index is scanned from end to end in `{path}`.",
    "Der Index wird in `{path}` von Anfang bis Ende gelesen.",
);
const UNUSED: Words = Words::new("No index scan is bounded on `{path}`.", "Kein Indexlauf ist in `{path}` begrenzt.");
const BOUNDS: Words = Words::new(
    "The bounds of `{path}` are {actual}, and should be {expected}.",
    "Die Grenzen von `{path}` sind {actual} und sollten {expected} sein.",
);
const SCANS: Words = Words::new(
    "There are {actual index scans}, and should be {expected}.",
    "Es gibt {actual Indexläufe}, es sollten {expected} sein.",
);
const KEYS: Words = Words::new(
    "{actual index keys} {actual|was|were} examined; at most {most} are allowed.",
    "{actual Indexschlüssel} {actual|wurde|wurden} gelesen; höchstens {most} sind erlaubt.",
);
const DOCS: Words = Words::new(
    "{actual documents} {actual|was|were} examined; at most {most} are allowed.",
    "{actual Dokumente} {actual|wurde|wurden} gelesen; höchstens {most} sind erlaubt.",
);

/// The facts that do not hold, one sentence each.
pub(super) fn violated(facts: &Facts, explain: &Explain, lang: Lang) -> Vec<String> {
    let nodes: Vec<&PlanNode> = explain.winning.all().collect();
    let scans: Vec<&IndexScan> = nodes.iter().filter_map(|node| node.stage.scan()).collect();
    let occurs = |stage: &String| nodes.iter().any(|node| node.stage.name() == stage);
    let mut found = Vec::new();
    for stage in facts.has.iter().filter(|stage| !occurs(stage)) {
        found.push(HAS.fill(lang, &[("stage", stage)]));
    }
    for stage in facts.lacks.iter().filter(|stage| occurs(stage)) {
        found.push(LACKS.fill(lang, &[("stage", stage)]));
    }
    found.extend(facts.tight.iter().filter_map(|path| loose(path, &scans, lang)));
    for (path, expected) in &facts.bounds {
        found.extend(other_bounds(path, expected, &scans, lang));
    }
    if let Some(expected) = facts.scans.filter(|expected| *expected != scans.len()) {
        let (actual, expected) = (scans.len().to_string(), expected.to_string());
        found.push(SCANS.fill(lang, &[("actual", &actual), ("expected", &expected)]));
    }
    found.extend(costs(facts, explain, &nodes, lang));
    found
}

fn costs(facts: &Facts, explain: &Explain, nodes: &[&PlanNode], lang: Lang) -> Vec<String> {
    let keys: u64 = nodes.iter().map(|node| node.work.keys_examined).sum();
    let docs: u64 = nodes.iter().map(|node| node.work.docs_examined).sum();
    let over = |more: Option<u64>| more.map(|more| explain.returned + more);
    let limits = [
        (KEYS, keys, over(facts.keys_over_returned)),
        (KEYS, keys, facts.max_keys),
        (DOCS, docs, over(facts.docs_over_returned)),
        (DOCS, docs, facts.max_docs),
    ];
    let broken = limits.into_iter().filter_map(|(words, actual, most)| {
        let most = most.filter(|most| actual > *most)?;
        Some(words.fill(lang, &[("actual", &actual.to_string()), ("most", &most.to_string())]))
    });
    broken.collect()
}

fn loose(path: &str, scans: &[&IndexScan], lang: Lang) -> Option<String> {
    let mut parts = scans.iter().filter_map(|scan| scan.bounds.part(path)).peekable();
    if parts.peek().is_none() {
        return Some(UNUSED.fill(lang, &[("path", path)]));
    }
    parts.any(crate::plan::OrderedIntervals::is_all).then(|| UNBOUND.fill(lang, &[("path", path)]))
}

fn other_bounds(path: &str, expected: &[String], scans: &[&IndexScan], lang: Lang) -> Option<String> {
    let mut all = scans.iter().filter_map(|scan| scan.bounds.part(path)).map(crate::plan::OrderedIntervals::notation);
    let first = all.next();
    if first.iter().chain(all.collect::<Vec<_>>().iter()).any(|found| found == expected) {
        return None;
    }
    let actual = first.map_or_else(|| "–".to_owned(), |found| found.join(", "));
    Some(BOUNDS.fill(lang, &[("path", path), ("actual", &actual), ("expected", &expected.join(", "))]))
}
