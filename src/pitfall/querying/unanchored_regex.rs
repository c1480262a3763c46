//! A regular expression that gives the index no prefix.

use super::asks::{Ask, each_ask_of_documents};
use crate::pitfall::case::Case;
use crate::pitfall::exchange::{exchanged, field};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::work::{bounds, cost, explained, gain};
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::plan::OrderedIntervals;
use crate::proof::written;
use crate::query::{Filter, Regex, Test};
use crate::value::{Bson, Path, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unanchored-regex",
    level: Level::Cost,
    weight: 8,
    title: Words::new(
        "Regular expression that scans a whole key",
        "Regulärer Ausdruck, der einen ganzen Schlüssel liest",
    ),
    explanation: Words::new(
        "Only an anchored, case-sensitive prefix becomes index bounds; any other pattern reads all strings of the key.",
        "Nur ein verankerter Präfix mit beachteter Großschreibung wird zu Indexgrenzen; jedes andere Muster liest alle Strings des Schlüssels.",
    ),
    message: Words::new(
        "/{pattern}/{options} gives no prefix, so {keys index entries} of `{key}` were read for {n results}.",
        "/{pattern}/{options} ergibt kein Präfix, also {keys|wurde|wurden} {keys Indexeinträge} von `{key}` für {n Ergebnisse} gelesen.",
    ),
    cure: Words::new(
        "Anchor the pattern and keep the case, use a case-insensitive index, or store a normalised copy.",
        "Veranker das Muster und behalte die Schreibweise, nimm einen Index ohne Groß- und Kleinschreibung oder speichere eine normalisierte Kopie.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "brand", v: /acme/i}}})"#,
    detect: |case| each_ask_of_documents(case, sight),
};

/// Said where all values found begin with the learner's own text.
const ANCHORED: Words = Words::new(
    "/{pattern}/{options} gives no prefix, so {keys} index {keys|entry|entries} of `{key}` {keys|was|were} read for {n} {n|result|results}. All values found \
     begin with that text; the anchored pattern finds the same on the present data.",
    "/{pattern}/{options} ergibt kein Präfix, also {keys|wurde|wurden} {keys} {keys|Indexeintrag|Indexeinträge} von `{key}` für {n} {n|Ergebnis|Ergebnisse} gelesen. Alle \
     gefundenen Werte beginnen mit diesem Text; das verankerte Muster findet mit den jetzigen Daten dasselbe.",
);

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let regex = ask.tests.iter().find_map(|test| if let Test::Regex(regex) = test { Some(regex) } else { None })?;
    let path = ask.path.to_string();
    let scans = case.explain(question.ran)?.winning.all().filter_map(|node| node.stage.scan());
    let mut parts = scans.filter_map(|scan| scan.bounds.part(&path));
    if !parts.any(holds_all_strings) {
        return None;
    }
    let state = case.state(question.ran, question.collection);
    let plan = explained(case, state, question.command.clone())?;
    let work = cost(&plan);
    if work[0] <= work[2] + 1 {
        return None;
    }
    let Regex { pattern, options } = regex;
    let anchored = anchored(case, question, ask, regex);
    let better = anchored.as_ref().and_then(|tree| explained(case, state, question.with(written(tree))));
    // Where all values begin with the text there is nothing that a prefix spares.
    let level = better.as_ref().map_or(Some(Level::Cost), |better| gain(work, cost(better)))?;
    let cured = anchored.and_then(|tree| case.with_filter(question, &written(&tree)));
    let compared = match &better {
        Some(better) => Evidence::Cost { learner: work, cured: cost(better) },
        None => Evidence::Counts {
            of: path,
            counts: vec![("totalKeysExamined".to_owned(), work[0]), ("nReturned".to_owned(), work[2])],
        },
    };
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("pattern", pattern.clone()),
            ("options", options.clone()),
            ("keys", work[0].to_string()),
            ("key", ask.name()),
            ("n", work[2].to_string()),
        ],
        evidence: vec![
            Evidence::Bounds { learner: bounds(&plan), cured: better.as_ref().map(bounds).unwrap_or_default() },
            compared,
        ],
        level: Some(level),
        words: cured.is_some().then_some(ANCHORED),
        fix: cured,
        ..Sighting::default()
    })
}

/// The filter with the learner's own text anchored, as the values found spell it, where that finds the same; none where
/// the pattern is more than text, or the values begin otherwise.
fn anchored(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>, regex: &Regex) -> Option<Filter> {
    let matcher = question.matcher(&field(Path::default(), Test::Regex(regex.clone())))?;
    let found = case.matching(question, &question.tree);
    let values = found.iter().flat_map(|document| ask.values(document)).filter(|value| matcher.matches_value(*value));
    let mut texts = values.filter_map(|value| if let View::String(text) = value { Some(text) } else { None });
    let is_sign = |letter: char| r"\.+*?()[]{}|^$/".contains(letter);
    let length = regex.pattern.chars().count();
    let begins = |text: &str| text.chars().take(length).collect::<String>();
    let shared = begins(texts.next()?);
    let same = if regex.options.contains('i') {
        shared.to_lowercase() == regex.pattern.to_lowercase()
    } else {
        shared == regex.pattern
    };
    if !same || regex.pattern.chars().any(is_sign) || texts.any(|text| begins(text) != shared) {
        return None;
    }
    let pattern = format!("^{shared}");
    let test = Test::Regex(Regex { pattern, options: String::new() });
    let tree = exchanged(&question.tree, &|own| matches!(own, Test::Regex(own) if own == regex).then(|| test.clone()));
    let verdict = Verdict::of(case, question, &tree)?;
    (!shared.is_empty() && verdict.is_right()).then_some(tree)
}

/// Whether bounds begin with the empty string and end before the next type.
fn holds_all_strings(intervals: &OrderedIntervals) -> bool {
    let empty = Bson::String(String::new());
    intervals.0.iter().any(|interval| interval.start == empty && matches!(interval.end, Bson::Document(_)))
}
