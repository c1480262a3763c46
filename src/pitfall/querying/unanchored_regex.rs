//! A regular expression that gives the index no prefix.

use super::asks::{Ask, each_ask_of_documents};
use crate::pitfall::case::Case;
use crate::pitfall::exchange::{exchanged, field};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::work::{bounds, cost, explained};
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

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let regex = ask.tests.iter().find_map(|test| if let Test::Regex(regex) = test { Some(regex) } else { None })?;
    let path = ask.path.to_string();
    let scans = case.explain(question.ran)?.winning.all().filter_map(|node| node.stage.scan());
    let mut parts = scans.filter_map(|scan| scan.bounds.part(&path));
    if !parts.any(holds_all_strings) {
        return None;
    }
    let plan = explained(case, question.command.clone())?;
    let work = cost(&plan);
    if work[0] <= work[2] + 1 {
        return None;
    }
    let Regex { pattern, options } = regex;
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
            Evidence::Bounds { learner: bounds(&plan), cured: Vec::new() },
            Evidence::Counts {
                of: path,
                counts: vec![("totalKeysExamined".to_owned(), work[0]), ("nReturned".to_owned(), work[2])],
            },
        ],
        fix: anchored(case, question, ask, regex).and_then(|tree| case.with_filter(question, &written(&tree))),
        ..Sighting::default()
    })
}

/// The filter with the beginning that all found values share in place of the pattern, where that finds the same.
fn anchored(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>, regex: &Regex) -> Option<Filter> {
    let matcher = question.matcher(&field(Path::default(), Test::Regex(regex.clone())))?;
    let found = case.matching(question, &question.tree);
    let values = found.iter().flat_map(|document| ask.values(document)).filter(|value| matcher.matches_value(*value));
    let mut texts = values.filter_map(|value| if let View::String(text) = value { Some(text) } else { None });
    let mut shared = texts.next()?.to_owned();
    for text in texts {
        let same = shared.chars().zip(text.chars()).take_while(|(left, right)| left == right).map(|(own, _)| own);
        shared = same.collect();
    }
    let escape = |letter: char| if r"\.+*?()[]{}|^$/".contains(letter) { vec!['\\', letter] } else { vec![letter] };
    let pattern = format!("^{}", shared.chars().flat_map(escape).collect::<String>());
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
