//! A range on a key that holds numbers and text: it sees only one of the two.

use super::asks::{Ask, each_ask, is_range};
use super::conversion::asked_in_numbers;
use super::kinds::{Kind, counted, kinds, meets_converted, number, types, whole_number};
use super::number_stored_as_string::{asked_kind, in_numbers};
use crate::pitfall::case::Case;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};

use crate::value::Bson;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "type-bracketing-splits-range",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("Range sees only one of two types", "Der Bereich sieht nur einen von zwei Typen"),
    explanation: Words::new(
        "A numeric bound scans numbers only; text lies in another part of the index and never shows up. No error is raised.",
        "Eine Zahl als Grenze durchsucht nur Zahlen; Strings liegen in einem anderen Teil des Index und erscheinen nie. Ein Fehler kommt nicht.",
    ),
    message: Words::new(
        "`{key}` has {numbers numbers} and {texts strings}; this range looks at the {seen} only. {missed more documents} {missed|lies|lie} in it after conversion, such as _id {id}.",
        "`{key}` hat {numbers Zahlen} und {texts Strings}; dieser Bereich sieht nur den Typ {seen}. Nach der Umwandlung lägen {missed Dokumente} mehr darin, etwa _id {id}.",
    ),
    cure: Words::new(
        "Give each key one type; meanwhile ask both types with `$or`.",
        "Gib jedem Schlüssel einen einzigen Typ; bis dahin frage beide Typen mit `$or` ab.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "volume", v: {$gte: 250}}}}) // v: 500 and v: "750""#,
    detect: |case| each_ask(case, sight),
};

/// Said where no value of the other type lies in the range.
const BY_CHANCE: Words = Words::new(
    "`{key}` has {numbers numbers} and {texts strings}; this range looks at the type {seen} \
     only. After conversion {missed more documents} {missed|lies|lie} in it.",
    "`{key}` hat {numbers Zahlen} und {texts Strings}; dieser Bereich sieht nur den Typ \
     {seen}. Nach der Umwandlung lägen {missed Dokumente} mehr darin.",
);

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let seen = asked_kind(ask).filter(|kind| *kind != Kind::Date && !ask.negated)?;
    if !ask.tests.iter().any(|test| is_range(test)) || ask.array.is_some() && ask.keys.is_empty() {
        return None;
    }
    let types = types(case, question.collection, ask);
    let stored = kinds(&types);
    let (numbers, texts) = (*stored.get(&Kind::Number)?, *stored.get(&Kind::Text)?);
    let in_numbers = in_numbers(&question.tree, ask)?;
    let matcher = question.matcher(&in_numbers)?;
    let verdict = Verdict::by(case, question, |document| meets_converted(&matcher, document, ask, &as_number));
    let asked = || asked_in_numbers(case, question, ask, &in_numbers);
    let mut evidence = vec![Evidence::Counts { of: ask.name(), counts: counted(&types) }];
    evidence.extend(verdict.evidence(Vec::new()));
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("key", ask.name()),
            ("numbers", numbers.to_string()),
            ("texts", texts.to_string()),
            ("seen", seen.name().to_owned()),
            ("missed", verdict.missed.len().to_string()),
            ("id", verdict.example()),
        ],
        evidence,
        fix: if verdict.is_right() { None } else { asked() },
        reading: asked(),
        level: verdict.level(),
        words: verdict.missed.is_empty().then_some(BY_CHANCE),
    })
}

fn as_number(value: &Bson) -> Option<Bson> {
    value.as_str().and_then(whole_number).map(number)
}
