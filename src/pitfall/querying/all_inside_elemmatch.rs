//! Several values asked of one scalar inside an `$elemMatch`.

use super::asks::{Ask, each_ask};
use crate::pitfall::case::{Case, shown};
use crate::pitfall::exchange::{field, replaced};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting};
use crate::query::{Comparison, Filter, InList, Predicate, Test};
use crate::value::Bson;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "all-inside-elemmatch",
    level: Level::WrongResult,
    weight: 6,
    title: Words::new("Several values asked of one scalar", "Mehrere Werte von einem Skalar verlangt"),
    explanation: Words::new(
        "One element has one value, so the result is empty. For 'either' use `$in`, for 'both' use `$all` of two `$elemMatch`.",
        "Ein Element hat einen Wert, also ist das Ergebnis leer. Für „eines davon“ nimm `$in`, für „beide“ `$all` aus zwei `$elemMatch`.",
    ),
    message: Words::new(
        "A single value of `{key}` cannot be {values} at once: {m results} here, {n} with `$in`. For both, use `$all` of two `$elemMatch`.",
        "Ein einzelner Wert von `{key}` kann nicht zugleich {values} sein: hier {m Ergebnisse}, {n} mit `$in`. Für beide nimm `$all` aus zwei `$elemMatch`.",
    ),
    cure: Words::new("Use `$in` inside, or `$all` outside.", "Nimm `$in` innen oder `$all` außen."),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color", v: {$all: ["red", "blue"]}}}})"#,
    detect: |case| each_ask(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let equalities: Vec<&Test> = ask.tests.iter().copied().filter(|test| equality(test).is_some()).collect();
    let values: Vec<Bson> = equalities.iter().filter_map(|test| equality(test)).cloned().collect();
    let types = super::kinds::types(case, question.collection, ask);
    // Of two keys no element is asked for anything: that is another mistake.
    let single = ask.keys.iter().all(|key| *key == ask.keys[0]);
    if !ask.bound || ask.negated || values.len() < 2 || !single || types.contains_key("array") || types.is_empty() {
        return None;
    }
    let list = || Test::In(InList { values: values.clone(), regexes: Vec::new() });
    let mine = |part: &Filter| matches!(part, Filter::Field(predicate) if equalities.iter().any(|test| std::ptr::eq(*test, &raw const predicate.test)));
    let meant = replaced(&question.tree, &|part| {
        let Filter::And(parts) = part else { return None };
        let Some(Filter::Field(Predicate { path, .. })) = parts.iter().find(|part| mine(part)) else { return None };
        let mut all: Vec<Filter> = parts.iter().filter(|part| !mine(part)).cloned().collect();
        all.push(field(path.clone(), list()));
        Some(Filter::And(all))
    })
    .normalised();
    let verdict = Verdict::of(case, question, &meant)?;
    let told = vec![
        ("key", ask.name()),
        ("values", values.iter().map(shown).collect::<Vec<_>>().join(", ")),
        ("m", verdict.learner.len().to_string()),
        ("n", verdict.meant.len().to_string()),
    ];
    Some(verdict.sighting(case, question, &meant, told))
}

fn equality(test: &Test) -> Option<&Bson> {
    if let Test::Compare(Comparison::Eq, literal) = test { Some(literal) } else { None }
}
